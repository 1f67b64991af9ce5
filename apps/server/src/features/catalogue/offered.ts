import type { IsoDate } from '@evenkeel/core/dates';
import { refuse } from '@evenkeel/core/failure';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY } from '../../platform/db/query.ts';
import { inactive } from '../../books/ledger/references.ts';
import { ACCOUNT_INACTIVE } from '@evenkeel/core/books/accounts';

/** Code that products and discounts share. This code handles availability dates and references to other records. */

/** Returns the ID to store. If the request omits the ID, the stored ID stays. Null or 0 clears it. */
function idOf(given: number | null | undefined, stored: number | null): number | null {
  return given === undefined ? stored : given || null;
}

interface Dates<D> {
  startDate?: D | null | undefined;
  startDateInUse?: boolean | null | undefined;
  endDate?: D | null | undefined;
  endDateInUse?: boolean | null | undefined;
}

/** Returns the availability dates. A date whose flag is false is not stored. The flag can be omitted. */
function datesOf<D>(stored: Dates<D>, given: Dates<D>) {
  const startDate = dateOf(given.startDate, given.startDateInUse, stored.startDate ?? null);
  const endDate = dateOf(given.endDate, given.endDateInUse, stored.endDate ?? null);
  return { startDate, startDateInUse: startDate !== null, endDate, endDateInUse: endDate !== null };
}

function dateOf<T>(given: T | null | undefined, inUse: boolean | null | undefined, stored: T | null): T | null {
  if (inUse === false) return null;
  return given === undefined ? stored : given;
}

interface Offer extends Referring, Dates<IsoDate> {
  name: string;
  description: string;
}
type Given<T> = { [K in keyof T]?: T[K] | null | undefined };

/** The initial fields of a new product or discount. */
export const NEW_OFFER = {
  entityID: 0,
  name: '',
  description: '',
  productCategoryID: null,
  categoryName: '',
  GLAccountID: 0,
  profitCenterID: null,
  startDate: null,
  startDateInUse: false,
  endDate: null,
  endDateInUse: false,
  deleted: false,
  rowVersion: 1,
};

/** Returns the stored product or discount with the input applied. Other fields keep their values. */
export function mergedOffer(stored: Offer, given: Given<Offer>) {
  return {
    name: given.name ?? stored.name,
    description: given.description ?? stored.description,
    productCategoryID: idOf(given.productCategoryID, stored.productCategoryID),
    GLAccountID: given.GLAccountID ?? stored.GLAccountID,
    profitCenterID: idOf(given.profitCenterID, stored.profitCenterID),
    ...datesOf(stored, given),
  };
}

/** The records that a product or discount refers to. */
interface Referring {
  GLAccountID: number;
  profitCenterID: number | null;
  productCategoryID: number | null;
}

export interface OfferReferences {
  /**
   * The company's income account, or null if the company has no account with that ID. The fields for the other accounts
   * work the same way.
   */
  account: { active: boolean } | null;
  profitCenter: { active: boolean } | null;
  /** The company's category, or null if the company has no category with that ID. */
  category: { name: string; active: boolean } | null;
}

/** Returns which of these references are to the company's own records. */
export function referencesSql(offer: Referring): RawBuilder<OfferReferences> {
  return sql<OfferReferences>`
    select
      (select jsonb_build_object('active', active) from account
        where company_id = ${COMPANY} and id = ${offer.GLAccountID} and root = 'Income') as account,
      (select jsonb_build_object('active', active) from profit_center
        where company_id = ${COMPANY} and id = ${offer.profitCenterID ?? 0}) as "profitCenter",
      (select jsonb_build_object('name', category_name, 'active', active) from product_category
        where company_id = ${COMPANY} and id = ${offer.productCategoryID ?? 0}) as category`;
}

/**
 * Throws 422 for references to unknown or inactive records. A stored reference can be kept even if its record is
 * inactive now.
 */
export function requireReferences(
  offer: Referring,
  known: OfferReferences | undefined,
  before: Referring,
  noAccount: string,
): void {
  const no = (field: string, message: string): never => {
    throw refuse(message, { [field]: message });
  };
  if (offer.GLAccountID !== before.GLAccountID && known?.account?.active !== true) {
    no('GLAccountID', known?.account ? ACCOUNT_INACTIVE : noAccount);
  }
  const { profitCenterID, productCategoryID } = offer;
  if (profitCenterID !== null && profitCenterID !== before.profitCenterID && known?.profitCenter?.active !== true) {
    no('profitCenterID', known?.profitCenter ? inactive('profit center') : 'Please Select a Profit Center');
  }
  if (productCategoryID === null || productCategoryID === before.productCategoryID) return;
  if (known?.category?.active === true) return;
  no('productCategoryID', known?.category ? inactive('category') : 'Please Select a Category');
}
