import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GlEntry, ledgerCalls as calls } from '@evenkeel/contract/ledger';
import { reportCalls } from '@evenkeel/contract/reports';
import { accountTypeInfo, isProfitAndLoss, masterAccounts } from '@evenkeel/core/books/accounts';
import { addDays, fiscalYearStart, type IsoDate, isoDate } from '@evenkeel/core/dates';
import { cents as centsOf, type Cents, fromPlain, toDollars } from '@evenkeel/core/money';
import { todayIn } from '../../platform/clock.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import type { WorldCompany } from '../../testing/world.ts';

const RUNS = Number(process.env['TORTURE_RUNS'] ?? 2);
const BALANCE_SHEET = [101, 103, 105, 106, 119, 122, 123, 133, 135, 136, 137];
const PROFIT_AND_LOSS = [140, 143, 144, 146, 150, 167, 176, 179];
const MONEY = [101, 103, 122];

interface Journal {
  daysAgo: number;
  from: number;
  to: number;
  cents: Cents;
  basis: 0 | 1 | 2;
  reversedAfter: number | null;
}

const account = fc.constantFrom(...BALANCE_SHEET, ...PROFIT_AND_LOSS);
const journal: fc.Arbitrary<Journal> = fc.record({
  daysAgo: fc.integer({ min: 0, max: 800 }),
  from: account,
  to: account,
  cents: fc.integer({ min: 1, max: 1_000_000 }).map(centsOf),
  basis: fc.constantFrom(0, 0, 1, 2),
  reversedAfter: fc.option(fc.constantFrom(0, 0, 40), { freq: 4 }),
});

let t: TestApp;
let today: IsoDate;
beforeAll(async () => {
  t = await startTestApp();
  today = todayIn('America/New_York');
});
afterAll(() => t.close());

/** Posts the journals in order and returns all resulting ledger lines. */
async function write({ administrator }: WorldCompany, journals: readonly Journal[]): Promise<GlEntry[]> {
  const { token } = administrator;
  const lines: GlEntry[] = [];
  for (const { daysAgo, from, to, cents, basis, reversedAfter } of journals) {
    const postingDate = addDays(today, -daysAgo);
    const line = { amount: toDollars(cents), description: 'Random', postingDate };
    const posted = await t.call(calls.postTransaction, {
      token,
      body: {
        basis: MONEY.includes(from) || MONEY.includes(to) ? 0 : basis,
        generalLedgerEntries: [
          { ...line, accountID: from, debit: true },
          { ...line, accountID: to, debit: false },
        ],
      },
    });
    lines.push(...posted.generalLedgerEntries);
    if (reversedAfter === null || reversedAfter > daysAgo) continue;
    const reversal = await t.call(calls.reverseTransaction, {
      token,
      params: { transactionId: String(posted.transactionID) },
      body: { postingDate: addDays(postingDate, reversedAfter) },
    });
    lines.push(...reversal.generalLedgerEntries);
  }
  return lines;
}

async function set(companyId: number, name: string, value: number): Promise<void> {
  await t.inCompany(companyId, (tx) =>
    tx.rows(sql`
      update setting set setting_value = ${String(value)}
      where company_id = ${companyId} and setting_name = ${name}`),
  );
}

const info = new Map(masterAccounts.map((each) => [each.id, accountTypeInfo(each.accountTypeLabel, each.contra)]));
const isYearly = (id: number): boolean => {
  const found = info.get(id);
  return found !== undefined && isProfitAndLoss(found);
};
/** Includes contra accounts (105, 119, 135, 143, 144), whose normal balance is shown as negative. */
const sign = (id: number): number => (['Asset', 'Expense'].includes(info.get(id)?.root ?? '') ? 1 : -1);
const amountOf = (line: GlEntry): number => (line.debitAmount ?? 0) - (line.creditAmount ?? 0);
const add = (lines: readonly GlEntry[]): number => lines.reduce((total, line) => total + amountOf(line), 0);

/**
 * Returns all pages of a register as one list, read from the start, or from the end if `desc` is set. `q` filters the
 * list.
 */
async function pages(
  { administrator }: WorldCompany,
  id: number,
  { desc, q = '' }: { desc: boolean; q?: string },
): Promise<GlEntry[]> {
  const items: GlEntry[] = [];
  let after: string | null = '';
  while (after !== null) {
    const query: Record<string, string> = { limit: '4', desc: String(desc), q, ...(after === '' ? {} : { after }) };
    const ask = { token: administrator.token, params: { customerAccountId: String(id) }, query };
    const reply = await t.call(calls.accountEntries, ask);
    if (Array.isArray(reply)) throw new Error('no page');
    items.push(...reply.items);
    after = reply.next;
    if (after === null) expect(reply.total).toBe(items.length);
  }
  return items;
}

/** Returns the net debit per account label, as shown in the trial balance. */
async function trialBalance({ administrator }: WorldCompany, reportdate: IsoDate): Promise<Map<number, number>> {
  const body = { reportParams: [{ paramType: 1, paramName: 'ReportDate', paramvalue: reportdate }] };
  const report = await t.call(reportCalls.runReport, { token: administrator.token, params: { reportId: '3' }, body });
  expect(report.reportSummaries).toEqual([]);
  const lines = report.reportSections.flatMap((section) => section.reportBlocks.flatMap((block) => block.reportLines));
  const plain = (text: string | undefined): number => (text ? fromPlain(text) : 0);
  return new Map(
    lines.map(({ lineItems, source }) => [
      source?.accountIds[0] ?? 0,
      plain(lineItems[1]?.itemText) - plain(lineItems[2]?.itemText),
    ]),
  );
}

/** The amount of each account's row on the balance sheet or the profit and loss statement. */
async function statement({ administrator }: WorldCompany, reportId: string): Promise<[number, number][]> {
  const body = { reportParams: [{ paramType: 1, paramName: 'reportdate', paramvalue: today }] };
  const report = await t.call(reportCalls.runReport, { token: administrator.token, params: { reportId }, body });
  const lines = report.reportSections.flatMap((section) => section.reportBlocks.flatMap((block) => block.reportLines));
  return lines
    .filter(({ source }) => source?.accountIds.length === 1)
    .map(({ lineItems, source }) => [source?.accountIds[0] ?? 0, fromPlain(lineItems[1]?.itemText ?? '')]);
}

async function netIncome({ administrator }: WorldCompany): Promise<number> {
  const body = { reportParams: [{ paramType: 1, paramName: 'reportdate', paramvalue: today }] };
  const report = await t.call(reportCalls.runReport, { token: administrator.token, params: { reportId: '1' }, body });
  return report.reportSummaries.find((each) => each.description === 'Net Income')?.amount ?? 0;
}

async function compare(company: WorldCompany, lines: readonly GlEntry[], startMonth: number): Promise<void> {
  const year = fiscalYearStart(today, startMonth);
  const inYear = (line: GlEntry): boolean => line.postingDate >= year;
  const chart = await t.call(calls.chartOfAccounts, { token: company.administrator.token });
  const trial = await trialBalance(company, today);
  const statements = new Map([...(await statement(company, '0')), ...(await statement(company, '1'))]);
  for (const { customerAccountID: id, balance } of chart) {
    const own = lines.filter((line) => line.accountID === id && (!isYearly(id) || inYear(line)));
    expect([id, balance]).toEqual([id, sign(id) * add(own) + 0]);
    const ask = { token: company.administrator.token, params: { customerAccountId: String(id) } };
    const register = lines.some((line) => line.accountID === id) ? await t.call(calls.accountEntries, ask) : [];
    if (!Array.isArray(register)) throw new Error('no list');
    const last = register.at(-1);
    const isCurrent = last !== undefined && (!isYearly(id) || inYear(last));
    expect([id, isCurrent ? last.balance : 0]).toEqual([id, balance]);
    if (register.length > 0) {
      expect(await pages(company, id, { desc: false })).toEqual(register);
      expect(await pages(company, id, { desc: true })).toEqual(register.toReversed());
      // All lines have this description, so a search for it must return the same balances.
      expect(await pages(company, id, { desc: true, q: 'random' })).toEqual(register.toReversed());
    }
    if (id !== 137) expect([id, statements.get(id) ?? 0]).toEqual([id, balance]);
    if (id !== 137) expect([id, trial.get(id) ?? 0]).toEqual([id, add(own)]);
  }
  const earlier = add(lines.filter((line) => isYearly(line.accountID) && !inYear(line)));
  const retained = add(lines.filter((line) => line.accountID === 137));
  expect(trial.get(137) ?? 0).toBe(earlier + retained);
  expect(await netIncome(company)).toBe(-add(lines.filter((line) => isYearly(line.accountID) && inYear(line))) + 0);
  await compareTrialBalances(company, lines, startMonth);
}

/**
 * Compares trial balances on the first day of a month and around its middle. From the middle on, the query reads the
 * month from its end.
 */
async function compareTrialBalances(company: WorldCompany, lines: readonly GlEntry[], month: number): Promise<void> {
  for (const day of ['01', '15', '16', '28']) {
    const date = isoDate(`${addDays(today, -200).slice(0, 8)}${day}`);
    const year = fiscalYearStart(date, month);
    const trial = await trialBalance(company, date);
    const until = lines.filter((line) => line.postingDate <= date);
    for (const id of [...BALANCE_SHEET, ...PROFIT_AND_LOSS].filter((each) => each !== 137)) {
      const own = until.filter((line) => line.accountID === id && (!isYearly(id) || line.postingDate >= year));
      expect([date, id, trial.get(id) ?? 0]).toEqual([date, id, add(own)]);
    }
  }
}

describe.each([1, 4, 7, 10])('a fiscal year that starts in month %i', (startMonth) => {
  it('the chart, register, trial balance, balance sheet, and profit and loss agree on both bases', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(journal, { minLength: 5, maxLength: 25 }), async (journals) => {
        const company = await t.createCompany();
        await set(company.companyId, 'fyStartMonth', startMonth);
        const lines = await write(company, journals);
        for (const basis of [0, 1]) {
          await set(company.companyId, 'reportingAccountingBasis', basis);
          const inView = lines.filter((line) => line.basis === 0 || line.basis === basis + 1);
          await compare(company, inView, startMonth);
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});
