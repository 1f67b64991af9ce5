import { addDays, laterOf } from './dates.ts';
import type { IsoDate } from './dates.ts';
import type { Transaction } from './ledger.ts';
import { cents, minCents, sum, ZERO } from './money.ts';
import type { Cents } from './money.ts';
import { cumulate, inOrderOfEffect, postDocument, postPayment, totalOf } from './posting.ts';
import type { PostableDocument, PostablePayment } from './posting.ts';
import type { Side, Source } from './side.ts';

/** A document with what payments have applied to it. */
export interface SettledDocument extends PostableDocument {
  /** False for a draft, a void and a deleted one: they do not stand in the ledger, and nothing is open on them. */
  posts: boolean;
  /** Σ of all applications to it, in cents, also of those that the settlement does not hold. */
  applied: Cents;
}

/** A payment without its applications. */
export type SettledPayment = Omit<PostablePayment, 'applications'>;

/** What one payment applies to one document from one day on; negative where it was taken back in closed books. */
export interface AppliedRow {
  paymentId: number;
  documentId: number;
  amount: Cents;
  recognitionDate: IsoDate;
  /** Σ of what was applied to the document before, in the order of effect. */
  appliedBefore: Cents;
}

/**
 * Documents and payments of one side that hang together. It may leave out payments, but not those whose applications
 * take effect behind a change: their share follows from what is applied before them (accounting: A5).
 */
export interface Settlement {
  documents: ReadonlyMap<number, SettledDocument>;
  payments: ReadonlyMap<number, SettledPayment>;
  /** All applications of the payments held. */
  applications: readonly AppliedRow[];
}

/** Money of a payment on a document as a person asks for it, in cents. */
export interface WantedApplication {
  documentId: number;
  amount: Cents;
}

/**
 * The settlement with a payment saved: what it applied to documents that are not named is taken back. Nothing is
 * recognised on or before `closingDate`; null where the books are open or the caller may post closed. The applications
 * must have been checked (allocation).
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
  const amounts = new Map(own.map(({ documentId }) => [documentId, ZERO]));
  for (const { documentId, amount } of wanted) amounts.set(documentId, amount);
  let changed: Settlement = { ...settlement, payments: new Map(settlement.payments).set(payment.id, payment) };
  for (const [documentId, amount] of amounts) {
    const document = documentOf(settlement, documentId);
    // All was taken back and then the document was taken out: what closed periods recognised stays.
    if (!document.posts && amount === 0) continue;
    const rows = recognitionRows({
      ids: { paymentId: payment.id, documentId },
      natural: laterOf(payment.date, document.date),
      amount,
      before: own.filter((each) => each.documentId === documentId),
      isSameDate,
      closingDate,
    });
    changed = replaceRows(changed, documentId, { paymentId: payment.id, rows });
  }
  return changed;
}

/** The settlement without a payment; its documents are open again, other payments' shares move up. */
export function withoutPayment(settlement: Settlement, paymentId: number): Settlement {
  const own = settlement.applications.filter((each) => each.paymentId === paymentId);
  const payments = new Map(settlement.payments);
  payments.delete(paymentId);
  let changed: Settlement = { ...settlement, payments };
  for (const documentId of new Set(own.map((each) => each.documentId))) {
    changed = replaceRows(changed, documentId, { paymentId, rows: [] });
  }
  return changed;
}

/**
 * The settlement with a document saved. A moved date moves the day on which its payments are recognised, except on or
 * before `closingDate` (null: no day is closed). What it comes to must not be less than what is applied.
 */
export function withDocument(
  settlement: Settlement,
  document: Omit<SettledDocument, 'applied'>,
  closingDate: IsoDate | null,
): Settlement {
  const before = settlement.documents.get(document.id);
  const saved = { ...document, applied: before?.applied ?? ZERO };
  let changed: Settlement = { ...settlement, documents: new Map(settlement.documents).set(document.id, saved) };
  if (before === undefined || before.date === document.date) return changed;
  const own = settlement.applications.filter((each) => each.documentId === document.id);
  for (const paymentId of new Set(own.map((each) => each.paymentId))) {
    const payment = settlement.payments.get(paymentId);
    if (payment === undefined) throw new Error(`payment ${paymentId} is not in the settlement`);
    const rows = recognitionRows({
      ids: { paymentId, documentId: document.id },
      natural: laterOf(payment.date, document.date),
      amount: sum(own.filter((each) => each.paymentId === paymentId).map((each) => each.amount)),
      before: own.filter((each) => each.paymentId === paymentId),
      isSameDate: false,
      closingDate,
    });
    changed = replaceRows(changed, document.id, { paymentId, rows });
  }
  return changed;
}

/** What is unpaid of a document, with its sign; 0 where it does not stand in the ledger. */
export function openAmount(document: SettledDocument): Cents {
  return document.posts ? cents(totalOf(document) - document.applied) : ZERO;
}

/** What is unpaid of every document in the settlement, by id. */
export function openAmounts({ documents }: Settlement): Map<number, Cents> {
  return new Map([...documents.values()].map((document) => [document.id, openAmount(document)]));
}

/** What one document or payment wants to stand in the journal. */
export interface WantedPosting {
  source: Source;
  transactions: Transaction[];
}

/**
 * What every document and payment in the settlement wants to stand in the journal; what is not in it wants nothing.
 * With the settlement from before a change, only what that change can have moved.
 */
export function wantedPostings(side: Side, settlement: Settlement, before?: Settlement): WantedPosting[] {
  const { documents, payments, applications } = settlement;
  const byPayment = new Map<number, AppliedRow[]>([...payments.keys()].map((id) => [id, []]));
  for (const each of applications) byPayment.get(each.paymentId)?.push(each);
  const isMoved = (id: number): boolean => before?.documents.get(id) !== documents.get(id);
  const isTouched = (payment: SettledPayment): boolean =>
    before?.payments.get(payment.id) !== payment ||
    (byPayment.get(payment.id) ?? []).some(({ documentId }) => isMoved(documentId));
  return [
    ...[...documents.values()]
      .filter(({ id }) => isMoved(id))
      .map((document) => ({
        source: { type: side.document.source, id: document.id },
        transactions: document.posts ? [postDocument(side, document)] : [],
      })),
    ...[...payments.values()].filter(isTouched).map((payment) => ({
      source: { type: side.payment.source, id: payment.id },
      transactions: postPayment(side, {
        ...payment,
        applications: (byPayment.get(payment.id) ?? []).map(({ documentId, ...application }) => {
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
  /** The later of the payment's and the document's date. */
  natural: IsoDate;
  amount: Cents;
  /** What the payment had applied to this document before this change. */
  before: readonly NewRow[];
  /** Neither the payment's date nor the document's changes. */
  isSameDate: boolean;
  closingDate: IsoDate | null;
}

/**
 * The rows of one payment's application to one document: recognised on the later of the two dates. Where that day is
 * closed, what was recognised on closed days stays and the difference goes to the first open date; it is negative where
 * less is applied than before (accounting: A7.2). Where nothing changes the rows stay, also after the books were opened
 * again.
 */
function recognitionRows({ ids, natural, amount, before, isSameDate, closingDate }: RecognitionInput): NewRow[] {
  if (isSameDate && amount === sum(before.map((each) => each.amount))) return [...before];
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

/** Puts rows in place of those that a payment had on a document, and sums up anew behind the first that differs. */
function replaceRows(
  settlement: Settlement,
  documentId: number,
  { paymentId, rows }: { paymentId: number; rows: readonly NewRow[] },
): Settlement {
  const onDocument = settlement.applications.filter((each) => each.documentId === documentId);
  const old = onDocument.filter((each) => each.paymentId === paymentId);
  const isIn = (row: NewRow, all: readonly NewRow[]): boolean =>
    all.some((each) => each.recognitionDate === row.recognitionDate && each.amount === row.amount);
  const changes = [...old.filter((row) => !isIn(row, rows)), ...rows.filter((row) => !isIn(row, old))];
  const [first] = changes.toSorted(inOrderOfEffect);
  if (first === undefined) return settlement;
  const document = documentOf(settlement, documentId);
  const isBehind = (row: NewRow): boolean => inOrderOfEffect(row, first) >= 0;
  const [oldBehind] = onDocument.filter(isBehind).toSorted(inOrderOfEffect);
  const appliedBefore = oldBehind?.appliedBefore ?? document.applied;
  const others = onDocument.filter((each) => each.paymentId !== paymentId);
  const behind = cumulate([...others, ...rows].filter(isBehind), appliedBefore);
  const applied = cents(appliedBefore + sum(behind.map((each) => each.amount)));
  return {
    ...settlement,
    documents: new Map(settlement.documents).set(documentId, { ...document, applied }),
    applications: [
      ...settlement.applications.filter((each) => each.documentId !== documentId),
      ...onDocument.filter((row) => !isBehind(row)),
      ...behind,
    ],
  };
}
