import { AgentAccess, type agentCalls, AgentPolicy, KeyPolicyRecord, POLICY_GROUPS } from '@evenkeel/contract/agents';
import { encode } from '@evenkeel/contract/wire';
import { accountLabel } from '@evenkeel/core/books/accounts';
import { conflict, refuseFields } from '@evenkeel/core/failure';
import { sql } from 'kysely';
import { companySettings } from '../../books/company-settings.ts';
import { accountsSql } from '../../books/ledger/accounts.sql.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import { COMPANY } from '../../platform/db/query.ts';
import { inCompany, readCompany } from '../../platform/db/tx.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import type { Input, OpenCtx } from '../../platform/http/route.ts';
import { actorOf } from '../../platform/http/session.ts';
import { confirmedEither, signedInUser } from '../auth/own-password.ts';
import { isLocked, isLooser } from './policy.ts';
import { access, lastDaysSql, policyOf, usedSql } from './proposals.sql.ts';

/** The switch that turns agents on, and the policies of API keys. */

const accessSubject: Subject<typeof AgentAccess> = { name: 'agents', schema: AgentAccess, idOf: ({ id }) => id };

export async function getAccess({ tx, companyId }: Ctx): Promise<AgentAccess> {
  const row = await tx.row(access.find({}));
  return { id: companyId, isOn: row?.isOn === true };
}

export async function setAccess(ctx: Ctx, { body }: Input<typeof agentCalls.setAgentAccess>): Promise<AgentAccess> {
  const before = await getAccess(ctx);
  const after = { ...before, isOn: body.isOn };
  if (before.isOn === after.isOn) return after;
  const write = sql`
    insert into agent_access (company_id, is_on) values (${COMPANY}, ${body.isOn})
    on conflict (company_id) do update set is_on = excluded.is_on`;
  return record(ctx, accessSubject, { action: 'update', before, after, write });
}

export async function getPolicy(ctx: Ctx, { params }: Input<typeof agentCalls.getKeyPolicy>) {
  const [stored, used, lastDays, accounts, { useAccountNumbers }] = await Promise.all([
    policyOf(ctx.tx, params.id),
    ctx.tx.rows(usedSql(params.id, ctx.today)),
    ctx.tx.one(lastDaysSql(params.id)),
    ctx.tx.rows(accountsSql('every', true)),
    companySettings(ctx),
  ]);
  const { name: keyName, isSaved, rowVersion, policy } = stored;
  const locked = accounts.filter(isLocked);
  return {
    keyId: params.id,
    keyName,
    isSaved,
    rowVersion,
    policy,
    used,
    lastDays,
    locked: locked.map((account) => ({ accountId: account.id, account: accountLabel(account, useAccountNumbers) })),
  };
}

const policySubject: Subject<typeof KeyPolicyRecord> = {
  name: 'agent policy',
  schema: KeyPolicyRecord,
  idOf: ({ id }) => id,
};

/**
 * Saves a key's policy. From then on, the key writes only through proposals. A policy that allows more than the saved
 * policy requires the administrator's password or passkey, so that a stolen session can't give an agent more rights.
 */
export async function setPolicy(ctx: OpenCtx, { params: { id }, body }: Input<typeof agentCalls.setKeyPolicy>) {
  const { password, passkey, rowVersion: given, ...policy } = body;
  checkPolicy(policy);
  const user = signedInUser(ctx);
  const { pool } = ctx.services;
  const current = await readCompany(pool, user.companyId, (tx) => policyOf(tx, id));
  const needsProof = isLooser(policy, current.policy);
  if (needsProof) await confirmedEither(ctx, { password, passkey });
  return inCompany(pool, user.companyId, async (tx) => {
    const { name, ...before } = await policyOf(tx, id, true);
    const { rowVersion } = before;
    requireFresh(KeyPolicyRecord, { id, name, rowVersion, policy: before.policy }, given);
    // If the request has no row version, the policy may have become stricter since the check above.
    if (!needsProof && isLooser(policy, before.policy)) {
      throw conflict('Another administrator has changed this policy in the meantime. Reload the policy and try again.');
    }
    const write = sql`
      update api_key set policy = ${JSON.stringify(encode(AgentPolicy, policy))}::jsonb, row_version = row_version + 1
      where company_id = ${COMPANY} and id = ${id}`;
    const change = {
      before: { id, name, rowVersion, policy: before.policy },
      after: { id, name, rowVersion: rowVersion + 1, policy },
      write,
    };
    return record({ ...actorOf(user), tx }, policySubject, { action: 'update', ...change });
  });
}

/** Throws 422 if a rule lacks its limits or a group has two rules. */
function checkPolicy({ rules }: AgentPolicy): void {
  const messages = rules.flatMap(({ group, mode, each, day, count }, at): [string, string][] => {
    const { label, isCounted } = POLICY_GROUPS[group];
    if (rules.findIndex((rule) => rule.group === group) !== at)
      return [[`rules.${at}`, `"${label}" has more than one rule`]];
    if (mode !== 'upTo') return [];
    if (group === 'other') return [[`rules.${at}.mode`, `"${label}" always needs approval`]];
    if (isCounted) return (count ?? 0) > 0 ? [] : [[`rules.${at}.count`, 'Please enter a number greater than 0']];
    const wrong = (each ?? 0) <= 0 ? 'each' : (day ?? 0) <= 0 ? 'day' : undefined;
    return wrong === undefined ? [] : [[`rules.${at}.${wrong}`, 'Please enter an amount greater than 0.00']];
  });
  refuseFields(Object.fromEntries(messages));
}
