import type { OpenDocument } from '@evenkeel/contract/subledger';
import type { IsoDate } from '@evenkeel/core/dates';
import { refuseFields } from '@evenkeel/core/failure';
import { type Cents, cents, ZERO } from '@evenkeel/core/money';
import { discountByTerms, discountLeft, documentDiscountFaults } from '@evenkeel/core/documents/terms';
import type { OpenRow } from './reads.sql.ts';
import type { DocumentRow } from './settlement.sql.ts';

/**
 * Early-payment discounts, which depend on the terms of a customer or vendor (docs/accounting.md, "Early-payment
 * discounts").
 */
export interface EntityTerms {
  discountPercent: number | null;
  discountDays: number | null;
}

/** The discount in a request. If undefined, the discount depends on the terms. Null and 0 mean no discount. */
interface Asked {
  discountPercent?: number | null | undefined;
  discountUntil?: IsoDate | null | undefined;
}

type Kept = Pick<DocumentRow, 'discountPercent' | 'discountUntil'>;

interface Ground {
  /** The document date. */
  date: IsoDate;
  terms: EntityTerms;
  /** The stored document. Set only if neither its date nor its customer or vendor changes. */
  same: Kept | undefined;
}

/** Returns the discount to save with a document. Throws 422 with the invalid fields. */
export function keptDiscount(asked: Asked, { date, terms, same }: Ground): Kept {
  const { discountPercent: percent } = asked;
  const before: Kept = same === undefined ? termsOf(date, terms) : pick(same);
  if (percent === undefined) return before;
  if (percent === null || percent === 0) return NONE;
  const discountUntil = asked.discountUntil ?? before.discountUntil;
  refuseFields(documentDiscountFaults({ discountPercent: percent, discountUntil }, date));
  return { discountPercent: String(percent), discountUntil };
}

const pick = ({ discountPercent, discountUntil }: Kept): Kept => ({ discountPercent, discountUntil });

const NONE: Kept = { discountPercent: null, discountUntil: null };

function termsOf(date: IsoDate, { discountPercent: percent, discountDays: days }: EntityTerms): Kept {
  if (percent === null || days === null) return NONE;
  return { discountPercent: String(percent), discountUntil: discountByTerms(date, { percent, days }).until };
}

/** Returns the discount on a stored document for the API. The percentage is a number, exact to 3 decimal places. */
export function shownDiscount({
  discountPercent: percent,
  discountUntil,
  returned = ZERO,
}: Kept & { returned?: Cents }) {
  if (percent === null || discountUntil === null) return {};
  const discount = { discountPercent: Number(percent), discountUntil };
  return returned === 0 ? discount : { ...discount, returnedAmount: returned };
}

/** Returns the discount that was taken, in the API format. Returns no fields if the discount is 0. */
export const takenOff = (discountAmount: Cents) => (discountAmount === 0 ? {} : { discountAmount });

/** Returns the available discount on a stored document, including the discount that the payment being edited takes. */
export function openDiscount(row: OpenRow): Pick<OpenDocument, 'discount'> {
  const { discountPercent: percent, discountUntil: until, discountTaken: taken } = row;
  if (percent === null && taken === 0) return {};
  const total = cents(row.amount - (row.returned ?? 0));
  if (percent === null) return { discount: { amount: ZERO, until, taken } };
  const takenBefore = row.discountTakenBefore;
  const left = { total, taken: takenBefore, unpaid: cents(row.openAmount + row.paid) };
  const terms = { percent: Number(percent), total, takenBefore };
  return { discount: { amount: discountLeft(terms.percent, left), ...terms, until, taken } };
}
