import {
  accountTypeInfo,
  type AccountTypeInfo,
  isControlAccount,
  isProfitAndLoss,
  masterAccount,
  RETAINED_EARNINGS,
} from '@evenkeel/core/books/accounts';
import { fiscalYearStart, type IsoDate } from '@evenkeel/core/dates';
import { PAYABLE, RECEIVABLE, type Side } from '@evenkeel/core/documents/side';
import { type Cents, cents, negate, sum, ZERO } from '@evenkeel/core/money';
import { type OpeningAccount, type OpeningBalances, openParts } from '@evenkeel/core/books/opening';
import { moneyOf } from '@evenkeel/core/books/posting';
import {
  type AppliedRow,
  refundRows,
  type SettledDocument,
  type SettledPayment,
  type Settlement,
} from '@evenkeel/core/books/settlement';
import type { Books } from './books.ts';
import { amountsOf } from './reports.ts';

/** A company's opening balances, with its open documents and later documents and payments. */
export interface Moved {
  opening: OpeningBalances;
  receivable: Settlement;
  payable: Settlement;
}

/**
 * Returns the books that begin with opening balances on a date. The documents that were open on that date are included
 * with their unpaid amounts, and unapplied payments are included as credits. With `isExact`, the opening balances state
 * the cash-basis balances explicitly. This is necessary if the date is within a fiscal year, or if there are
 * write-offs, discounts, or journal entries on only one basis.
 */
export function movedBooks(books: Books, date: IsoDate, startMonth: number, isExact: boolean): Moved {
  const settlements = books.settlements();
  const receivable = movedSettlement(RECEIVABLE, settlements.receivable, date);
  const payable = movedSettlement(PAYABLE, settlements.payable, date);
  const yearStart = fiscalYearStart(date, startMonth);
  const openOf = (side: Side, { documents }: Settlement) =>
    [...documents.values()].filter(({ opening }) => opening).map((document) => ({ ...document, side }));
  const documents = [...openOf(RECEIVABLE, receivable), ...openOf(PAYABLE, payable)];
  const accounts = openingAccounts(books, date, yearStart, isExact);
  return { opening: { date, fiscalYearStart: yearStart, accounts, documents, accountType }, receivable, payable };
}

export function accountType(id: number): AccountTypeInfo {
  const { accountTypeLabel = '', contra = false } = masterAccount(id) ?? {};
  return accountTypeInfo(accountTypeLabel, contra);
}

function openingAccounts(books: Books, to: IsoDate, yearStart: IsoDate, isExact: boolean): OpeningAccount[] {
  const accrual = trialBalanceOf(books.journal, to, yearStart, 'accrual');
  const cash = trialBalanceOf(books.journal, to, yearStart, 'cash');
  const ids = [...new Set([...accrual.keys(), ...(isExact ? cash.keys() : [])])].filter(
    (id) => !isControlAccount(accountType(id)),
  );
  return ids.map((accountId) => {
    const own = { accountId, amount: accrual.get(accountId) ?? ZERO };
    return isExact ? { ...own, cashAmount: cash.get(accountId) ?? ZERO } : own;
  });
}

/** Returns the trial balance: income and expenses of earlier fiscal years are part of retained earnings. */
export function trialBalanceOf(
  journal: Parameters<typeof amountsOf>[0],
  to: IsoDate,
  yearStart: IsoDate,
  basis: 'accrual' | 'cash',
): Map<number, Cents> {
  const totals = new Map<number, Cents>();
  for (const { postingDate, entries } of journal) {
    for (const { accountId, amount } of amountsOf([{ postingDate, entries }], { to, basis })) {
      const isEarlier = postingDate < yearStart && isProfitAndLoss(accountType(accountId));
      const id = isEarlier ? RETAINED_EARNINGS : accountId;
      totals.set(id, cents((totals.get(id) ?? 0) + amount));
    }
  }
  return new Map([...totals].filter(([, amount]) => amount !== 0).toSorted(([a], [b]) => a - b));
}

/** The ID for a payment's credit, which no document has. */
const creditId = (paymentId: number): number => -paymentId;

function movedSettlement(side: Side, stayed: Settlement, date: IsoDate): Settlement {
  const { documents, payments, applications } = stayed;
  const isBefore = (day: IsoDate): boolean => day <= date;
  const settledBefore = (id: number): Cents =>
    sum(
      applications.filter((row) => row.documentId === id && isBefore(row.recognitionDate)).map(({ amount }) => amount),
    );
  const moved = new Map<number, SettledDocument>();
  for (const document of documents.values()) {
    if (!document.posts) continue;
    if (!isBefore(document.date)) moved.set(document.id, document);
    else {
      const originals = document.components.map(({ amount }) => amount);
      const open = cents(sum(originals) - settledBefore(document.id));
      if (open !== 0) moved.set(document.id, openDocument(document, originals, open));
    }
  }
  for (const [id, left] of unappliedOn(stayed, isBefore)) {
    const payment = payments.get(id);
    if (payment === undefined || left === 0) continue;
    const { date: paid, entityId, controlAccountId } = payment;
    const accountId = side.unappliedAccountId;
    const component = { accountId, amount: negate(left), description: '', profitCenterId: null, locationId: null };
    const head = { id: creditId(id), kind: 'creditmemo', date: paid, entityId, controlAccountId, description: '' };
    const opening = [negate(left)];
    moved.set(head.id, { ...head, components: [component], opening, posts: true, applied: ZERO });
  }
  const later = applications.filter(({ recognitionDate }) => !isBefore(recognitionDate));
  const rows: AppliedRow[] = later.map((row) => {
    const settled = isBefore(documents.get(row.documentId)?.date ?? row.recognitionDate)
      ? settledBefore(row.documentId)
      : 0;
    return { ...row, appliedBefore: cents(row.appliedBefore - settled) };
  });
  return { documents: moved, ...movedPayments(stayed, rows, isBefore) };
}

function openDocument(document: SettledDocument, originals: Cents[], open: Cents): SettledDocument {
  const parts = openParts(originals, open);
  const components = document.components.map((each, at) => ({ ...each, amount: parts[at] ?? ZERO }));
  return { ...document, components, opening: originals, applied: ZERO };
}

/** Returns the unapplied amounts of earlier payments on the date of the opening balances. */
function unappliedOn(settlement: Settlement, isBefore: (day: IsoDate) => boolean): Map<number, Cents> {
  const refunds = refundRows(settlement).filter(({ recognitionDate }) => isBefore(recognitionDate));
  const earlier = [...settlement.payments.values()].filter((payment) => isBefore(payment.date));
  return new Map(
    earlier.map(({ id, amount }) => {
      const own = settlement.applications.filter((row) => row.paymentId === id && isBefore(row.recognitionDate));
      const given = refunds.filter(({ refundId }) => refundId === id).map((row) => row.amount);
      const refunded = refunds.filter(({ paymentId }) => paymentId === id).map((row) => row.amount);
      return [id, cents(amount - sum(own.map(moneyOf)) + sum(given) - sum(refunded))];
    }),
  );
}

/**
 * Returns the payments in the books that begin with opening balances. An earlier payment that is applied later becomes
 * a payment of 0.00 that applies its credit, and refunds pay back that credit.
 */
function movedPayments(
  { payments }: Settlement,
  later: readonly AppliedRow[],
  isBefore: (day: IsoDate) => boolean,
): Pick<Settlement, 'payments' | 'applications'> {
  const moved = new Map<number, SettledPayment>();
  const credits = new Map<number, Cents>();
  const rows: AppliedRow[] = [];
  /** Applies part of an earlier payment, which is now a credit. */
  const useCredit = (row: Pick<AppliedRow, 'paymentId' | 'recognitionDate'>, of: number, amount: Cents): void => {
    const documentId = creditId(of);
    const appliedBefore = cents(credits.get(documentId) ?? 0);
    credits.set(documentId, cents(appliedBefore - amount));
    rows.push({ ...row, documentId, amount: negate(amount), appliedBefore });
  };
  for (const payment of payments.values()) {
    const { id, date } = payment;
    const own = later.filter((row) => row.paymentId === id);
    if (!isBefore(date)) {
      const old = (payment.givesBack ?? []).filter(({ paymentId }) => isBefore(payments.get(paymentId)?.date ?? date));
      const kept = (payment.givesBack ?? []).filter((part) => !old.includes(part));
      moved.set(id, { ...payment, givesBack: kept });
      rows.push(...own);
      for (const { paymentId, amount } of old) useCredit({ paymentId: id, recognitionDate: date }, paymentId, amount);
    }
    const days = isBefore(date) ? [...new Set(own.map((row) => row.recognitionDate))].toSorted() : [];
    days.forEach((day, at) => {
      // Payments on the same day keep their order.
      const paymentId = id + (at + 1) / 1000;
      const { givesBack: _, ...head } = payment;
      moved.set(paymentId, { ...head, id: paymentId, date: day, amount: ZERO });
      const applied = own.filter((row) => row.recognitionDate === day);
      rows.push(...applied.map((row) => ({ ...row, paymentId })));
      useCredit({ paymentId, recognitionDate: day }, id, sum(applied.map(moneyOf)));
    });
  }
  return { payments: moved, applications: rows };
}

/** Returns whether the journal has write-offs, discounts, or entries on only one basis before a date. */
export function isOnOneBasis(books: Books, date: IsoDate): boolean {
  const { receivable, payable } = books.settlements();
  const isWaived = [receivable, payable].some(({ applications }) =>
    applications.some(({ waived = 0, recognitionDate }) => waived !== 0 && recognitionDate <= date),
  );
  return (
    isWaived ||
    books.journal.some(({ source, postingDate, entries }) => {
      return source.startsWith('journal') && postingDate <= date && entries.some(({ basis }) => basis !== 'B');
    })
  );
}
