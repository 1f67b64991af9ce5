import {
  isControlAccount,
  isMoneyAccount,
  OPENING_BALANCE_EQUITY,
  UNAPPLIED_CASH_EXPENSE,
  UNAPPLIED_CASH_INCOME,
} from './accounts.ts';
import type { AccountTypeInfo } from './accounts.ts';
import type { IsoDate } from '../dates.ts';
import { present, refuse } from '../failure.ts';
import type { FieldMessages } from '../failure.ts';
import { assertBalanced } from './ledger.ts';
import type { Basis, Entry, Transaction } from './ledger.ts';
import { cents, formatUsd, negate, share, sum } from '../money.ts';
import type { Cents } from '../money.ts';
import type { Side } from '../documents/side.ts';

/**
 * One posted component of a document: a line, a package component, a discount, or a tax item (docs/accounting.md, "What
 * a payment recognizes").
 */
export interface Component {
  accountId: number;
  /** The amount that the component adds to the document's total, in cents. Discounts are negative. */
  amount: Cents;
  description: string;
  profitCenterId: number | null;
  locationId: number | null;
}

export interface InvoiceParts {
  /** The lines with their rounded amounts, in line order. A package's parts add up to the package's amount. */
  lines: readonly (Omit<Component, 'amount'> & { lineItemAmount: Cents; parts?: readonly PostedPart[] | null })[];
  taxItems: readonly { label: string; total: Cents }[];
  /** The liability account of the sales tax scenario. Null if no tax is collected. */
  taxAccountId: number | null;
}

/** The part of a package that is posted to one account. The part uses its own profit center unless the line has one. */
export interface PostedPart {
  name: string;
  GLAccountID: number;
  profitCenterID: number | null;
  amount: Cents;
}

/**
 * Returns the components of an invoice: the lines, with packages replaced by their parts, then the tax items, which
 * have no dimensions.
 */
export function componentsOf({ lines, taxItems, taxAccountId }: InvoiceParts): Component[] {
  return [
    ...lines.flatMap(({ accountId, lineItemAmount, description, profitCenterId, locationId, parts }): Component[] => {
      if (!parts) return [{ accountId, amount: lineItemAmount, description, profitCenterId, locationId }];
      return parts.map(({ name, GLAccountID, profitCenterID, amount }) => ({
        accountId: GLAccountID,
        amount,
        description: `${description}: ${name}`,
        profitCenterId: profitCenterId ?? profitCenterID,
        locationId,
      }));
    }),
    ...taxItems.map(({ label, total }) => {
      const accountId = present(taxAccountId, 'sales tax account');
      return { accountId, amount: total, description: label, profitCenterId: null, locationId: null };
    }),
  ];
}

/** An invoice or a bill to post. */
export interface PostableDocument {
  id: number;
  date: IsoDate;
  /** The customer or vendor. */
  entityId: number;
  controlAccountId: number;
  description: string;
  /**
   * The lines in line order, followed by the tax items in tax order. The order determines which component gets an odd
   * cent.
   */
  components: readonly Component[];
  /** Whether a bill was paid immediately. If so, its control account is the account from which it was paid. */
  paidAtOnce?: boolean;
  /**
   * The original amounts of the components, for a document from before the opening balances. Its components contain
   * only the part that was still open.
   */
  opening?: readonly Cents[] | null | undefined;
}

/** The application of a payment to a document. */
export interface Application {
  document: PostableDocument;
  amount: Cents;
  /**
   * The date on which the cash basis recognizes the application: the later of the payment date and the document date,
   * or the first open date if that is later.
   */
  recognitionDate: IsoDate;
  /**
   * The amount applied to the document before this application, in the order of (recognitionDate, paymentId). See
   * `cumulate`.
   */
  appliedBefore: Cents;
  /**
   * The last part of the amount, with its sign, which is applied without moving money and recognizes nothing. This part
   * is a discount if the payment has a discount account, and otherwise a write-off.
   */
  waived?: Cents;
}

/** The amount of an earlier payment that a refund pays back. Always positive. */
export interface GivenBack {
  paymentId: number;
  /** The control account that the payment credited. */
  controlAccountId: number;
  amount: Cents;
}

export interface PostablePayment {
  id: number;
  date: IsoDate;
  entityId: number;
  /** The cash or bank account, which a receipt debits and a bill payment credits. */
  moneyAccountId: number;
  /** The control account for the part of the payment that was not applied to any document on the payment date. */
  controlAccountId: number;
  /** The amount. Negative for a refund. */
  amount: Cents;
  description: string;
  /** The account for the payment's discounts. Null if the payment takes no discounts. */
  discountAccountId?: number | null;
  applications: readonly Application[];
  /** The payment amounts that a refund pays back. */
  givesBack?: readonly GivenBack[];
}

/** Returns the total of a document, which is the sum of its components. */
export function totalOf({ components }: Pick<PostableDocument, 'components'>): Cents {
  return sum(components.map((component) => component.amount));
}

/**
 * Posts an invoice as a receivable against revenue and taxes, on the accrual basis only. A bill is posted with opposite
 * signs. A document for 0.00 or a bill that was paid immediately counts as paid, so its lines are on both bases. The
 * income or expense of a document from before the opening balances is part of these balances, so its open part is
 * posted against opening balance equity.
 */
export function postDocument(side: Side, document: PostableDocument): Transaction {
  const { components, description, controlAccountId: accountId, entityId } = document;
  const amount = totalOf(document);
  if (document.opening) {
    return turned(side, document.date, description, [
      line({ accountId, amount, basis: 'A', description, entityId }),
      line({ accountId: OPENING_BALANCE_EQUITY, amount: negate(amount), basis: 'A', description }),
    ]);
  }
  const basis: Basis = amount === 0 || document.paidAtOnce === true ? 'B' : 'A';
  return turned(side, document.date, description, [
    line({ accountId, amount, basis, description, entityId }),
    ...components.map((component) => credit(component, component.amount, basis)),
  ]);
}

/**
 * Posts the entries for the money and the control account on the payment date. On the cash basis, posts the documents'
 * components to the extent that they are paid, and the rest as unapplied cash. Applications that are recognized later
 * (because the payment was early, or a credit was applied later) are posted in one transaction per date. A refund is
 * posted with opposite signs: it uses up the credit memos and the unapplied cash that it refers to. Discounts are
 * posted to their own account on the accrual basis only. Throws if the applications exceed the payment's amount.
 */
export function postPayment(side: Side, payment: PostablePayment): Transaction[] {
  const applied = sum(payment.applications.map(moneyOf));
  if (applied > payment.amount + givenBack(payment)) {
    throw refuse('The applied amounts are more than the payment amount');
  }
  const later = payment.applications.filter((application) => application.recognitionDate > payment.date);
  const dates = [...new Set(later.map((application) => application.recognitionDate))].toSorted();
  const transactions = [
    postMoney(side, payment),
    ...dates.map((date) => {
      const applications = later.filter((application) => application.recognitionDate === date);
      return turned(side, date, payment.description, laterEntries(side, payment, applications));
    }),
  ];
  return transactions.filter((transaction) => transaction.entries.length > 0);
}

/** Returns the part of an application that is paid with money. */
export function moneyOf({ amount, waived = cents(0) }: Pick<Application, 'amount' | 'waived'>): Cents {
  return cents(amount - waived);
}

/** Returns the total that a refund pays back from payments. Returns 0 for a payment. */
export function givenBack({ givesBack = [] }: Pick<PostablePayment, 'givesBack'>): Cents {
  return sum(givesBack.map((part) => part.amount));
}

function postMoney(side: Side, payment: PostablePayment): Transaction {
  const { amount, description, entityId } = payment;
  const now = payment.applications.filter((application) => application.recognitionDate <= payment.date);
  const rest = cents(amount - sum(now.map(moneyOf)));
  const credits = new Map<number, Cents>();
  for (const { document, amount: part } of now) addTo(credits, document.controlAccountId, part);
  for (const { controlAccountId, amount: part } of payment.givesBack ?? [])
    addTo(credits, controlAccountId, negate(part));
  const taken = discountsOf(payment, now);
  addTo(credits, payment.controlAccountId, cents(rest + givenBack(payment) + taken - sum(now.map(waivedOf))));
  return turned(side, payment.date, description, [
    line({ accountId: payment.moneyAccountId, amount, basis: 'B', description }),
    ...discountLine(payment, taken),
    ...[...credits].map(([accountId, part]) =>
      line({ accountId, amount: negate(part), basis: 'A', description, entityId }),
    ),
    ...now.flatMap(recognised),
    line({ accountId: side.unappliedAccountId, amount: negate(rest), basis: 'C', description }),
  ]);
}

function laterEntries(side: Side, payment: PostablePayment, applications: readonly Application[]): Entry[] {
  const { description, entityId } = payment;
  const amount = sum(applications.map(moneyOf));
  const moved = applications
    .filter(({ document }) => document.controlAccountId !== payment.controlAccountId)
    .flatMap(({ document, amount: part }) => [
      line({ accountId: payment.controlAccountId, amount: part, basis: 'A', description, entityId }),
      line({ accountId: document.controlAccountId, amount: negate(part), basis: 'A', description, entityId }),
    ]);
  // The money was credited on the payment date, but a discount is posted on the recognition date.
  const taken = discountsOf(payment, applications);
  return [
    ...moved,
    ...discountLine(payment, taken),
    line({ accountId: payment.controlAccountId, amount: negate(taken), basis: 'A', description, entityId }),
    line({ accountId: side.unappliedAccountId, amount, basis: 'C', description }),
    ...applications.flatMap(recognised),
  ];
}

/**
 * Returns the total of the discounts in a payment's applications. Without a discount account, the waived amounts are
 * write-offs.
 */
function discountsOf({ discountAccountId = null }: PostablePayment, applications: readonly Application[]): Cents {
  return discountAccountId === null ? cents(0) : sum(applications.map(waivedOf));
}

const waivedOf = ({ waived = cents(0) }: Application): Cents => waived;

function discountLine({ discountAccountId = null, description }: PostablePayment, amount: Cents): Entry[] {
  return discountAccountId === null ? [] : [line({ accountId: discountAccountId, amount, basis: 'A', description })];
}

/** Returns the cash-basis lines for one application: each component's share, with the component's dimensions. */
function recognised({ document, appliedBefore, ...application }: Application): Entry[] {
  // A discount is the last part to be applied, so it is the first part to be reversed.
  const from = cents(appliedBefore + Math.min(0, application.waived ?? 0));
  const parts = recogniseOf(document, from, cents(from + moneyOf(application)));
  return document.components.flatMap((component, index) => {
    const part = parts[index];
    return part === undefined ? [] : [credit(component, part, 'C')];
  });
}

/**
 * Returns the part of each component that an application to a document recognizes. The shares of a document from before
 * the opening balances continue the shares of its earlier payments, so that each cent is recognized where it would have
 * been without opening balances.
 */
function recogniseOf({ components, opening }: PostableDocument, appliedBefore: Cents, appliedAfter: Cents): Cents[] {
  if (!opening) return recognise(components, appliedBefore, appliedAfter);
  const settled = sum(opening) - totalOf({ components });
  const originals = opening.map((amount) => ({ amount }));
  return recognise(originals, cents(settled + appliedBefore), cents(settled + appliedAfter));
}

/**
 * Returns the part of each component that one application recognizes. Each part is the share of the cumulative amount
 * after the application less the share before it. Both shares are allocated by largest remainder. The parts add up to
 * the applied amount, and no cent remains when the invoice is paid in full (docs/accounting.md, "What a payment
 * recognizes").
 */
export function recognise(
  components: readonly Pick<Component, 'amount'>[],
  appliedBefore: Cents,
  appliedAfter: Cents,
): Cents[] {
  if (appliedBefore === appliedAfter) return components.map(() => cents(0));
  const weights = components.map((component) => component.amount);
  const before = share(appliedBefore, weights);
  return share(appliedAfter, weights).map((after, index) => cents(after - (before[index] ?? 0)));
}

/**
 * Sorts the applications to a single document by the order in which they take effect, and sets the amount applied
 * before each application, starting with the amount applied before the first one.
 */
export function cumulate<T extends { paymentId: number; recognitionDate: IsoDate; amount: Cents }>(
  applications: readonly T[],
  before: Cents = cents(0),
): (T & { appliedBefore: Cents })[] {
  let applied = before;
  return applications.toSorted(inOrderOfEffect).map((application) => {
    const appliedBefore = applied;
    applied = cents(applied + application.amount);
    return { ...application, appliedBefore };
  });
}

/** Compares applications to a document by the order in which they take effect: by recognition date, then by payment. */
export function inOrderOfEffect<T extends { paymentId: number; recognitionDate: IsoDate }>(a: T, b: T): number {
  if (a.recognitionDate !== b.recognitionDate) return a.recognitionDate < b.recognitionDate ? -1 : 1;
  return a.paymentId - b.paymentId;
}

function credit(component: Component, amount: Cents, basis: Basis): Entry {
  const { accountId, description, profitCenterId, locationId } = component;
  return { accountId, amount: negate(amount), basis, description, entityId: null, profitCenterId, locationId };
}

type LineInput = Pick<Entry, 'accountId' | 'amount' | 'basis' | 'description'> & { entityId?: number | null };

/** Returns a line without dimensions, because receivable, money, and unapplied cash lines have none. */
export function line({ accountId, amount, basis, description, entityId = null }: LineInput): Entry {
  return { accountId, amount, basis, description, entityId, profitCenterId: null, locationId: null };
}

function addTo(totals: Map<number, Cents>, accountId: number, amount: Cents): void {
  totals.set(accountId, cents((totals.get(accountId) ?? 0) + amount));
}

/** Returns a transaction with the signs for the side. The entries passed in have the receivable side's signs. */
function turned(side: Side, postingDate: IsoDate, description: string, entries: readonly Entry[]): Transaction {
  const own = side.sign === 1 ? entries : entries.map((entry) => ({ ...entry, amount: negate(entry.amount) }));
  return balanced(postingDate, description, own);
}

/** Returns a transaction with the nonzero entries. Throws unless the transaction balances on both bases. */
export function balanced(postingDate: IsoDate, description: string, entries: readonly Entry[]): Transaction {
  const transaction = { postingDate, description, entries: entries.filter((entry) => entry.amount !== 0) };
  assertBalanced(transaction);
  return transaction;
}

export interface JournalLine {
  accountId: number;
  debit: boolean;
  /** A positive amount, in cents. */
  amount: Cents;
  description: string;
  profitCenterId: number | null;
  locationId: number | null;
  entityId: number | null;
}

export interface JournalInput {
  postingDate: IsoDate;
  /** 0 for both bases, 1 for the accrual basis only, 2 for the cash basis only. */
  basis: 0 | 1 | 2;
  lines: readonly JournalLine[];
  accountType: (id: number) => AccountTypeInfo;
}

/**
 * Posts a manual journal entry. Drops a trailing line without an account. Lines in bank, cash, and card accounts are
 * always on both bases. Receivable and payable accounts have no cash basis, so a journal entry in these control
 * accounts is accrual only. If the entry moves money, the cash basis uses another account instead of the control
 * account: opening balance equity if the entry has a line there, and unapplied cash otherwise.
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
    throw refuse('An entry in a bank, cash, or credit card account must be posted on both bases', {
      basis: 'Select both bases',
    });
  }
  if (basis === 2 && lines.some((each) => isControlAccount(accountType(each.accountId)))) {
    throw refuse("An entry in accounts receivable or accounts payable can't be posted only on the cash basis", {
      basis: 'Select both bases, or accrual only',
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
