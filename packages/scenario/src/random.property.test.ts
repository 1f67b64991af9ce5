import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AR, RETAINED_EARNINGS } from '@evenkeel/core/accounts';
import { addMonths, endOfMonth, fiscalYearStart, isoDate } from '@evenkeel/core/dates';
import type { IsoDate } from '@evenkeel/core/dates';
import { Dice } from '@evenkeel/core/dice';
import { assertBalanced } from '@evenkeel/core/ledger';
import type { Cents } from '@evenkeel/core/money';
import { balanceSheetTotals } from '@evenkeel/core/reports/balance-sheet';
import { profitAndLossTotals } from '@evenkeel/core/reports/profit-loss';
import { reportAccounts } from '@evenkeel/core/testing/report-accounts';
import { Books } from './books.ts';
import { formatScenario } from './format.ts';
import { parseScenario } from './parse.ts';
import { randomScenario } from './random.ts';
import { amountsOf, balancesOf, reportOf } from './reports.ts';
import { runScenario } from './run.ts';
import { settle } from './settle.ts';
import type { Scenario, ScenarioEvent } from './scenario.ts';

const runs = { numRuns: Number(process.env['TORTURE_RUNS'] ?? 200) };
const story = fc.record({ seed: fc.integer({ min: 1, max: 2_000_000_000 }), events: fc.integer({ min: 3, max: 40 }) });
const views = ['accrual', 'cash'] as const;
const monthEnds = Array.from({ length: 30 }, (_, month) => endOfMonth(addMonths(isoDate('2024-11-15'), month)));
const END: IsoDate = isoDate('2100-12-31');

function play({ seed, events }: { seed: number; events: number }): { scenario: Scenario; books: Books } {
  const scenario = randomScenario(seed, { events });
  const { books, failures } = runScenario(scenario);
  expect(failures).toEqual([]);
  return { scenario, books };
}

/** The balances that are not zero, by account, so that two books can be compared. */
function balancesAt(books: Books, to: IsoDate, basis: 'accrual' | 'cash'): Map<number, number> {
  const amounts = amountsOf(books.journal, { to, basis }).filter(({ amount }) => amount !== 0);
  return new Map(amounts.map(({ accountId, amount }) => [accountId, amount] as const).toSorted(([a], [b]) => a - b));
}

function withoutJournals(scenario: Scenario): Scenario {
  const steps = scenario.steps.filter((step) => step.step === 'expect' || step.event.kind !== 'journal');
  return { ...scenario, steps };
}

describe('random books with payments of every kind, transfers, deposits, edits, deletions and journals', () => {
  test('every transaction balances in both views, and so do the books at every month end', () => {
    const check = (given: { seed: number; events: number }): void => {
      const { books } = play(given);
      books.journal.forEach(assertBalanced);
      for (const basis of views) {
        for (const to of monthEnds) {
          expect(amountsOf(books.journal, { to, basis }).reduce((total, { amount }) => total + amount, 0)).toBe(0);
        }
      }
    };
    fc.assert(fc.property(story, check), runs);
  });

  test('the cash view never holds a receivable', () => {
    const check = (given: { seed: number; events: number }): void => {
      const { books } = play(given);
      for (const to of monthEnds) expect(balancesAt(books, to, 'cash').get(AR)).toBe(undefined);
    };
    fc.assert(fc.property(story, check), runs);
  });

  test('the receivable is what the open invoices say, less unapplied credit', () => {
    const check = (given: { seed: number; events: number }): void => {
      const { books } = play(given);
      const posted = books.invoiceKeys().filter((key) => books.invoice(key).event.status !== 1);
      const open = posted.reduce((total, key) => total + books.openAmount(key), 0);
      const unapplied = books.paymentKeys().reduce((total, key) => {
        const { event, applications } = books.payment(key);
        return total + event.amount - applications.reduce((applied, each) => applied + each.amount, 0);
      }, 0);
      expect(balancesAt(books, END, 'accrual').get(AR) ?? 0).toBe(open - unapplied);
    };
    fc.assert(fc.property(story, check), runs);
  });

  test('when everything is paid each account has the same total in both views', () => {
    const check = ({ seed, events }: { seed: number; events: number }): void => {
      const { books } = runScenario(withoutJournals(randomScenario(seed, { events })));
      settle(books, isoDate('2027-01-31'));
      expect(balancesAt(books, END, 'cash')).toEqual(balancesAt(books, END, 'accrual'));
    };
    fc.assert(fc.property(story, check), runs);
  });

  // Promise (books): Assets equal liabilities plus equity at every month end, for fiscal years that start in
  // different months. [4 fiscal years]
  test('assets are liabilities and equity at month ends for years from January, April, July and October', () => {
    const check = (given: { seed: number; events: number }): void => {
      const { books } = play(given);
      for (const [basis, month] of views.flatMap((view) => [1, 4, 7, 10].map((start) => [view, start] as const))) {
        for (const to of monthEnds.filter((_, index) => index % 4 === 0)) {
          const balances = balancesOf(books.journal, { to, basis }, fiscalYearStart(to, month));
          const totals = balanceSheetTotals(balances, reportAccounts, RETAINED_EARNINGS);
          expect(totals.difference).toBe(0);
          const ofYear = amountsOf(books.journal, { from: fiscalYearStart(to, month), to, basis });
          expect(profitAndLossTotals(ofYear, reportAccounts).netIncome).toBe(totals.netIncome);
        }
      }
    };
    fc.assert(fc.property(story, check), runs);
  });

  test('trial balance debits equal its credits and nothing is out of balance on any report', () => {
    const check = (given: { seed: number; events: number }): void => {
      const { books, scenario } = play(given);
      for (const basis of views) {
        const asOf = isoDate('2026-06-30');
        const wanted = { report: 'trial-balance', from: null, asOf, basis } as const;
        const report = reportOf(books.journal, wanted, scenario);
        const [, debits, credits] = report.reportSections[0]?.columnSummaryLines[0]?.columnSummaryItems ?? [];
        expect(debits?.headerText).toBe(credits?.headerText);
        const sheet = reportOf(books.journal, { ...wanted, report: 'balance-sheet' }, scenario);
        expect([...report.reportSummaries, ...sheet.reportSummaries].map((each) => each.description)).not.toContain(
          'Out of balance',
        );
      }
    };
    fc.assert(fc.property(story, check), runs);
  });

  test('deleting every document leaves every balance at 0 on every day', () => {
    const check = ({ seed, events }: { seed: number; events: number }): void => {
      const { books } = runScenario(withoutJournals(randomScenario(seed, { events })));
      for (const key of books.depositKeys()) books.apply({ kind: 'delete', document: 'deposit', key });
      for (const key of books.transferKeys()) books.apply({ kind: 'delete', document: 'transfer', key });
      for (const key of books.paymentKeys()) books.apply({ kind: 'delete', document: 'payment', key });
      for (const key of books.invoiceKeys()) books.apply({ kind: 'delete', document: 'invoice', key });
      for (const basis of views) {
        for (const to of monthEnds) expect(balancesAt(books, to, basis)).toEqual(new Map());
      }
    };
    fc.assert(fc.property(story, check), runs);
  });
});

function explicit(books: Books, key: string): { invoice: string; amount: Cents }[] {
  const keys = new Map(books.invoiceKeys().map((invoice) => [books.invoice(invoice).id, invoice]));
  return books.payment(key).applications.map(({ invoiceId, amount }) => {
    return { invoice: keys.get(invoiceId) ?? '', amount };
  });
}

/** The documents as they stand at the end, each entered once, in an order that the dice decide. */
function enteredOnce(scenario: Scenario, books: Books, dice: Dice): ScenarioEvent[] {
  const shuffle = <T>(all: readonly T[]): T[] =>
    all
      .map((each) => ({ each, at: dice.between(0, 1_000_000) }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ each }) => each);
  const invoices = books.invoiceKeys().map((key) => ({ ...books.invoice(key).event, edit: false }));
  const payments = books.paymentKeys().map((key) => {
    return { ...books.payment(key).event, edit: false, applications: explicit(books, key) };
  });
  const journals = scenario.steps.flatMap((step) =>
    step.step === 'event' && step.event.kind === 'journal' ? [step.event] : [],
  );
  const transfers = books.transferKeys().map((key) => ({ ...books.transfer(key), edit: false }));
  const deposits = books.depositKeys().map((key) => ({ ...books.deposit(key), edit: false }));
  return [...shuffle([...journals, ...invoices, ...transfers]), ...shuffle(payments), ...shuffle(deposits)];
}

describe('the order of entry', () => {
  test('never changes a balance at any month end, however often documents were edited on the way', () => {
    const check = (given: { seed: number; events: number }): void => {
      const { scenario, books } = play(given);
      const other = new Books(scenario);
      for (const event of enteredOnce(scenario, books, new Dice(given.seed + 1))) other.apply(event);
      for (const basis of views) {
        for (const to of monthEnds) expect(balancesAt(other, to, basis)).toEqual(balancesAt(books, to, basis));
      }
    };
    fc.assert(fc.property(story, check), runs);
  });
});

describe('the notation', () => {
  test('a random story written as text and read again is the same story', () => {
    const check = ({ seed, events }: { seed: number; events: number }): void => {
      const scenario = randomScenario(seed, { events });
      const read = parseScenario(formatScenario(scenario));
      const withoutLines = (each: Scenario): Scenario => {
        return { ...each, steps: each.steps.map((step) => ({ ...step, at: 0 })) };
      };
      expect(withoutLines(read)).toEqual(withoutLines(scenario));
    };
    fc.assert(fc.property(story, check), runs);
  });

  test('the same seed gives the same story, and over many seeds every kind of event occurs', () => {
    expect(randomScenario(7)).toEqual(randomScenario(7));
    expect(randomScenario(7)).not.toEqual(randomScenario(8));
    const kinds = new Set<string>();
    for (let seed = 1; seed <= 40; seed += 1) {
      for (const step of randomScenario(seed).steps) {
        if (step.step === 'event') kinds.add(`${step.event.kind} ${'edit' in step.event && step.event.edit}`);
      }
    }
    expect([...kinds].toSorted()).toEqual([
      'delete false',
      'deposit false',
      'deposit true',
      'invoice false',
      'invoice true',
      'journal false',
      'payment false',
      'payment true',
      'transfer false',
      'transfer true',
    ]);
  });
});
