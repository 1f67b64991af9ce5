import { discountAmount } from './discounts.ts';
import type { DiscountTerms } from './discounts.ts';
import { refuse, refuseFields } from '../failure.ts';
import type { FieldMessages } from '../failure.ts';
import {
  cents,
  decimal,
  formatUsd,
  millionths,
  round,
  roundTogether,
  toCents,
  toDecimal,
  toPlain,
  ZERO,
} from '../money.ts';
import type { Cents, Decimal } from '../money.ts';
import { isBlank, isMissing } from './products.ts';
import type { Maybe, Offer } from './products.ts';

/**
 * Prices of package deals and their allocation to the parts (docs/accounting.md, "Package deals and discounts").
 * Calculations use 6 decimal places, and only posted amounts are cents.
 */

/** The discount modes of a package: no discounts, selected discounts, or a discount that results in a goal price. */
export const NO_DISCOUNTS = 0;
export const MY_DISCOUNTS = 1;
export const SMART_DISCOUNT = 2;

/** A product that packages and billing lines sell. */
export interface SoldProduct extends Offer {
  productID: number;
  name: string;
  /** The unit price in cents. */
  salesPrice: Cents;
  taxable: boolean;
  GLAccountID: number;
  profitCenterID: number | null;
}

export interface GivenDiscount extends DiscountTerms {
  discountID: number;
  name: string;
  GLAccountID: number;
  profitCenterID: number | null;
}

/** A line in a package: a quantity of a product, or a discount. */
export interface PackageItem {
  quantity: Decimal;
  product: SoldProduct | null;
  discount: GivenDiscount | null;
}

export interface Package {
  packageDealDiscountType: number;
  /** The price after the smart discount, in cents. */
  goalPrice: Cents;
  items: readonly PackageItem[];
}

/** The difference between the products' prices and the goal price. A positive difference is a premium. */
export interface SmartDiscount {
  name: 'Smart Discount' | 'Smart Premium';
  /** The amount with 6 decimal places. */
  amount: Decimal;
  /** The percentage of the products' prices, with 6 decimal places. */
  percentageValue: Decimal;
}

export interface PricedPackage {
  /** The value of each line, in line order. Discounts are negative, or 0 outside their mode. */
  values: Decimal[];
  total: Decimal;
  smart: SmartDiscount | null;
}

const NONE = decimal(0);

/**
 * Calculates the price of a package. Each percentage is based on the products' total, and percentages do not compound.
 */
export function pricePackage({ packageDealDiscountType: mode, goalPrice, items }: Package): PricedPackage {
  const ofProducts = items.map(({ product, quantity }) =>
    product === null ? NONE : round(toDecimal(product.salesPrice).times(quantity), 6),
  );
  const subtotal = added(ofProducts);
  const values = items.map(({ discount, quantity }, index) =>
    discount === null || mode !== MY_DISCOUNTS
      ? (ofProducts[index] ?? NONE)
      : discountAmount(discount, subtotal, quantity),
  );
  if (mode !== SMART_DISCOUNT) return { values, total: added(values), smart: null };
  const total = toDecimal(goalPrice);
  return { values, total, smart: smartDiscount(total.minus(subtotal), subtotal) };
}

function smartDiscount(amount: Decimal, subtotal: Decimal): SmartDiscount {
  const percentageValue = subtotal.eq(0) ? NONE : round(amount.times(100).div(subtotal), 6);
  return { name: amount.gt(0) ? 'Smart Premium' : 'Smart Discount', amount, percentageValue };
}

function added(values: readonly Decimal[]): Decimal {
  return values.reduce((sum, value) => sum.plus(value), NONE);
}

/** Formats the smart discount for display, for example as "-10.71%" and "($29.99)". */
export function smartDisplay({ amount, percentageValue }: SmartDiscount) {
  return {
    displayPercentage: `${toPlain(toCents(percentageValue))}%`,
    displayAmount: formatUsd(toCents(amount)),
  };
}

/**
 * A part of a package, as stored on a billing line. Later changes to the catalog or the package don't affect the stored
 * part.
 */
export interface PackagePart extends Offer {
  /** Either a product or a discount. */
  productID: number | null;
  discountID: number | null;
  name: string;
  GLAccountID: number;
  profitCenterID: number | null;
  taxable: boolean;
  quantity: Decimal | string;
  /** The value in one package before a smart discount, with at most 6 decimal places. Discounts are negative. */
  weight: Decimal | string;
}

/** A package on a billing line. */
export interface SoldPackage {
  /** The unit price, which is the rounded total. */
  itemPrice: Cents;
  /** The unit price with 4 decimal places, before rounding to cents. */
  itemAmount: Decimal;
  parts: readonly PackagePart[];
}

/** Returns a package with its current prices, ready to sell. */
export function sellPackage(wanted: Package): SoldPackage {
  const { total, values } = pricePackage(wanted);
  const isPart = ({ discount }: PackageItem): boolean =>
    discount === null || wanted.packageDealDiscountType === MY_DISCOUNTS;
  return {
    itemPrice: toCents(total),
    itemAmount: round(total, 4),
    parts: wanted.items.flatMap((item, index) => (isPart(item) ? [partOf(item, values[index] ?? NONE)] : [])),
  };
}

function partOf({ product, discount, quantity }: PackageItem, value: Decimal): PackagePart {
  return {
    productID: product?.productID ?? null,
    discountID: discount?.discountID ?? null,
    name: product?.name ?? discount?.name ?? '',
    GLAccountID: product?.GLAccountID ?? discount?.GLAccountID ?? 0,
    profitCenterID: product?.profitCenterID ?? discount?.profitCenterID ?? null,
    taxable: product?.taxable ?? false,
    productServiceType: product?.productServiceType ?? 0,
    productCategoryID: product?.productCategoryID ?? null,
    quantity: quantity.toString(),
    weight: value.toString(),
  };
}

/**
 * Returns the posted parts of a package line, in cents, which always add up to the line's `amount`. The part for each
 * product or discount is its value multiplied by the number of packages. The products share the effect of rounding or a
 * smart discount in proportion to their values. Remaining cents go to the largest fractions. If all products are free,
 * they share the amount by their quantities.
 */
export function spreadPackage(parts: readonly PackagePart[], amount: Cents, quantity: Decimal): Cents[] {
  const isProduct = parts.map(({ productID }) => productID !== null);
  const weights = parts.map(({ weight }) => millionths(decimal(weight)));
  const quantities = parts.map((part) => millionths(decimal(part.quantity)));
  const ofProducts = (figures: readonly bigint[]): bigint =>
    figures.reduce((sum, figure, index) => (isProduct[index] === true ? sum + figure : sum), 0n);
  const gross = ofProducts(weights);
  if (gross === 0n) {
    const pieces = ofProducts(quantities);
    if (pieces === 0n) return parts.map(() => ZERO);
    const shares = quantities.map((each, index) => (isProduct[index] === true ? each * BigInt(amount) : 0n));
    return roundTogether(shares, pieces);
  }
  // Quantities and weights are in millionths, and a dollar has 100 cents. The product of a quantity and a weight is
  // therefore in units of 10^-10 cents.
  const packages = millionths(quantity);
  const worth = packages * weights.reduce((sum, weight) => sum + weight, 0n);
  const missing = BigInt(amount) * CENT - worth;
  return roundTogether(
    weights.map((weight, index) => packages * weight * gross + (isProduct[index] === true ? missing * weight : 0n)),
    CENT * gross,
  );
}

const CENT = 10_000_000_000n;

/** Returns the parts of a package line with the posted amount of each part. */
export function postedParts<P extends PackagePart>(parts: readonly P[], amounts: readonly Cents[]) {
  return parts.map((part, index) => ({ ...part, amount: amounts[index] ?? ZERO }));
}

/**
 * Returns the part of a line's `amounts` (by part) that belongs to matching products, less these products' share of the
 * package's own discounts. The result has at most 6 decimal places.
 */
export function amountWhere(
  parts: readonly PackagePart[],
  amounts: readonly Cents[],
  fits: (part: PackagePart) => boolean,
): Decimal {
  let [own, discounts, gross, fitting] = [0, 0, NONE, NONE];
  parts.forEach((part, index) => {
    const amount = amounts[index] ?? ZERO;
    if (part.productID === null) discounts += amount;
    else gross = gross.plus(part.weight);
    if (part.productID === null || !fits(part)) return;
    own += amount;
    fitting = fitting.plus(part.weight);
  });
  const shared = gross.eq(0) ? NONE : toDecimal(cents(discounts)).times(fitting).div(gross);
  return round(toDecimal(cents(own)).plus(shared), 6);
}

export interface CheckablePackage {
  name?: Maybe<string>;
  description?: Maybe<string>;
  packageDealDiscountType?: Maybe<number>;
  /** The price in cents. */
  goalPrice?: Maybe<number>;
  packageLineItems: readonly CheckablePackageLine[];
}

export interface CheckablePackageLine {
  productID?: Maybe<number>;
  discountID?: Maybe<number>;
  isAProductLine?: Maybe<boolean>;
  quantity: Decimal | string | number;
}

export const NO_PACKAGE_LINE = 'A minimum of one product or discount is required to create a package deal.';
const LINE_OF_BOTH = 'A line must have either a product or a discount';
export const TWICE_IN_PACKAGE = 'The package deal already includes this item';

/**
 * Returns the validation messages for a package by field. Lines are identified by position
 * ("packageLineItems.0.quantity").
 */
export function checkPackage(deal: CheckablePackage): FieldMessages {
  const fields: FieldMessages = {};
  const { packageDealDiscountType: mode, packageLineItems: lines } = deal;
  if (isBlank(deal.name)) fields['name'] = 'Please enter a name';
  if (isBlank(deal.description)) fields['description'] = 'Please enter a description';
  if (mode !== NO_DISCOUNTS && mode !== MY_DISCOUNTS && mode !== SMART_DISCOUNT) {
    fields['packageDealDiscountType'] = 'Please Select a Discount Type';
  }
  if (mode === SMART_DISCOUNT && (deal.goalPrice ?? -1) < 0) fields['goalPrice'] = 'Please enter a goal price';
  if (!lines.some((line) => mode === MY_DISCOUNTS || isProductLine(line))) {
    fields['packageLineItems'] = NO_PACKAGE_LINE;
  }
  const seen = new Set<string>();
  lines.forEach((line, index) => {
    const path = `packageLineItems.${index}`;
    const isProduct = isProductLine(line);
    const id = isProduct ? line.productID : line.discountID;
    const field = isProduct ? 'productID' : 'discountID';
    const key = `${field} ${id}`;
    if (isMissing(id)) fields[`${path}.${field}`] = isProduct ? 'Please Select a Product' : 'Please Select a Discount';
    else if (isProduct && !isMissing(line.discountID)) fields[`${path}.discountID`] = LINE_OF_BOTH;
    else if (seen.has(key)) fields[`${path}.${field}`] = TWICE_IN_PACKAGE;
    seen.add(key);
    if (decimal(line.quantity).lte(0)) fields[`${path}.quantity`] = 'The quantity must be more than zero';
  });
  return fields;
}

/** Returns whether a line sells a product. The result is false only for a line with a discount and no product. */
export function isProductLine({ isAProductLine, productID, discountID }: Omit<CheckablePackageLine, 'quantity'>) {
  return isAProductLine ?? (!isMissing(productID) || isMissing(discountID));
}

/** Throws 422 if a package is invalid or its discounts exceed its products. */
export function requirePackage(deal: CheckablePackage, priced: PricedPackage): void {
  refuseFields(checkPackage(deal));
  if (priced.total.lt(0)) {
    throw refuse(PACKAGE_NEGATIVE, { packageLineItems: PACKAGE_NEGATIVE });
  }
}

export const PACKAGE_NEGATIVE = 'The package total cannot be negative';
