import { type BillingInvoice, type BillingInvoiceInput } from '@evenkeel/contract/billing';
import { scheduledInvoiceCalls } from '@evenkeel/contract/scheduled';
import { OPEN } from '@evenkeel/core/documents/invoice';
import { checkPeriodWords } from '@evenkeel/core/period-words';
import { documentKinds } from '@evenkeel/core/documents/side';
import * as z from 'zod';
import { entryKind } from '../../../parts/documents/entry/entryKind.ts';
import {
  SCHEDULE_STARTS,
  scheduleFields,
  scheduleFormOf,
  type TemplateBody,
  type TemplateDocument,
  templateInput,
  templateRecords,
} from '../../../parts/scheduled/templates.ts';
import { EntryForm, type EntryLine, INVOICE_ENTRY } from '../invoices/invoiceForm.ts';

/** Scheduled invoices: the invoice form with a schedule instead of a date and number. */

export const SCHEDULED_INVOICES = templateRecords<BillingInvoice, BillingInvoiceInput>(scheduledInvoiceCalls, {
  source: documentKinds.invoice.source,
  noun: 'invoice',
  many: 'invoices',
});

const ScheduledForm = z.object({ ...EntryForm.shape, ...scheduleFields });
export type ScheduledForm = z.output<typeof ScheduledForm>;

export const SCHEDULED_ENTRY = entryKind<
  TemplateDocument<BillingInvoice>,
  ScheduledForm,
  EntryLine,
  TemplateBody<BillingInvoiceInput>
>({
  ...INVOICE_ENTRY,
  title: 'Scheduled Invoice',
  draft: 'scheduledinvoice',
  records: SCHEDULED_INVOICES,
  schema: ScheduledForm,
  reply: SCHEDULED_INVOICES.reply,
  // The due date is calculated from the terms unless the template has a due date.
  headOf: (saved) => ({ status: OPEN, dueDate: saved.dueDate ?? undefined, ...scheduleFormOf(saved) }),
  starts: { status: OPEN, ...SCHEDULE_STARTS },
  check: (form, required) => ({
    ...checkPeriodWords('lineItems', form.lines),
    ...INVOICE_ENTRY.check(form, required),
  }),
  // If a line has the invoice date, its date changes with the invoice date. A line with another date keeps its date in
  // the form.
  dated: (form, before) => ({
    ...form,
    lines: form.lines.map((line) =>
      line.serviceDate === before.invoiceDate ? { ...line, serviceDate: form.invoiceDate } : line,
    ),
  }),
  input: (form) => {
    const lines = form.lines.map((line) => (line.id < 0 ? { ...line, serviceDate: form.invoiceDate } : line));
    return templateInput(form, INVOICE_ENTRY.input({ ...form, lines }, 0, ''));
  },
  isPayable: () => false,
});
