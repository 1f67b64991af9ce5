import type { PaymentApplicationInput, RefundPart } from '@evenkeel/contract/subledger';
import {
  type InvoiceApplication,
  type OpenInvoice,
  type Refundable,
  type Settlement,
  checkApplications,
  checkRefund,
  openAmounts,
  requireOpenRefunds,
  unappliedOf,
  withPayment,
  withoutPayment,
} from '@evenkeel/core/books/settlement';
import { allocate } from '@evenkeel/core/allocation';
import type { IsoDate } from '@evenkeel/core/dates';
import { conflict, notFound, present, refuse } from '@evenkeel/core/failure';
import { type Cents, ZERO, cents, sum } from '@evenkeel/core/money';
import { givenBack, type GivenBack } from '@evenkeel/core/books/posting';
import type { Side } from '@evenkeel/core/documents/side';
import { sql } from 'kysely';
import type * as z from 'zod';
import { type LinkPlan, planLinks } from '../attachments/links.ts';
import { type Asked, changesOf, type Document, type Versioned } from './document.ts';
import {
  checkReferences,
  dimensionsOf,
  discountOf,
  namedBy,
  type PaymentInput,
  requireNoWaiving,
  shownPayment,
  type ShownPayment,
} from './payment-input.ts';
import { type Subject, recordCreated } from '../../platform/db/audit.ts';
import type { Runnable } from '../../platform/db/query.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { New } from '../../platform/http/creation.ts';
import { eachMade, type Outcomes, valueOf, valuesOf } from '../../platform/http/idempotency.ts';
import { closingOverride } from '../ledger/journal.ts';
import {
  applicationDimensions,
  type DocumentRow,
  type NamedPayment,
  type PaidRow,
  type PaymentReferences,
  type PaymentRow,
  type Picked,
  payments,
  selectPaid,
  selectPayment,
  selectReferences,
} from './settlement.sql.ts';
import type { NamedDocument } from './reads.sql.ts';
import { type PaidFormat, tellPaid } from './paid.ts';
import { postTogether, type Together } from './together.ts';
import {
  type LoadedSettlement,
  documentsPaid,
  labelOf,
  lockSettlement,
  postSettlement,
  readSettlement,
  requireOutOfDeposit,
  settledBy,
  settledPayment,
  writeSettlement,
} from './settlement.ts';

/** A payment to be saved, with its documents locked. */
interface PaymentWork {
  input: PaymentInput;
  today: IsoDate;
  userId: number;
  loaded: LoadedSettlement;
  references: PaymentReferences;
  /** The stored payment. Undefined for a new payment. */
  before: Payment | undefined;
  links: LinkPlan;
}

/** A payment and the documents that it pays. */
interface Payment extends Document<NamedPayment, readonly PaidRow[]> {
  /** Undefined for a stored payment. */
  settled?: Settled;
}

/**
 * Locks the documents that new payments may affect before anything is checked, so that simultaneous payments never
 * apply more than the open balance.
 */
async function loadPayments(ctx: Ctx, side: Side, news: readonly New<PaymentInput>[]) {
  const inputs = news.map(({ input }) => input);
  const [[locks, answers], links] = await Promise.all([
    lockSettlement(
      ctx.tx,
      side,
      pickedBy(inputs, 0),
      inputs.map((input) => referencesOf(side, input)),
    ),
    Promise.all(inputs.map((input) => newLinks(ctx, side, input))),
  ]);
  const loaded = await readSettlement(ctx.tx, locks, 0);
  const works = news.map(({ input, today }, at): PaymentWork => {
    const references = answers[at]?.[0];
    if (references === undefined) throw notFound('Payment');
    return { input, today, userId: ctx.userId, loaded, references, before: undefined, links: links[at] ?? noLinks };
  });
  return { loaded, works };
}

/**
 * Returns the documents and payments that saving these payments may affect. `paymentId` is the stored payment, or 0 for
 * new payments.
 */
function pickedBy(inputs: readonly PaymentInput[], paymentId: number): Picked {
  const [from] = inputs.map(({ date }) => date).toSorted();
  if (from === undefined) throw new Error('there is no payment to save');
  return {
    documentIds: inputs.flatMap(({ applications }) => (applications ?? []).map((each) => each.invoiceId)),
    paymentId,
    paymentIds: inputs.flatMap(({ refunds }) => refunds.map((each) => each.paymentId)),
    openOfEntityIds: inputs.flatMap(({ applications, entityId }) => (applications === null ? [entityId] : [])),
    from,
  };
}

/** Reads the records that a payment refers to. For a new payment, also assigns the ID. */
function referencesOf(side: Side, input: PaymentInput): Runnable<PaymentReferences> {
  const { id: paymentId, entityId, bankAccountId, paymentAccountId, paymentTypeId, locationId } = input;
  const ids = { paymentId, entityId, bankAccountId, paymentAccountId, paymentTypeId, locationId };
  return selectReferences(side, ids, namedBy(input));
}

function plannedLinks(ctx: Ctx, side: Side, { id, documentLinks }: PaymentInput): Promise<LinkPlan> {
  return planLinks(ctx, { kind: side.payment.source, id }, documentLinks);
}

/** Plans a new payment's attachments. Reads nothing if the payment has none. */
async function newLinks(ctx: Ctx, side: Side, input: PaymentInput): Promise<LinkPlan> {
  return input.documentLinks?.length ? plannedLinks(ctx, side, input) : noLinks;
}

const noLinks: LinkPlan = { before: [], after: [], write: () => [] };

/** Reads a payment and its applications in one round trip. Throws 404 if the payment does not exist. */
async function storedPayment(tx: Tx, side: Side, id: number): Promise<Payment> {
  const [[head], parts] = await tx.inOrder([selectPayment(side, id), selectPaid(id)]);
  if (head === undefined) throw notFound('Payment');
  return { head, parts };
}

/** The result of saving or deleting a payment. */
interface SavedPayment extends Payment {
  /** The documents that the payment paid before the change or pays after it. */
  documents: DocumentRow[];
  /** The payment's newest transaction, or 0 if there has never been one. */
  transactionId: number;
  /** The documents that the change settled. Empty if no webhook receives events for them. */
  paid: DocumentRow[];
}

/**
 * Saves new payments in order, with one lock, one posting, and one write for all of them. For each one, returns the
 * saved payment or the error with the invalid field. A rejected payment changes nothing. `reason` is an administrator's
 * reason for posting on or before the closing date and applies to all of the payments.
 */
async function savePayments(
  ctx: Ctx,
  side: Side,
  news: readonly New<PaymentInput>[],
  reason?: string,
): Promise<Outcomes<SavedPayment>> {
  if (news.length === 0) return [];
  const { loaded, works } = await loadPayments(ctx, side, news);
  let after = loaded.settlement;
  const settled = works.map((work): PromiseSettledResult<Settled> => {
    try {
      const one = settleWith(after, work, reason);
      after = one.after;
      return { status: 'fulfilled', value: one };
    } catch (error) {
      return { status: 'rejected', reason: error };
    }
  });
  const newIds = valuesOf(settled).map(({ record }) => record.id);
  const posted = await postSettlement(ctx, loaded, after, { newIds, reason });
  // Each response shows the documents in the state right after that payment, before the next payment is applied.
  const saved = eachMade(settled, (one): SavedPayment & Pick<PaymentWork, 'links'> => {
    const { work, record, wanted, before, after: then } = one;
    const { number = '', transactions = [] } = posted(record.id) ?? {};
    const affected = documentsPaid(loaded, then, record.id);
    return {
      links: work.links,
      head: { ...record, ...shownWith(one), number, deleted: false, rowVersion: 1 },
      parts: paidBy(work, wanted),
      documents: affected,
      transactionId: transactions[0]?.id ?? 0,
      paid: work.references.tellsPaid && work.input.waives !== true ? settledBy(before, affected) : [],
    };
  });
  ctx.tx.atEnd(...insertPayments(valuesOf(saved)), ...writeSettlement(loaded, after));
  return saved;
}

function insertPayments(all: readonly (Payment & Pick<PaymentWork, 'links'>)[]): Runnable<unknown>[] {
  return [
    ...(all.length > 0 ? [payments.insertMany(all.map(({ head }) => head))] : []),
    ...all.flatMap(({ head, links, parts }) => [...links.write(head.id), ...writeDimensions(head.id, [], parts)]),
  ];
}

/** A payment to be saved, with the settlement without it and the settlement that includes it. */
interface Settled {
  work: PaymentWork;
  record: Omit<PaymentRow, 'rowVersion' | 'deleted'>;
  wanted: readonly InvoiceApplication[];
  before: Settlement;
  after: Settlement;
}

/** Checks a payment and adds it to the settlement. Throws an error that contains the name of the invalid field. */
function settleWith(settlement: Settlement, work: PaymentWork, reason: string | undefined): Settled {
  const { input, loaded, references, before } = work;
  const { side } = loaded;
  checkReferences(side, work);
  if (before !== undefined && before.parts.length > 0 && before.head.entityId !== input.entityId) {
    const field = `${side.words.entity}Id`;
    throw refuse(`You can't change the ${side.words.entity} on a payment that has been applied`, {
      [field]: 'Unapply this payment first',
    });
  }
  const { wanted, givesBack } = namedFor(loaded, settlement, input);
  const refunded = settlement.payments.get(input.id)?.refunded ?? ZERO;
  const applied = input.waives === true ? ZERO : sum(wanted.map((each) => each.amount));
  const discountAccountId = discountAccountOf(work, wanted);
  const record = { ...recordOf(work, cents(applied + refunded - givenBack({ givesBack }))), discountAccountId };
  const closingDate = reason === undefined ? references.closingDate : null;
  const after = withPayment(
    settlement,
    { ...settledPayment(side, record, givesBack), refunded },
    wanted.map(({ invoiceId: documentId, amount, discount = ZERO }) => {
      if (input.waives === true) return { documentId, amount, waived: amount };
      return { documentId, amount: cents(amount + discount), waived: discount };
    }),
    closingDate,
  );
  requireOpenRefunds(settlement, after, closingDate);
  return { work, record, wanted, before: settlement, after };
}

/**
 * Returns the account for the discounts that a payment takes, or null if it takes none. After the payment has taken a
 * discount, its account never changes, because the discount and its reversal may be in a closed period.
 */
function discountAccountOf(
  { references, before, loaded: { side } }: PaymentWork,
  wanted: readonly InvoiceApplication[],
): number | null {
  const accountId = before?.head.discountAccountId ?? null;
  if (accountId !== null || wanted.every(({ discount = ZERO }) => discount === 0)) return accountId;
  if (references.discountAccountId !== null) return references.discountAccountId;
  throw refuse(`Select an account for ${side.words.discounts} in Settings > Financial Info first`);
}

/** Returns the documents that a payment pays. They are part of the payment's response. */
function paidBy({ input, loaded }: PaymentWork, wanted: readonly InvoiceApplication[]): PaidRow[] {
  return wanted.map(({ invoiceId: documentId, amount, discount = ZERO }) => {
    const { kind = '', number = '' } = loaded.locked.get(documentId) ?? {};
    return { documentId, kind, number, amount, discount, ...dimensionsOf(input, documentId) };
  });
}

function shownWith({ work, after, record: { id } }: Settled) {
  const { references, links, loaded, before } = work;
  const numbers = new Map(loaded.payments.map((payment) => [payment.id, payment.number]));
  const refunds = (after.payments.get(id)?.givesBack ?? []).map(({ paymentId, amount }): RefundPart => {
    return { paymentId, paymentNumber: numbers.get(paymentId) ?? '', amount };
  });
  return {
    entityName: references.entityName ?? '',
    documentLinks: links.after,
    refunds,
    refundedBy: before?.head.refundedBy ?? [],
  } satisfies Partial<NamedPayment>;
}

/**
 * Returns the statements that save the dimensions of a payment's applications. They are stored in separate rows,
 * because the application rows contain only what the settlement computes.
 */
function writeDimensions(
  paymentId: number,
  before: readonly PaidRow[],
  after: readonly PaidRow[],
): Runnable<unknown>[] {
  const named = (rows: readonly PaidRow[]) =>
    rows.filter(({ profitCenterId, locationId }) => profitCenterId !== null || locationId !== null);
  const rows = named(after).map(({ documentId, profitCenterId, locationId }) => {
    return { paymentId, documentId, profitCenterId, locationId };
  });
  return [
    ...(named(before).length > 0 ? [applicationDimensions.delete({ paymentId })] : []),
    ...(rows.length > 0 ? [applicationDimensions.insertMany(rows)] : []),
  ];
}

/**
 * Returns the requested applications, or applies the payment to the open documents in list order. Also returns the
 * payments that a refund pays back. Checks everything against the locked open balances and unapplied amounts.
 */
function namedFor(
  loaded: LoadedSettlement,
  settlement: Settlement,
  input: PaymentInput,
): { wanted: InvoiceApplication[]; givesBack: GivenBack[] } {
  const { side, locked } = loaded;
  const own = settlement.applications.filter((each) => each.paymentId === input.id);
  const open = openAmounts(settlement);
  const listed: OpenInvoice[] = [...locked.values()]
    .filter((document) => document.entityId === input.entityId && document.isPosted)
    .map(({ id, kind, number, date, invoiceDate, dueDate }) => {
      const returned = own.filter((each) => each.documentId === id).map((each) => each.amount);
      const unpaid = cents((open.get(id) ?? 0) + sum(returned));
      const called = kind === side.document.source ? side.words.document : labelOf(kind).toLowerCase();
      return { invoiceId: id, called, invoiceNumber: number, invoiceDate: invoiceDate ?? date, dueDate, unpaid };
    });
  const { amount, refunds } = input;
  const asked = input.applications?.map((share, _at, all): InvoiceApplication => {
    const { invoiceId } = share;
    const shares = all.filter((each) => each.invoiceId === invoiceId);
    // If a document has several applications, the first one contains the discount.
    if (shares[0] !== share) return { invoiceId, amount: share.amount };
    const saved = input.waives === true ? [] : own.filter((each) => each.documentId === invoiceId);
    return {
      invoiceId,
      amount: share.amount,
      discount: discountOf(shares, sum(saved.map(({ waived }) => waived ?? ZERO))),
    };
  });
  if (amount < 0) {
    const payments = refundable(loaded, settlement, input);
    const named = checkRefund({ amount, applications: asked ?? [], open: listed, refunds, payments });
    return { wanted: named.applications, givesBack: named.givesBack };
  }
  const refunded = settlement.payments.get(input.id)?.refunded ?? ZERO;
  const free = cents(Math.max(0, amount - refunded));
  const wanted = asked ?? allocate(free, listed);
  return { wanted: checkApplications({ amount, applications: wanted, open: listed, refunded }), givesBack: [] };
}

/** Returns the locked payments from the same customer or vendor, each with the amount that a refund may pay back. */
function refundable({ payments: locked }: LoadedSettlement, settlement: Settlement, input: PaymentInput): Refundable[] {
  const before = settlement.payments.get(input.id)?.givesBack ?? [];
  return locked
    .filter(({ id, entityId, amount }) => id !== input.id && entityId === input.entityId && amount > 0)
    .map(({ id: paymentId, number: paymentNumber, controlAccountId }) => {
      const own = before.find((each) => each.paymentId === paymentId)?.amount ?? ZERO;
      return { paymentId, paymentNumber, controlAccountId, left: cents(unappliedOf(settlement, paymentId) + own) };
    });
}

function recordOf({ input, today, userId, loaded, references, before }: PaymentWork, applied: Cents) {
  const { side } = loaded;
  const usesBank = input.bankAccountId > 0;
  const glAccountId = usesBank ? references.bankGlAccountId : references.paymentAccountId;
  if (glAccountId === null) throw new Error('the payment has no account');
  return {
    id: before?.head.id ?? references.nextId,
    side: side.name,
    number: before?.head.number ?? '',
    controlAccountId: before?.head.controlAccountId ?? references.controlAccountId,
    entryDate: before?.head.entryDate ?? today,
    createdBy: before?.head.createdBy ?? userId,
    entityId: input.entityId,
    entityVersion: references.entityVersion ?? 0,
    companyVersion: references.companyVersion,
    date: input.date,
    amount: input.amount,
    applied,
    unapplied: cents(input.amount - applied),
    paymentTypeId: references.paymentTypeId,
    referenceNumber: input.referenceNumber,
    checkNumber: input.checkNumber,
    description: input.description,
    bankAccountId: usesBank ? input.bankAccountId : null,
    paymentAccountId: usesBank ? null : references.paymentAccountId,
    locationId: references.locationId,
    glAccountId,
  } satisfies Omit<PaymentRow, 'rowVersion' | 'deleted' | 'discountAccountId'>;
}

/** The parts of the payment calls that are specific to one side. */
interface PaymentKind<S extends Versioned, B, D> {
  side: Side;
  subject: Subject<S>;
  input: (body: B) => PaymentInput;
  /** Returns a stored payment in the API format: the shared fields in `shown` and the fields for its side. */
  view: (payment: NamedPayment, shown: ShownPayment) => z.output<S>;
  /** Returns the API format of a document that a payment affected. */
  documentView: (ctx: Ctx, row: NamedDocument) => D;
  /** The format of a settled document in its event. */
  paid: PaidFormat<D>;
}

interface PaymentBody extends Asked {
  paymentApplications?: readonly PaymentApplicationInput[] | null | undefined;
}

/** The maximum number of documents that a payment may refer to if it shares a transaction with other payments. */
const MOST_SHARES = 20;

interface ById {
  params: { id: number };
}

/**
 * Returns the functions that change the payments on one side. If a payment no longer pays a document, the document is
 * open again, and later payments take over its share of the lines (docs/accounting.md, "Applying payments"). A payment
 * of 0.00 that applies a write-off can be changed only together with the write-off (`isWaiving`).
 */
function paymentChanges<S extends Versioned, B extends PaymentBody, D>(kind: PaymentKind<S, B, D>, isWaiving = false) {
  const { side, subject } = kind;
  return changesOf({
    kind: side.payment,
    subject,
    view: ({ head, parts }: Payment) => kind.view(head, shownPayment(head, parts)),
    read: (ctx, id) => storedPayment(ctx.tx, side, id),
    lock: async (ctx, id, body: B | undefined) => {
      const input = body && kind.input(body);
      const picked: Picked =
        input === undefined
          ? { documentIds: [], paymentId: id, openOfEntityIds: [], from: 'own' }
          : pickedBy([input], id);
      // These statements start after lockSettlement, so they read under its locks.
      const [[locks, [[references] = []]], stored, links] = await Promise.all([
        lockSettlement(ctx.tx, side, picked, input === undefined ? [] : [referencesOf(side, input)]),
        storedPayment(ctx.tx, side, id),
        input === undefined ? noLinks : plannedLinks(ctx, side, input),
      ]);
      const loaded = await readSettlement(ctx.tx, locks, id);
      if (!isWaiving) requireNoWaiving(stored.parts);
      return { stored, held: { loaded, references, links } };
    },
    rebuild: (body, { stored, held: { loaded, references, links }, reason, today }): Payment => {
      if (references === undefined) throw notFound('Payment');
      const { createdBy: userId } = stored.head;
      const work = { input: kind.input(body), today, userId, loaded, references, before: stored, links };
      const settled = settleWith(loaded.settlement, work, reason);
      const { record, wanted } = settled;
      const rowVersion = stored.head.rowVersion + 1;
      return {
        head: { ...record, ...shownWith(settled), deleted: false, rowVersion },
        parts: paidBy(work, wanted),
        settled,
      };
    },
    settle: async (ctx, { stored: { head }, saved, held: { loaded, references }, reason }) => {
      const refundedBy = saved === undefined ? head.refundedBy.map(({ paymentNumber }) => paymentNumber) : [];
      if (refundedBy.length > 0) throw conflict(`Delete these refunds first: ${refundedBy.join(', ')}`);
      requireOutOfDeposit(loaded, head, saved?.head);
      requireSameMoney(head, saved?.head);
      const after = saved?.settled?.after ?? withoutPayment(loaded.settlement, head.id);
      const posted = (await postSettlement(ctx, loaded, after, { reason }))(head.id);
      const affected = documentsPaid(loaded, after, head.id);
      return {
        settlement: writeSettlement(loaded, after),
        documents: affected,
        transactionId: posted?.transactions[0]?.id ?? references?.transactionId ?? 0,
        paid: references?.tellsPaid === true ? settledBy(loaded.settlement, affected) : [],
      };
    },
    write: ({ stored: { head, parts }, saved, held: { links } }, { settlement }) => {
      const { id } = head;
      const gone = { deleted: true, applied: ZERO, unapplied: ZERO };
      const { settled } = saved ?? {};
      const change = { ...(settled?.record ?? gone), rowVersion: sql`row_version + 1` };
      return [
        payments.update({ id }, change),
        ...links.write(id),
        ...settlement,
        ...writeDimensions(id, parts, saved?.parts ?? []),
      ];
    },
    events: (ctx, { stored: { head }, saved }, { paid }) => tellPaid(ctx, kind, [{ head: saved?.head ?? head, paid }]),
  });
}

/**
 * Throws 409 if the date, amount, or account of an online payment or its refund would change. Only its applications can
 * be changed.
 */
function requireSameMoney({ isOnline, ...head }: NamedPayment, saved: NamedPayment | undefined): void {
  const isSame = saved?.date === head.date && saved.amount === head.amount && saved.glAccountId === head.glAccountId;
  if (isOnline !== true || isSame) return;
  throw conflict(
    "This payment was made in Stripe, so its date, amount, and account can't be changed. Refund it in Stripe instead.",
  );
}

/**
 * Returns whether a payment may share a transaction with other payments. Payments that share a transaction must not
 * delay each other, so each may refer to only a few documents and to no files.
 */
const shares = ({ paymentApplications, documentLinks, closingOverrideReason }: PaymentBody): boolean =>
  !closingOverrideReason &&
  (documentLinks ?? []).length === 0 &&
  (paymentApplications?.length ?? MOST_SHARES + 1) <= MOST_SHARES;

type Made<P> = Outcomes<{ after: P; saved: SavedPayment }>;

/** Returns the created payments, each with the request that created it. */
function createdOf<P>(made: Made<P>, news: readonly New<unknown>[], reason: string | undefined) {
  return made.flatMap((each, at) =>
    each.status === 'fulfilled' ? [{ ...each.value.saved, after: each.value.after, reason, by: news[at]?.by }] : [],
  );
}

/** Returns the calls for the payments of one side. */
export function paymentCalls<S extends Versioned, B extends PaymentBody, D>(kind: PaymentKind<S, B, D>) {
  const { side, subject } = kind;
  const { change, get } = paymentChanges(kind);
  const waived = paymentChanges(kind, true);
  const affected = (ctx: Ctx, { head, documents }: Pick<SavedPayment, 'head' | 'documents'>): D[] =>
    documents.map((row: DocumentRow) => kind.documentView(ctx, { ...row, entityName: head.entityName }));

  const replyOf = (ctx: Ctx, { saved, after }: { saved: SavedPayment; after: z.output<S> }) => {
    return { ...after, affectedInvoices: affected(ctx, saved), transactionID: saved.transactionId };
  };

  async function makeOf(ctx: Ctx, news: readonly New<PaymentInput>[], reason?: string) {
    const made = eachMade(await savePayments(ctx, side, news, reason), (saved) => {
      return { saved, after: kind.view(saved.head, shownPayment(saved.head, saved.parts)) };
    });
    const created = createdOf(made, news, reason);
    recordCreated(ctx, subject, created);
    if (created.some(({ paid }) => paid.length > 0)) ctx.tx.atEnd(...tellPaid(ctx, kind, created));
    return made;
  }

  const make = (ctx: Ctx, asked: readonly New<B>[], reason?: string) =>
    makeOf(
      ctx,
      asked.map(({ input, ...rest }) => ({ ...rest, input: kind.input({ ...input, id: 0 }) })),
      reason,
    );

  return {
    /** Posts new payments. Simultaneous requests may share a transaction, but each request gets its own response. */
    creation: {
      create: async (ctx: Ctx, { body }: { body: B }) => {
        const reason = closingOverride(ctx, body.closingOverrideReason);
        const [made] = await make(ctx, [{ input: body, today: ctx.today }], reason);
        return replyOf(ctx, valueOf(made));
      },
      createEach: async (ctx: Ctx, asked: readonly New<B>[]) =>
        eachMade(await make(ctx, asked), (made) => replyOf(ctx, made)),
      shares,
    },

    /** Posts new payments in order. Posts either all of them or none. */
    createAll: (ctx: Ctx, { body }: { body: Together<B> }) =>
      postTogether(ctx, body, { make, reply: (made) => replyOf(ctx, made) }),

    /** Posts many payments in order and returns their IDs. Posts either all of them or none. */
    createMany: async (ctx: Ctx, asked: readonly New<B>[]): Promise<number[]> =>
      (await make(ctx, asked)).map((each) => valueOf(each).saved.head.id),

    /** Applies a write-off to its document, with a payment of 0.00. */
    waive: async (ctx: Ctx, body: B, reason: string | undefined): Promise<void> => {
      valueOf((await makeOf(ctx, [{ input: { ...kind.input(body), waives: true }, today: ctx.today }], reason))[0]);
    },

    /** Deletes the payment of 0.00, so that the write-off can be deleted. */
    takeBack: (ctx: Ctx, id: number, reason: string | undefined) => waived.remove(ctx, id, reason),

    /**
     * Saves a payment and posts the difference. Throws 404, and 409 if someone else has saved the payment in the
     * meantime.
     */
    update: async (ctx: Ctx, { body }: { body: B }) => {
      const id = body.id ?? 0;
      if (id <= 0) throw notFound('Payment');
      const { saved, after, posted } = await change(ctx, id, body, body.closingOverrideReason);
      return replyOf(ctx, {
        saved: { ...present(saved, 'saved payment'), ...posted },
        after: present(after, 'payment'),
      });
    },

    /** Reverses and deletes a payment. This reopens its documents. */
    remove: async (ctx: Ctx, { params: { id }, query }: ById & { query: Pick<Asked, 'closingOverrideReason'> }) => {
      const { stored, posted } = await change(ctx, id, undefined, query.closingOverrideReason);
      return { ok: true as const, affectedInvoices: affected(ctx, { ...stored, ...posted }) };
    },

    get: (ctx: Ctx, { params: { id } }: ById) => get(ctx, id),
  };
}
