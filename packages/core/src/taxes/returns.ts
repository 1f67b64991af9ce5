import type { Transaction } from '../books/ledger.ts';
import type { DateRange, IsoDate } from '../dates.ts';
import type { FieldMessages } from '../failure.ts';
import { type Cents, cents, negate, sum, ZERO } from '../money.ts';
import { periodName } from './due.ts';

/**
 * Sales tax returns. A return reports each document once: the documents of its period, and the changes since the
 * earlier returns were filed. Filed amounts never change (docs/accounting.md, "Sales tax returns").
 */

/** The taxed sales of a document. */
export interface TaxAmounts {
  gross: Cents;
  taxable: Cents;
  tax: Cents;
}

const NO_TAX: TaxAmounts = { gross: ZERO, taxable: ZERO, tax: ZERO };

const plus = (a: TaxAmounts, b: TaxAmounts): TaxAmounts => ({
  gross: cents(a.gross + b.gross),
  taxable: cents(a.taxable + b.taxable),
  tax: cents(a.tax + b.tax),
});
const minus = (a: TaxAmounts, b: TaxAmounts): TaxAmounts => ({
  gross: cents(a.gross - b.gross),
  taxable: cents(a.taxable - b.taxable),
  tax: cents(a.tax - b.tax),
});
const isZero = ({ gross, taxable, tax }: TaxAmounts): boolean => gross === 0 && taxable === 0 && tax === 0;

/** The taxed sales on a document or with a tax item, on the agency's basis and through the end of the period. */
export interface Taxed {
  id: number;
  /** The part in the period. */
  own: TaxAmounts;
  /** The part before the period. */
  before: TaxAmounts;
}

/** The amounts of a document or tax item on earlier returns, added up. */
export interface Reported extends TaxAmounts {
  id: number;
}

/** A document or tax item on a return: its sales in the period, and its changes since earlier returns were filed. */
export interface Returned {
  id: number;
  own: TaxAmounts;
  since: TaxAmounts;
}

/** Returns the documents or tax items on a return. Documents and items without amounts are omitted. */
export function returnedAmounts(taxed: readonly Taxed[], reported: readonly Reported[]): Returned[] {
  const rows = new Map(taxed.map(({ id, own, before }) => [id, { id, own, since: before }]));
  for (const { id, ...amounts } of reported) {
    const row = rows.get(id) ?? { id, own: NO_TAX, since: NO_TAX };
    rows.set(id, { ...row, since: minus(row.since, amounts) });
  }
  return [...rows.values()].filter(({ own, since }) => !isZero(own) || !isZero(since));
}

/** The reasons for an adjustment. */
export const adjustmentKinds = ['discount', 'penalty', 'interest', 'rounding', 'badDebt', 'other'] as const;
export type AdjustmentKind = (typeof adjustmentKinds)[number];

/** An adjustment to the tax due. It is posted to its account when the return is filed. */
export interface Adjustment {
  kind: AdjustmentKind;
  accountId: number;
  /** The amount added to the tax due. A discount is negative. */
  amount: Cents;
  reason: string;
}

/** The amounts on a return. */
export interface ReturnFigures {
  own: TaxAmounts;
  since: TaxAmounts;
  adjustments: Cents;
  /** The credit that the last return carried over, as a negative amount. */
  carriedIn: Cents;
  /** The payments before filing, as a positive amount. */
  prepaid: Cents;
  /** The amount to pay. Never negative. */
  netDue: Cents;
  /** The credit for the next return, as a negative amount. */
  carriedOver: Cents;
}

/** Returns the amounts on a return. A credit is carried over, so that the amount due is never negative. */
export function returnFigures(
  documents: readonly Returned[],
  {
    adjustments,
    carriedIn,
    prepaid,
  }: { adjustments: readonly Pick<Adjustment, 'amount'>[]; carriedIn: Cents; prepaid: Cents },
): ReturnFigures {
  const own = documents.reduce((all, row) => plus(all, row.own), NO_TAX);
  const since = documents.reduce((all, row) => plus(all, row.since), NO_TAX);
  const adjusted = sum(adjustments.map(({ amount }) => amount));
  const rest = cents(own.tax + since.tax + adjusted + carriedIn - prepaid);
  return {
    own,
    since,
    adjustments: adjusted,
    carriedIn,
    prepaid,
    netDue: rest > 0 ? rest : ZERO,
    carriedOver: rest < 0 ? rest : ZERO,
  };
}

/** The amounts that determine an agency's part of the liability. */
export interface AgencyState {
  /** The tax on all documents on the agency's basis, from its first period. */
  tax: Cents;
  /** The tax on the accrual basis. */
  accrualTax: Cents;
  /** The tax on all filed returns, with the changes since filing that they include. */
  reported: Cents;
  /** The amounts due on filed returns, less their payments. */
  unpaid: Cents;
  /** The payments for periods that are not filed yet. */
  prepaid: Cents;
  /** The credit from the last filed return, as a negative amount. */
  carriedOver: Cents;
}

/** The components of the sales tax liability. */
export interface LiabilityParts {
  /** Tax that is not on a filed return, including changes since filing. */
  unfiled: Cents;
  unpaid: Cents;
  /** Payments before filing and credits carried over. Not positive. */
  credits: Cents;
  /** Tax on unpaid invoices, which agencies on the cash basis don't receive yet. */
  uncollected: Cents;
}

/**
 * Returns the parts of an agency's liability. Together with entries that don't come from agencies' documents, they add
 * up to the balance of the liability account on the accrual basis.
 */
export function liabilityParts(state: AgencyState): LiabilityParts {
  return {
    unfiled: cents(state.tax - state.reported),
    unpaid: state.unpaid,
    credits: cents(state.carriedOver - state.prepaid),
    uncollected: cents(state.accrualTax - state.tax),
  };
}

/** Returns the total of the liability's parts. */
export const totalOfParts = ({ unfiled, unpaid, credits, uncollected }: LiabilityParts): Cents =>
  sum([unfiled, unpaid, credits, uncollected]);

const entry = (accountId: number, amount: Cents, description: string): Transaction['entries'][number] => ({
  accountId,
  amount,
  basis: 'B',
  description,
  entityId: null,
  profitCenterId: null,
  locationId: null,
});

/**
 * Returns the tax that write-offs took from the tax account and that adjustments claim from the agency. These
 * adjustments are not posted, because the write-offs have reduced the account.
 */
export const claimedOnTaxAccount = (adjustments: readonly Adjustment[], taxAccountId: number): Cents =>
  negate(sum(adjustments.flatMap(({ accountId, amount }) => (accountId === taxAccountId ? [amount] : []))));

/** Returns the transactions that post a return's adjustments, or none if the return has no adjustments. */
export function postAdjustments(filing: {
  date: IsoDate;
  description: string;
  taxAccountId: number;
  adjustments: readonly Adjustment[];
}): Transaction[] {
  const { date, description, taxAccountId, adjustments } = filing;
  const posted = adjustments.filter(({ amount, accountId }) => amount !== 0 && accountId !== taxAccountId);
  if (posted.length === 0) return [];
  const entries = posted.flatMap(({ accountId, amount, reason }) => [
    entry(accountId, amount, reason),
    entry(taxAccountId, negate(amount), reason),
  ]);
  return [{ postingDate: date, description, entries }];
}

/** Returns the transaction that posts a payment to the agency: the liability is debited and the bank credited. */
export function postTaxPayment(payment: {
  date: IsoDate;
  description: string;
  taxAccountId: number;
  bankAccountId: number;
  amount: Cents;
}): Transaction {
  const { date, description, taxAccountId, bankAccountId, amount } = payment;
  const entries = [entry(taxAccountId, amount, description), entry(bankAccountId, negate(amount), description)];
  return { postingDate: date, description, entries };
}

/** Returns the validation messages for adjustments by field path. */
export function checkAdjustments(adjustments: readonly Adjustment[], taxAccountId: number): FieldMessages {
  const fields: FieldMessages = {};
  for (const [at, { kind, accountId, amount, reason }] of adjustments.entries()) {
    if (amount === 0) fields[`adjustments.${at}.amount`] = 'Please enter an amount';
    if (accountId <= 0) fields[`adjustments.${at}.accountId`] = 'Please Select an Account';
    if (accountId === taxAccountId && kind !== 'badDebt')
      fields[`adjustments.${at}.accountId`] = 'Select an account other than the tax account';
    if (reason.trim() === '') fields[`adjustments.${at}.reason`] = 'Please enter a reason';
  }
  return fields;
}

/**
 * Returns the reason why a return can't be deleted. Only an agency's last return can be deleted, and only if it has no
 * payments.
 */
export function undoFault({ isLast, paid }: { isLast: boolean; paid: Cents }): string | undefined {
  if (!isLast) return 'Undo the filing of the later returns first';
  return paid === 0 ? undefined : 'Delete the payments for this return first';
}

/** Returns the reason why an amendment can't be filed. An amendment must change or adjust the return. */
export function amendmentFault(documents: readonly Returned[], adjustments: readonly unknown[]): string | undefined {
  if (documents.length > 0 || adjustments.length > 0) return undefined;
  return 'No document has changed since this return was filed';
}

/**
 * Returns the reason why a period can't be filed. The period must have ended, and it must be the period after the last
 * filed period.
 */
export function filingFault(
  period: DateRange,
  { next, today }: { next: DateRange; today: IsoDate },
): string | undefined {
  if (period.to !== next.to) {
    return period.to < next.to
      ? 'This period is already filed'
      : `File the earlier periods first, starting with ${periodName(next)}`;
  }
  return period.to >= today ? "This period hasn't ended yet" : undefined;
}
