import { SALES_TAX_PAYABLE, UNAPPLIED_CASH_EXPENSE, UNAPPLIED_CASH_INCOME } from '@evenkeel/core/books/accounts';
import { addMonths, endOfMonth, isoDate, startOfMonth } from '@evenkeel/core/dates';
import { sum } from '@evenkeel/core/money';
import { type BridgePart, bridgeOf, bridgeParts, type OneBasisAmount } from '@evenkeel/core/reports/bridge';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Books } from './books.ts';
import { sourceTypes } from './documents.ts';
import { randomScenario } from './random.ts';
import { amountsOf } from './reports.ts';
import { runScenario } from './run.ts';
import { scenarioDocuments } from './scenario.ts';

/** Each of these books is checked over ten date ranges, which makes 2,000 cases. */
const BOOKS = Number(process.env['TORTURE_RUNS'] ?? 200);
const RANGES = 10;
const UNAPPLIED = [UNAPPLIED_CASH_INCOME, UNAPPLIED_CASH_EXPENSE];
const EVER = { from: isoDate('2000-01-01'), to: isoDate('2100-12-31') };

const rangeOf = (month: number) => {
  const from = addMonths(isoDate('2024-12-01'), month);
  return { from: startOfMonth(from), to: endOfMonth(addMonths(from, month % 4)) };
};
const ranges = [EVER, ...Array.from({ length: RANGES - 1 }, (_, at) => rangeOf(at * 3))];

/** Returns the kind of the document to which a transaction belongs. A waiver is a write-off's payment. */
function sourceOf(name: string): string {
  const [word = ''] = name.split(' ');
  const document = scenarioDocuments.find((each) => each === word);
  return document === undefined ? (word === 'waiver' ? 'payment' : word) : sourceTypes[document];
}

function bridgeIn({ journal }: Books, range: typeof EVER) {
  const oneBasis = journal
    .filter(({ postingDate }) => postingDate >= range.from && postingDate <= range.to)
    .flatMap(({ source, entries }): OneBasisAmount[] =>
      entries.flatMap(({ accountId, amount, basis }) =>
        basis === 'B' ? [] : [{ accountId, amount, basis, source: sourceOf(source) }],
      ),
    );
  const [cash, accrual] = (['cash', 'accrual'] as const).map((basis) => amountsOf(journal, { ...range, basis }));
  const amounts = { cash: cash ?? [], accrual: accrual ?? [], oneBasis, taxAccountIds: [SALES_TAX_PAYABLE] };
  return { amounts, parts: bridgeOf(amounts) };
}

const amountOn = (rows: readonly { accountId: number; amount: number }[], accountId: number) =>
  rows.reduce((all, row) => all + (row.accountId === accountId ? row.amount : 0), 0);

test('the parts of the bridge add up to the exact difference between the bases for random books and dates', () => {
  const seen = new Set<BridgePart>();
  const check = (seed: number, events: number): void => {
    const { books } = runScenario(randomScenario(seed, { events }));
    for (const range of ranges) {
      const { amounts, parts } = bridgeIn(books, range);
      const ids = new Set([...amounts.cash, ...amounts.accrual].map(({ accountId }) => accountId));
      for (const id of ids) {
        const difference = amountOn(amounts.accrual, id) - amountOn(amounts.cash, id);
        expect(bridgeParts.reduce((all, part) => all + amountOn(parts[part], id), 0)).toBe(difference);
      }
      expect(parts.rest).toEqual([]);
      for (const part of bridgeParts) if (parts[part].length > 0) seen.add(part);
    }
    const whole = bridgeIn(books, EVER);
    if (whole.amounts.oneBasis.some(({ source }) => source === 'journal')) return;
    // Without journal entries on one basis, the unapplied money equals the unapplied parts of the payments.
    const { unapplied, tax, receivables, payables } = whole.parts;
    const left = (side: 'payment' | 'bill-payment', keys: readonly string[]) =>
      sum(keys.map((key) => books.leftOf(side, key)));
    const [fromCustomers, toVendors] = UNAPPLIED.map((id) => amountOn(unapplied, id));
    expect(fromCustomers).toBe(left('payment', books.paymentKeys()));
    expect(toVendors).toBe(0 - left('bill-payment', books.billPaymentKeys()));
    // Each side's documents balance, including their lines on accounts that are not on the Profit & Loss.
    const total = (rows: typeof tax) => sum(rows.map(({ amount }) => amount));
    expect(total(receivables) + total(tax)).toBe(0 - Number(fromCustomers));
    expect(total(payables)).toBe(0 - Number(toVendors));
  };
  const seeds = fc.integer({ min: 1, max: 2_000_000_000 });
  fc.assert(fc.property(seeds, fc.integer({ min: 3, max: 25 }), check), { numRuns: BOOKS });
  expect([...seen].toSorted()).toEqual(['other', 'payables', 'receivables', 'tax', 'unapplied']);
});
