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

/** Templates of invoices, bills and journal entries, that come again, and what was made of them. */

/** Never, after its last date `on`, or when `count` dates have passed. */
const End = z.object({
  kind: z.enum(['never', 'on', 'after']),
  on: maybe(DateField),
  count: maybe(z.number().int()),
});

/** The rule; core's `checkSchedule` judges it. `weekday` is of weeks, `monthDay` of months and quarters. */
export const ScheduleRule = z.object({
  unit: z.enum(SCHEDULE_UNITS),
  every: z.number().int(),
  start: DateField,
  weekday: z.number().int().min(0).max(6),
  monthDay: z.union([z.number().int(), z.literal('last')]),
  end: End,
});

/** A draft is left for a person to look at; `sent` is posted, and an invoice's e-mail is queued with it. */
export const MAKES = ['draft', 'posted', 'sent'] as const;
const Makes = z.enum(MAKES);

/**
 * The state of a template: `held` has dates that could not be made, `asks` more than twelve that were missed,
 * `stopped` made five today and has more to make, `failed` says why by `failure` and is tried again.
 */
const STATES = ['active', 'paused', 'ended', 'held', 'asks', 'stopped', 'failed'] as const;
export type TemplateState = (typeof STATES)[number];

export const TemplateRow = z.object({
  id: Id,
  name: z.string(),
  /** The customer or vendor; null for a journal entry of nobody. */
  entityId: Id.nullable(),
  entityDisplayName: z.string(),
  schedule: ScheduleRule,
  makes: Makes,
  /** Prices stay as they are; otherwise products have the price of the day. */
  fixesPrices: z.boolean(),
  state: z.enum(STATES),
  failure: z.string(),
  /** Null once the rule has ended. */
  nextDate: DateField.nullable(),
  /** The number of the next date, which Run Now names. Null once the rule has ended. */
  nextN: z.number().int().nullable(),
  /** As it was when it was saved or made last. */
  amount: Usd,
  made: z.number().int(),
  held: z.number().int(),
  /** Dates that have come and are not made yet. */
  due: z.number().int(),
  rowVersion: RowVersion,
});
export type TemplateRow = z.output<typeof TemplateRow>;

/** A date that comes, by its number. */
const Coming = z.object({ n: z.number().int(), date: DateField, isSkipped: z.boolean() });

const Occurrence = z.object({
  n: z.number().int(),
  date: DateField,
  state: z.enum(['made', 'skipped', 'held']),
  /** Why it is held, or was made and not sent. */
  reason: z.string(),
  madeOn: DateField.nullable(),
  /** The document, or the journal entry's transaction or draft; null where none was made, or it was removed since. */
  sourceId: Id.nullable(),
  number: z.string(),
});
export type TemplateOccurrence = z.output<typeof Occurrence>;

const ACTIONS = ['pause', 'resume', 'skip', 'unskip', 'run', 'make', 'makeMissed', 'skipMissed'] as const;

const TemplateAction = z.object({
  /**
   * `run`, `skip`, `unskip`, and `make` name a date by `n`. `run` creates the next date now; `n` is the template's
   * `nextN`, so that a second request is refused. `make` creates a held date, on its own date or on `on`. `makeMissed`
   * and `skipMissed` answer for all missed dates and name the `rowVersion` that the user saw.
   */
  action: z.enum(ACTIONS),
  n: maybe(z.number().int().min(0)),
  on: maybe(DateField),
  rowVersion: maybe(RowVersion),
});
export type TemplateAction = z.output<typeof TemplateAction>;

/** The calls on templates of one kind of document; `area` rules them as it rules the documents. */
function templateCalls<Whole extends z.ZodType, Input extends z.ZodType>(
  { path, area, word }: { path: string; area: Area; word: string },
  { whole, input }: { whole: Whole; input: Input },
) {
  const Template = TemplateRow.extend({
    /** The document as it looks on the rule's first date; no due date where that follows the terms. */
    document: whole,
    /** The next twelve dates. */
    next: z.array(Coming),
    /** By the prices of today; null where it cannot be made as it is, and `problem` says why. */
    amountNow: Usd.nullable(),
    problem: z.string(),
    /** Why it would be made and not sent; empty when it is to be sent and can be, or is not to be sent. */
    sendProblem: z.string(),
    /** The latest first. */
    occurrences: z.array(Occurrence),
  });
  const TemplateInput = z.object({
    id: maybe(LineId),
    /** Missing: the customer's or vendor's. */
    name: maybe(text(200)),
    schedule: ScheduleRule,
    makes: Makes,
    fixesPrices: maybe(z.boolean()),
    /** Its dates are those of the rule's first date; the others move along. */
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
      summary: `Lists schedules for ${word}, by name.`,
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
        'Returns 409, with the user who did it, if another request has already created or skipped the date.',
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

/** The calls of templates of any kind, for code that shows them all alike. */
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
