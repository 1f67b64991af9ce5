import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AP,
  AR,
  RETAINED_EARNINGS,
  UNAPPLIED_CASH_EXPENSE,
  UNAPPLIED_CASH_INCOME,
} from '@evenkeel/core/books/accounts';
import { addMonths, endOfMonth, fiscalYearStart, isoDate } from '@evenkeel/core/dates';
import type { IsoDate } from '@evenkeel/core/dates';
import { Dice } from '@evenkeel/core/dice';
import { assertBalanced } from '@evenkeel/core/books/ledger';
import { cents } from '@evenkeel/core/money';
import { recognise, totalOf } from '@evenkeel/core/books/posting';
import { balanceSheetTotals } from '@evenkeel/core/reports/balance-sheet';
import { profitAndLossTotals } from '@evenkeel/core/reports/profit-loss';
import { PAYABLE, RECEIVABLE } from '@evenkeel/core/documents/side';
import { reportAccounts } from '@evenkeel/core/testing/report-accounts';
import { Books } from './books.ts';
import { formatScenario } from './format.ts';
import { parseScenario } from './parse.ts';
import { randomScenario } from './random.ts';
import { amountsOf, balancesOf, reportOf } from './reports.ts';
import { runScenario } from './run.ts';
import { owed } from './documents.ts';
import { explicit, settle, takeBackDiscounts, withoutJournals } from './settle.ts';
import type { Scenario, ScenarioEvent } from './scenario.ts';

const runs = { numRuns: Number(process.env['TORTURE_RUNS'] ?? 200) };
const story = fc.record({ seed: fc.integer({ min: 1, max: 2_000_000_000 }), events: fc.integer({ min: 3, max: 40 }) });
const views = ['accrual', 'cash'] as const;
const monthEnds = Array.from({ length: 30 }, (_, month) => endOfMonth(addMonths(isoDate('2024-11-15'), month)));
const END: IsoDate = isoDate('2100-12-31');

interface Given {
  seed: number;
  events: number;
}

const kept = new Map<string, Scenario>();

/**
 * Returns the random scenario for a test case. All properties use the same cases, and only a few scenarios are kept in
 * memory.
 */
function storyOf({ seed, events }: Given): Scenario {
  const name = `${seed} ${events}`;
  const scenario = kept.get(name) ?? randomScenario(seed, { events });
  if (kept.size > 500) kept.clear();
  kept.set(name, scenario);
  return scenario;
}

function play(given: Given): { scenario: Scenario; books: Books } {
  const scenario = storyOf(given);
  const { books, failures } = runScenario(scenario);
  expect(failures).toEqual([]);
  return { scenario, books };
}

/** Returns the nonzero balances by account, for comparing two sets of books. */
function balancesAt(books: Books, to: IsoDate, basis: 'accrual' | 'cash'): Map<number, number> {
  const amounts = amountsOf(books.journal, { to, basis }).filter(({ amount }) => amount !== 0);
  return new Map(amounts.map(({ accountId, amount }) => [accountId, amount] as const).toSorted(([a], [b]) => a - b));
}

/** The accounts for money that has not been applied to a document yet. */
const SETTLING = [AR, AP, UNAPPLIED_CASH_INCOME, UNAPPLIED_CASH_EXPENSE];

/**
 * Returns the amounts by account that the cash basis has not recognized: the open parts of documents, and the parts
 * settled without moving money. Discounts also have their own account.
 */
function unrecognised(books: Books): Map<number, number> {
  const apart = new Map<number, number>();
  const { receivable, payable } = books.settlements();
  for (const [side, { documents, payments, applications }] of [
    [RECEIVABLE, receivable],
    [PAYABLE, payable],
  ] as const) {
    for (const { paymentId, waived = 0 } of applications) {
      const account = payments.get(paymentId)?.discountAccountId ?? null;
      if (account !== null) apart.set(account, (apart.get(account) ?? 0) + waived);
    }
    for (const { id, components, applied, posts, ...document } of documents.values()) {
      if (!posts) continue;
      const own = applications.filter((each) => each.documentId === id);
      const spans = [
        [applied, totalOf({ ...document, components })] as const,
        ...own.map(({ amount, waived = 0, appliedBefore }) => {
          return [cents(appliedBefore + amount - waived), cents(appliedBefore + amount)] as const;
        }),
      ];
      for (const parts of spans.map(([before, after]) => recognise(components, before, after))) {
        parts.forEach((part, at) => {
          const account = components[at]?.accountId ?? 0;
          apart.set(account, (apart.get(account) ?? 0) - side.sign * part);
        });
      }
    }
  }
  return apart;
}

describe('random books on both sides with all kinds of events', () => {
  test('both bases balance at every month end, and control accounts are zero on the cash basis', () => {
    const check = (given: Given): void => {
      const { books } = play(given);
      books.journal.forEach(assertBalanced);
      for (const basis of views) {
        for (const to of monthEnds) {
          const amounts = amountsOf(books.journal, { to, basis });
          expect(amounts.reduce((total, { amount }) => total + amount, 0)).toBe(0);
          const controls = amounts.filter(({ accountId }) => accountId === AR || accountId === AP);
          if (basis === 'cash') expect(controls.filter(({ amount }) => amount !== 0)).toEqual([]);
        }
      }
    };
    fc.assert(fc.property(story, check), runs);
  });

  test('control accounts equal their documents, and the bases differ only by open or waived amounts', () => {
    const check = (given: Given): void => {
      const { books } = runScenario(withoutJournals(storyOf(given)));
      const { receivable, payable } = books.settlements();
      const [accrual, cash] = [balancesAt(books, END, 'accrual'), balancesAt(books, END, 'cash')];
      expect([accrual.get(AR) ?? 0, 0 - (accrual.get(AP) ?? 0)]).toEqual([owed(receivable), owed(payable)]);
      const apart = unrecognised(books);
      for (const account of new Set([...accrual.keys(), ...cash.keys(), ...apart.keys()])) {
        if (SETTLING.includes(account)) continue;
        const difference = (accrual.get(account) ?? 0) - (cash.get(account) ?? 0);
        expect([account, difference]).toEqual([account, (apart.get(account) ?? 0) + 0]);
      }
      settle(books, isoDate('2027-01-31'));
      expect(balancesAt(books, END, 'cash')).toEqual(balancesAt(books, END, 'accrual'));
    };
    fc.assert(fc.property(story, check), runs);
  });

  // Promise (books): Assets equal liabilities plus equity at the end of every month, for fiscal years with different
  // first months. [4 fiscal years]
  test('assets equal liabilities plus equity for fiscal years that start in January, April, July, and October', () => {
    const check = (given: Given): void => {
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

  test('trial balance debits equal credits, and no report is out of balance', () => {
    const check = (given: Given): void => {
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

  test('all balances are zero on every day after every document is deleted', () => {
    const check = (given: Given): void => {
      const { books } = runScenario(withoutJournals(storyOf(given)));
      for (const key of books.depositKeys()) books.apply({ kind: 'delete', document: 'deposit', key });
      for (const key of books.transferKeys()) books.apply({ kind: 'delete', document: 'transfer', key });
      for (const key of books.writeOffKeys()) books.apply({ kind: 'delete', document: 'writeoff', key });
      for (const document of ['payment', 'bill-payment'] as const) {
        for (const { key } of refundsFirst(books, document)) books.apply({ kind: 'delete', document, key });
      }
      for (const key of creditsFirst(books)) books.apply({ kind: 'delete', document: 'invoice', key });
      for (const key of books.billKeys()) books.apply({ kind: 'delete', document: 'bill', key });
      for (const basis of views) {
        for (const to of monthEnds) expect(balancesAt(books, to, basis)).toEqual(new Map());
      }
    };
    fc.assert(fc.property(story, check), runs);
  });
});

/** Returns the payments on one side, with refunds before the payments that they pay back. */
function refundsFirst(books: Books, document: 'payment' | 'bill-payment') {
  const events =
    document === 'payment'
      ? books.paymentKeys().map((key) => books.payment(key).event)
      : books.billPaymentKeys().map((key) => books.billPayment(key).event);
  return events.toSorted((a, b) => a.amount - b.amount);
}

/** Returns the invoices, with credit memos before the invoices that they credit. */
function creditsFirst(books: Books): string[] {
  const isCredit = (key: string): boolean => books.invoice(key).event.isCredit === true;
  return books.invoiceKeys().toSorted((a, b) => Number(isCredit(b)) - Number(isCredit(a)));
}

/**
 * Returns whether no document takes leftover cents from other parts. Leftover cents depend on the order of the parts.
 */
function hasNoRests(books: Books): boolean {
  return books.invoiceKeys().every((key) => {
    const { lines, taxItems } = books.invoice(key).priced;
    return lines.every(({ restAmount }) => restAmount === 0) && taxItems.every(({ rest }) => rest === undefined);
  });
}

/** Returns events that create each document once in its final state, in a random order. */
function enteredOnce(scenario: Scenario, books: Books, dice: Dice): ScenarioEvent[] {
  const shuffle = <T>(all: readonly T[]): T[] =>
    all
      .map((each) => ({ each, at: dice.between(0, 1_000_000) }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ each }) => each);
  const invoices = books.invoiceKeys().map((key) => {
    const { of: _, ...event } = books.invoice(key).event;
    return { ...event, edit: false };
  });
  const bills = books.billKeys().map((key) => ({ ...books.bill(key).event, edit: false }));
  const money = (['payment', 'bill-payment'] as const).flatMap((document) =>
    refundsFirst(books, document).map((event) => {
      return { ...event, edit: false, applications: explicit(books, document, event.key) };
    }),
  );
  const [refunds, payments] = [money.filter(({ amount }) => amount < 0), money.filter(({ amount }) => amount >= 0)];
  const journals = scenario.steps.flatMap((step): ScenarioEvent[] => {
    if (step.step === 'expect') return [];
    if (step.event.kind === 'template') return step.event.document.kind === 'journal' ? [step.event] : [];
    return step.event.kind === 'journal' ? [step.event] : [];
  });
  const transfers = books.transferKeys().map((key) => ({ ...books.transfer(key), edit: false }));
  const deposits = books.depositKeys().map((key) => ({ ...books.deposit(key), edit: false }));
  const documents = shuffle<ScenarioEvent>([...journals, ...invoices, ...bills, ...transfers]);
  return [...documents, ...shuffle(payments), ...shuffle([...refunds, ...deposits])];
}

describe('the order in which documents are entered', () => {
  test('the order of entry never changes a month-end balance, no matter how often documents were edited', () => {
    const check = (given: Given): void => {
      const { scenario, books } = play(given);
      fc.pre(hasNoRests(books));
      // A write-off takes the amount that is open when it is created. If a discount on the same day were entered after
      // the write-off, a payment would recognize different cents.
      for (const key of books.paymentKeys()) takeBackDiscounts(books, key, (event) => books.apply(event));
      for (const key of books.writeOffKeys()) books.apply({ kind: 'delete', document: 'writeoff', key });
      const other = new Books(scenario);
      for (const event of enteredOnce(scenario, books, new Dice(given.seed + 1))) other.apply(event);
      for (const basis of views) {
        for (const to of monthEnds) expect(balancesAt(other, to, basis)).toEqual(balancesAt(books, to, basis));
      }
    };
    fc.assert(fc.property(story, check), runs);
  });
});

/** Returns a readable name for an event, such as "edit invoice", "credit", or "refund". */
function kindOf(event: ScenarioEvent): string {
  const isRefund = 'amount' in event && event.amount < 0;
  const isCredit = event.kind === 'invoice' && event.isCredit === true;
  const isOfInvoice = isCredit && event.of !== undefined;
  const name = isRefund
    ? `refund by ${event.kind}`
    : isOfInvoice
      ? 'credit of invoice'
      : isCredit
        ? 'credit'
        : event.kind;
  if (event.kind === 'delete') return `delete ${event.document}`;
  if (event.kind === 'template') return `template of ${event.document.kind}`;
  return 'edit' in event && event.edit ? `edit ${name}` : name;
}

describe('the notation', () => {
  test('a random scenario stays the same when it is written as text and read again', () => {
    const check = (given: Given): void => {
      const scenario = storyOf(given);
      const read = parseScenario(formatScenario(scenario));
      const withoutLines = (each: Scenario): Scenario => {
        return { ...each, steps: each.steps.map((step) => ({ ...step, at: 0 })) };
      };
      expect(withoutLines(read)).toEqual(withoutLines(scenario));
    };
    fc.assert(fc.property(story, check), runs);
  });

  test('the same seed gives the same scenario, and every kind of event occurs over many seeds', () => {
    expect(randomScenario(7)).toEqual(randomScenario(7));
    expect(randomScenario(7)).not.toEqual(randomScenario(8));
    const kinds = new Set<string>();
    for (let seed = 1; seed <= 200; seed += 1) {
      for (const step of randomScenario(seed).steps) {
        if (step.step === 'event') kinds.add(kindOf(step.event));
      }
    }
    expect([...kinds].toSorted().join(', ')).toBe(
      'bill, bill-payment, charge, credit, credit of invoice, delete bill, delete bill-payment, delete deposit, ' +
        'delete estimate, ' +
        'delete invoice, delete payment, delete transfer, delete writeoff, deposit, edit bill, edit bill-payment, ' +
        'edit credit, edit credit of invoice, edit deposit, edit invoice, edit payment, edit refund by bill-payment, ' +
        'edit refund by payment, edit transfer, estimate, invoice, journal, payment, refund by bill-payment, ' +
        'refund by payment, template of bill, template of invoice, template of journal, transfer, writeoff',
    );
  });
});
