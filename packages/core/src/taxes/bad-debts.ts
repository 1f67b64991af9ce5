import { BAD_DEBT } from '../books/accounts.ts';
import type { IsoDate } from '../dates.ts';
import { type Cents, cents, negate, share, sum, toCents, toDecimal, ZERO } from '../money.ts';
import type { badDebtOrderIds } from './law.ts';
import type { Adjustment } from './returns.ts';

/**
 * The sales tax that an agency refunds for bad debts (docs/accounting.md, "Bad debts"). Agencies differ in how the
 * payments before a write-off are divided: among a customer's charges, and between price and tax.
 */

/** A written-off invoice. Invoices of one customer that were written off on the same day are one debt. */
export interface BadDebt {
  invoiceId: number;
  customerId: number;
  date: IsoDate;
  writtenOffOn: IsoDate;
  /** The invoice with all taxes. */
  amount: Cents;
  /** The part of the price that the agency taxes. */
  taxable: Cents;
  /** The agency's tax. */
  tax: Cents;
  writtenOff: Cents;
  /** The agency's tax that the write-off took from the tax account. */
  deducted: Cents;
}

/** A bad debt on a return, with the credit that no earlier return includes. */
export interface BadDebtClaim extends Pick<BadDebt, 'invoiceId' | 'date' | 'writtenOffOn' | 'taxable' | 'tax'> {
  number: string;
  customer: string;
  writtenOff: Cents;
  /** The part of earlier claims that is no longer written off. */
  recovered: Cents;
  /** The tax that the agency refunds. Negative for a recovered debt. */
  credit: Cents;
  /** The part of the credit that the write-off took from the tax account. */
  deducted: Cents;
}

/**
 * Returns the claims on a return: the credits for all bad debts less the credits on earlier returns. Earlier returns
 * are given in the order in which they were filed. The credit for a debt that is no longer written off is repaid.
 */
export function badDebtClaims(
  current: readonly Omit<BadDebtClaim, 'recovered'>[],
  earlier: readonly BadDebtClaim[],
): BadDebtClaim[] {
  const rows = new Map<number, BadDebtClaim>();
  for (const row of current) {
    const other = rows.get(row.invoiceId);
    const plus = (key: 'writtenOff' | 'credit' | 'deducted') => cents(row[key] + (other?.[key] ?? 0));
    rows.set(row.invoiceId, {
      ...row,
      recovered: ZERO,
      writtenOff: plus('writtenOff'),
      credit: plus('credit'),
      deducted: plus('deducted'),
    });
  }
  const last = new Map(earlier.map((row) => [row.invoiceId, row]));
  for (const [invoiceId, claimed] of last) {
    const now = rows.get(invoiceId) ?? { ...claimed, writtenOff: ZERO, credit: ZERO, deducted: ZERO };
    const before = earlier.filter((row) => row.invoiceId === invoiceId);
    rows.set(invoiceId, {
      ...now,
      recovered: cents(Math.max(0, claimed.writtenOff - now.writtenOff)),
      credit: cents(now.credit - sum(before.map(({ credit }) => credit))),
      deducted: cents(now.deducted - sum(before.map(({ deducted }) => deducted))),
    });
  }
  return [...rows.values()].filter(({ credit, deducted }) => credit !== 0 || deducted !== 0);
}

/**
 * Returns the adjustments that claim bad debts: one on Bad Debt for the tax that the write-offs posted as an expense,
 * and one on the tax account for the tax that they took from that account.
 */
export function badDebtAdjustments({
  accountId,
  badDebts,
}: {
  accountId: number;
  badDebts: readonly Pick<BadDebtClaim, 'credit' | 'deducted'>[];
}): Adjustment[] {
  const deducted = sum(badDebts.map((row) => row.deducted));
  const expensed = cents(sum(badDebts.map(({ credit }) => credit)) - deducted);
  return [
    { kind: 'badDebt', accountId: BAD_DEBT, amount: negate(expensed), reason: 'Tax on bad debts' },
    { kind: 'badDebt', accountId, amount: negate(deducted), reason: 'Tax deducted by write-offs' },
  ];
}

export type BadDebtOrder = (typeof badDebtOrderIds)[number];

/**
 * Returns the tax that is refunded for each debt, in cents and in the order of the list. Without an order, payments
 * stay on the invoices to which they were applied.
 *
 * - `oldest`: the oldest invoices were paid first (20 NYCRR 534.7).
 * - `priceAndTax`: taxable prices and their tax were paid first, in proportion (RCW 82.08.037).
 * - `proportion`: all charges were paid in proportion (COMAR 03.06.03.07).
 */
export function badDebtCredits(debts: readonly BadDebt[], order: BadDebtOrder | undefined): Cents[] {
  const groups = new Map<string, number[]>();
  for (const [at, { customerId, writtenOffOn }] of debts.entries()) {
    const key = `${customerId} ${writtenOffOn}`;
    groups.set(key, [...(groups.get(key) ?? []), at]);
  }
  const credits = debts.map(() => ZERO);
  for (const places of groups.values()) {
    const together = places.flatMap((at) => debts.slice(at, at + 1));
    for (const [index, unpaid] of unpaidTaxes(together, order).entries()) credits[places[index] ?? -1] = unpaid;
  }
  return credits;
}

/** Returns the unpaid tax on each invoice in one debt. */
function unpaidTaxes(debts: readonly BadDebt[], order: BadDebtOrder | undefined): Cents[] {
  const open = sum(debts.map(({ writtenOff }) => writtenOff));
  const paid = cents(sum(debts.map(({ amount }) => amount)) - open);
  if (order === undefined) return debts.map(({ tax, writtenOff, amount }) => partOf(tax, writtenOff, amount));
  if (order === 'oldest') {
    const unpaid = leftAfter(debts, paid);
    return debts.map(({ tax, amount }, at) => partOf(tax, unpaid[at] ?? ZERO, amount));
  }
  const charges = debts.map(({ amount, taxable, tax }) => (order === 'proportion' ? amount : cents(taxable + tax)));
  const all = sum(charges);
  const left = cents(Math.max(0, all - paid));
  const taxes = debts.map(({ tax }) => tax);
  const total = sum(taxes);
  // The tax on all invoices is rounded once, and the cents are allocated to the invoices.
  return total === 0 ? taxes : share(partOf(total, left, all), taxes);
}

/** Returns the unpaid part of each invoice if the oldest invoices were paid first. */
function leftAfter(debts: readonly BadDebt[], paid: Cents): Cents[] {
  const oldestFirst = [...debts.entries()].toSorted(([, a], [, b]) =>
    a.date === b.date ? a.invoiceId - b.invoiceId : a.date < b.date ? -1 : 1,
  );
  const left = debts.map(({ amount }) => amount);
  let rest: number = paid;
  for (const [at, { amount }] of oldestFirst) {
    const part = Math.min(rest, amount);
    left[at] = cents(amount - part);
    rest -= part;
  }
  return left;
}

/** Returns `amount × part ÷ whole` in cents, rounded once. 0 if the whole is 0. */
function partOf(amount: Cents, part: Cents, whole: Cents): Cents {
  return whole === 0 ? ZERO : toCents(toDecimal(amount).times(part).div(whole));
}
