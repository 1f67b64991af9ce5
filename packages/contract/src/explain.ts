import * as z from 'zod';
import { DateField, Id, text, Usd } from './fields.ts';

/** Sources of figures outside of reports; apart from figures.ts, which every page carries. */

/** Lines of these accounts between the dates, in the view of a basis (0 accrual, 1 cash): those behind a sum. */
export const EntriesAsk = z.object({
  accountIds: z.array(Id).min(1).max(2000),
  from: DateField.nullable().optional(),
  to: DateField.nullable().optional(),
  basis: z.number().int().min(0).max(1),
  /** End of the last page: its `next`. */
  after: text(200).optional(),
});
export type EntriesAsk = z.output<typeof EntriesAsk>;

/** The open documents of a side: all of them, or a part. */
export const OpenItemsAsk = z.object({
  side: z.enum(['receivable', 'payable']),
  /** As it was on this day; absent is all that is open now, whatever its date. */
  date: DateField.optional(),
  /** A column of the aging by days past due: 0 current, 1 to 30, 2 to 60, 3 beyond; needs a date. */
  bucket: z.number().int().min(0).max(3).optional(),
  /** Only documents past due on the date: the columns 1 to 3 together. */
  overdue: z.boolean().optional(),
  /** Only one customer or vendor. */
  entityId: Id.optional(),
  /** Invoices or bills alone, without credit left on payments. */
  documentsOnly: z.boolean().optional(),
  /** Credit left on payments alone, or lines of the journal alone. */
  kind: z.enum(['payment', 'credit', 'journal']).optional(),
  /** Drafts too, of which nothing is open: as lists have them. */
  drafts: z.boolean().optional(),
  /** Number of rows on earlier pages. */
  after: z.number().int().min(0).max(1_000_000).optional(),
});
export type OpenItemsAsk = z.output<typeof OpenItemsAsk>;

/** An open invoice or bill, credit that is left on a payment (below zero), or a line of the journal. */
const OpenItem = z.object({
  /** As a journal entry names it: invoice, payment, expense, expensepayment, journal. */
  sourceType: z.string(),
  /** The document's id; for a journal entry its transaction's. */
  sourceId: Id,
  number: z.string(),
  entityName: z.string(),
  dated: DateField,
  dueDate: DateField.nullable(),
  /** On the day asked for; null without one, and on what is not due. */
  daysPastDue: z.number().int().nullable(),
  /** The full amount. */
  total: Usd,
  openAmount: Usd,
  /** From the document's own date to the day asked for; null without one, and on what is no document. */
  days: z.number().int().nullable(),
});
export type OpenItem = z.output<typeof OpenItem>;

export const OpenItems = z.object({
  items: z.array(OpenItem),
  /** All that were asked for, answered here or not. */
  count: z.number().int(),
  /** Their full amounts, and the open ones: the figure. */
  total: Usd,
  openAmount: Usd,
  /**
   * The average age of the documents, weighted by open amounts above zero; null without a date or without documents.
   */
  age: z.object({ days: z.number().int(), weight: Usd, dollarDays: Usd }).nullable(),
});

/** Who owes on a day, or is owed. */
export const OwingAsk = OpenItemsAsk.pick({ side: true, after: true }).extend({ date: DateField });
export type OwingAsk = z.output<typeof OwingAsk>;

/** A customer or vendor in an ageing; what the journal alone has put on the account has none. */
const Owing = z.object({
  entityId: Id.nullable(),
  entityName: z.string(),
  currentAmount: Usd,
  thirtyAmount: Usd,
  sixtyAmount: Usd,
  ninetyAmount: Usd,
  openAmount: Usd,
  /** Days since the oldest open item was due; null when nothing is late. */
  daysPastDue: z.number().int().nullable(),
});
export type Owing = z.output<typeof Owing>;

export const OwingPage = z.object({ items: z.array(Owing), count: z.number().int(), openAmount: Usd });
