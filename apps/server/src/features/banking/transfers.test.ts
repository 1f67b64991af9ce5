import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { reportCalls } from '@evenkeel/contract/reports';
import { settingsCalls } from '@evenkeel/contract/settings';
import { transferCalls as calls } from '@evenkeel/contract/transfers';
import { CHECKING, CREDIT_CARD } from '@evenkeel/core/books/accounts';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { exportBooks } from '../accounting/export.ts';
import { verifyCompany } from '../../across/health/books-verify.ts';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';
import { checkingOf } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { createTransfer } from './transfers.ts';

let t: TestApp;
let company: WorldCompany;
let checking: number;
let card: number;
beforeAll(async () => {
  t = await startTestApp();
  company = t.world.company;
  checking = await checkingOf(t, company.companyId);
  card = await bankOn(company.companyId, CREDIT_CARD, 'Card');
});
afterAll(() => t.close());

async function bankOn(companyId: number, glAccountId: number, name: string): Promise<number> {
  const row = await t.inCompany(companyId, (tx) =>
    tx.row(sql<{ id: number }>`
      insert into banking_account (company_id, name, gl_account_id) values (${companyId}, ${name}, ${glAccountId})
      returning id`),
  );
  return row?.id ?? 0;
}

const token = () => company.bookkeeper.token;
const body = (given: Record<string, unknown> = {}) => ({
  transferDate: '2026-03-05',
  fromBankAccountId: checking,
  toBankAccountId: card,
  amount: 310,
  ...given,
});
const create = (given: Record<string, unknown> = {}) =>
  t.call(calls.createTransfer, { token: token(), body: body(given) });

/** Returns the active lines of a transfer: account and cents. */
async function lines(sourceId: number) {
  const params = { sourceType: 'transfer', sourceId };
  const all = await t.call(ledgerCalls.sourceEntries, { token: token(), params });
  return all
    .filter((line) => line.reverses === null && line.reversedBy === null)
    .map((line) => [
      line.accountID,
      (line.debitAmount ?? 0) - (line.creditAmount ?? 0),
      line.postingDate,
      line.description,
    ]);
}

test('a transfer of 310.00 from Checking to the card is numbered, posted, read, edited, and deleted', async () => {
  const made = await create({ referenceNumber: 'ACH 5' });
  expect(made).toMatchObject({
    transferNumber: '1',
    fromBankAccountName: 'Checking',
    toBankAccountName: 'Card',
    amount: 31_000,
    referenceNumber: 'ACH 5',
    rowVersion: 1,
  });
  expect(await lines(made.id)).toEqual([
    [CREDIT_CARD, 31_000, '2026-03-05', 'Transfer 1'],
    [CHECKING, -31_000, '2026-03-05', 'Transfer 1'],
  ]);
  expect(await t.call(calls.getTransfer, { token: token(), params: { id: made.id } })).toEqual(made);
  const edit = { id: made.id, rowVersion: 1, amount: 300, transferDate: '2026-03-06', memo: 'Card of March' };
  const saved = await t.call(calls.updateTransfer, { token: token(), body: body(edit) });
  expect(saved).toMatchObject({ transferNumber: '1', amount: 30_000, rowVersion: 2 });
  expect(await lines(made.id)).toEqual([
    [CREDIT_CARD, 30_000, '2026-03-06', 'Card of March'],
    [CHECKING, -30_000, '2026-03-06', 'Card of March'],
  ]);
  const page = await t.call(calls.listTransfers, { token: token(), query: { limit: '10', q: 'march' } });
  expect(page).toMatchObject({ total: 1, sums: { amount: 30_000 }, items: [{ id: made.id }] });
  const others = { limit: '10', bankAccountId: '999' };
  expect(await t.call(calls.listTransfers, { token: token(), query: others })).toMatchObject({ total: 0 });
  await t.call(calls.deleteTransfer, { token: token(), params: { id: made.id } });
  expect(await lines(made.id)).toEqual([]);
  expect((await t.refused(calls.getTransfer, { token: token(), params: { id: made.id } })).status).toBe(404);
  expect((await t.refused(calls.deleteTransfer, { token: token(), params: { id: made.id } })).status).toBe(404);
  expect((await create()).transferNumber).toBe('2');
});

test('the register, the journal report, and exports show a transfer with its number', async () => {
  const made = await create({ transferDate: '2026-04-01', amount: 12.34 });
  const query = { from: '2026-04-01', to: '2026-04-01' };
  const params = { customerAccountId: CHECKING };
  const register = await t.call(ledgerCalls.accountEntries, { token: token(), params, query });
  expect(register).toMatchObject([{ sourceType: 'transfer', sourceId: made.id, number: made.transferNumber }]);
  const found = await t.call(ledgerCalls.accountEntries, { token: token(), params, query: { q: made.transferNumber } });
  expect(JSON.stringify(found)).toContain('"sourceType":"transfer"');
  const reportParams = ['startdate', 'reportdate'].map((paramName) => {
    return { paramType: 1, paramName, paramvalue: '2026-04-01' };
  });
  for (const reportId of ['101', '102']) {
    const run = { token: company.administrator.token, params: { reportId }, body: { reportParams } };
    const report = JSON.stringify(await t.call(reportCalls.runReport, run));
    expect(report).toContain('Transfer');
  }
  const parts: string[] = [];
  const asked = { companyId: company.companyId, format: 'hledger', basis: 'cash' } as const;
  await exportBooks(t.pool, asked, async (part) => void parts.push(part));
  expect(parts.join('')).toMatch(/2026-04-01 \* .*source:transfer/);
});

test('a transfer of 0.00, or with a missing, duplicate, unknown, or inactive account, is rejected', async () => {
  const refusal = async (given: Record<string, unknown>) =>
    (await t.refused(calls.createTransfer, { token: token(), body: body(given) })).fields;
  expect(await refusal({ toBankAccountId: checking })).toHaveProperty('toBankAccountId');
  expect(await refusal({ fromBankAccountId: 0, amount: 0 })).toEqual({
    fromBankAccountId: 'Please select the account to transfer from',
    amount: 'The amount must be greater than $0.00',
  });
  const theirs = await checkingOf(t, t.world.other.companyId);
  expect(await refusal({ toBankAccountId: theirs })).toEqual({ toBankAccountId: 'Please Select a Bank Account' });
  const closed = await bankOn(company.companyId, 102, 'Savings');
  const made = await create({ toBankAccountId: closed });
  await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql`update banking_account set active = false where company_id = ${company.companyId} and id = ${closed}`),
  );
  expect(await refusal({ toBankAccountId: closed })).toEqual({
    toBankAccountId: expect.stringContaining('is inactive. Make it active, or select another one'),
  });
  const kept = body({ id: made.id, toBankAccountId: closed, amount: 1 });
  expect((await t.call(calls.updateTransfer, { token: token(), body: kept })).amount).toBe(100);
  const stranger = { token: company.stranger.token, body: body() };
  expect((await t.refused(calls.createTransfer, stranger)).status).toBe(403);
});

test('only one of two simultaneous edits is saved, and the other gets the saved transfer', async () => {
  const { id } = await create();
  const edit = (amount: number) =>
    t.request({ method: 'PUT', url: '/api/transfer', token: token(), body: body({ id, rowVersion: 1, amount }) });
  const answers = await Promise.all([edit(100), edit(200)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const stale = answers.find(({ status }) => status === 409);
  expect(stale?.body).toMatchObject({ code: 'stale', current: { id, rowVersion: 2 } });
  expect((await lines(id)).length).toBe(2);
});

test('a POST that is repeated with its key creates one transfer and returns the same response', async () => {
  const before = await countRows(t, company.companyId, 'bank_document');
  const send = () =>
    t.request({
      method: 'POST',
      url: '/api/transfer',
      token: token(),
      headers: { 'idempotency-key': 'transfer again' },
      body: body(),
    });
  const answers = [...(await Promise.all([send(), send()])), await send()];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
  expect(await countRows(t, company.companyId, 'bank_document')).toBe(before + 1);
});

test("posting, editing, or deleting a transfer in closed books requires an administrator's reason", async () => {
  const { id } = await create({ transferDate: '2025-12-31' });
  const settings = [{ settingName: 'closingDate', settingValue: '2025-12-31' }];
  await t.call(settingsCalls.saveSettings, { token: company.administrator.token, body: settings });
  const closed = async (attempt: Promise<{ code: string }>) => expect((await attempt).code).toBe('closed');
  await closed(t.refused(calls.createTransfer, { token: token(), body: body({ transferDate: '2025-12-31' }) }));
  await closed(t.refused(calls.updateTransfer, { token: token(), body: body({ id, transferDate: '2026-01-01' }) }));
  await closed(t.refused(calls.deleteTransfer, { token: token(), params: { id } }));
  const reference = body({ id, transferDate: '2025-12-31', referenceNumber: 'Seen' });
  expect(await t.call(calls.updateTransfer, { token: token(), body: reference })).toMatchObject({ rowVersion: 2 });
  const admin = company.administrator.token;
  const query = { closingOverrideReason: 'Entered twice' };
  await t.call(calls.deleteTransfer, { token: admin, params: { id }, query });
  expect(await lines(id)).toEqual([]);
});

test('another operation can post a transfer in its own transaction, and verify finds no problem', async () => {
  const made = await t.withCtx(company.bookkeeper, (ctx) =>
    createTransfer(ctx, {
      transferDate: isoDate('2026-05-02'),
      fromBankAccountId: checking,
      toBankAccountId: card,
      amount: cents(4_200),
    }),
  );
  expect((await lines(made.id)).map(([, amount]) => amount)).toEqual([4_200, -4_200]);
  expect((await verifyCompany(t.pool, company.companyId)).faults).toEqual([]);
});
