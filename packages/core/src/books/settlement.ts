import { type IsoDate, addDays, formatDate, laterOf } from '../dates.ts';
import { refuse } from '../failure.ts';
import type { Transaction } from './ledger.ts';
import { type Cents, ZERO, cents, formatUsd, minCents, negate, sum } from '../money.ts';
import {
  type GivenBack,
  type PostableDocument,
  type PostablePayment,
  cumulate,
  givenBack,
  inOrderOfEffect,
  moneyOf,
  postDocument,
  postPayment,
  totalOf,
} from './posting.ts';
import { REFUND, type Side, type Source, type SourceType } from '../documents/side.ts';
import type { DocumentKind } from '../kinds/kind.ts';

/** A document with the amount that payments have applied to it. */
export interface SettledDocument extends PostableDocument {
  kind: SourceType;
  /**
   * Whether the document is posted. Draft, void, and deleted documents are not in the ledger and have no open balance.
   */
  posts: boolean;
  /** The total of all applications to the document, in cents, including those outside the settlement. */
  applied: Cents;
}

/** A payment without its applications. */
export interface SettledPayment extends Omit<PostablePayment, 'applications'> {
  /** The total that refunds pay back from the payment, in cents, including refunds outside the settlement. */
  refunded?: Cents;
}

/**
 * The amount that one payment applies to one document starting on a given date. Negative if the application was
 * reversed after the books were closed.
 */
export interface AppliedRow {
  paymentId: number;
  documentId: number;
  amount: Cents;
  recognitionDate: IsoDate;
  /** The total applied to the document before this row, in the order in which applications take effect. */
  appliedBefore: Cents;
  /** The last part of the amount, with its sign, which is applied without moving money. */
  waived?: Cents;
}

/**
 * Related documents and payments on one side. A payment may be omitted unless its applications take effect after a
 * change, because its shares then depend on the amounts applied before them (docs/accounting.md, "What a payment
 * recognizes").
 */
export interface Settlement {
  documents: ReadonlyMap<number, SettledDocument>;
  payments: ReadonlyMap<number, SettledPayment>;
  /** All applications of the included payments. */
  applications: readonly AppliedRow[];
}

/** A payment's application to a document as requested by the user, in cents. */
export interface WantedApplication {
  documentId: number;
  amount: Cents;
  /** The part that is applied without moving money, with its sign. */
  waived?: Cents;
}

/**
 * Returns the settlement with a payment saved. Applications to documents that are not in `wanted` are reversed. Nothing
 * is recognized on or before `closingDate`, which is null if the books are open or the caller may post to closed books.
 * The applications must be valid (allocation).
 */
export function withPayment(
  settlement: Settlement,
  payment: SettledPayment,
  wanted: readonly WantedApplication[],
  closingDate: IsoDate | null,
): Settlement {
  const before = settlement.payments.get(payment.id);
  const isSameDate = before?.date === payment.date;
  const own = settlement.applications.filter((each) => each.paymentId === payment.id);
  const amounts = new Map(own.map(({ documentId }) => [documentId, { amount: ZERO, waived: ZERO }]));
  for (const { documentId, amount, waived = ZERO } of wanted) amounts.set(documentId, { amount, waived });
  const byDocument = grouped(own, ({ documentId }) => documentId);
  const changes: Changes = new Map();
  for (const [documentId, { amount, waived }] of amounts) {
    const document = documentOf(settlement, documentId);
    // If the document was deleted after the application was reversed, the amounts recognized in closed periods stay.
    if (!document.posts && amount === 0) continue;
    const rows = recognitionRows({
      ids: { paymentId: payment.id, documentId },
      natural: laterOf(payment.date, document.date),
      amount,
      waived,
      before: byDocument.get(documentId) ?? [],
      isSameDate,
      closingDate,
    });
    changes.set(documentId, new Map([[payment.id, rows]]));
  }
  const payments = withRefunded(settlement.payments, before, payment).set(payment.id, payment);
  return replaceRows({ ...settlement, payments }, changes);
}

/** Returns the payments with the amounts that a refund now pays back, which replace the previous amounts. */
function withRefunded(
  payments: Settlement['payments'],
  before: SettledPayment | undefined,
  after: SettledPayment | undefined,
): Map<number, SettledPayment> {
  const changed = new Map(payments);
  const add = (paymentId: number, amount: Cents): void => {
    const payment = changed.get(paymentId);
    if (payment === undefined) throw new Error(`payment ${paymentId} is not in the settlement`);
    changed.set(paymentId, { ...payment, refunded: cents((payment.refunded ?? ZERO) + amount) });
  };
  for (const { paymentId, amount } of before?.givesBack ?? []) add(paymentId, negate(amount));
  for (const { paymentId, amount } of after?.givesBack ?? []) add(paymentId, amount);
  return changed;
}

/**
 * Returns the part of a payment that is neither applied nor refunded, or 0 for a refund. Throws if the payment is not
 * in the settlement.
 */
export function unappliedOf({ payments, applications }: Settlement, paymentId: number): Cents {
  const payment = payments.get(paymentId);
  if (payment === undefined) throw new Error(`payment ${paymentId} is not in the settlement`);
  const own = applications.filter((each) => each.paymentId === paymentId);
  const applied = sum(own.map(moneyOf));
  return cents(payment.amount - applied + givenBack(payment) - (payment.refunded ?? 0));
}

/** The part of a payment that a refund pays back, and the date on which the refund takes effect. */
export interface RefundRow {
  refundId: number;
  paymentId: number;
  amount: Cents;
  /**
   * The later of the refund's and the payment's date. A refund dated before its payment takes effect on the payment's
   * date.
   */
  recognitionDate: IsoDate;
}

/** Returns the payment amounts that refunds pay back, if the settlement contains both the payment and the refund. */
export function refundRows({ payments }: Settlement): RefundRow[] {
  return [...payments.values()].flatMap(({ id: refundId, date, givesBack = [] }) =>
    givesBack.flatMap(({ paymentId, amount }) => {
      const payment = payments.get(paymentId);
      return payment === undefined
        ? []
        : [{ refundId, paymentId, amount, recognitionDate: laterOf(date, payment.date) }];
    }),
  );
}

/**
 * Returns the settlement without a payment. The payment's documents are open again, and the shares of later payments
 * change.
 */
export function withoutPayment(settlement: Settlement, paymentId: number): Settlement {
  const own = settlement.applications.filter((each) => each.paymentId === paymentId);
  const payments = withRefunded(settlement.payments, settlement.payments.get(paymentId), undefined);
  payments.delete(paymentId);
  const changes: Changes = new Map(own.map(({ documentId }) => [documentId, new Map([[paymentId, []]])]));
  return replaceRows({ ...settlement, payments }, changes);
}

/**
 * Returns the settlement with a document saved. A new date changes the recognition dates of the document's payments,
 * except on or before `closingDate` (null if no day is closed). The document's total must not be less than the applied
 * amount.
 */
export function withDocument(
  settlement: Settlement,
  document: Omit<SettledDocument, 'applied'>,
  closingDate: IsoDate | null,
): Settlement {
  const before = settlement.documents.get(document.id);
  const saved = { ...document, applied: before?.applied ?? ZERO };
  const changed: Settlement = { ...settlement, documents: new Map(settlement.documents).set(document.id, saved) };
  if (before === undefined || before.date === document.date) return changed;
  const rows = new Map<number, NewRow[]>();
  const onDocument = settlement.applications.filter((each) => each.documentId === document.id);
  for (const [paymentId, own] of grouped(onDocument, (each) => each.paymentId)) {
    const payment = settlement.payments.get(paymentId);
    if (payment === undefined) throw new Error(`payment ${paymentId} is not in the settlement`);
    const recognised = recognitionRows({
      ids: { paymentId, documentId: document.id },
      natural: laterOf(payment.date, document.date),
      amount: sum(own.map((each) => each.amount)),
      waived: sum(own.map((each) => each.waived ?? ZERO)),
      before: own,
      isSameDate: false,
      closingDate,
    });
    rows.set(paymentId, recognised);
  }
  return replaceRows(changed, new Map([[document.id, rows]]));
}

/** The part of the journal that a saved document changes. */
export type Moved = 'nothing' | 'itself' | 'payments';

/**
 * Returns whether a document's change affects only the document's own posting or also its payments' postings. Payments
 * depend on the document's date, control account, and components.
 */
export function movedBy(before: Omit<SettledDocument, 'applied'>, after: Omit<SettledDocument, 'applied'>): Moved {
  const seenByPayments = ({ date, controlAccountId, components, opening = null }: PostableDocument) =>
    JSON.stringify([date, controlAccountId, components, opening]);
  const seenByItself = ({ description, entityId, posts, paidAtOnce = false }: Omit<SettledDocument, 'applied'>) =>
    JSON.stringify([description, entityId, posts, paidAtOnce]);
  if (seenByPayments(before) !== seenByPayments(after)) return 'payments';
  return seenByItself(before) === seenByItself(after) ? 'nothing' : 'itself';
}

function grouped<R>(rows: readonly R[], keyOf: (row: R) => number): Map<number, R[]> {
  const groups = new Map<number, R[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}

/** Returns the unpaid amount of a document, with its sign, or 0 if the document is not posted. */
export function openAmount(document: SettledDocument): Cents {
  return document.posts ? cents(totalOf(document) - document.applied) : ZERO;
}

/** Returns the unpaid amount of every document in the settlement, by ID. */
export function openAmounts({ documents }: Settlement): Map<number, Cents> {
  return new Map([...documents.values()].map((document) => [document.id, openAmount(document)]));
}

/** The transactions that one document or payment should have in the journal. */
export interface WantedPosting {
  source: Source;
  transactions: Transaction[];
}

/**
 * Returns the transactions that every document and payment in the settlement should have in the journal. Documents and
 * payments outside the settlement should have none. If the settlement before a change is given, returns only the
 * transactions that the change may have moved.
 */
export function wantedPostings(side: Side, settlement: Settlement, before?: Settlement): WantedPosting[] {
  const { documents, payments, applications } = settlement;
  const applied = grouped(applications, ({ paymentId }) => paymentId);
  const isMoved = (id: number): boolean => before?.documents.get(id) !== documents.get(id);
  const isTouched = (payment: SettledPayment): boolean =>
    before?.payments.get(payment.id) !== payment ||
    (applied.get(payment.id) ?? []).some(({ documentId }) => isMoved(documentId));
  return [
    ...[...documents.values()]
      .filter(({ id }) => isMoved(id))
      .map((document) => ({
        source: { type: document.kind, id: document.id },
        transactions: document.posts ? [postDocument(side, document)] : [],
      })),
    ...[...payments.values()].filter(isTouched).map((payment) => ({
      source: { type: side.payment.source, id: payment.id },
      transactions: postPayment(side, {
        ...payment,
        applications: (applied.get(payment.id) ?? []).map(({ documentId, ...application }) => {
          return { ...application, document: documentOf(settlement, documentId) };
        }),
      }),
    })),
  ];
}

function documentOf({ documents }: Pick<Settlement, 'documents'>, id: number): SettledDocument {
  const document = documents.get(id);
  if (document === undefined) throw new Error(`document ${id} is not in the settlement`);
  return document;
}

type NewRow = Omit<AppliedRow, 'appliedBefore'>;

interface RecognitionInput {
  ids: Pick<AppliedRow, 'paymentId' | 'documentId'>;
  /** The later of the payment's date and the document's date. */
  natural: IsoDate;
  amount: Cents;
  /** The part that is applied without moving money, which is applied last. */
  waived: Cents;
  /** The rows for the payment's application to this document, as they were before the change. */
  before: readonly NewRow[];
  /** Whether the payment's date and the document's date both stay the same. */
  isSameDate: boolean;
  closingDate: IsoDate | null;
}

/**
 * Returns the rows for one payment's application to one document, recognized on the later of the two dates. If that day
 * is closed, the amounts already recognized on closed days stay, and the difference is recognized on the first open
 * date. The difference is negative if less is applied than before. If nothing changes, the rows stay, even if the books
 * were reopened.
 */
function recognitionRows({ waived, ...input }: RecognitionInput): NewRow[] {
  const { amount, before, isSameDate } = input;
  const isSame =
    amount === sum(before.map((each) => each.amount)) && waived === sum(before.map((each) => each.waived ?? ZERO));
  if (isSameDate && isSame) return [...before];
  const { closingDate, natural } = input;
  const isClosed = ({ recognitionDate }: NewRow): boolean =>
    closingDate !== null && natural <= closingDate && recognitionDate <= closingDate;
  let rest = cents(waived - sum(before.filter(isClosed).map((each) => each.waived ?? ZERO)));
  const marked = moneyRows(input)
    .toReversed()
    .map((row): NewRow => {
      if (isClosed(row)) return row;
      const part =
        rest < 0 ? cents(Math.max(rest, Math.min(0, row.amount))) : minCents(rest, cents(Math.max(0, row.amount)));
      rest = cents(rest - part);
      const { waived: _, ...bare } = row;
      return part === 0 ? bare : { ...bare, waived: part };
    });
  if (rest !== 0) throw refuse("You can't change a discount dated on or before the closing date");
  return marked.toReversed();
}

function moneyRows({ ids, natural, amount, before, closingDate }: Omit<RecognitionInput, 'waived'>): NewRow[] {
  const row = (recognitionDate: IsoDate, part: Cents): NewRow[] =>
    part === 0 ? [] : [{ ...ids, amount: part, recognitionDate }];
  if (closingDate === null || natural > closingDate) return row(natural, amount);
  const closed = before.filter((each) => each.recognitionDate <= closingDate);
  let rest = cents(amount - sum(closed.map((each) => each.amount)));
  const kept: NewRow[] = [];
  for (const old of before) {
    if (old.recognitionDate <= closingDate || old.amount < 0 !== rest < 0) continue;
    const part = rest < 0 ? cents(Math.max(old.amount, rest)) : minCents(old.amount, rest);
    kept.push(...row(old.recognitionDate, part));
    rest = cents(rest - part);
  }
  const firstOpen = addDays(closingDate, 1);
  const open = kept.find((each) => each.recognitionDate === firstOpen);
  if (open === undefined) return [...closed, ...kept, ...row(firstOpen, rest)];
  return [...closed, ...kept.map((each) => (each === open ? { ...each, amount: cents(each.amount + rest) } : each))];
}

/** New rows for payments' applications, by document and then by payment. The new rows replace the existing rows. */
type Changes = Map<number, ReadonlyMap<number, readonly NewRow[]>>;

/**
 * Returns the settlement with some rows replaced. The running time is linear in the number of rows, because a document
 * may have hundreds.
 */
function replaceRows(settlement: Settlement, changes: Changes): Settlement {
  const documents = new Map(settlement.documents);
  const applications = grouped(settlement.applications, ({ documentId }) => documentId);
  for (const [documentId, replaced] of changes) {
    const document = documentOf(settlement, documentId);
    const rows = rowsOnDocument(document, applications.get(documentId) ?? [], replaced);
    if (rows === undefined) continue;
    documents.set(documentId, { ...document, applied: rows.applied });
    // The changed rows come after the rows of unchanged documents.
    applications.delete(documentId);
    applications.set(documentId, rows.applications);
  }
  return { ...settlement, documents, applications: [...applications.values()].flat() };
}

/**
 * Returns one document's rows. The amounts applied before each row are recomputed, starting with the first changed row.
 * Returns undefined if no row changes.
 */
function rowsOnDocument(
  document: SettledDocument,
  before: readonly AppliedRow[],
  replaced: ReadonlyMap<number, readonly NewRow[]>,
): { applied: Cents; applications: AppliedRow[] } | undefined {
  const old = before.filter((each) => replaced.has(each.paymentId));
  const rows = [...replaced.values()].flat();
  const keyOf = ({ paymentId, recognitionDate, amount, waived = ZERO }: NewRow) =>
    `${paymentId} ${recognitionDate} ${amount} ${waived}`;
  const [oldKeys, newKeys] = [new Set(old.map(keyOf)), new Set(rows.map(keyOf))];
  const changes = [...old.filter((row) => !newKeys.has(keyOf(row))), ...rows.filter((row) => !oldKeys.has(keyOf(row)))];
  const [first] = changes.toSorted(inOrderOfEffect);
  if (first === undefined) return undefined;
  const isBehind = (row: NewRow): boolean => inOrderOfEffect(row, first) >= 0;
  const [oldBehind] = before.filter(isBehind).toSorted(inOrderOfEffect);
  const appliedBefore = oldBehind?.appliedBefore ?? document.applied;
  const others = before.filter((each) => !replaced.has(each.paymentId));
  const behind = cumulate([...others, ...rows].filter(isBehind), appliedBefore);
  return {
    applied: cents(appliedBefore + sum(behind.map((each) => each.amount))),
    applications: [...before.filter((row) => !isBehind(row)), ...behind],
  };
}

/** An open document in the payment form's list. */
export interface OpenInvoice {
  invoiceId: number;
  /** The name of the kind of document in messages, for example "credit memo". Undefined for an invoice. */
  called?: string;
  invoiceNumber: string;
  invoiceDate: IsoDate;
  dueDate: IsoDate | null;
  /** The open amount plus the edited payment's own applications, in cents. Negative for a credit. */
  unpaid: Cents;
}

export interface InvoiceApplication {
  invoiceId: number;
  amount: Cents;
  /** The discount applied without moving money in addition to the amount. Always positive. */
  discount?: Cents;
}

export interface ApplicationCheck {
  amount: Cents;
  applications: readonly InvoiceApplication[];
  open: readonly OpenInvoice[];
  /** The total that refunds pay back from this payment. */
  refunded?: Cents;
}

/**
 * Returns the applications as one total per invoice, without zeros. Each application has the sign of the unpaid amount
 * and, together with its discount, does not exceed it. The total of the applications is neither negative nor more than
 * the payment (docs/accounting.md, "Applying payments"). Throws an error for the field of the invalid application.
 */
export function checkApplications({
  amount,
  applications,
  open,
  refunded = ZERO,
}: ApplicationCheck): InvoiceApplication[] {
  if (amount < 0) throw refuse('The payment amount cannot be negative', { paymentAmount: 'Cannot be negative' });
  const summed = summedUp(applications, open);
  const total = cents(sum(summed.map((each) => each.amount)));
  if (total + refunded > amount) {
    const least = formatUsd(cents(total + refunded));
    if (refunded > 0) {
      throw refuse(`${formatUsd(refunded)} of the payment has been refunded and ${formatUsd(total)} applied`, {
        paymentAmount: `Must be at least ${least}, the amount applied and refunded`,
      });
    }
    throw refuse(`The applied amounts (${least}) are more than the payment amount (${formatUsd(amount)})`, {
      paymentAmount: `Must be at least ${least}, the amount applied`,
    });
  }
  if (total < 0) throw refuse('The applied credits exceed the invoices that they are applied to');
  return summed;
}

/**
 * Returns the applications as one total per invoice, without zeros. Each total is checked against the invoice's unpaid
 * amount.
 */
function summedUp(applications: readonly InvoiceApplication[], open: readonly OpenInvoice[]): InvoiceApplication[] {
  const summed = new Map<number, Required<InvoiceApplication>>();
  for (const { invoiceId, amount, discount = ZERO } of applications) {
    const before = summed.get(invoiceId);
    summed.set(invoiceId, {
      invoiceId,
      amount: cents((before?.amount ?? 0) + amount),
      discount: cents((before?.discount ?? 0) + discount),
    });
  }
  for (const application of summed.values()) {
    const index = applications.findLastIndex((each) => each.invoiceId === application.invoiceId);
    checkApplication(application, open, `paymentApplications.${index}`);
  }
  return [...summed.values()].flatMap(({ discount, ...bare }) => {
    if (discount !== 0) return [{ ...bare, discount }];
    return bare.amount === 0 ? [] : [bare];
  });
}

/** The part of a payment that a refund should pay back. Always positive. */
export interface WantedRefund {
  paymentId: number;
  amount: Cents;
}

/** A payment with an amount that can still be refunded. */
export interface Refundable {
  paymentId: number;
  paymentNumber: string;
  controlAccountId: number;
  /** The refundable amount, including the part that the edited refund already pays back. */
  left: Cents;
}

export interface RefundCheck {
  /** Negative, because the money is paid back. */
  amount: Cents;
  /** The credits that the refund uses, as negative amounts. */
  applications: readonly InvoiceApplication[];
  open: readonly OpenInvoice[];
  refunds: readonly WantedRefund[];
  payments: readonly Refundable[];
}

/**
 * Returns the credits and the parts of payments that a refund uses, as one total per credit or payment. Together they
 * equal the refund, and none exceeds the available amount (docs/accounting.md, "Refunds"). Throws an error for the
 * invalid field.
 */
export function checkRefund({ amount, applications, open, refunds, payments }: RefundCheck): {
  applications: InvoiceApplication[];
  givesBack: GivenBack[];
} {
  const used = summedUp(applications, open);
  const at = applications.findIndex((each) => each.amount > 0);
  if (at !== -1) {
    throw refuse('A refund can include only credits', { [`paymentApplications.${at}.amount`]: 'Must be negative' });
  }
  const summed = new Map<number, Cents>();
  for (const { paymentId, amount: part } of refunds) {
    summed.set(paymentId, cents((summed.get(paymentId) ?? 0) + part));
  }
  const givesBack = [...summed].flatMap(([paymentId, part]): GivenBack[] => {
    const path = `paymentRefunds.${refunds.findLastIndex((each) => each.paymentId === paymentId)}`;
    const payment = payments.find((each) => each.paymentId === paymentId);
    if (payment === undefined) {
      throw refuse(`Payment ${paymentId} has no credit to refund`, { [`${path}.paymentId`]: 'Not available' });
    }
    if (part < 0) throw refuse('A refunded amount cannot be negative', { [`${path}.amount`]: 'Cannot be negative' });
    if (part > payment.left) {
      const left = formatUsd(payment.left);
      const figures = `${formatUsd(part)} of payment ${payment.paymentNumber}, which has ${left} remaining`;
      throw refuse(`A refund can't be more than the remaining credit: ${figures}`, {
        [`${path}.amount`]: `At most ${left}`,
      });
    }
    return part === 0 ? [] : [{ paymentId, controlAccountId: payment.controlAccountId, amount: part }];
  });
  const named = cents(sum(givesBack.map((each) => each.amount)) - sum(used.map((each) => each.amount)));
  if (named !== -amount) {
    throw refuse(`The refund is ${formatUsd(negate(amount))}, but its credits add up to ${formatUsd(named)}`, {
      paymentAmount: `The credits add up to ${formatUsd(named)}`,
    });
  }
  return { applications: used, givesBack };
}

function checkApplication(
  { invoiceId, amount, discount }: Required<InvoiceApplication>,
  open: readonly OpenInvoice[],
  path: string,
): void {
  const invoice = open.find((each) => each.invoiceId === invoiceId);
  if (invoice === undefined) {
    throw refuse(`Invoice ${invoiceId} is not open for this payment`, { [`${path}.invoiceId`]: 'Not open' });
  }
  const name = `${invoice.called ?? 'invoice'} ${invoice.invoiceNumber}`;
  if (amount !== 0 && amount < 0 !== invoice.unpaid < 0) {
    throw refuse(
      amount < 0 ? `The amount applied to ${name} can't be negative` : `The amount applied to ${name} must be negative`,
      { [`${path}.amount`]: amount < 0 ? 'Cannot be negative' : 'Must be negative' },
    );
  }
  if (Math.abs(amount) > Math.abs(invoice.unpaid)) {
    const figures = `${formatUsd(amount)} applied to ${name}, which has ${formatUsd(invoice.unpaid)} unpaid`;
    throw refuse(`An applied amount cannot exceed the invoice's unpaid amount: ${figures}`, {
      [`${path}.amount`]: `At most ${formatUsd(invoice.unpaid)}`,
    });
  }
  const left = cents(Math.max(0, invoice.unpaid - amount));
  if (discount < 0) throw refuse('A discount cannot be negative', { [`${path}.discountAmount`]: 'Cannot be negative' });
  if (discount > left) {
    const figures = `a discount of ${formatUsd(discount)} on ${name}, which has only ${formatUsd(left)} unpaid`;
    throw refuse(`A discount can't be more than the unpaid amount: ${figures}`, {
      [`${path}.discountAmount`]: `At most ${formatUsd(left)}`,
    });
  }
}

/** Throws if a change affects which parts of payments a refund on a closed day pays back. */
export function requireOpenRefunds(before: Settlement, after: Settlement, closingDate: IsoDate | null): void {
  if (closingDate === null) return;
  const closed = (settlement: Settlement): string[] =>
    refundRows(settlement)
      .filter(({ recognitionDate }) => recognitionDate <= closingDate)
      .map((row) => Object.values(row).join(' '));
  const [old, wanted] = [closed(before), closed(after)];
  if (old.join() !== wanted.join()) {
    throw refuse(
      `You can't change the credits on a refund dated on or before the closing date, ${formatDate(closingDate)}`,
    );
  }
}

/** Returns the kind of a payment by its amount, for numbers and messages. A negative payment is a refund. */
export function paymentKind({ payment }: Pick<Side, 'payment'>, amount: number): DocumentKind {
  return amount < 0 ? { ...payment, label: REFUND } : payment;
}
