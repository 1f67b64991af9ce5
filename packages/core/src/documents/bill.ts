import type { IsoDate } from '../dates.ts';
import { refuse } from '../failure.ts';
import type { FieldMessages } from '../failure.ts';
import { invoiceBadge, OPEN, VOID } from './invoice.ts';
import type { LineRequirements } from './invoice.ts';
import { cents, sum } from '../money.ts';
import type { Cents } from '../money.ts';

/** A bill line as entered in the form and sent in the request. Deleted lines are not validated. */
export interface CheckableBillLine {
  description: string;
  accountId?: number | null | undefined;
  profitCenterId?: number | null | undefined;
  /** The amount in cents, never negative. */
  lineItemAmount: Cents;
  creditLine?: boolean | null | undefined;
  deleted?: boolean | null | undefined;
}

export interface CheckableBill {
  vendorId: number;
  invoiceNumber?: string | null | undefined;
  locationId?: number | null | undefined;
  /** If false, the bill is paid immediately from the bank account. */
  postToVendorAccount?: boolean | null | undefined;
  bankAccountId?: number | null | undefined;
  lineItems: readonly CheckableBillLine[];
}

/** Returns the amount that a line adds to its bill. A credit line is negative. */
export function billLineAmount({ lineItemAmount, creditLine }: CheckableBillLine): Cents {
  return creditLine === true ? cents(-lineItemAmount) : lineItemAmount;
}

/** Returns the total of a bill's lines, except deleted lines. A negative total is a vendor credit. */
export function billTotal(lines: readonly CheckableBillLine[]): Cents {
  return sum(lines.filter(({ deleted }) => deleted !== true).map(billLineAmount));
}

/** Returns the validation messages for a bill by field path, or an empty object. Used by the form and the server. */
export function checkBill(bill: CheckableBill, required: LineRequirements = {}): FieldMessages {
  const fields: FieldMessages = {};
  const note = (path: string, isWrong: boolean, message: string): void => {
    if (isWrong) fields[path] = message;
  };
  note('vendorId', isEmpty(bill.vendorId), 'Please Select a Vendor');
  note('invoiceNumber', (bill.invoiceNumber ?? '').trim() === '', 'Invoice Number is Required');
  note('locationId', required.useLocations === true && isEmpty(bill.locationId), 'Please Select a Location');
  const hasNoSource = bill.postToVendorAccount === false && isEmpty(bill.bankAccountId);
  note('bankAccountId', hasNoSource, 'Please Select a Cash Account');
  bill.lineItems.forEach((line, index) => {
    if (line.deleted === true) return;
    const path = `lineItems.${index}`;
    const needsCenter = required.useProfitCenters === true && isEmpty(line.profitCenterId);
    note(`${path}.description`, line.description.trim() === '', 'A description entry is required');
    note(`${path}.accountId`, isEmpty(line.accountId), 'Please Select an Account');
    note(`${path}.profitCenterId`, needsCenter, 'Please Select a Profit Center');
    note(
      `${path}.lineItemAmount`,
      line.lineItemAmount < 0,
      "The amount can't be negative. Mark the line as a credit item instead.",
    );
  });
  const isBare = bill.lineItems.every(({ deleted }) => deleted === true);
  note('lineItems', isBare, 'At least one line item is required');
  return fields;
}

/** Checks a bill with `checkBill` and throws 422 with the first message. */
export function requireBill(bill: CheckableBill, required: LineRequirements = {}): void {
  const fields = checkBill(bill, required);
  const first = Object.values(fields)[0];
  if (first !== undefined) throw refuse(first, fields);
}

function isEmpty(id: number | null | undefined): boolean {
  return id === null || id === undefined || id <= 0;
}

export interface BillBadgeInput {
  openAmount: Cents;
  invoiceAmount: Cents;
  dueDate: IsoDate | null;
  today: IsoDate;
  voided: boolean;
}

/**
 * Returns the status that users see. Like the status of an open or void invoice, this status is derived and never
 * stored.
 */
export function billBadge({ voided, ...bill }: BillBadgeInput): { badge: string; daysOverdue: number } {
  return invoiceBadge({ ...bill, status: voided ? VOID : OPEN });
}
