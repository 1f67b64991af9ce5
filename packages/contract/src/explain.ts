import * as z from 'zod';
import { DateField, Id, Moment, text, Usd } from './fields.ts';

/** Sources of amounts outside reports. These types are not in figures.ts, because every page loads that file. */

/** Lines in these accounts between two dates on one basis (0 accrual, 1 cash), which add up to a total. */
export const EntriesAsk = z.object({
  accountIds: z.array(Id).min(1).max(2000),
  from: DateField.nullable().optional(),
  to: DateField.nullable().optional(),
  basis: z.number().int().min(0).max(1),
  /** The cursor at the end of the previous page, which that page returned as `next`. */
  after: text(200).optional(),
});
export type EntriesAsk = z.output<typeof EntriesAsk>;

/**
 * The source of an amount in a report as it was known at a given time, or the source of the change since then. Exactly
 * one of `through` and `since` must be given.
 */
export const PostedAsk = z.object({
  accountIds: z.array(Id).min(1).max(2000),
  from: DateField.nullable(),
  to: DateField,
  /** The basis: 0 for accrual, 1 for cash. */
  basis: z.number().int().min(0).max(1),
  /** Null for all profit centers or locations, and 0 for lines without one. */
  profitCenterId: z.number().int().min(0).nullable(),
  locationId: z.number().int().min(0).nullable(),
  /** For retained earnings only: includes all income and expenses before this date. */
  earningsBefore: DateField.optional(),
  /** Limits the lines to one customer or vendor. */
  entityId: Id.optional(),
  /** Limits the lines to documents that buy or sell an asset, or excludes these documents. Requires `from`. */
  ofAssets: z.enum(['only', 'without']).optional(),
  /** Limits the lines to journal entries, or excludes journal entries. */
  journals: z.enum(['only', 'without']).optional(),
  /** The last transaction that had been posted at that time. */
  through: z.number().int().min(0).optional(),
  /** The last transaction before the change. */
  since: z.number().int().min(0).optional(),
});
export type PostedAsk = z.output<typeof PostedAsk>;

/** A transaction and its contribution to an amount. */
const PostedItem = z.object({
  transactionId: Id,
  sourceType: z.string(),
  sourceId: Id,
  /** The number of the document, or the ID of a journal entry. */
  number: z.string(),
  /** The customer or vendor. Empty unless the transaction names exactly one. */
  entityName: z.string(),
  postingDate: DateField,
  /** The time when the transaction was posted. */
  at: Moment,
  /** The user who posted the transaction. */
  person: z.string(),
  /** Debits less credits. */
  amount: Usd,
});
export type PostedItem = z.output<typeof PostedItem>;

/**
 * The newest transactions that make up an amount, at most 200, and the number and total of all transactions in the
 * amount.
 */
export const PostedItems = z.object({ items: z.array(PostedItem), count: z.number().int(), amount: Usd });

/** A request for all or some of the open documents on one side. */
export const OpenItemsAsk = z.object({
  side: z.enum(['receivable', 'payable']),
  /** The date of the open balances. If missing, everything that is open now is returned. */
  date: DateField.optional(),
  /**
   * An aging column by days past due: 0 for current, 1 for up to 30, 2 for up to 60, and 3 for more. Requires a date.
   */
  bucket: z.number().int().min(0).max(3).optional(),
  /** Whether to include only documents that are past due on the date, which are in columns 1 to 3. */
  overdue: z.boolean().optional(),
  /** Limits the items to one customer or vendor. */
  entityId: Id.optional(),
  /** Whether to include only invoices or bills, without unapplied payments. */
  documentsOnly: z.boolean().optional(),
  /** Limits the items to unapplied payments, credits, or journal lines. */
  kind: z.enum(['payment', 'credit', 'journal']).optional(),
  /** Whether to include drafts, which have no open balance, as document lists do. */
  drafts: z.boolean().optional(),
  /** The number of rows on earlier pages. */
  after: z.number().int().min(0).max(1_000_000).optional(),
});
export type OpenItemsAsk = z.output<typeof OpenItemsAsk>;

/** An open invoice or bill, the unapplied part of a payment (negative), or a journal line. */
const OpenItem = z.object({
  /** The name of the document's kind in journal entries: invoice, payment, expense, expensepayment, or journal. */
  sourceType: z.string(),
  /** The document's ID. For a journal entry, the ID of its transaction. */
  sourceId: Id,
  number: z.string(),
  entityName: z.string(),
  dated: DateField,
  dueDate: DateField.nullable(),
  /** The days past due on the requested date. Null if no date was requested or the item is not due yet. */
  daysPastDue: z.number().int().nullable(),
  /** The full amount. */
  total: Usd,
  openAmount: Usd,
  /** The days from the document date to the requested date. Null for a journal line or if no date was requested. */
  days: z.number().int().nullable(),
});
export type OpenItem = z.output<typeof OpenItem>;

export const OpenItems = z.object({
  items: z.array(OpenItem),
  /** The number of requested items on all pages. */
  count: z.number().int(),
  /** The total of the items' full amounts. `openAmount` is the total of their open amounts. */
  total: Usd,
  openAmount: Usd,
  /**
   * The documents' average age, weighted by positive open amounts. Null if no date was requested or if no documents are
   * open.
   */
  age: z.object({ days: z.number().int(), weight: Usd, dollarDays: Usd }).nullable(),
});

/** A request for the customers or vendors with open items on a date. */
export const OwingAsk = OpenItemsAsk.pick({ side: true, after: true }).extend({ date: DateField });
export type OwingAsk = z.output<typeof OwingAsk>;

/**
 * A customer or vendor in an aging report. The entity is null for amounts from journal entries without a customer or
 * vendor.
 */
const Owing = z.object({
  entityId: Id.nullable(),
  entityName: z.string(),
  currentAmount: Usd,
  thirtyAmount: Usd,
  sixtyAmount: Usd,
  ninetyAmount: Usd,
  openAmount: Usd,
  /** The days since the oldest open item was due. Null if nothing is overdue. */
  daysPastDue: z.number().int().nullable(),
});
export type Owing = z.output<typeof Owing>;

export const OwingPage = z.object({ items: z.array(Owing), count: z.number().int(), openAmount: Usd });
