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
 * Package deals: their price, and its shares among their parts (docs/accounting.md, "Package deals and discounts").
 * Figures have 6 decimals; only what is posted is cents.
 */

/** Discount modes of a package: none, those that are chosen, or whatever leads to a goal price. */
export const NO_DISCOUNTS = 0;
export const MY_DISCOUNTS = 1;
export const SMART_DISCOUNT = 2;

/** A product as packages and billing lines sell it. */
export interface SoldProduct extends Offer {
  productID: number;
  name: string;
  /** Unit price in cents. */
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

/** A line of a package: so many of a product, or a discount. */
export interface PackageItem {
  quantity: Decimal;
  product: SoldProduct | null;
  discount: GivenDiscount | null;
}

export interface Package {
  packageDealDiscountType: number;
  /** Price after the smart discount, in cents. */
  goalPrice: Cents;
  items: readonly PackageItem[];
}

/** The difference between the products' prices and the goal price; above zero it is a premium. */
export interface SmartDiscount {
  name: 'Smart Discount' | 'Smart Premium';
  /** 6 decimals. */
  amount: Decimal;
  /** Percentage of the products' prices, 6 decimals. */
  percentageValue: Decimal;
}

export interface PricedPackage {
  /** Value of each line, in line order; discounts are negative and, outside of their mode, 0. */
  values: Decimal[];
  total: Decimal;
  smart: SmartDiscount | null;
}

const NONE = decimal(0);

/** The price of a package. Each percentage is taken of the products' sum; they do not compound. */
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

/** The smart discount as a person reads it: "-10.71%" and "($29.99)". */
export function smartDisplay({ amount, percentageValue }: SmartDiscount) {
  return {
    displayPercentage: `${toPlain(toCents(percentageValue))}%`,
    displayAmount: formatUsd(toCents(amount)),
  };
}

/** One part of a package as a billing line keeps it; later changes of catalogue or package do not affect it. */
export interface PackagePart extends Offer {
  /** One of the two. */
  productID: number | null;
  discountID: number | null;
  name: string;
  GLAccountID: number;
  profitCenterID: number | null;
  taxable: boolean;
  quantity: Decimal | string;
  /** Value in one package before a smart discount, at most 6 decimals; discounts are negative. */
  weight: Decimal | string;
}

/** A package on a billing line. */
export interface SoldPackage {
  /** Unit price: its total, rounded. */
  itemPrice: Cents;
  /** Unit price to 4 decimals, before it was rounded. */
  itemAmount: Decimal;
  parts: readonly PackagePart[];
}

/** A package as it is sold now. */
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
 * The posted parts of a package line, in cents, which always sum to `amount`, the line's own: products and discounts at
 * their worth in so many packages, and the effect of rounding or a smart discount on the price shared over the
 * products in proportion to theirs; the cents that are left go to the largest fractions. Products that are all free
 * share by their quantities.
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
  // Quantity and weights are millionths, and a dollar has 100 cents: a cent is 10^10 of their product.
  const packages = millionths(quantity);
  const worth = packages * weights.reduce((sum, weight) => sum + weight, 0n);
  const missing = BigInt(amount) * CENT - worth;
  return roundTogether(
    weights.map((weight, index) => packages * weight * gross + (isProduct[index] === true ? missing * weight : 0n)),
    CENT * gross,
  );
}

const CENT = 10_000_000_000n;

/** The parts of a package line with what is posted of each. */
export function postedParts<P extends PackagePart>(parts: readonly P[], amounts: readonly Cents[]) {
  return parts.map((part, index) => ({ ...part, amount: amounts[index] ?? ZERO }));
}

/**
 * The share of a line's `amounts` (by part) that belongs to matching products, less their share of the package's own
 * discounts; at most 6 decimals.
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
  /** Cents. */
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

/** Messages for a wrong package, by field; lines by their position ("packageLineItems.0.quantity"). */
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

/** A line is one of a product unless it says otherwise or names a discount alone. */
export function isProductLine({ isAProductLine, productID, discountID }: Omit<CheckablePackageLine, 'quantity'>) {
  return isAProductLine ?? (!isMissing(productID) || isMissing(discountID));
}

/** Refuses (422) a package that is wrong, or whose discounts come to more than its products. */
export function requirePackage(deal: CheckablePackage, priced: PricedPackage): void {
  refuseFields(checkPackage(deal));
  if (priced.total.lt(0)) {
    throw refuse(PACKAGE_NEGATIVE, { packageLineItems: PACKAGE_NEGATIVE });
  }
}

export const PACKAGE_NEGATIVE = 'The package total cannot be negative';
