import { documentKinds } from '@evenkeel/core/documents/side';
import { SCHEDULE_UNITS } from '@evenkeel/core/documents/schedule';
import * as z from 'zod';
import type { Area } from './areas.ts';
import { BillingInvoice, BillingInvoiceInput } from './billing.ts';
import { endpoint } from './endpoint.ts';
import { ExpenseInvoice, ExpenseInvoiceInput } from './expenses.ts';
import { DateField, Done, Id, IdText, LineId, maybe, RowVersion, text, Usd } from './fields.ts';
import { JournalEntryInput, PostedTransaction } from './ledger.ts';
import { recordCalls } from './subledger.ts';

/** Recurring templates for invoices, bills, and journal entries, and the documents created from them. */

/** The end of a schedule: never, on an end date (`on`), or after a number of occurrences (`count`). */
const End = z.object({
  kind: z.enum(['never', 'on', 'after']),
  on: maybe(DateField),
  count: maybe(z.number().int()),
});

/**
 * The schedule's rule, which core's `checkSchedule` validates. `weekday` applies to weeks, and `monthDay` to months and
 * quarters.
 */
export const ScheduleRule = z.object({
  unit: z.enum(SCHEDULE_UNITS),
  every: z.number().int(),
  start: DateField,
  weekday: z.number().int().min(0).max(6),
  monthDay: z.union([z.number().int(), z.literal('last')]),
  end: End,
});

/**
 * `draft` leaves the document for a user to review. `sent` posts the document and, for an invoice, also queues the
 * email.
 */
export const MAKES = ['draft', 'posted', 'sent'] as const;
const Makes = z.enum(MAKES);

/**
 * The state of a template. A `held` template has dates whose documents could not be created, and an `asks` template has
 * more than 12 missed dates. A `stopped` template created five documents today and has more to create. A `failed`
 * template gives the reason in `failure` and is retried.
 */
const STATES = ['active', 'paused', 'ended', 'held', 'asks', 'stopped', 'failed'] as const;
export type TemplateState = (typeof STATES)[number];

export const TemplateRow = z.object({
  id: Id,
  name: z.string(),
  /** The customer or vendor. Null for a journal entry without one. */
  entityId: Id.nullable(),
  entityDisplayName: z.string(),
  schedule: ScheduleRule,
  makes: Makes,
  /** Whether prices are fixed. Otherwise, each document uses the current product prices. */
  fixesPrices: z.boolean(),
  state: z.enum(STATES),
  failure: z.string(),
  /** The next date. Null after the rule has ended. */
  nextDate: DateField.nullable(),
  /** The sequence number of the next date, which Run Now sends in its request. Null after the rule has ended. */
  nextN: z.number().int().nullable(),
  /** The amount when the template was last saved or when its last document was created. */
  amount: Usd,
  made: z.number().int(),
  held: z.number().int(),
  /** The number of due dates that have no document yet. */
  due: z.number().int(),
  rowVersion: RowVersion,
});
export type TemplateRow = z.output<typeof TemplateRow>;

/** A future date with its sequence number. */
const Coming = z.object({ n: z.number().int(), date: DateField, isSkipped: z.boolean() });

const Occurrence = z.object({
  n: z.number().int(),
  date: DateField,
  state: z.enum(['made', 'skipped', 'held']),
  /** The reason why the date is on hold, or why the document was created but not sent. */
  reason: z.string(),
  madeOn: DateField.nullable(),
  /**
   * The document, or the journal entry's transaction or draft. Null if no document was created or the document has been
   * deleted.
   */
  sourceId: Id.nullable(),
  number: z.string(),
});
export type TemplateOccurrence = z.output<typeof Occurrence>;

const ACTIONS = ['pause', 'resume', 'skip', 'unskip', 'run', 'make', 'makeMissed', 'skipMissed'] as const;

const TemplateAction = z.object({
  /**
   * `run`, `skip`, `unskip`, and `make` refer to a date by `n`. `run` creates the document for the next date now. Its
   * `n` is the template's `nextN`, so that a second request is rejected. `make` creates the document for a date that is
   * on hold, dated with that date or with `on`. `makeMissed` and `skipMissed` apply to all missed dates and include the
   * `rowVersion` that the user saw.
   */
  action: z.enum(ACTIONS),
  n: maybe(z.number().int().min(0)),
  on: maybe(DateField),
  rowVersion: maybe(RowVersion),
});
export type TemplateAction = z.output<typeof TemplateAction>;

/**
 * Returns the calls for templates for one kind of document. Templates need the same permissions as the documents
 * (`area`).
 */
function templateCalls<Whole extends z.ZodType, Input extends z.ZodType>(
  { path, area, word }: { path: string; area: Area; word: string },
  { whole, input }: { whole: Whole; input: Input },
) {
  const Template = TemplateRow.extend({
    /** The document for the rule's first date. The document has no due date if the payment terms determine it. */
    document: whole,
    /** The next 12 dates. */
    next: z.array(Coming),
    /**
     * The amount at current prices. Null if the document can't be created now. In that case, `problem` has the reason.
     */
    amountNow: Usd.nullable(),
    problem: z.string(),
    /**
     * The reason why the document would be created but not sent. Empty if the document can be sent, or if the schedule
     * doesn't send documents.
     */
    sendProblem: z.string(),
    /** The template's occurrences, newest first. */
    occurrences: z.array(Occurrence),
  });
  const TemplateInput = z.object({
    id: maybe(LineId),
    /** Defaults to the customer's or vendor's name. */
    name: maybe(text(200)),
    schedule: ScheduleRule,
    makes: Makes,
    fixesPrices: maybe(z.boolean()),
    /**
     * The future dates to skip, chosen from the next 12. These dates replace the previously skipped dates. If omitted,
     * the previously skipped dates stay skipped as long as the rule still includes them.
     */
    skips: maybe(z.array(DateField).max(12)),
    /**
     * The document for the rule's first date. For later occurrences, every other date in the document moves by the same
     * interval.
     */
    document: input,
    rowVersion: maybe(RowVersion),
  });
  const at = { path, area } as const;
  const all = recordCalls(
    at,
    { whole: Template, input: TemplateInput, saved: Template, gone: Done },
    {
      get: `Returns a schedule for ${word} with its next dates and created documents.`,
      create: `Creates a schedule for ${word}. Its first date must be today or later.`,
      update: `Updates a schedule for ${word}. The change applies to future documents.`,
      remove: `Deletes a schedule for ${word}. Documents already created are kept.`,
    },
  );
  const { query: _, ...remove } = all.remove;
  return {
    list: endpoint({
      method: 'GET',
      path,
      needs: `View ${area}`,
      summary: `Lists schedules for ${word}, sorted by name.`,
      reply: z.array(TemplateRow),
    }),
    ...all,
    remove,
    act: endpoint({
      method: 'PUT',
      path: `${path}/{id}`,
      needs: `Manage ${area}`,
      summary:
        'Pauses or resumes a schedule, skips a date, or creates a document for a date. Returns the updated schedule. ' +
        'Returns 409 if the date was already skipped or its document created. The message names the user who did this.',
      makes: true,
      params: z.object({ id: IdText }),
      body: TemplateAction,
      reply: Template,
    }),
  };
}

const { invoice, expense, journal } = documentKinds;

export const scheduledInvoiceCalls = templateCalls(
  { path: `/scheduled${invoice.source}`, area: 'Billing', word: 'invoices' },
  { whole: BillingInvoice, input: BillingInvoiceInput },
);
export const scheduledBillCalls = templateCalls(
  { path: `/scheduled${expense.source}`, area: 'Expenses', word: 'bills' },
  { whole: ExpenseInvoice, input: ExpenseInvoiceInput },
);
export const scheduledJournalCalls = templateCalls(
  { path: `/scheduled${journal.source}`, area: 'Accounting', word: 'journal entries' },
  { whole: PostedTransaction, input: JournalEntryInput },
);

/** The calls for templates of any kind, for code that handles all kinds alike. */
export type TemplateCalls<One, Body> = ReturnType<typeof templateCalls<z.ZodType<One>, z.ZodType<Body>>>;

export const scheduledCalls = {
  listScheduledInvoices: scheduledInvoiceCalls.list,
  getScheduledInvoice: scheduledInvoiceCalls.get,
  createScheduledInvoice: scheduledInvoiceCalls.create,
  updateScheduledInvoice: scheduledInvoiceCalls.update,
  deleteScheduledInvoice: scheduledInvoiceCalls.remove,
  actOnScheduledInvoice: scheduledInvoiceCalls.act,
  listScheduledBills: scheduledBillCalls.list,
  getScheduledBill: scheduledBillCalls.get,
  createScheduledBill: scheduledBillCalls.create,
  updateScheduledBill: scheduledBillCalls.update,
  deleteScheduledBill: scheduledBillCalls.remove,
  actOnScheduledBill: scheduledBillCalls.act,
  listScheduledJournals: scheduledJournalCalls.list,
  getScheduledJournal: scheduledJournalCalls.get,
  createScheduledJournal: scheduledJournalCalls.create,
  updateScheduledJournal: scheduledJournalCalls.update,
  deleteScheduledJournal: scheduledJournalCalls.remove,
  actOnScheduledJournal: scheduledJournalCalls.act,
};
