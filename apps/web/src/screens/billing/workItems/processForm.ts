import { type WorkItemInvoice, workItemCalls, type WorkItemInvoiceInput } from '@evenkeel/contract/workitems';
import { addDays, daysBetween, type IsoDate } from '@evenkeel/core/dates';
import * as z from 'zod';
import { ask } from '../../../client/api.ts';
import { Day } from '../../../records/formFields.ts';
import type { Job } from './processing.ts';

/** The user's edits to the candidates in Process Work Items, by customer. All other values come from the candidate. */

const Typed = z.object({
  included: z.boolean().optional(),
  status: z.number().optional(),
  invoiceDate: Day.nullable().optional(),
  dueDate: Day.nullable().optional(),
});
export type Typed = z.output<typeof Typed>;

export const ProcessForm = z.object({
  /** The date for all customers that don't have their own. Missing until the user sets it. */
  invoiceDate: Day.nullable().optional(),
  /** The status and due date for all customers that don't have their own. Missing until the user sets them. */
  status: z.number().optional(),
  dueDate: Day.nullable().optional(),
  rows: z.record(z.string(), Typed),
});
export type ProcessForm = z.output<typeof ProcessForm>;

export const BLANK: ProcessForm = { rows: {} };

/** The candidate as displayed. A date is null while its field is empty. */
export interface Shown extends Omit<WorkItemInvoice, 'invoiceDate' | 'dueDate'> {
  invoiceDate: IsoDate | null;
  dueDate: IsoDate | null;
}

/**
 * Returns the candidate as displayed. The due date is calculated from the customer's terms until the user enters a date
 * for this customer or for all, and again after the date is cleared.
 */
export function shownAs(candidate: WorkItemInvoice, form: ProcessForm): Shown {
  const typed = form.rows[String(candidate.id)] ?? {};
  const { included = candidate.included, status = form.status ?? candidate.arBillingStatus } = typed;
  const forAll = form.invoiceDate === undefined ? candidate.invoiceDate : form.invoiceDate;
  const invoiceDate = typed.invoiceDate === undefined ? forAll : typed.invoiceDate;
  const terms = daysBetween(candidate.invoiceDate, candidate.dueDate);
  const followed = invoiceDate === null ? null : addDays(invoiceDate, terms);
  return {
    ...candidate,
    included,
    arBillingStatus: status,
    invoiceDate,
    dueDate: typed.dueDate ?? form.dueDate ?? followed,
  };
}

export function withTyped(form: ProcessForm, id: number, typed: Typed): ProcessForm {
  return { ...form, rows: { ...form.rows, [String(id)]: { ...form.rows[String(id)], ...typed } } };
}

type ForAll = Pick<ProcessForm, 'status' | 'invoiceDate' | 'dueDate'>;

/** Sets a status or date for all customers, which replaces their own values. */
export function withForAll(form: ProcessForm, change: ForAll): ProcessForm {
  const isOwn = ([name]: [string, unknown]) => !(name in change);
  const rows = Object.entries(form.rows).map(([id, typed]) => [
    id,
    Object.fromEntries(Object.entries(typed).filter(isOwn)),
  ]);
  return { ...form, ...change, rows: Object.fromEntries(rows) };
}

/** Includes or excludes all customers. */
export function withAll(form: ProcessForm, shown: readonly Shown[], included: boolean): ProcessForm {
  return shown.reduce((all, { id }) => withTyped(all, id, { included }), form);
}

/** Returns the message about an included customer's missing date. */
export const dateFault = ({ included, invoiceDate }: Shown): string | undefined =>
  included && invoiceDate === null ? 'Please enter a date' : undefined;

/** Returns the customers to bill, with only the work items that were displayed. */
export const jobsOf = (shown: readonly Shown[]): Job[] =>
  shown
    .filter(({ included }) => included)
    .map((one) => ({
      id: one.id,
      name: one.customerDisplayName,
      email: one.customerEmail,
      count: one.workItemCount,
      amount: one.invoiceAmount,
      asked: ask(workItemCalls.billWorkItems, { body: bodyOf(one) }),
    }));

const bodyOf = ({ id, arBillingStatus, invoiceDate, dueDate, workItemIds }: Shown): WorkItemInvoiceInput => ({
  id,
  included: true,
  arBillingStatus,
  invoiceDate,
  dueDate,
  workItemIds,
});
