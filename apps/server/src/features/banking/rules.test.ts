import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { statementCalls as calls } from '@evenkeel/contract/statements';
import { addDays, type IsoDate } from '@evenkeel/core/dates';
import { todayIn } from '../../platform/clock.ts';
import { verifyCompany } from '../../across/health/books-verify.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { checkingOf, factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { type BankSays, importFile, ofx } from './testing/statement-files.ts';

let t: TestApp;
let company: WorldCompany;
let token: string;
let bank: number;
const TODAY = todayIn('America/New_York');
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  company = await t.createCompany();
  token = company.bookkeeper.token;
  bank = await checkingOf(t, company.companyId);
});

const FEES = 151;
const SUPPLIES = 160;
const whole = (accountID: number) => [{ accountID, percent: 100 }];
const rule = (given: Record<string, unknown>) =>
  t.call(calls.createBankRule, {
    token,
    body: { id: 0, name: 'Staples', text: 'staples', lines: whole(SUPPLIES), ...given },
  });

let files = 0;
async function bankSays(...lines: { amount: number; text: string; date?: IsoDate }[]) {
  files += 1;
  const all = lines.map((line, at): BankSays => ({ date: addDays(TODAY, -at), id: `${files}-${at}`, ...line }));
  await importFile(t, token, { bankAccountId: bank, bytes: ofx(all) });
}

async function lines(state = 'all') {
  const all = await t.call(calls.listBankLines, { token, query: { state } });
  return Array.isArray(all) ? all : all.items;
}

const faults = async () => (await verifyCompany(t.pool, company.companyId)).faults;

test('the first of two matching rules suggests a split of 75 and 25 percent, to the cent', async () => {
  const halves = [
    { accountID: SUPPLIES, percent: 75 },
    { accountID: FEES, percent: 25 },
  ];
  await rule({ name: 'All of it', text: 'pos', lines: whole(FEES) });
  const first = await rule({ lines: halves, position: 1, memo: 'Office' });
  const rules = await t.call(calls.listBankRules, { token });
  expect(rules.map(({ name, position }) => [name, position])).toEqual([
    ['Staples', 1],
    ['All of it', 2],
  ]);
  await bankSays({ amount: -1003, text: 'POS STAPLES 0123' });
  const [line] = await lines('review');
  expect(line?.candidate).toMatchObject({ kind: 'rule', action: 'add', ruleId: first.id, score: 0.9, sure: false });
  expect(line?.candidate?.lines.map(({ accountID, amount }) => [accountID, amount])).toEqual([
    [SUPPLIES, -752],
    [FEES, -251],
  ]);
  const [answer] = await t.call(calls.acceptBankLines, { token, body: { ids: [line?.id ?? 0] } });
  expect(answer?.record).toMatchObject({ state: 'added', act: { ruleId: first.id, automatic: false } });
  expect(await faults()).toEqual([]);
});

test('a rule posts automatically only if a user turned this on and no entry in the books matches', async () => {
  const make = factoryFor(t, company);
  await rule({ posts: true });
  const vendorId = await make.vendor('Staples');
  await make.billPayment({ vendorId, paymentAmount: 20, paymentDate: TODAY });
  await bankSays(
    { amount: -2000, text: 'STAPLES' },
    { amount: -3000, text: 'STAPLES' },
    { amount: -4000, text: 'OTHER' },
  );
  const all = await lines();
  expect(all.map(({ amount, state, act }) => [amount, state, act?.automatic ?? false])).toEqual([
    [-4000, 'review', false],
    [-3000, 'added', true],
    [-2000, 'review', false],
  ]);
  expect(all[2]?.candidate).toMatchObject({ kind: 'entry' });
  expect(await faults()).toEqual([]);
  const booked = all[1]?.id ?? 0;
  await t.call(calls.actOnBankLine, { token, params: { id: booked }, body: { action: 'undo' } });
  expect((await t.call(calls.getBankLine, { token, params: { id: booked } })).state).toBe('review');
});

test('a rule does not post a doubtful line, which the account has from a file without bank IDs', async () => {
  await rule({ posts: true });
  const csv = `Date,Amount,Description\n${TODAY},-77.00,STAPLES 77\n`;
  await importFile(t, token, { bankAccountId: bank, bytes: csv });
  await bankSays({ amount: -7700, text: 'STAPLES 77' });
  const found = (await lines()).filter(({ amount }) => amount === -7700);
  expect(found.map(({ state, doubtful }) => `${state} ${doubtful}`).toSorted()).toEqual(['added false', 'review true']);
  expect(await faults()).toEqual([]);
});

test('closed books prevent automatic postings by a rule, but the import continues', async () => {
  await rule({ posts: true });
  await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql`update ledger_head set closing_date = ${TODAY} where company_id = ${company.companyId}`),
  );
  await bankSays({ amount: -2000, text: 'STAPLES' }, { amount: -3000, text: 'STAPLES' });
  expect((await lines()).map(({ state }) => state)).toEqual(['review', 'review']);
});

test('after two similar bank transactions, the third gets a suggestion and an offer to create a rule', async () => {
  await bankSays(...[1, 2, 3].map((at) => ({ amount: -at * 100, text: `POS STAPLES #012${at} DENVER` })));
  const add = async (id: number) =>
    t.call(calls.actOnBankLine, { token, params: { id }, body: { action: 'add', lines: [await lineOf(id)] } });
  const lineOf = async (id: number) => {
    const { amount } = await t.call(calls.getBankLine, { token, params: { id } });
    return { accountID: SUPPLIES, amount: amount / 100 };
  };
  const [a, b, c] = (await lines('review')).map(({ id }) => id);
  expect((await add(a ?? 0)).ruleOffer).toBeNull();
  const { ruleOffer } = await add(b ?? 0);
  expect(ruleOffer).toMatchObject({ text: 'STAPLES', bankAccountId: bank, line: { accountID: SUPPLIES } });
  const third = await t.call(calls.getBankLine, { token, params: { id: c ?? 0 } });
  expect(third.candidate).toMatchObject({ kind: 'history', reason: 'categorized this way 2 times before' });
});

test('a preview of 3 bank transactions shows the Profit & Loss change and saves nothing', async () => {
  await bankSays(
    { amount: -1000, text: 'STAPLES' },
    { amount: -2000, text: 'STAPLES' },
    { amount: -4000, text: 'STAPLES', date: addDays(TODAY, -400) },
    { amount: -8000, text: 'OTHER' },
  );
  const first = (await lines('review')).find(({ amount }) => amount === -1000);
  const wrong = { action: 'add', lines: [{ accountID: FEES, amount: -10 }] };
  await t.call(calls.actOnBankLine, { token, params: { id: first?.id ?? 0 }, body: wrong });
  const body = { text: 'staples', direction: 'out', lines: whole(SUPPLIES) };
  const rehearsal = await t.call(calls.rehearseBankRule, { token, body });
  expect(rehearsal).toMatchObject({ count: 2, sum: -3000, netIncome: -2000 });
  expect(rehearsal.accounts.map(({ accountID, change }) => [accountID, change])).toEqual(
    expect.arrayContaining([
      [FEES, -1000],
      [SUPPLIES, 3000],
    ]),
  );
  expect(rehearsal.lines.find(({ amount }) => amount === -1000)?.now).not.toBe('');
  expect(await lines('added')).toHaveLength(1);
});

test('a rule whose lines total 90 percent or have an unknown account is rejected with a field error', async () => {
  const refused = async (body: Record<string, unknown>) =>
    (await t.refused(calls.createBankRule, { token, body: { name: 'X', text: 'x', ...body } })).fields;
  expect(await refused({ lines: [{ accountID: SUPPLIES, percent: 90 }] })).toEqual({
    lines: 'The percentages must add up to 100',
  });
  expect(await refused({ lines: whole(999_999) })).toHaveProperty(['lines.0.accountID']);
  expect(await refused({ lines: [] })).toHaveProperty('lines');
});
