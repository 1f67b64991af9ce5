import type { ExpenseInvoice, ExpenseInvoiceInput } from '@evenkeel/contract/expenses';
import { scheduledBillCalls } from '@evenkeel/contract/scheduled';
import { checkPeriodWords } from '@evenkeel/core/period-words';
import { documentKinds } from '@evenkeel/core/documents/side';
import * as z from 'zod';
import { entryKind } from '../../parts/documents/entry/entryKind.ts';
import {
  SCHEDULE_STARTS,
  scheduleFields,
  scheduleFormOf,
  type TemplateBody,
  type TemplateDocument,
  templateInput,
  templateRecords,
} from '../../parts/scheduled/templates.ts';
import { BILL_ENTRY, BillForm, type BillLine } from './billForm.ts';

/** Scheduled bills: the bill form with a schedule instead of dates. Only the created bills have attachments. */

export const SCHEDULED_BILLS = templateRecords<ExpenseInvoice, ExpenseInvoiceInput>(scheduledBillCalls, {
  source: documentKinds.expense.source,
  noun: 'bill',
  many: 'bills',
});

const ScheduledForm = z.object({ ...BillForm.shape, ...scheduleFields });
type ScheduledForm = z.output<typeof ScheduledForm>;

export const SCHEDULED_BILL_ENTRY = entryKind<
  TemplateDocument<ExpenseInvoice>,
  ScheduledForm,
  BillLine,
  TemplateBody<ExpenseInvoiceInput>
>({
  ...BILL_ENTRY,
  title: 'Scheduled Bill',
  words: { save: 'Save', remove: 'Delete' },
  draft: 'scheduledbill',
  records: SCHEDULED_BILLS,
  schema: ScheduledForm,
  reply: SCHEDULED_BILLS.reply,
  headOf: (saved) => ({
    // The number of a created bill consists of this number and the bill's date. The template's name is a separate
    // field.
    invoiceNumber: saved.number,
    dueDate: saved.dueDate ?? undefined,
    postingDate: undefined,
    ...scheduleFormOf(saved),
  }),
  starts: { ...BILL_ENTRY.starts, ...SCHEDULE_STARTS },
  check: (form, required) => ({ ...checkPeriodWords('lineItems', form.lines), ...BILL_ENTRY.check(form, required) }),
  dated: (form, before) => ({ ...form, ...BILL_ENTRY.dated?.(form, before) }),
  input: (form) => templateInput(form, { ...BILL_ENTRY.input(form, 0, ''), postingDate: null }),
  isPayable: () => false,
});
