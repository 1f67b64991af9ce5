import { OnlineConnection, type onlineCalls, OnlinePayments } from '@evenkeel/contract/online';
import { type FieldMessages, present, refuse, refuseFields } from '@evenkeel/core/failure';
import { CHECKING } from '@evenkeel/core/books/accounts';
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { accounts, accountsByIdSql } from '../../books/ledger/accounts.sql.ts';
import { inactive } from '../../books/ledger/references.ts';
import { setupAccount } from '../../features/accounting/account-setup.ts';
import { createBankingAccount } from '../../features/banking/accounts.ts';
import { bankingAccounts } from '../../features/banking/accounts.sql.ts';
import { paymentTypes } from '../../features/banking/payment-types.ts';
import type { Config } from '../../platform/config.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Box, Place } from '../../platform/db/box.ts';
import { enqueue } from '../../platform/db/jobs.ts';
import { inCompany, type Tx } from '../../platform/db/tx.ts';
import { saveRecord } from '../../platform/db/records.ts';
import type { Ctx, Services } from '../../platform/http/context.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import type { Input, OpenCtx } from '../../platform/http/route.ts';
import { actorOf } from '../../platform/http/session.ts';
import { confirmed } from '../auth/own-password.ts';
import { type ConnectionRow, connections, eventCountsSql, hasOtherEntriesSql, waitingEventsSql } from './online.sql.ts';
import type { Provider } from './provider.ts';
import { openStripe } from './stripe.ts';

/** A company's connection to its online payment provider. */

export const EVENT_JOB = 'online payments';

const providers = new WeakMap<Config, Provider>();

/** Returns the provider. Its clients are shared by all companies in a process. */
export function providerOf({ config }: Services): Provider {
  const known = providers.get(config);
  if (known !== undefined) return known;
  const provider = openStripe(config.stripeApiUrl);
  providers.set(config, provider);
  return provider;
}

/** The locations of the encrypted key and webhook secret. */
export const onlinePlace = (companyId: number, column: 'key_box' | 'secret_box'): Place => {
  return { companyId, table: 'online_connection', column, rowId: companyId };
};

/**
 * Returns the key and the webhook secret. Returns undefined if the company is not connected, or if the stored values
 * were encrypted with another key.
 */
export function secretsOf(
  box: Box,
  companyId: number,
  row: Pick<ConnectionRow, 'keyBox' | 'secretBox'> | undefined,
): { key: string; secret: string } | undefined {
  if (row === undefined || row.keyBox === null || row.secretBox === null) return undefined;
  const key = box.open(onlinePlace(companyId, 'key_box'), row.keyBox);
  const secret = box.open(onlinePlace(companyId, 'secret_box'), row.secretBox);
  return key === undefined || secret === undefined ? undefined : { key, secret };
}

const subject: Subject<typeof OnlineConnection> = {
  name: 'online payments',
  schema: OnlineConnection,
  idOf: ({ id }) => id,
};

function shown(companyId: number, row: ConnectionRow): OnlineConnection {
  return {
    id: companyId,
    isConnected: row.keyBox !== null,
    keyHint: row.keyHint,
    isLive: row.isLive,
    connectedAt: row.connectedAt.toISOString(),
    paysNow: row.paysNow,
    leastPart: row.leastPart,
    mostByCard: row.mostByCard,
    clearingBankAccountId: row.clearingBankId,
    payoutBankAccountId: row.payoutBankId,
    feeAccountId: row.feeAccountId,
    reviewAccountId: row.reviewAccountId,
  };
}

/** The address that a company's events are sent to. */
export const hookPath = (companyId: number): string => `/hooks/stripe/${companyId}`;

export async function onlinePayments({ tx, companyId, services }: Ctx): Promise<OnlinePayments> {
  const [row, counts] = await Promise.all([tx.row(connections.find({})), tx.one(eventCountsSql())]);
  return {
    connection: row === undefined ? null : shown(companyId, row),
    lastEventAt: row?.lastEventAt?.toISOString() ?? null,
    waiting: counts.waiting,
    waitingError: counts.error,
    webhookUrl: `${services.config.publicUrl}${hookPath(companyId)}`,
    events: [...providerOf(services).events],
    rowVersion: row?.rowVersion ?? 0,
  };
}

/** Returns the beginning and end of a key, so that people can recognize it. */
const hintOf = (key: string): string => `${/^rk_(live|test)_/.exec(key)?.[0] ?? ''}…${key.slice(-4)}`;

/**
 * Connects Stripe, or replaces its key, after a test call. Requires the password, so that a stolen session can't send
 * the company's customers to another account. Throws 422 for a wrong password, key, or secret.
 */
export async function connect(ctx: OpenCtx, { body }: Input<typeof onlineCalls.connectOnlinePayments>) {
  const [key, secret] = [(body.key ?? '').trim(), (body.webhookSecret ?? '').trim()];
  refuseFields({
    ...(/^rk_(live|test)_\w{8,}$/.test(key) ? {} : { key: 'Please enter a restricted key, which begins with rk_' }),
    ...(/^whsec_\S{8,}$/.test(secret)
      ? {}
      : { webhookSecret: 'Please enter the signing secret of the webhook, which begins with whsec_' }),
  });
  const { services } = ctx;
  const { user } = await confirmed(ctx, body.password);
  const provider = providerOf(services);
  await provider.tryKey(key);
  const { companyId, userId } = user;
  return inCompany(services.pool, companyId, async (tx) => {
    const own: Ctx = { ...actorOf(user), tx, services };
    const before = await tx.row(connections.find({}, { lock: 'for update' }));
    const changes = {
      keyBox: services.box.seal(onlinePlace(companyId, 'key_box'), key),
      secretBox: services.box.seal(onlinePlace(companyId, 'secret_box'), secret),
      keyHint: hintOf(key),
      isLive: key.startsWith('rk_live_'),
      connectedAt: sql`now()`,
      connectedBy: userId,
    };
    const write =
      before === undefined
        ? connections.insert({ ...changes, ...(await newAccounts(own, provider)), provider: provider.name })
        : connections.update({}, { ...changes, rowVersion: before.rowVersion + 1 });
    await tx.rows(write);
    const after = await tx.one(connections.find({}));
    record(own, subject, {
      ...(before === undefined ? {} : { before: shown(companyId, before) }),
      after: shown(companyId, after),
    });
    await requeueEvents(tx);
    return onlinePayments(own);
  });
}

/** The chart's account for payment processor fees, and the account that determines the review account's type. */
const [PROCESSING_FEES, CURRENT_ASSET] = [152, 107];

/** Creates the clearing account, review account, and payment type for a new connection. */
async function newAccounts(ctx: Ctx, { label }: Provider) {
  const banks = await ctx.tx.rows(bankingAccounts.find({ active: true }, { orderBy: sql`id` }));
  const name = `${label} Clearing`;
  const payout = banks.find((each) => !each.isCalledCard && each.name !== name);
  if (payout === undefined) throw refuse('Add the bank account that receives the payouts first');
  const found = banks.find((each) => each.name === name);
  const isFree = found !== undefined && !(await ctx.tx.one(hasOtherEntriesSql(found.id))).has;
  const clearing = isFree ? found.id : await createClearing(ctx, name, payout.glAccountId);
  const review = await setupAccount(ctx, {
    customerAccountID: 0,
    masterAccountID: CURRENT_ASSET,
    accountNameLabel: `${label} Disputes and Review`,
  });
  const [type] = await ctx.tx.rows(paymentTypes.table.find({ displayName: label, active: true }));
  const { id: paymentTypeId } = type ?? (await saveRecord(ctx, paymentTypes, { displayName: label }));
  return {
    clearingBankId: clearing,
    payoutBankId: payout.id,
    feeAccountId: PROCESSING_FEES,
    reviewAccountId: review.customerAccountID,
    paymentTypeId,
  };
}

/** Creates the clearing account with the next free number after that of the account for payouts. */
async function createClearing(ctx: Ctx, name: string, payoutAccountId: number): Promise<number> {
  const all = await ctx.tx.rows(accounts.find({}));
  const numbers = new Set(all.map(({ number }) => number));
  const after = all.find(({ id }) => id === payoutAccountId)?.number ?? '';
  const isNumbered = /^\d{1,9}$/.test(after);
  let number = isNumbered ? Number(after) : USUAL_NUMBER;
  do number += 10;
  while (numbers.has(String(number)));
  const { customerAccountID: glAccountID } = await setupAccount(ctx, {
    customerAccountID: 0,
    masterAccountID: CHECKING,
    accountNameLabel: name,
    accountNumberLabel: isNumbered ? String(number) : '',
  });
  const created = await createBankingAccount(ctx, { name, glAccountID, accountNumber: String(number) });
  return created.bankingAccountID;
}

/** The number of the first bank account in a chart without numbers. */
const USUAL_NUMBER = 1000;

/** Removes the key. Events that the provider sends from then on are rejected. */
export async function disconnect(ctx: OpenCtx, { body }: Input<typeof onlineCalls.disconnectOnlinePayments>) {
  const { services } = ctx;
  const { user } = await confirmed(ctx, body.password);
  const { companyId } = user;
  return inCompany(services.pool, companyId, async (tx) => {
    const own: Ctx = { ...actorOf(user), tx, services };
    const before = await tx.row(connections.find({}, { lock: 'for update' }));
    if (before !== undefined && before.keyBox !== null) {
      const gone = { keyBox: null, secretBox: null, rowVersion: before.rowVersion + 1 };
      const change = { before: shown(companyId, before), after: shown(companyId, { ...before, ...gone }) };
      record(own, subject, { ...change, write: connections.update({}, gone) });
    }
    return onlinePayments(own);
  });
}

/** Saves the rules and accounts. Throws 422 for invalid fields, and 409 'stale' for an outdated version. */
export async function saveSettings(ctx: Ctx, { body }: Input<typeof onlineCalls.saveOnlinePayments>) {
  const { tx, companyId } = ctx;
  const stored = await tx.row(connections.find({}, { lock: 'for update' }));
  if (stored === undefined) throw refuse('Connect Stripe first');
  const before = shown(companyId, stored);
  requireFresh(OnlinePayments, await onlinePayments(ctx), body.rowVersion);
  refuseFields(await faultsOf(ctx, body, stored));
  const changes = {
    paysNow: body.paysNow,
    leastPart: body.leastPart,
    mostByCard: body.mostByCard === undefined ? stored.mostByCard : body.mostByCard,
    clearingBankId: body.clearingBankAccountId,
    payoutBankId: body.payoutBankAccountId,
    feeAccountId: body.feeAccountId,
    reviewAccountId: body.reviewAccountId,
    rowVersion: stored.rowVersion + 1,
  };
  const after = shown(companyId, { ...stored, ...changes });
  record(ctx, subject, { before, after, write: connections.update({}, changes) });
  return onlinePayments(ctx);
}

type Body = Input<typeof onlineCalls.saveOnlinePayments>['body'];

async function faultsOf({ tx }: Ctx, body: Body, stored: ConnectionRow): Promise<FieldMessages> {
  const { clearingBankAccountId: clearing, payoutBankAccountId: payout, feeAccountId, reviewAccountId } = body;
  const [banks, accounts, other] = await Promise.all([
    tx.rows(bankingAccounts.find({ id: [clearing, payout] })),
    tx.rows(accountsByIdSql([feeAccountId, reviewAccountId])),
    tx.one(hasOtherEntriesSql(clearing)),
  ]);
  const bankFault = (id: number) => {
    const bank = banks.find((each) => each.id === id);
    return bank === undefined ? 'Please Select a Bank Account' : bank.active ? undefined : inactive('bank account');
  };
  const accountFault = (id: number) => {
    const account = accounts.find((each) => each.id === id);
    return account === undefined ? 'Please Select an Account' : account.active ? undefined : inactive('account');
  };
  const mixed = clearing !== stored.clearingBankId && other.has;
  const faults: Record<string, string | undefined> = {
    leastPart: body.leastPart !== null && body.leastPart < 50 ? 'Please enter an amount of at least 0.50' : undefined,
    mostByCard: (body.mostByCard ?? 50) < 50 ? 'Please enter an amount of at least 0.50' : undefined,
    clearingBankAccountId:
      bankFault(clearing) ??
      (mixed ? 'This account already has entries. Select an account that only Stripe uses.' : undefined),
    payoutBankAccountId:
      bankFault(payout) ??
      (payout === clearing ? 'Payouts need an account other than the clearing account' : undefined),
    feeAccountId: accountFault(feeAccountId),
    reviewAccountId:
      accountFault(reviewAccountId) ??
      (reviewAccountId === feeAccountId ? 'Select an account other than the fee account' : undefined),
  };
  return Object.fromEntries(
    Object.entries(faults).flatMap(([field, fault]) => (fault === undefined ? [] : [[field, fault]])),
  );
}

/** Queues the waiting events after the company reconnects, or after an outage that outlasted a job's retries. */
export async function requeueEvents(tx: Tx): Promise<void> {
  for (const { id } of await tx.rows(waitingEventsSql())) queueEvent(tx, id);
}

export function queueEvent(tx: Tx, id: number): void {
  enqueue(tx, { kind: EVENT_JOB, key: String(id), payload: { id }, userId: null });
}

/** The key for a payment page. No other installation that shares the provider account uses the same key. */
export const newOnce = (): string => `evenkeel-${randomBytes(16).toString('hex')}`;

/** Returns the connection for a job that needs it. */
export const connectionOf = async (tx: Tx): Promise<ConnectionRow> =>
  present(await tx.row(connections.find({})), 'connection');
