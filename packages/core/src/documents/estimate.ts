import { creditFault, leftToCredit, type CreditableLine } from './credit.ts';
import type { IsoDate } from '../dates.ts';
import { PERCENTAGE } from './discounts.ts';
import type { FieldMessages } from '../failure.ts';
import type { Cents, Decimal } from '../money.ts';

/**
 * An estimate is priced like an invoice and posts nothing. Its states are numbers of their own, so that no list or sum
 * of invoices takes one for a draft or for something owed (docs/accounting.md, "Estimates").
 */

/** Days for which one may be accepted, unless its last day is typed. */
export const ESTIMATE_DAYS = 30;

export const ESTIMATE_DRAFT = 11;
export const ESTIMATE_SENT = 12;
export const ACCEPTED = 13;
export const DECLINED = 14;
/** Nothing is left to invoice; it follows from the invoices and is never chosen. */
export const INVOICED = 15;
export const ESTIMATE_VOID = 16;

/** The states of an estimate; those that people choose, and the one that follows. */
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
  /** The last day on which it may be accepted; null where there is none. */
  expirationDate: IsoDate | null;
}

/** Whether a day is one of those on which nobody answers any more; only what was sent and not answered expires. */
export function isExpired({ status, expirationDate }: Stated, today: IsoDate): boolean {
  return status === ESTIMATE_SENT && expirationDate !== null && expirationDate < today;
}

/** The state that a person sees: Expired follows from the date and is never stored. */
export function estimateBadge(estimate: Stated, today: IsoDate): EstimateBadge {
  if (isExpired(estimate, today)) return 'Expired';
  return estimateStatuses.find(({ id }) => id === estimate.status)?.displayName ?? 'Draft';
}

/** A line of an estimate with the quantity that its invoices have, drafts too. */
export interface EstimatedLine {
  id: number;
  quantity: Decimal;
  invoiced: Decimal;
  discountType?: number | null | undefined;
}

const asCreditable = ({ quantity, invoiced, discountType }: Omit<EstimatedLine, 'id'>): CreditableLine => {
  return { quantity, credited: invoiced, discountType };
};

/** The quantity that is not invoiced yet. A percentage follows the lines that it is taken off: it is never used up. */
export function leftToInvoice(line: Omit<EstimatedLine, 'id'>): Decimal {
  return leftToCredit(asCreditable(line));
}

/** The message for a quantity that cannot be invoiced of a line; undefined where it can be. */
export function invoiceFault(line: Omit<EstimatedLine, 'id'>, quantity: Decimal): string | undefined {
  return creditFault(asCreditable(line), quantity, { whole: 'were estimated', left: 'left to invoice' });
}

/** Whether something is left to invoice; percentages alone are not. */
export function hasLeft(lines: readonly Omit<EstimatedLine, 'id'>[]): boolean {
  return lines.some((line) => line.discountType !== PERCENTAGE && leftToInvoice(line).gt(0));
}

const isBegun = (lines: readonly EstimatedLine[]): boolean => lines.some(({ invoiced }) => invoiced.gt(0));

/**
 * The state that an estimate is saved with, of the one that was asked for. Once invoices have a part of it, it is
 * accepted, and invoiced when nothing is left.
 */
export function savedStatus(asked: number, lines: readonly EstimatedLine[]): number {
  if (isBegun(lines)) return hasLeft(lines) ? ACCEPTED : INVOICED;
  return asked === INVOICED ? ACCEPTED : asked;
}

/** An estimate as its rules of editing see it. */
export interface EditedEstimate extends Stated {
  customerId: number;
  total: Cents;
  lines: readonly (EstimatedLine & {
    /** All that the customer reads of the line but its quantity, as one text. */
    terms: string;
  })[];
}

export interface EditFault {
  message: string;
  fields?: FieldMessages;
}

/**
 * Why an estimate is not saved as it was typed; undefined when it may be (docs/accounting.md, "Estimates"):
 *
 * - Accepted: it says what the customer accepted, until its state is set back.
 * - Invoiced in part: nothing is added or made dearer, quantities go down to what is invoiced, and it stays accepted.
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
    return { message: "You can't change the customer of an estimate that has invoices" };
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
    return "This estimate is partly invoiced, so you can't add to it. Create another estimate instead.";
  if (old.terms !== line.terms) return 'This estimate is partly invoiced, so you can only reduce its lines';
  if (line.quantity.gt(old.quantity))
    return `At most ${old.quantity.toString()}, because this estimate is partly invoiced`;
  if (line.discountType === PERCENTAGE || line.quantity.gte(old.invoiced)) return undefined;
  return `${old.invoiced.toString()} of this line has been invoiced`;
}

/** An estimate that a customer looks at through a private link. */
export interface Answerable extends Stated {
  rowVersion: number;
}

/**
 * Why a customer cannot accept or decline an estimate that was shown at a version; undefined when it can be. The
 * sentence is for the customer.
 */
export function answerFault(estimate: Answerable, seen: number, today: IsoDate): string | undefined {
  const { status, rowVersion } = estimate;
  switch (status) {
    case ESTIMATE_SENT:
      if (isExpired(estimate, today)) return 'This estimate has expired. Ask for a new one.';
      return rowVersion === seen ? undefined : 'This estimate was changed. Read it again before you respond.';
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

/** Why an estimate of this state is not sent to its customer; empty when it may be. */
export function estimateSendingFault(status: number): string {
  if (status === ESTIMATE_VOID) return "A void estimate can't be sent";
  return status === DECLINED ? "A declined estimate can't be sent. Set its status to Draft first." : '';
}

/** Why an estimate of this state cannot be invoiced; undefined when it can be. */
export function invoicingFault(status: number): string | undefined {
  if (status === ESTIMATE_VOID) return "A void estimate can't be invoiced";
  if (status === DECLINED) return "A declined estimate can't be invoiced";
  return status === INVOICED ? 'This estimate is already fully invoiced' : undefined;
}
