import { agentCalls } from '@evenkeel/contract/agents';
import { approvalCountCalls } from '@evenkeel/contract/approvalCount';
import { AREAS } from '@evenkeel/contract/areas';
import { auditCalls } from '@evenkeel/contract/audit';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { keyCalls } from '@evenkeel/contract/keys';
import { settingsCalls } from '@evenkeel/contract/settings';
import { addMonths } from '@evenkeel/core/dates';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { todayIn } from '../../platform/clock.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';
import { PASSWORD } from '../../testing/world.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { deleteOldProposals } from './proposals.sql.ts';

let t: TestApp;
let company: WorldCompany;
let make: Factory;
let vendorId: number;
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany('Approving House');
  make = factoryFor(t, company);
  vendorId = await make.vendor('Western Reserve Nursery');
  await switchTo(true);
});
afterAll(() => t.close());

const everything = AREAS.flatMap((area) => [`View ${area}`, `Manage ${area}`]);
const today = () => todayIn('America/New_York');
const token = () => company.administrator.token;

const switchTo = (isOn: boolean) => t.call(agentCalls.setAgentAccess, { token: token(), body: { isOn } });

async function newKey() {
  const { userId } = company.administrator;
  const body = { name: 'Month-end agent', userId, permissions: everything, endsOn: addMonths(today(), 6) };
  return t.call(keyCalls.createApiKey, { token: token(), body: body as never });
}

type Rule = { group: string; mode: string };
const setPolicy = (id: number, rules: Rule[], accountIds: number[] = []) =>
  t.call(agentCalls.setKeyPolicy, {
    token: token(),
    params: { id: String(id) },
    body: {
      rules: rules.map((rule) => ({ each: null, day: null, count: null, ...rule })) as never,
      accountIds,
      password: PASSWORD,
    },
  });

let bills = 0;
const billOf = (amount: number) => ({
  operation: 'postExpenseinvoice',
  body: {
    vendorId,
    invoiceNumber: `W-${(bills += 1)}`,
    invoiceDate: today(),
    lineItems: [{ description: 'Mulch', accountId: 153, lineItemAmount: amount }],
  },
});

/** Sends a key's change for approval, and returns the ID and the token of its proposal. */
async function waitWith(key: string, change: object) {
  const proposed = await t.call(agentCalls.propose, { token: key, body: change as never });
  const committed = await t.call(agentCalls.commit, { token: key, body: { token: proposed.token } });
  expect(committed).toMatchObject({ status: 'waiting', reply: null });
  return { id: String(proposed.proposalId), proposal: proposed.token };
}

async function waiting(amount: number, more: object = {}) {
  const { key, record } = await newKey();
  return { key, record, ...(await waitWith(key, { ...billOf(amount), ...more })) };
}

const open = (id: string, given = token()) => t.call(agentCalls.openApproval, { token: given, params: { id } });
const approving = (id: string, seen: string, given = token()) => ({ token: given, params: { id }, body: { seen } });
const approve = (id: string, seen: string) => t.call(agentCalls.approve, approving(id, seen));
const refusedApproval = (id: string, seen: string) => t.refused(agentCalls.approve, approving(id, seen));

/** Returns the posted bills with this amount. */
const billsOf = async (amount: number) => {
  const all = await t.call(expenseCalls.listExpenses, { token: token(), query: { status: 'all' } });
  return (all as { invoiceAmount: number }[]).filter(({ invoiceAmount }) => invoiceAmount === amount * 100);
};

/** Changes a proposal in the database, in order to simulate the passing of time. */
const age = (id: string, change: ReturnType<typeof sql>) =>
  t.inCompany(company.companyId, (tx) =>
    tx.rows(sql`update agent_proposal set ${change} where company_id = ${company.companyId} and id = ${Number(id)}`),
  );

test("a waiting change doesn't expire after 15 minutes and is made exactly as shown", async () => {
  const { id } = await waiting(1148, { message: 'Due on 06/15 <b>now</b>' });
  await age(id, sql`expires_at = now() - interval '3 days'`);
  expect(await billsOf(1148)).toHaveLength(0);
  const { approval, rehearsal, proposed, hasMoved, problem, seen } = await open(id);
  expect(approval).toMatchObject({
    amount: 114_800,
    why: '"Enter bills" always needs approval',
    message: 'Due on 06/15 <b>now</b>',
    status: 'waiting',
    keyPrefix: expect.stringMatching(/^ek_/) as string,
  });
  expect({ hasMoved, problem }).toEqual({ hasMoved: false, problem: null });
  expect(rehearsal).toEqual(proposed);
  expect(await approve(id, seen)).toMatchObject({ status: 'approved', canUndo: true });
  expect(await billsOf(1148)).toHaveLength(1);
  const audit = JSON.stringify(await t.call(auditCalls.listAudit, { token: token() }));
  expect(audit).toContain(`proposal ${id}`);
});

test('if two people approve a change, it is made once, and the second person sees who approved it', async () => {
  const { id } = await waiting(1149);
  const second = await t.signIn(company, 'Administrator');
  const { seen } = await open(id);
  const answers = await Promise.all(
    [token(), second.token].map((each) =>
      t.request({ method: 'POST', url: `/api/approvals/${id}/approve`, token: each, body: { seen } }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const won = answers.find(({ status }) => status === 200)?.body as { decidedBy: string };
  const lost = answers.find(({ status }) => status === 409)?.body as { message: string };
  expect(lost.message).toBe(`${won.decidedBy} already approved this change`);
  expect(await billsOf(1149)).toHaveLength(1);
});

test('an approval that is repeated with its key after a lost response takes effect only once', async () => {
  const { id } = await waiting(1150);
  const { seen } = await open(id);
  const send = () =>
    t.request({
      method: 'POST',
      url: `/api/approvals/${id}/approve`,
      token: token(),
      body: { seen },
      headers: { 'idempotency-key': `approve ${id}` },
    });
  const [first, again] = [await send(), await send()];
  expect(first.status).toBe(200);
  expect(again).toMatchObject({ status: 200, body: first.body as object });
  expect(await billsOf(1150)).toHaveLength(1);
});

test("a change whose effects have changed since it was opened can't be approved until it is reopened", async () => {
  const { id } = await waiting(77);
  const { seen } = await open(id);
  await make.bill({ vendorId, amount: 10 });
  expect(await refusedApproval(id, seen)).toMatchObject({ status: 409, code: 'stale' });
  expect(await billsOf(77)).toHaveLength(0);
  const again = await open(id);
  expect(again.hasMoved).toBe(true);
  expect(again.rehearsal?.accounts).not.toEqual(again.proposed.accounts);
  expect(await approve(id, again.seen)).toMatchObject({ status: 'approved' });
});

test('a change to a record that another user has since saved must be reopened', async () => {
  const customerId = await make.customer('Summit Orthopedics');
  const { key } = await newKey();
  const change = {
    operation: 'putCustomerId',
    params: { id: customerId },
    body: { name: 'Summit Orthopedics', termsDays: 45 },
  };
  const { id } = await waitWith(key, change);
  expect((await open(id)).hasMoved).toBe(false);
  const body = { name: 'Summit Orthopedics', termsDays: 10 };
  const saved = await t.request({ method: 'PUT', url: `/api/customer/${customerId}`, token: token(), body });
  expect(saved.status).toBe(200);
  expect(await open(id)).toMatchObject({ hasMoved: true, input: { body: change.body } });
});

test('a change that is no longer possible shows the reason and can only be rejected', async () => {
  const bill = await make.bill({ vendorId, amount: 31 });
  const { key } = await newKey();
  const { id } = await waitWith(key, { operation: 'deleteExpenseinvoiceId', params: { id: bill.id } });
  await t.call(expenseCalls.deleteExpense, { token: token(), params: { id: String(bill.id) } });
  const opened = await open(id);
  expect(opened).toMatchObject({ rehearsal: null, hasMoved: true, problem: expect.any(String) as string });
  expect((await refusedApproval(id, opened.seen)).status).toBeGreaterThanOrEqual(400);
});

test('an agent can read why its proposal was rejected, and no one else can read the proposal', async () => {
  const { id, key, proposal } = await waiting(66);
  const body = { reason: 'Already paid' };
  const done = await t.call(agentCalls.rejectApproval, { token: token(), params: { id }, body });
  expect(done).toMatchObject({ status: 'rejected', reason: 'Already paid' });
  const params = { id };
  expect(await t.call(agentCalls.getProposal, { token: key, params })).toMatchObject({
    status: 'rejected',
    reason: 'Already paid',
  });
  const committed = await t.refused(agentCalls.commit, { token: key, body: { token: proposal } });
  expect(committed).toMatchObject({ status: 409, message: 'A user rejected this proposal: Already paid' });
  for (const other of [token(), (await newKey()).key]) {
    expect((await t.refused(agentCalls.getProposal, { token: other, params })).status).toBe(404);
  }
  expect((await t.refused(agentCalls.openApproval, { token: token(), params })).status).toBe(409);
  expect(await billsOf(66)).toHaveLength(0);
});

describe('a change can only be rejected', () => {
  const outcomes: [string, (one: { record: { id: number } }) => Promise<unknown>, RegExp][] = [
    [
      'if the key was revoked',
      ({ record }) => t.call(keyCalls.revokeApiKey, { token: token(), params: { id: String(record.id) } }),
      /was revoked/,
    ],
    [
      'if the policy no longer allows it',
      ({ record }) => setPolicy(record.id, [{ group: 'bills', mode: 'never' }]),
      /excludes "Enter bills"/,
    ],
    ['if the policy excludes one of its accounts', ({ record }) => setPolicy(record.id, [], [153]), /excludes the/],
    ['while agents are switched off', () => switchTo(false), /switched off/],
  ];
  test.each(outcomes)('%s, a pending change can only be rejected', async (_, happens, why) => {
    const one = await waiting(41);
    const { seen } = await open(one.id);
    await happens(one);
    expect(await refusedApproval(one.id, seen)).toMatchObject({ status: 403, message: expect.stringMatching(why) });
    expect((await open(one.id)).problem).toMatch(why);
    const rejected = await t.call(agentCalls.rejectApproval, { token: token(), params: { id: one.id }, body: {} });
    expect(rejected).toMatchObject({ status: 'rejected', reason: null });
    await switchTo(true);
  });
});

describe('a person can change the input of a proposal before approving it', () => {
  type Opened = Awaited<ReturnType<typeof open>>;
  interface BillInput {
    body: { invoiceNumber: string; invoiceDate: string; lineItems: Record<string, unknown>[]; [name: string]: unknown };
  }
  const inputOf = ({ form }: Opened) => structuredClone(form?.input) as BillInput;
  /** Returns the input of a bill with another amount on its only line. */
  const amountTo = (opened: Opened, amount: number): BillInput => {
    const { body } = inputOf(opened);
    return { body: { ...body, lineItems: body.lineItems.map((line) => ({ ...line, lineItemAmount: amount })) } };
  };
  const changing = (id: string, opened: Opened, input: unknown, given = token()) => ({
    token: given,
    params: { id },
    body: { input: input as never, rowVersion: opened.form?.rowVersion ?? -1 },
  });
  const change = (id: string, opened: Opened, input: unknown) =>
    t.call(agentCalls.changeApproval, changing(id, opened, input));
  const refusedChange = (id: string, opened: Opened, input: unknown, given = token()) =>
    t.refused(agentCalls.changeApproval, changing(id, opened, input, given));

  test('the changed input is what an approval posts, and an undo reverses it', async () => {
    const { id } = await waiting(4001);
    const opened = await open(id);
    const changed = await change(id, opened, amountTo(opened, 4002));
    expect(changed).toMatchObject({
      approval: { amount: 400_200, status: 'waiting', changedBy: expect.any(String) as string },
      sent: { body: { lineItems: [{ lineItemAmount: 4001 }] } },
      input: { body: { lineItems: [{ lineItemAmount: 4002 }] } },
      hasMoved: false,
      form: { rowVersion: 1 },
    });
    expect(await open(id)).toEqual(changed);
    expect(await billsOf(4002)).toHaveLength(0);
    expect(await refusedApproval(id, opened.seen)).toMatchObject({ status: 409, code: 'stale' });
    expect(await approve(id, changed.seen)).toMatchObject({ status: 'approved', amount: 400_200, canUndo: true });
    expect([(await billsOf(4001)).length, (await billsOf(4002)).length]).toEqual([0, 1]);
    await t.call(agentCalls.undoApproval, { token: token(), params: { id } });
    expect(await billsOf(4002)).toHaveLength(0);
  });

  test('an approval of the earlier input is rejected even if the entries are the same', async () => {
    const { id } = await waiting(4003);
    const opened = await open(id);
    const input = inputOf(opened);
    const changed = await change(id, opened, { body: { ...input.body, dueDate: addMonths(today(), 3) } });
    expect(changed.rehearsal).toEqual(opened.rehearsal);
    const refused = await refusedApproval(id, opened.seen);
    expect(refused).toMatchObject({
      status: 409,
      code: 'stale',
      message: expect.stringContaining('changed this') as string,
    });
  });

  test('the second of two people who change a proposal gets 409 with the input of the first', async () => {
    const { id } = await waiting(4004);
    const opened = await open(id);
    const second = await t.signIn(company, 'Administrator');
    const answers = await Promise.all(
      [token(), second.token].map((given, at) => {
        const body = { input: amountTo(opened, 4005 + at), rowVersion: 0 };
        return t.request({ method: 'POST', url: `/api/approvals/${id}/change`, token: given, body });
      }),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const won = answers.find(({ status }) => status === 200)?.body as { form: object };
    const lost = answers.find(({ status }) => status === 409)?.body as { code: string; current: object };
    expect(lost).toMatchObject({ code: 'stale', current: won.form });
    expect((await open(id)).form).toMatchObject({ rowVersion: 1 });
  });

  test('a change that is repeated with its key after a lost response takes effect only once', async () => {
    const { id } = await waiting(4007);
    const body = { input: amountTo(await open(id), 4008), rowVersion: 0 };
    const headers = { 'idempotency-key': `change ${id}` };
    const send = () => t.request({ method: 'POST', url: `/api/approvals/${id}/change`, token: token(), body, headers });
    const [first, again] = [await send(), await send()];
    expect(first.status).toBe(200);
    expect(again).toMatchObject({ status: 200, body: first.body as object });
    expect((await open(id)).form?.rowVersion).toBe(1);
  });

  test('an input that is not valid, or whose operation fails, leaves the proposal unchanged', async () => {
    const { id } = await waiting(4009);
    const opened = await open(id);
    const input = amountTo(opened, 4010);
    const [line] = input.body.lineItems;
    const wrong: [number, string, object][] = [
      [400, 'invoiceDate', { ...input.body, invoiceDate: 'soon' }],
      [400, 'lineItems.0.lineItemAmount', { ...input.body, lineItems: [{ ...line, lineItemAmount: 1.005 }] }],
      [422, 'lineItems.0.accountId', { ...input.body, lineItems: [{ ...line, accountId: 999_999 }] }],
    ];
    for (const [status, field, body] of wrong) {
      const refused = await refusedChange(id, opened, { body });
      expect(refused).toMatchObject({ status, fields: { [field]: expect.any(String) as string } });
    }
    // The record that a bill saves is part of the operation.
    expect(await refusedChange(id, opened, { body: { ...input.body, id: 5 } })).toMatchObject({ status: 422 });
    expect(await open(id)).toEqual(opened);
  });

  test('a change to a date in closed books needs an administrator and a reason', async () => {
    const day = addMonths(today(), -2);
    const setting = { settingName: 'closingDate', settingValue: day };
    await t.call(settingsCalls.saveSettings, { token: token(), body: setting as never });
    const { id } = await waiting(4011);
    const opened = await open(id);
    const input = inputOf(opened);
    const body = { ...input.body, invoiceDate: day };
    expect(await refusedChange(id, opened, { body })).toMatchObject({ code: 'closed' });
    expect(await open(id)).toEqual(opened);
    const changed = await change(id, opened, { body: { ...body, closingOverrideReason: 'Found in a drawer' } });
    expect(changed.rehearsal?.transactions).toMatchObject([{ postingDate: day, closed: true }]);
    expect(await approve(id, changed.seen)).toMatchObject({ status: 'approved' });
    const reopening = { settingName: 'closingDate', settingValue: '' };
    await t.call(settingsCalls.saveSettings, { token: token(), body: reopening as never });
  });

  test('a change that became impossible can be approved after its input is corrected', async () => {
    const { id, record } = await waiting(4012);
    await setPolicy(record.id, [], [153]);
    const opened = await open(id);
    expect(opened.problem).toMatch(/excludes the account/);
    expect(await refusedChange(id, opened, amountTo(opened, 4013))).toMatchObject({ status: 403 });
    const { body } = inputOf(opened);
    const [line] = body.lineItems;
    const changed = await change(id, opened, { body: { ...body, lineItems: [{ ...line, accountId: 154 }] } });
    expect(changed.problem).toBeNull();
    expect(await approve(id, changed.seen)).toMatchObject({ status: 'approved' });
  });

  test('a policy that never allows the change, and a revoked key, reject the changed input too', async () => {
    const never = await waiting(4014);
    const seen = await open(never.id);
    await setPolicy(never.record.id, [{ group: 'bills', mode: 'never' }]);
    const refused = await refusedChange(never.id, seen, amountTo(seen, 1));
    expect(refused).toMatchObject({ status: 403, message: expect.stringMatching(/excludes "Enter bills"/) as string });
    const revoked = await waiting(4015);
    const opened = await open(revoked.id);
    await t.call(keyCalls.revokeApiKey, { token: token(), params: { id: String(revoked.record.id) } });
    expect(await refusedChange(revoked.id, opened, amountTo(opened, 1))).toMatchObject({ status: 403 });
    expect((await open(revoked.id)).form).toBeNull();
  });

  test('a changed proposal within the limits still waits, and says so', async () => {
    const { id, record } = await waiting(4016);
    await setPolicy(record.id, [{ group: 'bills', mode: 'upTo', each: 100, day: 100 } as never]);
    const opened = await open(id);
    const above = await change(id, opened, amountTo(opened, 4017));
    expect(above.approval.why).toBe('Above the maximum of 100.00 per change for "Enter bills"');
    const within = await change(id, above, amountTo(above, 40));
    expect(within.approval).toMatchObject({ amount: 4000, why: expect.stringMatching(/^Within the policy/) as string });
  });

  test('no key and no one without the permission can change a proposal, nor can another company', async () => {
    const { id, key } = await waiting(4018);
    const opened = await open(id);
    const input = amountTo(opened, 4019);
    const reader = await t.signIn(company, 'Read Only');
    const other = await t.createCompany('Next Door');
    expect((await refusedChange(id, opened, input, key)).status).toBe(403);
    expect((await refusedChange(id, opened, input, reader.token)).status).toBe(404);
    expect((await refusedChange(id, opened, input, other.administrator.token)).status).toBe(404);
    expect(await open(id)).toEqual(opened);
  });

  test('a proposal that someone has decided on can no longer be changed', async () => {
    const { id } = await waiting(4020);
    const opened = await open(id);
    await t.call(agentCalls.rejectApproval, { token: token(), params: { id }, body: {} });
    expect(await refusedChange(id, opened, amountTo(opened, 4021))).toMatchObject({
      status: 409,
      message: expect.stringMatching(/already rejected this change/) as string,
    });
  });

  test('the agent and the audit log see who changed the input, and the same input changes nothing', async () => {
    const { id, key, proposal } = await waiting(4022);
    const opened = await open(id);
    expect((await change(id, opened, inputOf(opened))).approval.changedBy).toBeNull();
    const { approval } = await change(id, opened, amountTo(opened, 4023));
    const { changedBy, changedAt } = approval;
    expect(await t.call(agentCalls.getProposal, { token: key, params: { id } })).toMatchObject({
      status: 'waiting',
      amount: 402_300,
      changedBy,
      changedAt,
      input: { body: { lineItems: [{ lineItemAmount: 4023 }] } },
    });
    const query = { kind: 'approval', record: id, desc: 'true' as const };
    const log = await t.call(auditCalls.listAudit, { token: token(), query });
    const [entry] = log as { person: string; action: string; byName: string; changes: object[] }[];
    expect(entry).toMatchObject({ person: changedBy, action: 'update' });
    expect(entry?.byName).toContain(`proposal ${id}`);
    expect(JSON.stringify(entry?.changes)).toMatch(/4,?022.*4,?023/);
    // An agent that repeats its own proposal doesn't repeat what a person changed.
    const again = await t.call(agentCalls.propose, { token: key, body: { again: proposal } });
    expect(again.amount).toBe(402_200);
  });

  test('an outdated record is a conflict of the operation, not an outdated form', async () => {
    const customerId = await make.customer('Harbor Orthopedics');
    const { key } = await newKey();
    const change = { operation: 'putCustomerId', params: { id: customerId }, body: { name: 'Harbor', rowVersion: 1 } };
    const { id } = await waitWith(key, change);
    const opened = await open(id);
    const body = { name: 'Harbor Orthopedics', termsDays: 10 };
    await t.request({ method: 'PUT', url: `/api/customer/${customerId}`, token: token(), body });
    const refused = await refusedChange(id, opened, {
      ...(opened.form?.input as object),
      body: { name: 'Pier', rowVersion: 1 },
    });
    expect(refused).toMatchObject({ status: 409, code: 'conflict' });
    expect(await open(id)).toMatchObject({ rehearsal: null, form: { rowVersion: 0 } });
  });

  test('a change whose only input is the record that it is about has no form', async () => {
    const bill = await make.bill({ vendorId, amount: 32 });
    const { key } = await newKey();
    const { id } = await waitWith(key, { operation: 'deleteExpenseinvoiceId', params: { id: bill.id } });
    expect((await open(id)).form).toBeNull();
  });
});

test('no key can approve changes, and people see only changes that they could make themselves', async () => {
  const { id, key } = await waiting(55);
  const { seen } = await open(id);
  const params = { id };
  expect((await t.refused(agentCalls.approve, approving(id, seen, key))).status).toBe(403);
  expect((await t.refused(agentCalls.rejectApproval, { token: key, params, body: {} })).status).toBe(403);
  expect((await t.refused(agentCalls.listApprovals, { token: key })).status).toBe(403);
  const reader = await t.signIn(company, 'Read Only');
  expect(await t.call(agentCalls.listApprovals, { token: reader.token })).toEqual([]);
  expect((await t.refused(agentCalls.openApproval, { token: reader.token, params })).status).toBe(404);
  expect((await t.refused(agentCalls.approve, approving(id, seen, reader.token))).status).toBe(404);
  expect((await t.refused(agentCalls.undoApproval, { token: reader.token, params })).status).toBe(404);
  expect(await t.call(approvalCountCalls.countApprovals, { token: reader.token })).toMatchObject({
    waiting: 0,
    hasAgents: false,
  });
  expect((await t.call(approvalCountCalls.countApprovals, { token: token() })).waiting).toBeGreaterThan(0);
});

test('an approved change can be undone only once, by reversing it', async () => {
  const { id, record } = await waiting(63);
  await approve(id, (await open(id)).seen);
  const undo = { token: token(), params: { id } };
  expect(await t.call(agentCalls.undoApproval, undo)).toMatchObject({ status: 'undone', canUndo: false });
  expect((await t.refused(agentCalls.undoApproval, undo)).status).toBe(409);
  const approved = await t.call(agentCalls.listApprovals, { token: token(), query: { status: 'approved' } });
  expect(approved.find((each) => String(each.id) === id)).toMatchObject({ status: 'undone' });
  const policy = await t.call(agentCalls.getKeyPolicy, { token: token(), params: { id: String(record.id) } });
  // Only changes without approval count toward the limits.
  expect(policy).toMatchObject({ used: [], lastDays: { committed: 0, approved: 1, rejected: 0, undone: 1 } });
});

test('at most 100 changes by a key can wait for approval', async () => {
  const { id, key } = await waiting(12);
  await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql`
      insert into agent_proposal (company_id, key_id, key_name, user_id, token_hash, operation, input, policy_group,
        title, amount_cents, digest, effects, client, status, expires_at)
      select p.company_id, p.key_id, p.key_name, p.user_id, sha256(convert_to('copy ' || n, 'UTF8')), p.operation,
        p.input, p.policy_group, p.title, p.amount_cents, p.digest, p.effects, p.client, p.status, p.expires_at
      from agent_proposal p, generate_series(1, 99) n
      where p.company_id = ${company.companyId} and p.id = ${Number(id)}`),
  );
  const proposed = await t.call(agentCalls.propose, { token: key, body: billOf(13) as never });
  const refused = await t.refused(agentCalls.commit, { token: key, body: { token: proposed.token } });
  expect(refused).toMatchObject({ status: 409, message: expect.stringContaining('100 changes') as string });
});

test('the cleanup deletes decided proposals after 90 days, but never deletes waiting ones', async () => {
  const [ended, recent, waits] = [await waiting(21), await waiting(22), await waiting(23)];
  for (const { id } of [ended, recent]) {
    await t.call(agentCalls.rejectApproval, { token: token(), params: { id }, body: {} });
  }
  await age(ended.id, sql`expires_at = now() - interval '200 days', decided_at = now() - interval '91 days'`);
  await age(recent.id, sql`expires_at = now() - interval '200 days', decided_at = now() - interval '89 days'`);
  await age(waits.id, sql`expires_at = now() - interval '200 days'`);
  await t.inCompany(company.companyId, (tx) => tx.rows(deleteOldProposals()));
  const read = (one: { id: string; key: string }) =>
    t.request({ method: 'GET', url: `/api/proposals/${one.id}`, token: one.key });
  expect((await read(ended)).status).toBe(404);
  expect((await read(recent)).status).toBe(200);
  expect((await read(waits)).status).toBe(200);
});
