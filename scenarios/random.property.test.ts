import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { masterAccount } from '@evenkeel/core/books/accounts';
import { addMonths, endOfMonth, type IsoDate, startOfMonth } from '@evenkeel/core/dates';
import { type Cents, fromPlain } from '@evenkeel/core/money';
import type { FlatRow } from '@evenkeel/core/testing/flat-report';
import { formatScenario } from '@evenkeel/scenario/format';
import { randomScenario } from '@evenkeel/scenario/random';
import { runScenario, type ScenarioResult } from '@evenkeel/scenario/run';
import type { Scenario } from '@evenkeel/scenario/scenario';
import { settle, withoutJournals } from '@evenkeel/scenario/settle';
import { verifyCompany } from '@evenkeel/server/across/health/books-verify';
import { startTestApp, type TestApp } from '@evenkeel/server/testing/app';
import { HttpBooks } from './testing/http-books.ts';
import { coreRows, firstDay, lastDay, reportNames, trialBalanceOf, views } from './testing/agreement.ts';
import { judged, judgeNames, missing } from './testing/judges.ts';
import { agreeWithOneAnother, monthColumns, monthsOf } from './testing/reports.ts';

/**
 * The number of books per property, at most 500. Each set of books takes several seconds. A torture run may start from
 * other seeds (TORTURE_SEED).
 */
const RUNS = Math.min(500, Number(process.env['TORTURE_RUNS'] ?? 4));
const FIRST_SEED = Number(process.env['TORTURE_SEED'] ?? 20_261);
const seeds = Array.from({ length: RUNS }, (_, index) => FIRST_SEED + index * 7919);
const startMonths = [1, 4, 7, 10] as const;

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

/** Runs a check. If the check fails, the error contains the scenario, which can be saved in a .books file. */
async function told(scenario: Scenario, check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${formatScenario(scenario)}`, {
      cause: error,
    });
  }
}

interface Played extends ScenarioResult {
  scenario: Scenario;
  http: HttpBooks;
}

async function play(scenario: Scenario): Promise<Played> {
  const result = runScenario(scenario);
  expect(result.failures).toEqual([]);
  const http = await HttpBooks.open(t, scenario);
  expect(await http.play()).toEqual([]);
  return { ...result, scenario, http };
}

/** Returns every month end from the first to the last entry. */
function monthEnds({ journal }: ScenarioResult): IsoDate[] {
  const ends: IsoDate[] = [];
  for (let day = endOfMonth(firstDay(journal)); day <= endOfMonth(lastDay(journal));) {
    ends.push(day);
    day = endOfMonth(addMonths(day, 1));
  }
  return ends;
}

async function agreeWithCore({ scenario, journal, http }: Played, asOf: IsoDate): Promise<void> {
  for (const basis of views) {
    for (const report of reportNames) {
      const wanted = { report, from: null, asOf, basis };
      expect(await http.rows(wanted)).toEqual(coreRows(journal, wanted, scenario));
    }
  }
}

async function agreeWithJudges(played: Played, ends: readonly IsoDate[]): Promise<void> {
  const { http, scenario } = played;
  const startMonth = scenario.fiscalYearStartMonth;
  const [first, last] = [startOfMonth(ends[0] ?? firstDay(played.journal)), ends.at(-1) ?? lastDay(played.journal)];
  for (const judge of judgeNames.filter((each) => missing(each) === undefined)) {
    for (const basis of views) {
      const movements = await judged(t.pool, { judge, companyId: http.company.companyId, basis });
      for (const asOf of ends) {
        const theirs = trialBalanceOf(movements, { asOf, startMonth });
        expect([judge, basis, asOf, theirs]).toEqual([judge, basis, asOf, await http.trialBalance(asOf, basis)]);
      }
      expect([judge, basis, monthsOf(movements)]).toEqual([
        judge,
        basis,
        await monthColumns(http, { first, last, basis }),
      ]);
    }
  }
}

function figure(rows: readonly FlatRow[], label: string): Cents {
  const [text] = rows.find((row) => row.accountId === null && row.label === label)?.amounts ?? [];
  return fromPlain(text ?? '0.00');
}

async function balanceAtMonthEnds(played: Played, ends: readonly IsoDate[]): Promise<void> {
  for (const startMonth of startMonths) {
    await played.http.setFiscalYear(startMonth);
    for (const asOf of ends) {
      for (const basis of views) {
        const rows = await played.http.rows({ report: 'balance-sheet', from: null, asOf, basis });
        const [assets, others] = [figure(rows, 'Total Assets'), figure(rows, 'Total Liabilities & Equity')];
        expect({ startMonth, asOf, basis, assets }).toEqual({ startMonth, asOf, basis, assets: others });
        expect(rows.map((row) => row.label)).not.toContain('Out of balance');
      }
    }
  }
}

/**
 * Returns assets and liabilities. Income and expenses are compared separately, over all years together, regardless of
 * the year in which they were recognized.
 */
function lasting(balances: ReadonlyMap<number, Cents>): Map<number, Cents> {
  const isLasting = (id: number): boolean => ['Asset', 'Liability'].includes(masterAccount(id)?.root ?? '');
  return new Map([...balances].filter(([id]) => isLasting(id)));
}

describe('random books, played in memory and over HTTP', () => {
  // Promise (books): Random books with refunds, write-offs, and schedules agree with hledger and beancount every month,
  // and all reports agree. When everything is paid, both bases are equal. [4 seeds here, 100,000 in core]
  test.each(seeds)(
    'books from seed %i agree with core, hledger, and beancount at every month end on both bases',
    async (seed) => {
      const startMonth = startMonths[seed % startMonths.length] ?? 1;
      const scenario = randomScenario(seed, { events: 40, fiscalYearStartMonth: startMonth });
      await told(scenario, async () => {
        const played = await play(scenario);
        const ends = monthEnds(played);
        for (const asOf of ends) await agreeWithCore(played, asOf);
        await agreeWithJudges(played, ends);
        for (const basis of views) await agreeWithOneAnother(played.http, { ends, basis });
        expect((await verifyCompany(t.pool, played.http.company.companyId)).faults).toEqual([]);
      });
    },
  );

  test.each(seeds)(
    'books from seed %i have assets equal to liabilities plus equity at every month end',
    async (seed) => {
      const scenario = randomScenario(seed + 1, { events: 30 });
      await told(scenario, async () => {
        const played = await play(scenario);
        await balanceAtMonthEnds(played, monthEnds(played));
      });
    },
  );

  test.each(seeds)('books from seed %i have the same lines on both bases when everything is paid', async (seed) => {
    const scenario = withoutJournals(randomScenario(seed + 2, { events: 50 }));
    await told(scenario, async () => {
      const played = await play(scenario);
      const paidOn = addMonths(lastDay(played.journal), 1);
      for (const event of settle(played.books, paidOn)) expect(await played.http.playEvent(event)).toEqual([]);
      // A draft posted now may have a later date.
      const asOf = endOfMonth(lastDay(played.journal));
      const ask = { report: 'profit-loss', from: firstDay(played.journal), asOf } as const;
      expect(await played.http.rows({ ...ask, basis: 'cash' })).toEqual(
        await played.http.rows({ ...ask, basis: 'accrual' }),
      );
      const cash = lasting(await played.http.trialBalance(ask.asOf, 'cash'));
      expect(cash).toEqual(lasting(await played.http.trialBalance(ask.asOf, 'accrual')));
      expect(cash.size).toBeGreaterThan(0);
      expect((await verifyCompany(t.pool, played.http.company.companyId)).faults).toEqual([]);
    });
  });
});
