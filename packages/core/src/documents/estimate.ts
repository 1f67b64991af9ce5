import { creditFault, leftToCredit, type CreditableLine } from './credit.ts';
import type { IsoDate } from '../dates.ts';
import { PERCENTAGE } from './discounts.ts';
import type { FieldMessages } from '../failure.ts';
import type { Cents, Decimal } from '../money.ts';

/**
 * Estimates, which are priced like invoices and post nothing. Their status numbers differ from those of invoices, so
 * that no list or total counts an estimate as a draft or a receivable (docs/accounting.md, "Estimates").
 */

/** The number of days during which an estimate can be accepted, unless the user enters an expiration date. */
export const ESTIMATE_DAYS = 30;

export const ESTIMATE_DRAFT = 11;
export const ESTIMATE_SENT = 12;
export const ACCEPTED = 13;
export const DECLINED = 14;
/** The status of an estimate with nothing left to invoice. The status depends on the invoices and is never chosen. */
export const INVOICED = 15;
export const ESTIMATE_VOID = 16;

/** The statuses of an estimate: the statuses that users choose, and the derived one. */
export const estimateStatuses = [
  { id: ESTIMATE_DRAFT, displayName: 'Draft' },
  { id: ESTIMATE_SENT, displayName: 'Sent' },
  { id: ACCEPTED, displayName: 'Accepted' },
  { id: DECLINED, displayName: 'Declined' },
  { id: INVOICED, displayName: 'Invoiced' },
  { id: ESTIMATE_VOID, displayName: 'Void' },
] as const;

export type EstimateBadge = 'Draft' | 'Sent' | 'Accepted' | 'Declined' | 'Expired' | 'Invoiced' | 'Void';

interface Stated {
  status: number;
  /** The last day on which the estimate can be accepted. Null if there is none. */
  expirationDate: IsoDate | null;
}

/** Returns whether an estimate has expired on a day. Only sent estimates without a response expire. */
export function isExpired({ status, expirationDate }: Stated, today: IsoDate): boolean {
  return status === ESTIMATE_SENT && expirationDate !== null && expirationDate < today;
}

/** Returns the status that users see. The Expired status depends on the date and is never stored. */
export function estimateBadge(estimate: Stated, today: IsoDate): EstimateBadge {
  if (isExpired(estimate, today)) return 'Expired';
  return estimateStatuses.find(({ id }) => id === estimate.status)?.displayName ?? 'Draft';
}

/** An estimate line with the quantity on its invoices, including drafts. */
export interface EstimatedLine {
  id: number;
  quantity: Decimal;
  invoiced: Decimal;
  discountType?: number | null | undefined;
}

const asCreditable = ({ quantity, invoiced, discountType }: Omit<EstimatedLine, 'id'>): CreditableLine => {
  return { quantity, credited: invoiced, discountType };
};

/**
 * Returns the quantity that has not been invoiced yet. A percentage discount depends on the other lines and is never
 * used up.
 */
export function leftToInvoice(line: Omit<EstimatedLine, 'id'>): Decimal {
  return leftToCredit(asCreditable(line));
}

/** Returns the message for a quantity that cannot be invoiced, or undefined for a valid quantity. */
export function invoiceFault(line: Omit<EstimatedLine, 'id'>, quantity: Decimal): string | undefined {
  return creditFault(asCreditable(line), quantity, { whole: 'were estimated', left: 'available to invoice' });
}

/** Returns whether anything remains to be invoiced. Percentage discounts don't count. */
export function hasLeft(lines: readonly Omit<EstimatedLine, 'id'>[]): boolean {
  return lines.some((line) => line.discountType !== PERCENTAGE && leftToInvoice(line).gt(0));
}

const isBegun = (lines: readonly EstimatedLine[]): boolean => lines.some(({ invoiced }) => invoiced.gt(0));

/**
 * Returns the status to save when a status is requested. An estimate with invoices is Accepted, or Invoiced if nothing
 * remains to be invoiced.
 */
export function savedStatus(asked: number, lines: readonly EstimatedLine[]): number {
  if (isBegun(lines)) return hasLeft(lines) ? ACCEPTED : INVOICED;
  return asked === INVOICED ? ACCEPTED : asked;
}

/** An estimate with the fields that the edit rules check. */
export interface EditedEstimate extends Stated {
  customerId: number;
  total: Cents;
  lines: readonly (EstimatedLine & {
    /** Everything that the customer can read on the line, except the quantity, as one string. */
    terms: string;
  })[];
}

export interface EditFault {
  message: string;
  fields?: FieldMessages;
}

/**
 * Returns the reason why an edited estimate cannot be saved, or undefined if it can (docs/accounting.md, "Estimates"):
 *
 * - Accepted: nothing that the customer accepted can change until the status is changed back.
 * - Partly invoiced: lines cannot be added or changed, quantities can be reduced only down to the invoiced quantity,
 *   and
 *   the estimate stays accepted.
 */
export function editFault(before: EditedEstimate, after: EditedEstimate): EditFault | undefined {
  if (isBegun(before.lines)) return begunFault(before, after);
  if (before.status !== ACCEPTED || ![ACCEPTED, INVOICED].includes(after.status)) return undefined;
  if (accepted(before) === accepted(after)) return undefined;
  return { message: 'This estimate has been accepted. To change it, set its status to Draft or Sent first.' };
}

const accepted = ({ customerId, total, lines }: EditedEstimate): string =>
  JSON.stringify([customerId, total, lines.map(({ terms, quantity }) => [terms, quantity.toString()])]);

function begunFault(before: EditedEstimate, after: EditedEstimate): EditFault | undefined {
  if (![ACCEPTED, INVOICED].includes(after.status)) {
    return { message: 'An estimate with invoices must stay accepted. Delete or void its invoices first.' };
  }
  if (after.customerId !== before.customerId)
    return { message: "You can't change the customer on an estimate that has invoices" };
  const gone = before.lines.some(({ id, invoiced }) => invoiced.gt(0) && after.lines.every((line) => line.id !== id));
  if (gone) return { message: "You can't remove a line that has been invoiced" };
  for (const [index, line] of after.lines.entries()) {
    const old = before.lines.find(({ id }) => id === line.id);
    const fault = begunLineFault(old, line);
    if (fault !== undefined) return { message: fault, fields: { [`lineItems.${index}.quantity`]: fault } };
  }
  return undefined;
}

type EditedLine = EditedEstimate['lines'][number];

function begunLineFault(old: EditedLine | undefined, line: EditedLine): string | undefined {
  if (old === undefined)
    return "This estimate is partly invoiced, so you can't add lines or amounts. Create another estimate instead.";
  if (old.terms !== line.terms)
    return 'This estimate is partly invoiced, so you can only reduce the amounts on its lines';
  if (line.quantity.gt(old.quantity))
    return `At most ${old.quantity.toString()}, because this estimate is partly invoiced`;
  if (line.discountType === PERCENTAGE || line.quantity.gte(old.invoiced)) return undefined;
  return `A quantity of ${old.invoiced.toString()} on this line has already been invoiced`;
}

/** An estimate that a customer views through a private link. */
export interface Answerable extends Stated {
  rowVersion: number;
}

/**
 * Returns the reason why a customer cannot accept or decline an estimate, or undefined if the customer can. The row
 * version is that of the estimate as the customer saw it. The message is for the customer.
 */
export function answerFault(estimate: Answerable, seen: number, today: IsoDate): string | undefined {
  const { status, rowVersion } = estimate;
  switch (status) {
    case ESTIMATE_SENT:
      if (isExpired(estimate, today)) return 'This estimate has expired. Ask for a new one.';
      return rowVersion === seen ? undefined : 'This estimate was changed. Review it again before you respond.';
    case ACCEPTED:
    case INVOICED:
      return 'This estimate has already been accepted';
    case DECLINED:
      return 'This estimate has already been declined';
    case ESTIMATE_VOID:
      return 'This estimate is no longer available';
    default:
      return 'This estimate is being edited. Check back later.';
  }
}

/** Returns the reason why an estimate with this status cannot be sent to its customer, or an empty string if it can. */
export function estimateSendingFault(status: number): string {
  if (status === ESTIMATE_VOID) return "A void estimate can't be sent";
  return status === DECLINED ? "A declined estimate can't be sent. Set its status to Draft first." : '';
}

/** Returns the reason why an estimate with this status cannot be invoiced, or undefined if it can. */
export function invoicingFault(status: number): string | undefined {
  if (status === ESTIMATE_VOID) return "A void estimate can't be invoiced";
  if (status === DECLINED) return "A declined estimate can't be invoiced";
  return status === INVOICED ? 'This estimate is already fully invoiced' : undefined;
}
