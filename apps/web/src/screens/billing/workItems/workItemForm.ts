import type { WorkItem, WorkItemInput } from '@evenkeel/contract/workitems';
import type { IsoDate } from '@evenkeel/core/dates';
import type { FieldMessages } from '@evenkeel/core/failure';
import type { LineRequirements } from '@evenkeel/core/documents/invoice';
import { checkWorkItem } from '@evenkeel/core/documents/workitems';
import * as z from 'zod';
import { Day } from '../../../records/formFields.ts';
import { checkable, EntryLine, lineInput, lineOf, untyped } from '../invoices/invoiceForm.ts';

/** The data of the Work Item Entry form: the line of a future invoice, with its customer and date. */

export const ItemForm = z.object({
  customerId: z.number().nullable(),
  workitemDate: Day.nullable(),
  dueDate: Day.nullable(),
  line: EntryLine,
  rowVersion: z.number().nullable(),
});
export type ItemForm = z.output<typeof ItemForm>;

const NEW_LINE = {
  id: -1,
  description: '',
  accountId: null,
  profitCenterId: null,
  locationId: null,
  productId: null,
  productName: '',
  serviceDate: null,
  price: null,
  quantity: 1,
  taxable: false,
};

export function itemFormOf(saved: WorkItem | undefined, today: IsoDate): ItemForm {
  if (saved === undefined) {
    const line = { ...NEW_LINE, serviceDate: today };
    return { customerId: null, workitemDate: today, dueDate: null, line, rowVersion: null };
  }
  const { id, description, accountId, profitCenterId, locationId, productId, packageId, discountId } = saved;
  const { serviceDate, taxable, customerId, workitemDate, dueDate, rowVersion, totalAmount } = saved;
  const own = { id, description, accountId, profitCenterId, locationId, productId, packageId, discountId };
  const named = lineOf({ ...saved, lineItemAmount: totalAmount }, false);
  return {
    customerId,
    workitemDate,
    dueDate,
    line: { ...NEW_LINE, ...own, serviceDate, taxable, ...named },
    rowVersion,
  };
}

const placeOf = (path: string): string => {
  if (path === 'itemPrice') return 'line.price';
  return path in NEW_LINE ? `line.${path}` : path;
};

/** Maps the request's paths to form fields. */
export const placedItem = (fields: FieldMessages): FieldMessages =>
  Object.fromEntries(Object.entries(fields).map(([path, message]) => [placeOf(path), message]));

/** Returns messages by request path: those from core's validation, and those for missing values. */
export function itemFaults({ customerId, line }: ItemForm, required: LineRequirements): FieldMessages {
  return { ...checkWorkItem({ ...checkable(line), customerId: customerId ?? 0 }, required), ...untyped(line) };
}

/** Returns the messages about the line, by the name of the line's field. */
export const lineErrors = (fields: FieldMessages): FieldMessages =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([path, message]) => (path.startsWith('line.') ? [[path.slice(5), message]] : [])),
  );

/** Returns the request body. Throws if the customer is missing, which validation prevents. */
export function itemInput({ customerId, workitemDate, dueDate, line, rowVersion }: ItemForm): WorkItemInput {
  if (customerId === null) throw new Error('the work item was not validated');
  return { ...lineInput(line), id: 0, customerId, workitemDate, dueDate, rowVersion };
}
