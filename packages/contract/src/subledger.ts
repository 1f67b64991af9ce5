import * as z from 'zod';
import { DocumentLink, documentLinksInput } from './attachments.ts';
import type { Area, Permission } from './areas.ts';
import { endpoint, listOf, PageQuery } from './endpoint.ts';
import { DateField, Done, Id, IdText, LineId, maybe, RowVersion, text, Usd } from './fields.ts';

/** Types that the documents and payments of customers and vendors share. */

type Summaries<Call extends string> = Readonly<Record<Call, string>>;

/**
 * A payment's application to one document. The profit center and location are stored as sent and have no effect on the
 * posting.
 */
const PaymentApplication = z.object({
  invoiceId: Id,
  profitCenterId: Id.nullable(),
  locationId: Id.nullable(),
  amount: Usd,
  /** The early-payment discount, which is taken in addition to the amount. Missing if it is zero. */
  discountAmount: Usd.optional(),
  invoiceDescription: z.string(),
});

/** The amount of a payment that a refund pays back, with the number of the payment or the refund. */
const RefundPart = z.object({ paymentId: Id, paymentNumber: z.string(), amount: Usd });
export type RefundPart = z.output<typeof RefundPart>;

/** A payment in a response, without the fields for its customer or vendor. */
export const paymentFields = {
  id: Id,
  paymentDate: DateField,
  /** The payment's amount. Negative for a refund. */
  paymentAmount: Usd,
  unappliedAmount: Usd,
  paymentRefNo: z.string(),
  paymentCheckNo: z.string(),
  paymentDescription: z.string(),
  paymentNumber: z.string(),
  bankAccountId: Id.nullable(),
  paymentAccountId: Id.nullable(),
  /** The GL account of the bank account or payment account. */
  accountId: Id,
  entryDate: DateField,
  documentLinks: z.array(DocumentLink),
  paymentApplications: z.array(PaymentApplication),
  /** The amounts that a refund pays back, by payment. Always positive. */
  paymentRefunds: z.array(RefundPart),
  /** The refunds that paid back parts of this payment. */
  refundedBy: z.array(RefundPart),
  rowVersion: RowVersion,
};

/** One application in a request. Several applications to one document are added up. */
const PaymentApplicationInput = z.object({
  invoiceId: Id,
  amount: Usd,
  /**
   * The discount, which is applied without moving money. If missing, the discount does not change, and a new payment
   * has none.
   */
  discountAmount: maybe(Usd),
  profitCenterId: maybe(Id),
  locationId: maybe(Id),
});
export type PaymentApplicationInput = z.output<typeof PaymentApplicationInput>;

/** A payment in a request, without the fields for its customer or vendor. */
export const paymentInputFields = {
  id: maybe(LineId),
  paymentDate: DateField,
  /**
   * The payment's amount. Negative for a refund. 0 if credits pay everything, in which case the payment needs neither
   * an account nor a type.
   */
  paymentAmount: Usd,
  paymentRefNo: maybe(text(100)),
  paymentCheckNo: maybe(text(50)),
  paymentDescription: maybe(text(500)),
  bankAccountId: maybe(Id),
  paymentAccountId: maybe(Id),
  /**
   * If missing, the payment is applied in list order, without credits or discounts. If empty, the whole payment stays
   * unapplied. A refund lists the credits that it uses.
   */
  paymentApplications: maybe(z.array(PaymentApplicationInput).max(1000)),
  /**
   * The amounts that a refund pays back, by payment. Always positive. Together with the credits, they add up to the
   * refund.
   */
  paymentRefunds: maybe(z.array(z.object({ paymentId: Id, amount: Usd })).max(1000)),
  documentLinks: documentLinksInput,
  rowVersion: maybe(RowVersion),
  /** An administrator's reason for a change on or before the closing date. */
  closingOverrideReason: maybe(text(500)),
};

/** A document that a payment may be applied to. A credit has negative amounts. */
export const OpenDocument = z.object({
  invoiceId: Id,
  invoiceNumber: z.string(),
  invoiceDate: DateField,
  dueDate: DateField.nullable(),
  invoiceAmount: Usd,
  openAmount: Usd,
  /**
   * The amount that the edited payment applies, including its discount. `applyAmount` is the amount without the
   * discount.
   */
  appliedAmount: Usd,
  applyAmount: Usd,
  /** The invoice that a credit memo was created from. Missing if there is none. */
  creditedInvoiceId: Id.optional(),
  /** The early-payment discount. Missing if there is none. */
  discount: z
    .object({
      /**
       * The discount that the terms allow, including the edited payment's discount. Credits in the edited payment don't
       * reduce this amount.
       */
      amount: Usd,
      /**
       * The discount terms: `percent` of `total` (the amount less returns). Other payments have already taken
       * `takenBefore`.
       */
      percent: z.number().optional(),
      total: Usd.optional(),
      takenBefore: Usd.optional(),
      /**
       * The last day on which the discount is available. Null if the payment takes a discount that is not in the terms.
       */
      until: DateField.nullable(),
      /** The discount that the edited payment takes. */
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

/** An open document in a list that covers several customers or vendors. */
const PayableDocument = OpenDocument.extend({ entityId: Id, entityDisplayName: z.string() });
export type PayableDocument = z.output<typeof PayableDocument>;

/** One to 100 IDs in a query, as `ids=3,5,8`. If omitted, the list is empty. */
const IdsText = z.codec(
  z.string().regex(/^\d{1,15}(,\d{1,15}){0,99}$/, 'must be a list of 1 to 100 whole numbers, separated by commas'),
  z.array(z.number().int()),
  { decode: (text) => text.split(',').map(Number), encode: (ids) => ids.join(',') },
);

/**
 * A row in the list of a customer's or vendor's documents and payments. The balance is the unpaid or unapplied amount.
 * `badge` is Draft or Void if the document is not posted, and empty otherwise.
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
 * A row in a customer's or vendor's activity: a document or payment, including drafts, or a journal entry that names
 * the customer or vendor.
 */
const ActivityRow = z.object({
  /**
   * The name of the kind in journal entries: invoice, creditmemo, writeoff, payment, expense, expensepayment, or
   * journal. Can also be estimate.
   */
  kind: z.string(),
  /** The ID of the document or payment. For a journal entry, the ID of its transaction. */
  id: Id,
  number: z.string(),
  /** The posting date. */
  date: DateField,
  dueDate: DateField.nullable(),
  /**
   * The amount that is added to the balance, which is negative for a payment. If the balance does not change, this is
   * the full amount. For a journal entry, this is the total of the customer's or vendor's lines in control accounts. If
   * there are none, this is the larger of the debits and credits in all of the customer's or vendor's lines.
   */
  amount: Usd,
  /** The unpaid part of a document, or the unapplied part of a payment, which is negative. */
  openAmount: Usd,
  /**
   * The balance after the activity. Null if the balance does not change: a draft, a void document, a bill paid
   * immediately, or a journal entry.
   */
  balance: Usd.nullable(),
  badge: z.string(),
  daysOverdue: z.number().int(),
  checkNumber: z.string(),
  paymentType: z.string(),
  reference: z.string(),
  /** The first line of a document, the memo of a payment, or the description of a journal entry. */
  description: z.string(),
  /** The part of a payment's amount that is an early-payment discount, as a negative amount. Missing if it is zero. */
  discountAmount: Usd.optional(),
  /** The numbers of at most three documents that a payment was applied to, and the total number of these documents. */
  appliedTo: z.array(z.string()),
  appliedCount: z.number().int(),
});
export type ActivityRow = z.output<typeof ActivityRow>;

/** The balance of a customer or vendor today: balance = openAmount − creditAmount. */
const EntityStanding = z.object({
  /** The balance as shown in the customer or vendor list, which does not depend on any date. */
  balance: Usd,
  /** The total of the documents' open balances. */
  openAmount: Usd,
  openCount: z.number().int(),
  /** The overdue part. Overdue documents on hold are included, and their badges also show them as overdue. */
  overdueAmount: Usd,
  overdueCount: z.number().int(),
  /** The days since the oldest overdue document was due. 0 if nothing is overdue. */
  daysOverdue: z.number().int(),
  /** The unapplied part of payments and credits. */
  creditAmount: Usd,
  /**
   * The total of the journal entry lines in control accounts that name the customer or vendor. These lines belong to no
   * document, so they are included neither in the balance nor under the name in an aging report. Included only for
   * users who may see the ledger.
   */
  journalAmount: Usd.optional(),
  /** The date of the first document or payment. Null if there is none. */
  since: DateField.nullable(),
  /** Documents posted from the start of the fiscal year through today. */
  billedThisYear: Usd,
  /**
   * The average number of days from the due date to the payment in the last year, weighted by amount. Negative for
   * early payments. Null if nothing was paid.
   */
  averageDaysLate: z.number().int().nullable(),
});
export type EntityStanding = z.output<typeof EntityStanding>;

/** Returns the calls for one customer or vendor: the balances and the paged activity. */
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

/** A payment with its share of an invoice or bill, or a refund that paid back a credit. */
const PaidBy = z.object({
  id: Id,
  paymentNumber: z.string(),
  paymentDate: DateField,
  amount: Usd,
  /** The early-payment discount, which is taken in addition to the amount. Missing if it is zero. */
  discountAmount: Usd.optional(),
  isRefund: z.boolean(),
  /** The write-off that the item belongs to. */
  writeOff: z.object({ id: Id, number: z.string() }).nullable(),
  /**
   * The documents on the other side of an application that moved no money: the credits applied to an invoice or bill,
   * or the documents that a credit was applied to. For example, "Credit memo CM-101". Missing for a payment that moved
   * money.
   */
  against: z.array(z.string()).optional(),
});
export type PaidBy = z.output<typeof PaidBy>;

/**
 * A document's early-payment discount as a percentage of the total less `returnedAmount`, and the last day on which the
 * discount is available. All fields are missing if the document has no discount.
 */
export const discountFields = {
  discountPercent: z.number().optional(),
  discountUntil: DateField.optional(),
  /** The amount returned by credits. Missing if there is none. */
  returnedAmount: Usd.optional(),
};

/** The discount in a request. If missing, the terms of the customer or vendor apply. */
export const discountInputFields = { discountPercent: maybe(z.number()), discountUntil: maybe(DateField) };

type Billed = Extract<Area, 'Billing' | 'Expenses'>;

/**
 * The statuses by which a document list can be filtered. `overdue`, `draft`, `hold`, and `credit` (negative documents)
 * are subsets of `open`, which is the default.
 */
export const listStatuses = ['open', 'all', 'paid', 'void', 'overdue', 'draft', 'hold', 'credit'] as const;
export type ListStatus = (typeof listStatuses)[number];

/**
 * Returns the calls for documents on one side (customers or vendors): the list, one document, its payments, POST, PUT,
 * and DELETE.
 */
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

/**
 * The filters for the payment list. `received` selects payments with an amount, `recent` payments from the last 90
 * days, `undeposited` payments in Undeposited Funds, `unapplied` payments with an unapplied amount, and `refund` only
 * refunds. By default, the list contains all payments and refunds.
 */
export const paymentParts = ['received', 'recent', 'undeposited', 'unapplied', 'refund'] as const;
export type PaymentPart = (typeof paymentParts)[number];

/** The number of days that `recent` covers. */
export const RECENT_DAYS = 90;

/** A payment in the list of all payments. */
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
  /** The name of the payment type. Empty if there is none. */
  paymentType: z.string(),
  /** The name of the bank account or payment account. */
  accountName: z.string(),
  /** Whether the money is in Undeposited Funds, in another account, or reconciled. */
  state: z.enum(['undeposited', 'deposited', 'reconciled']),
});
export type PaymentRow = z.output<typeof PaymentRow>;

/** The payment type and account that a user chose in the last payment or refund. */
const LastChoice = z.object({
  paymentTypeId: Id.nullable(),
  bankAccountId: Id.nullable(),
  paymentAccountId: Id.nullable(),
});

/** The values that a new payment or refund starts with. */
const PaymentDefaults = z.object({
  /** The choices in the user's last payment and last refund. Null if there is none. */
  payment: LastChoice.nullable(),
  refund: LastChoice.nullable(),
  /** The next check number for each bank account that has paid by check. */
  checks: z.array(
    z.object({
      bankAccountId: Id,
      nextNumber: z.string(),
      /** Whether the last payment from the bank account was a check. */
      isLatest: z.boolean(),
    }),
  ),
});
export type PaymentDefaults = z.output<typeof PaymentDefaults>;

/** Returns the calls for payments on one side. The calls that save and delete return the changed documents. */
export function paymentCalls<Shape extends z.core.$ZodLooseShape, Row extends z.ZodObject, Input extends z.ZodType>(
  at: { path: string; area: Billed },
  { whole, row, input }: { whole: z.ZodObject<Shape>; row: Row; input: Input },
  summaries: Summaries<'list' | 'get' | 'payable' | 'defaults' | 'create' | 'createAll' | 'update' | 'remove'>,
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
      query: PageQuery.extend({ status: z.enum(paymentParts).optional() }),
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
    defaults: endpoint({
      method: 'GET',
      path: `${at.path}s/defaults`,
      needs: `Manage ${at.area}`,
      summary: summaries.defaults,
      reply: PaymentDefaults,
    }),
    createAll: endpoint({
      method: 'POST',
      path: `${at.path}s`,
      needs: `Manage ${at.area}`,
      summary: summaries.createAll,
      // An administrator's reason for a change to closed books, which applies to all payments.
      body: z.object({ payments: z.array(input).min(1).max(100), closingOverrideReason: maybe(text(500)) }),
      reply: z.object({ payments: z.array(saved) }),
    }),
    ...recordCalls(at, { whole, input, saved, gone }, summaries),
  };
}

/**
 * Returns the calls for one kind of record: GET, POST, PUT, and DELETE. The last three return `saved` and `gone`, as
 * described in their summaries.
 */
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
      // An administrator's reason if the date is on or before the closing date.
      query: z.object({ closingOverrideReason: text(500).optional() }),
      reply: gone,
    }),
  };
}

/** The calls for any kind of document, for code that handles all kinds alike. */
export type DocumentCalls<Row, One, Body> = ReturnType<
  typeof documentCalls<z.ZodType<One>, z.ZodType<Row>, z.ZodType<Body>>
>;

/** The calls for any kind of payment. */
export type PaymentCalls<One, Body> = ReturnType<
  typeof recordCalls<z.ZodType<One>, z.ZodType<Body>, z.ZodType<One>, z.ZodType>
> &
  Pick<
    ReturnType<typeof paymentCalls<z.core.$ZodLooseShape, z.ZodObject, z.ZodType<Body>>>,
    'list' | 'payable' | 'defaults' | 'createAll'
  >;
