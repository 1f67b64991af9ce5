import {
  isControlAccount,
  isMoneyAccount,
  OPENING_BALANCE_EQUITY,
  UNAPPLIED_CASH_EXPENSE,
  UNAPPLIED_CASH_INCOME,
} from './accounts.ts';
import type { AccountTypeInfo } from './accounts.ts';
import type { IsoDate } from './dates.ts';
import { refuse } from './failure.ts';
import type { FieldMessages } from './failure.ts';
import { assertBalanced } from './ledger.ts';
import type { Basis, Entry, Transaction } from './ledger.ts';
import { cents, formatUsd, negate, share, sum } from './money.ts';
import type { Cents } from './money.ts';

/** One posted part of an invoice: a line, a part of a package, a discount or a tax item (accounting: A3, A5). */
export interface Component {
  accountId: number;
  /** Credit positive, in cents; discounts are negative. */
  amount: Cents;
  description: string;
  profitCenterId: number | null;
  locationId: number | null;
}

export interface InvoiceParts {
  /** Each with its rounded amount, in line order. */
  lines: readonly (Omit<Component, 'amount'> & { lineItemAmount: Cents })[];
  taxItems: readonly { label: string; total: Cents }[];
  /** The liability account of the sales tax scenario. */
  taxAccountId: number;
}

/** The components of an invoice of plain lines: the lines, then the tax items, which carry no dimensions. */
export function componentsOf({ lines, taxItems, taxAccountId }: InvoiceParts): Component[] {
  return [
    ...lines.map(({ accountId, lineItemAmount, description, profitCenterId, locationId }) => {
      return { accountId, amount: lineItemAmount, description, profitCenterId, locationId };
    }),
    ...taxItems.map(({ label, total }) => {
      return { accountId: taxAccountId, amount: total, description: label, profitCenterId: null, locationId: null };
    }),
  ];
}

export interface PostableInvoice {
  id: number;
  invoiceDate: IsoDate;
  customerId: number;
  arAccountId: number;
  description: string;
  /** The lines in line order, then the tax items in tax order: the order decides ties of a cent. */
  components: readonly Component[];
}

export interface Application {
  invoice: PostableInvoice;
  amount: Cents;
  /** max(payment date, invoice date), or a later first open date: when the cash view recognises it. */
  recognitionDate: IsoDate;
  /** Applied to that invoice before this one, in the order of (recognitionDate, paymentId); see `cumulate`. */
  appliedBefore: Cents;
}

export interface PostablePayment {
  id: number;
  paymentDate: IsoDate;
  customerId: number;
  depositAccountId: number;
  /** Receives the credit that no invoice had taken on the payment date. */
  arAccountId: number;
  amount: Cents;
  description: string;
  applications: readonly Application[];
}

/** Receivable against revenue and taxes, accrual only; an invoice of 0.00 is born paid, so it stands in both views. */
export function postInvoice(invoice: PostableInvoice): Transaction {
  const { components, description, arAccountId, customerId } = invoice;
  const total = sum(components.map((component) => component.amount));
  const basis: Basis = total === 0 ? 'B' : 'A';
  const receivable = line({ accountId: arAccountId, amount: total, basis: 'A', description, entityId: customerId });
  return balanced(invoice.invoiceDate, description, [
    receivable,
    ...components.map((component) => credit(component, component.amount, basis)),
  ]);
}

/**
 * The money and the receivable on the payment date; in the cash view the invoices' components as far as they are paid,
 * the rest as unapplied cash income. What is recognised later (an early payment, credit applied afterwards) follows in
 * one transaction per later date. Refuses applications above the payment's amount.
 */
export function postPayment(payment: PostablePayment): Transaction[] {
  const applied = sum(payment.applications.map((application) => application.amount));
  if (applied > payment.amount) throw refuse('The applied amounts are more than the payment amount');
  const later = payment.applications.filter((application) => application.recognitionDate > payment.paymentDate);
  const dates = [...new Set(later.map((application) => application.recognitionDate))].toSorted();
  const transactions = [
    postReceipt(payment),
    ...dates.map((date) =>
      postLater(
        payment,
        date,
        later.filter((application) => application.recognitionDate === date),
      ),
    ),
  ];
  return transactions.filter((transaction) => transaction.entries.length > 0);
}

function postReceipt(payment: PostablePayment): Transaction {
  const { amount, description, customerId: entityId } = payment;
  const now = payment.applications.filter((application) => application.recognitionDate <= payment.paymentDate);
  const rest = cents(amount - sum(now.map((application) => application.amount)));
  const credits = new Map<number, Cents>();
  for (const { invoice, amount: part } of now) addTo(credits, invoice.arAccountId, part);
  addTo(credits, payment.arAccountId, rest);
  return balanced(payment.paymentDate, description, [
    line({ accountId: payment.depositAccountId, amount, basis: 'B', description }),
    ...[...credits].map(([accountId, part]) =>
      line({ accountId, amount: negate(part), basis: 'A', description, entityId }),
    ),
    ...now.flatMap(recognised),
    line({ accountId: UNAPPLIED_CASH_INCOME, amount: negate(rest), basis: 'C', description }),
  ]);
}

function postLater(payment: PostablePayment, date: IsoDate, applications: readonly Application[]): Transaction {
  const { description, customerId: entityId } = payment;
  const amount = sum(applications.map((application) => application.amount));
  const moved = applications
    .filter(({ invoice }) => invoice.arAccountId !== payment.arAccountId)
    .flatMap(({ invoice, amount: part }) => [
      line({ accountId: payment.arAccountId, amount: part, basis: 'A', description, entityId }),
      line({ accountId: invoice.arAccountId, amount: negate(part), basis: 'A', description, entityId }),
    ]);
  return balanced(date, description, [
    ...moved,
    line({ accountId: UNAPPLIED_CASH_INCOME, amount, basis: 'C', description }),
    ...applications.flatMap(recognised),
  ]);
}

/** The cash-view lines of one application: each component's share, with the component's dimensions. */
function recognised({ invoice, amount, appliedBefore }: Application): Entry[] {
  const parts = recognise(invoice.components, appliedBefore, cents(appliedBefore + amount));
  return invoice.components.flatMap((component, index) => {
    const part = parts[index];
    return part === undefined ? [] : [credit(component, part, 'C')];
  });
}

/**
 * What one application recognises of each component: the share of the cumulative amount after it less the share before
 * it, each by largest remainder, so that the parts sum to the amount applied and no cent is left over when the invoice
 * is paid in full (accounting: A5).
 */
export function recognise(components: readonly Component[], appliedBefore: Cents, appliedAfter: Cents): Cents[] {
  if (appliedBefore === appliedAfter) return components.map(() => cents(0));
  const weights = components.map((component) => component.amount);
  const before = share(appliedBefore, weights);
  return share(appliedAfter, weights).map((after, index) => cents(after - (before[index] ?? 0)));
}

/** Puts the applications of ONE invoice into their order of effect and adds what was applied before each. */
export function cumulate<T extends { paymentId: number; recognitionDate: IsoDate; amount: Cents }>(
  applications: readonly T[],
): (T & { appliedBefore: Cents })[] {
  let applied = cents(0);
  return applications.toSorted(inOrderOfEffect).map((application) => {
    const appliedBefore = applied;
    applied = cents(applied + application.amount);
    return { ...application, appliedBefore };
  });
}

function inOrderOfEffect<T extends { paymentId: number; recognitionDate: IsoDate }>(a: T, b: T): number {
  if (a.recognitionDate !== b.recognitionDate) return a.recognitionDate < b.recognitionDate ? -1 : 1;
  return a.paymentId - b.paymentId;
}

function credit(component: Component, amount: Cents, basis: Basis): Entry {
  const { accountId, description, profitCenterId, locationId } = component;
  return { accountId, amount: negate(amount), basis, description, entityId: null, profitCenterId, locationId };
}

type LineInput = Pick<Entry, 'accountId' | 'amount' | 'basis' | 'description'> & { entityId?: number };

/** A line without dimensions: receivable, money and unapplied cash inherit none (accounting: A9). */
function line({ entityId, ...rest }: LineInput): Entry {
  return { ...rest, entityId: entityId ?? null, profitCenterId: null, locationId: null };
}

function addTo(totals: Map<number, Cents>, accountId: number, amount: Cents): void {
  totals.set(accountId, cents((totals.get(accountId) ?? 0) + amount));
}

function balanced(postingDate: IsoDate, description: string, entries: readonly Entry[]): Transaction {
  const transaction = { postingDate, description, entries: entries.filter((entry) => entry.amount !== 0) };
  assertBalanced(transaction);
  return transaction;
}

export interface JournalLine {
  accountId: number;
  debit: boolean;
  /** Positive, in cents. */
  amount: Cents;
  description: string;
  profitCenterId: number | null;
  locationId: number | null;
  entityId: number | null;
}

export interface JournalInput {
  postingDate: IsoDate;
  /** 0 both views, 1 accrual only, 2 cash only. */
  basis: 0 | 1 | 2;
  lines: readonly JournalLine[];
  accountType: (id: number) => AccountTypeInfo;
}

/**
 * A manual journal entry (Specification part 2 §5; accounting: A3). A trailing line without an account is dropped.
 * Lines on bank, cash and card accounts are always in both views. A receivable or payable has no cash view: a journal
 * on such a control account is accrual only, or, when money moves in it, the control line is exchanged in the cash view
 * for opening balance equity (if the journal has a line there) or unapplied cash.
 */
export function postJournal(input: JournalInput): Transaction {
  const last = input.lines.at(-1);
  const lines = last !== undefined && last.accountId === 0 ? input.lines.slice(0, -1) : input.lines;
  checkJournal(lines);
  checkJournalBasis({ ...input, lines });
  const description = lines[0]?.description ?? '';
  return balanced(input.postingDate, description, journalEntries({ ...input, lines }));
}

function checkJournal(lines: readonly JournalLine[]): void {
  if (lines.length < 2) throw refuse('Entry must have a minimum of 2 line item entries.');
  const fields = journalFields(lines);
  const first = Object.values(fields)[0];
  if (first !== undefined) throw refuse(first, fields);
  const debits = sum(lines.filter((each) => each.debit).map((each) => each.amount));
  const credits = sum(lines.filter((each) => !each.debit).map((each) => each.amount));
  if (debits !== credits) {
    const figures = `Debit: ${formatUsd(debits)} Credit: ${formatUsd(credits)}`;
    throw refuse(`Debit and Credit must balance to $0.00 before posting. ${figures}`);
  }
  if (debits === 0) throw refuse(MUST_BE_POSITIVE);
}

const MUST_BE_POSITIVE = 'Entries must be greater than $0.00.';

function journalFields(lines: readonly JournalLine[]): FieldMessages {
  const fields: FieldMessages = {};
  lines.forEach((each, index) => {
    const path = `generalLedgerEntries.${index}`;
    if (each.accountId <= 0) fields[`${path}.accountID`] = 'Please Select an Account';
    if (each.accountId === UNAPPLIED_CASH_INCOME || each.accountId === UNAPPLIED_CASH_EXPENSE) {
      fields[`${path}.accountID`] = 'Only payments post to unapplied cash accounts';
    }
    if (each.description.trim() === '') fields[`${path}.description`] = 'Please enter a description';
    if (each.amount < 0) fields[`${path}.amount`] = MUST_BE_POSITIVE;
  });
  return fields;
}

function checkJournalBasis({ basis, lines, accountType }: JournalInput): void {
  if (basis === 0) return;
  if (lines.some((each) => isMoneyAccount(accountType(each.accountId)))) {
    throw refuse('An entry on a bank, cash or credit card account must be posted in both bases', {
      basis: 'Choose both bases',
    });
  }
  if (basis === 2 && lines.some((each) => isControlAccount(accountType(each.accountId)))) {
    throw refuse('An entry on accounts receivable or accounts payable cannot be cash only', {
      basis: 'Choose both bases or accrual only',
    });
  }
}

const JOURNAL_BASIS = ['B', 'A', 'C'] as const satisfies Basis[];

function journalEntries({ basis, lines, accountType }: JournalInput): Entry[] {
  const types = lines.map((each) => accountType(each.accountId));
  if (!types.some(isControlAccount)) return lines.map((each) => journalEntry(each, JOURNAL_BASIS[basis]));
  if (!types.some(isMoneyAccount)) return lines.map((each) => journalEntry(each, 'A'));
  const opening = lines.some((each) => each.accountId === OPENING_BALANCE_EQUITY);
  return lines.flatMap((each, index) => {
    const type = types[index];
    if (type === undefined || !isControlAccount(type)) return [journalEntry(each, 'B')];
    const unapplied = type.type === 'Accounts Receivable' ? UNAPPLIED_CASH_INCOME : UNAPPLIED_CASH_EXPENSE;
    const accountId = opening ? OPENING_BALANCE_EQUITY : unapplied;
    return [journalEntry(each, 'A'), journalEntry({ ...each, accountId }, 'C')];
  });
}

function journalEntry({ debit, amount, ...rest }: JournalLine, basis: Basis): Entry {
  return { ...rest, amount: debit ? amount : negate(amount), basis };
}
