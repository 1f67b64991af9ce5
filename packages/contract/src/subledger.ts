import * as z from 'zod';
import { DocumentLink, documentLinksInput } from './attachments.ts';
import type { Area, Permission } from './areas.ts';
import { endpoint, listOf, PageQuery } from './endpoint.ts';
import { DateField, Done, Id, IdText, LineId, maybe, RowVersion, text, Usd } from './fields.ts';

/** Shapes that documents and payments of customers and vendors share. */

type Summaries<Call extends string> = Readonly<Record<Call, string>>;

/** A payment's share of one document; profit center and location are kept as sent, and post nothing. */
const PaymentApplication = z.object({
  invoiceId: Id,
  profitCenterId: Id.nullable(),
  locationId: Id.nullable(),
  amount: Usd,
  /** Taken off besides, for early payment; missing where it is nothing. */
  discountAmount: Usd.optional(),
  invoiceDescription: z.string(),
});

/** A part of a payment that a refund gives back, beside the number of the one or of the other. */
const RefundPart = z.object({ paymentId: Id, paymentNumber: z.string(), amount: Usd });
export type RefundPart = z.output<typeof RefundPart>;

/** A payment in a reply, without the fields that name its customer or vendor. */
export const paymentFields = {
  id: Id,
  paymentDate: DateField,
  /** Below zero for a refund. */
  paymentAmount: Usd,
  unappliedAmount: Usd,
  paymentRefNo: z.string(),
  paymentCheckNo: z.string(),
  paymentDescription: z.string(),
  paymentNumber: z.string(),
  bankAccountId: Id.nullable(),
  paymentAccountId: Id.nullable(),
  /** The GL account of either. */
  accountId: Id,
  entryDate: DateField,
  documentLinks: z.array(DocumentLink),
  paymentApplications: z.array(PaymentApplication),
  /** The parts of payments that a refund gives back, above zero. */
  paymentRefunds: z.array(RefundPart),
  /** The refunds that gave back parts of this payment. */
  refundedBy: z.array(RefundPart),
  rowVersion: RowVersion,
};

/** One application of a request; several to one document are summed. */
const PaymentApplicationInput = z.object({
  invoiceId: Id,
  amount: Usd,
  /** Taken off besides, without money. Missing: as it is saved; a new payment takes none. */
  discountAmount: maybe(Usd),
  profitCenterId: maybe(Id),
  locationId: maybe(Id),
});
export type PaymentApplicationInput = z.output<typeof PaymentApplicationInput>;

/** A payment in a request, without the fields that name its customer or vendor. */
export const paymentInputFields = {
  id: maybe(LineId),
  paymentDate: DateField,
  /** 0 where credits pay for all of it: it then needs neither an account nor a type. Below zero for a refund. */
  paymentAmount: Usd,
  paymentRefNo: maybe(text(100)),
  paymentCheckNo: maybe(text(50)),
  paymentDescription: maybe(text(500)),
  bankAccountId: maybe(Id),
  paymentAccountId: maybe(Id),
  /**
   * Missing: filled in list order, without credits or discounts. Empty: all stays unapplied. A refund names the credits
   * that it uses.
   */
  paymentApplications: maybe(z.array(PaymentApplicationInput).max(1000)),
  /** The parts of payments that a refund gives back, above zero; with the credits they come to the refund. */
  paymentRefunds: maybe(z.array(z.object({ paymentId: Id, amount: Usd })).max(1000)),
  documentLinks: documentLinksInput,
  rowVersion: maybe(RowVersion),
  /** An administrator's reason for changing something on or before the closing date. */
  closingOverrideReason: maybe(text(500)),
};

/** A document that a payment may be applied to; a credit has negative amounts. */
export const OpenDocument = z.object({
  invoiceId: Id,
  invoiceNumber: z.string(),
  invoiceDate: DateField,
  dueDate: DateField.nullable(),
  invoiceAmount: Usd,
  openAmount: Usd,
  /** By the payment that is edited: its money, which is `applyAmount`, and its discount. */
  appliedAmount: Usd,
  applyAmount: Usd,
  /** The invoice that a credit memo was made from; missing where there is none. */
  creditedInvoiceId: Id.optional(),
  /** Missing where there is none. */
  discount: z
    .object({
      /** To be had by its terms, that of the edited payment included. Credits in the edited payment don't reduce it. */
      amount: Usd,
      /** By its terms: percent of `total`, the amount less returns, of which other payments took `takenBefore`. */
      percent: z.number().optional(),
      total: Usd.optional(),
      takenBefore: Usd.optional(),
      /** The last day of it; null where the payment takes one that no terms give. */
      until: DateField.nullable(),
      /** By the payment that is edited. */
      taken: Usd,
    })
    .optional(),
  profitCenterId: Id.nullable(),
  locationId: Id.nullable(),
  lineItems: z.array(
    z.object({
      description: z.string(),
      lineItemAmount: Usd,
      profitCenterId: Id.nullable(),
      locationId: Id.nullable(),
    }),
  ),
});
export type OpenDocument = z.output<typeof OpenDocument>;

/** An open document beside those of other customers or vendors. */
const PayableDocument = OpenDocument.extend({ entityId: Id, entityDisplayName: z.string() });
export type PayableDocument = z.output<typeof PayableDocument>;

/** One to a hundred identifiers in a query, as `ids=3,5,8`. Left out, it names none. */
const IdsText = z.codec(
  z.string().regex(/^\d{1,15}(,\d{1,15}){0,99}$/, 'must be 1 to 100 whole numbers, separated by commas'),
  z.array(z.number().int()),
  { decode: (text) => text.split(',').map(Number), encode: (ids) => ids.join(',') },
);

/**
 * A row of what was billed to or by somebody and paid; balance is what is unpaid or unapplied. `badge` says Draft or
 * Void where nothing is posted, and is empty elsewhere.
 */
export const HistoryRow = z.object({
  refNumber: z.string(),
  historyDate: DateField,
  amount: Usd,
  balance: Usd,
  id: Id,
  kind: z.enum(['invoice', 'payment', 'credit']),
  badge: z.string(),
});
export type HistoryRow = z.output<typeof HistoryRow>;

/**
 * Something that happened to a customer or vendor: a document or payment of theirs, drafts too, or a journal entry that
 * names them.
 */
const ActivityRow = z.object({
  /**
   * As a journal entry names it, or an estimate: invoice, creditmemo, writeoff, payment, expense, expensepayment,
   * journal.
   */
  kind: z.string(),
  /** The document's or payment's id; for a journal entry its transaction's. */
  id: Id,
  number: z.string(),
  /** The day on which it is posted. */
  date: DateField,
  dueDate: DateField.nullable(),
  /**
   * The amount it adds to the balance, so that payments are below zero; the full amount of what adds nothing. A journal
   * entry's are its lines that name the customer or vendor: those on control accounts, or the larger side of all.
   */
  amount: Usd,
  /** The unpaid part of a document, or the rest left on a payment, which is below zero. */
  openAmount: Usd,
  /** The balance after it; null where it adds nothing: a draft, void, paid at once, a journal entry. */
  balance: Usd.nullable(),
  badge: z.string(),
  daysOverdue: z.number().int(),
  checkNumber: z.string(),
  paymentType: z.string(),
  reference: z.string(),
  /** The first line of a document, what a payment was given for, what a journal entry says. */
  description: z.string(),
  /** The part of a payment's amount that is a discount for early payment, below zero; missing where it is nothing. */
  discountAmount: Usd.optional(),
  /** Numbers of the documents that a payment was applied to, at most three of them, and how many there are. */
  appliedTo: z.array(z.string()),
  appliedCount: z.number().int(),
});
export type ActivityRow = z.output<typeof ActivityRow>;

/** The balance of a customer or vendor today: balance = openAmount − creditAmount. */
const EntityStanding = z.object({
  /** As the list of customers or vendors has it, whatever the dates. */
  balance: Usd,
  /** The documents of which something is owed. */
  openAmount: Usd,
  openCount: z.number().int(),
  /** Those past their due date, on hold or not, as their badges have it. */
  overdueAmount: Usd,
  overdueCount: z.number().int(),
  /** Days since the oldest of them was due; 0 where nothing is overdue. */
  daysOverdue: z.number().int(),
  /** The rest of payments, and of a vendor's credits. */
  creditAmount: Usd,
  /**
   * Journal entries on the control accounts that name the customer or vendor: no document has them, so neither the
   * balance nor an aging under the name. Only for who may see the ledger.
   */
  journalAmount: Usd.optional(),
  /** Documents posted since the fiscal year began, up to today. */
  billedThisYear: Usd,
});
export type EntityStanding = z.output<typeof EntityStanding>;

/** The calls on one customer or vendor: what is owed, and all that happened, page by page. */
export function homeCalls<Params extends z.ZodObject>(
  { entity, params, needs }: { entity: 'customer' | 'vendor'; params: Params; needs: readonly Permission[] },
  summaries: Summaries<'standing' | 'activity'>,
) {
  const own = { method: 'GET', needs, params } as const;
  return {
    standing: endpoint({
      ...own,
      path: `/${entity}standing/{${entity}Id}`,
      summary: summaries.standing,
      reply: EntityStanding,
    }),
    activity: endpoint({
      ...own,
      path: `/${entity}activity/{${entity}Id}`,
      summary: summaries.activity,
      query: PageQuery.pick({ limit: true, after: true }),
      reply: listOf(ActivityRow),
    }),
  };
}

/** A payment that an invoice or bill was paid by, with its share of it; a refund that gave back a credit. */
const PaidBy = z.object({
  id: Id,
  paymentNumber: z.string(),
  paymentDate: DateField,
  amount: Usd,
  /** Taken off besides, for early payment; missing where it is nothing. */
  discountAmount: Usd.optional(),
  isRefund: z.boolean(),
  /** The write-off that it stands for. */
  writeOff: z.object({ id: Id, number: z.string() }).nullable(),
});
export type PaidBy = z.output<typeof PaidBy>;

/**
 * The discount for early payment that a document is made under, in percent of its total less `returnedAmount`, and its
 * last day; all are missing where there is none.
 */
export const discountFields = {
  discountPercent: z.number().optional(),
  discountUntil: DateField.optional(),
  /** The amount returned by credits. Missing if there is none. */
  returnedAmount: Usd.optional(),
};

/** In a request; missing, both follow the terms of the customer or vendor. */
export const discountInputFields = { discountPercent: maybe(z.number()), discountUntil: maybe(DateField) };

type Billed = Extract<Area, 'Billing' | 'Expenses'>;

/**
 * Parts of a list of documents; `overdue`, `draft`, `hold` and `credit` (what is below zero) are parts of `open`, which
 * stands for none given.
 */
const listStatuses = ['open', 'all', 'paid', 'overdue', 'draft', 'hold', 'credit'] as const;
export type ListStatus = (typeof listStatuses)[number];

/** The calls on the documents of a side: their list, one, what paid it, POST, PUT and DELETE. */
export function documentCalls<Whole extends z.ZodType, Row extends z.ZodType, Input extends z.ZodType>(
  { path, area }: { path: string; area: Billed },
  { whole, row, input }: { whole: Whole; row: Row; input: Input },
  summaries: Summaries<'list' | 'get' | 'create' | 'update' | 'remove'>,
) {
  return {
    list: endpoint({
      method: 'GET',
      path,
      needs: `View ${area}`,
      summary: summaries.list,
      query: PageQuery.extend({ status: z.enum(listStatuses).optional() }),
      reply: listOf(row),
    }),
    paidBy: endpoint({
      method: 'GET',
      path: `${path}/{id}/payments`,
      needs: `View ${area}`,
      summary: 'Lists the payments applied to a document, newest first, with the amount applied by each.',
      params: z.object({ id: IdText }),
      reply: z.array(PaidBy),
    }),
    ...recordCalls({ path, area }, { whole, input, saved: whole, gone: Done }, summaries),
  };
}

/** A payment as the list of all payments shows it. */
const PaymentRow = z.object({
  id: Id,
  paymentNumber: z.string(),
  paymentDate: DateField,
  /** The customer or vendor. */
  entityId: Id,
  entityDisplayName: z.string(),
  paymentRefNo: z.string(),
  paymentCheckNo: z.string(),
  paymentDescription: z.string(),
  paymentAmount: Usd,
  unappliedAmount: Usd,
});
export type PaymentRow = z.output<typeof PaymentRow>;

/** The calls on the payments of a side; a save and a deletion answer the documents that were touched. */
export function paymentCalls<Shape extends z.core.$ZodLooseShape, Row extends z.ZodObject, Input extends z.ZodType>(
  at: { path: string; area: Billed },
  { whole, row, input }: { whole: z.ZodObject<Shape>; row: Row; input: Input },
  summaries: Summaries<'list' | 'get' | 'payable' | 'create' | 'createAll' | 'update' | 'remove'>,
) {
  const affectedInvoices = z.array(row);
  const saved = whole.extend({ affectedInvoices, transactionID: Id });
  const gone = z.object({ ok: z.literal(true), affectedInvoices });
  return {
    list: endpoint({
      method: 'GET',
      path: at.path,
      needs: `View ${at.area}`,
      summary: summaries.list,
      query: PageQuery,
      reply: listOf(PaymentRow),
    }),
    payable: endpoint({
      method: 'GET',
      path: `${at.path}s/open`,
      needs: `View ${at.area}`,
      summary: summaries.payable,
      query: z.object({ ids: IdsText.optional() }),
      reply: z.object({ documents: z.array(PayableDocument) }),
    }),
    createAll: endpoint({
      method: 'POST',
      path: `${at.path}s`,
      needs: `Manage ${at.area}`,
      summary: summaries.createAll,
      // One reason for all of them.
      body: z.object({ payments: z.array(input).min(1).max(100), closingOverrideReason: maybe(text(500)) }),
      reply: z.object({ payments: z.array(saved) }),
    }),
    ...recordCalls(at, { whole, input, saved, gone }, summaries),
  };
}

/** One record, POST, PUT and DELETE; `saved` and `gone` are what the last three answer, in the summaries' words. */
export function recordCalls<
  Whole extends z.ZodType,
  Input extends z.ZodType,
  Saved extends z.ZodType,
  Gone extends z.ZodType,
>(
  { path, area }: { path: string; area: Area },
  { whole, input, saved, gone }: { whole: Whole; input: Input; saved: Saved; gone: Gone },
  summaries: Summaries<'get' | 'create' | 'update' | 'remove'>,
) {
  const one = `${path}/{id}`;
  const params = z.object({ id: IdText });
  const [view, manage] = [`View ${area}`, `Manage ${area}`] as const;
  const save = { path, needs: manage, body: input, reply: saved } as const;
  return {
    get: endpoint({ method: 'GET', path: one, needs: view, summary: summaries.get, params, reply: whole }),
    create: endpoint({ method: 'POST', ...save, names: 'id', summary: summaries.create }),
    update: endpoint({ method: 'PUT', ...save, summary: summaries.update }),
    remove: endpoint({
      method: 'DELETE',
      path: one,
      needs: manage,
      summary: summaries.remove,
      params,
      // An administrator's reason when it lies on or before the closing date.
      query: z.object({ closingOverrideReason: text(500).optional() }),
      reply: gone,
    }),
  };
}

/** The calls of any kind of document, for code that shows them all alike. */
export type DocumentCalls<Row, One, Body> = ReturnType<
  typeof documentCalls<z.ZodType<One>, z.ZodType<Row>, z.ZodType<Body>>
>;

/** The calls of any kind of payment. */
export type PaymentCalls<One, Body> = ReturnType<
  typeof recordCalls<z.ZodType<One>, z.ZodType<Body>, z.ZodType<One>, z.ZodType>
> &
  Pick<
    ReturnType<typeof paymentCalls<z.core.$ZodLooseShape, z.ZodObject, z.ZodType<Body>>>,
    'list' | 'payable' | 'createAll'
  >;
