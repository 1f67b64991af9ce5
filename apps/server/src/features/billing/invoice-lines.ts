import type { BillingLineInput } from '@evenkeel/contract/billing';
import { idOrNull } from '@evenkeel/contract/fields';
import type { DiscountTerms } from '@evenkeel/core/documents/discounts';
import { type FieldMessages, present } from '@evenkeel/core/failure';
import {
  type CheckableLine,
  type LineDiscount,
  lineRequirements,
  type PriceableLine,
  type PricedInvoice,
  type PricedLine,
  priceInvoice,
  priceLines,
  refuseNegative,
  requireLines,
} from '@evenkeel/core/documents/invoice';
import { type Cents, type Decimal, decimal, toDecimal } from '@evenkeel/core/money';
import {
  type GivenDiscount,
  PACKAGE_NEGATIVE,
  postedParts,
  sellPackage,
  type SoldPackage,
} from '@evenkeel/core/documents/packages';
import { type PartLine, pricePart, type Whole } from '@evenkeel/core/documents/parts';
import type { TaxRate } from '@evenkeel/core/documents/tax';
import { RECEIVABLE } from '@evenkeel/core/documents/side';
import type { PackageRow } from '../catalogue/packages.sql.ts';
import { packageOf } from '../catalogue/packages.ts';
import type { CompanySettings } from '../../books/company-settings.ts';
import { accountFault, noteFault, referenceFault, refuseFaults } from '../../books/ledger/references.ts';
import type { TaxSnapshot } from '../../books/documents/settlement.sql.ts';
import type { InvoiceFacts, LineRow } from './invoices.sql.ts';

export interface LineContext extends Pick<InvoiceFacts, 'references' | 'packages' | 'discounts'> {
  settings: CompanySettings;
  /** The lines by ID: the invoice's stored lines, or the lines of the work items to bill. */
  stored: readonly LineRow[];
  /** Whether payments are applied to the invoice. */
  hasPayments: boolean;
  /** Whether the lines are not part of an invoice yet. In that case, their total can be negative. */
  areAlone?: boolean;
  /** The whole document, if these lines are a part of one. */
  whole?: Whole | undefined;
  /** IDs for the lines that don't have one yet. */
  newIds: readonly number[];
}

export interface BuiltLines {
  lines: LineRow[];
  taxSnapshot: TaxSnapshot[];
  salesTaxAmount: Cents;
  invoiceAmount: Cents;
}

/** Returns the lines in a request that are not deleted. Each line has its index, which error messages need. */
export function liveInputs(input: readonly BillingLineInput[]): { line: BillingLineInput; index: number }[] {
  return input.flatMap((line, index) => (line.deleted === true ? [] : [{ line, index }]));
}

/**
 * Converts request lines to stored lines with amounts (docs/accounting.md, "Invoice amounts"). A product line takes its
 * account, profit center, and taxability from the product unless the request sets them. Packages and discounts have
 * their own prices and keep their terms from when the line was created. Throws 422 with a message for each invalid
 * field. IDs of other companies' records are rejected like missing ones.
 */
export function buildLines(
  input: readonly BillingLineInput[],
  rates: readonly Omit<TaxSnapshot, 'total'>[],
  context: LineContext,
): BuiltLines {
  checkReferences(input, context);
  const live = liveInputs(input).map(({ line }) => resolve(line, context));
  requireLines(
    input.map((line) => checkable(line, context)),
    lineRequirements(context.settings, {
      profitCenters: context.references.activeProfitCenters,
      locations: context.references.activeLocations,
    }),
  );
  const priced = priceResolved(live, rates, pricing(context));
  let used = 0;
  const lines = live.map(({ row, priceable }, index) => {
    const id = row.id > 0 ? row.id : present(context.newIds[used++], 'line ID');
    const accountId = present(row.accountId, 'line account');
    return { ...row, id, accountId, lineNo: index + 1, ...moneyOf(priced.lines[index], priceable) };
  });
  const taxSnapshot = priced.taxItems.map((item) => ({ ...item, percentage: item.percentage.toString() }));
  return { lines, taxSnapshot, salesTaxAmount: priced.salesTaxAmount, invoiceAmount: priced.invoiceAmount };
}

/** Returns the total of the lines, including tax, without checking whether the lines can be saved. */
export function amountOf(
  input: readonly BillingLineInput[],
  rates: readonly Omit<TaxSnapshot, 'total'>[],
  context: LineContext,
): Cents {
  const live = liveInputs(input).map(({ line }) => resolve(line, context));
  return priceResolved(live, rates, priceLines).invoiceAmount;
}

/** Returns how these lines are priced: as unbilled lines, as an invoice, or as a part of another document. */
function pricing({ areAlone, whole }: LineContext): Price {
  if (whole === undefined) return areAlone === true ? priceLines : priceInvoice;
  return (lines, rates) => {
    const priced = pricePart(lines, rates, whole);
    return areAlone === true ? priced : refuseNegative(priced);
  };
}

type Price = (lines: readonly PartLine[], rates: readonly TaxRate[]) => PricedInvoice;

function priceResolved(live: readonly ResolvedLine[], rates: readonly Omit<TaxSnapshot, 'total'>[], price: Price) {
  const exactRates = rates.map((rate) => ({ ...rate, percentage: decimal(rate.percentage) }));
  return price(
    live.map(({ row, priceable }) => ({ ...priceable, of: row.creditedLineId ?? row.estimateLineId })),
    exactRates,
  );
}

/** Returns the amounts that are stored with a line. Packages and discounts include the terms that apply to the line. */
function moneyOf(money: PricedLine | undefined, { package: deal, discount }: PriceableLine): LineMoney {
  if (money === undefined) throw new Error('a line has no price');
  const { itemPrice, taxable, lineItemAmount, restAmount, partAmounts, discountBase } = money;
  return {
    itemPrice,
    taxable,
    lineItemAmount,
    restAmount,
    itemAmount: money.itemAmount.toString(),
    quantity: money.quantity.toString(),
    lineTax: money.lineItemTax.toString(),
    taxItems: money.taxItems.map((item) => ({ ...item, total: item.total.toString() })),
    parts: deal === undefined ? null : postedParts(deal.parts, partAmounts ?? []),
    discountTerms: discount === undefined ? null : termsOf(discount, discountBase),
  };
}

function termsOf({ discountPercentage, ...terms }: DiscountTerms, base: Decimal | null) {
  const { discountType, discountTypeTarget, productCategoryID, discountFlatValue } = terms;
  return {
    discountType,
    discountTypeTarget,
    productCategoryID,
    discountFlatValue,
    discountPercentage: discountPercentage.toString(),
    base: base?.toString() ?? null,
  };
}

type LineMoney = Pick<
  LineRow,
  | 'itemPrice'
  | 'itemAmount'
  | 'quantity'
  | 'taxable'
  | 'lineItemAmount'
  | 'restAmount'
  | 'lineTax'
  | 'taxItems'
  | 'parts'
  | 'discountTerms'
>;

/** A requested line and the records that it refers to. Its amounts are not calculated yet. */
interface ResolvedLine {
  row: Omit<LineRow, 'lineNo' | 'accountId' | keyof LineMoney> & Pick<CheckableLine, 'accountId'>;
  priceable: PriceableLine;
}

function resolve(line: BillingLineInput, context: LineContext): ResolvedLine {
  const before = context.stored.find((each) => each.id === line.id);
  const { product, deal, discount } = namedBy(line, context);
  const sold = deal === undefined ? undefined : packageOn(deal, before);
  const terms = discount === undefined ? undefined : discountOn(discount, { before, hasPayments: context.hasPayments });
  const own = product ?? discountAccount(discount, before) ?? packageAccount(sold);
  return {
    row: {
      id: line.id ?? 0,
      workItemId: before?.workItemId ?? null,
      freedItemId: before?.freedItemId ?? null,
      freed: before?.freed ?? null,
      charge: before?.charge ?? null,
      creditedLineId: before?.creditedLineId ?? null,
      estimateLineId: before?.estimateLineId ?? null,
      productId: product?.id ?? null,
      packageId: deal?.packageID ?? null,
      discountId: discount?.discountID ?? null,
      productName: product?.name ?? deal?.name ?? discount?.name ?? null,
      description: line.description,
      serviceDate: line.serviceDate ?? null,
      // A package posts to the accounts of its parts. The line itself refers to the first of them.
      accountId: (sold === undefined ? idOrNull(line.accountId) : null) ?? own?.accountId ?? null,
      profitCenterId: idOrNull(line.profitCenterId) ?? own?.profitCenterId ?? null,
      locationId: idOrNull(line.locationId) ?? null,
    },
    priceable: {
      itemPrice: toDecimal(line.itemPrice),
      quantity: line.quantity,
      taxable: sold === undefined ? isTaxable(line, product, before) : (line.taxable ?? true),
      product,
      package: sold,
      discount: terms,
    },
  };
}

/** Returns a line's product, package, and discount if they belong to the company. */
function namedBy(line: BillingLineInput, { references, packages, discounts }: LineContext) {
  return {
    product: references.products.find((each) => each.id === line.productId),
    deal: packages.find((each) => each.packageID === line.packageId),
    discount: discounts.find((each) => each.discountID === line.discountId),
  };
}

/** Returns the package as it was when the line was created, or the current package for a new line. */
function packageOn(deal: PackageRow, before: LineRow | undefined): SoldPackage {
  if (before?.packageId !== deal.packageID || before.parts === null) return sellPackage(packageOf(deal));
  return { itemPrice: before.itemPrice, itemAmount: decimal(before.itemAmount), parts: before.parts };
}

function packageAccount(sold: SoldPackage | undefined) {
  const part = sold?.parts.find((each) => each.productID !== null) ?? sold?.parts[0];
  return part && { accountId: part.GLAccountID, profitCenterId: null };
}

/**
 * Returns the discount as it was when the line was created. While payments are applied to the invoice, a percentage
 * discount keeps its amount.
 */
function discountOn(
  discount: GivenDiscount,
  { before, hasPayments }: { before: LineRow | undefined; hasPayments: boolean },
): LineDiscount {
  if (before?.discountId !== discount.discountID || before.discountTerms === null) return discount;
  const { base, ...terms } = before.discountTerms;
  if (!hasPayments || base === null) return terms;
  const kept = { amount: before.lineItemAmount, itemAmount: decimal(before.itemAmount), base: decimal(base) };
  return { ...terms, kept };
}

function discountAccount(discount: GivenDiscount | undefined, before: LineRow | undefined) {
  if (discount === undefined) return undefined;
  if (before?.discountId === discount.discountID) return before;
  return { accountId: discount.GLAccountID, profitCenterId: discount.profitCenterID };
}

/** Tax applies only if the product is taxable. A saved taxable line stays taxable even if the product changes later. */
function isTaxable(
  line: BillingLineInput,
  product: { id: number; taxable: boolean } | undefined,
  before: LineRow | undefined,
) {
  if (product === undefined) return line.taxable ?? false;
  const kept = before?.productId === product.id && before.taxable;
  return (line.taxable ?? product.taxable) && (product.taxable || kept);
}

function checkable(line: BillingLineInput, context: LineContext) {
  const { row } = resolve(line, context);
  return {
    description: line.description,
    accountId: row.accountId,
    isProduct: row.productId !== null,
    isPackage: row.packageId !== null,
    itemPrice: toDecimal(line.itemPrice),
    quantity: line.quantity,
    profitCenterId: row.profitCenterId,
    locationId: row.locationId,
    deleted: line.deleted ?? false,
  };
}

/** Returns the IDs on the lines, so that one query can read all records. */
export function referencedIds(input: readonly BillingLineInput[]) {
  const ids = (pick: (line: BillingLineInput) => number | null | undefined): number[] => [
    ...new Set(input.flatMap((line) => idOrNull(pick(line)) ?? [])),
  ];
  return {
    products: ids((line) => line.productId),
    packages: ids((line) => line.packageId),
    discounts: ids((line) => line.discountId),
    accounts: ids((line) => line.accountId),
    profitCenters: ids((line) => line.profitCenterId),
    locations: ids((line) => line.locationId),
  };
}

function checkReferences(input: readonly BillingLineInput[], context: LineContext): void {
  const fields: FieldMessages = {};
  const seen = new Set<number>();
  for (const { line, index } of liveInputs(input)) {
    for (const [name, message] of lineFaults(line, context)) noteFault(fields, `lineItems.${index}.${name}`, message);
    // A duplicate line would be counted twice but stored only once.
    const id = line.id ?? 0;
    if (id > 0 && seen.has(id)) fields[`lineItems.${index}.id`] = NOT_ITS_LINE;
    seen.add(id);
  }
  refuseFaults(fields);
}

const NOT_ITS_LINE = "This line isn't on the invoice";

/** Validates the records that a line refers to. Returns an error message by field, or undefined for a valid field. */
function lineFaults(line: BillingLineInput, context: LineContext): [string, string | undefined][] {
  const { references, packages, discounts, stored } = context;
  const before = stored.find((each) => each.id === line.id);
  const deals = packages.map(({ packageID: id, deleted }) => ({ id, active: !deleted }));
  const offs = discounts.map(({ discountID: id, active }) => ({ id, active }));
  const named = (id: number | null | undefined, was: number | null | undefined) => {
    return { id: idOrNull(id), before: was };
  };
  const deal = packages.find((each) => each.packageID === line.packageId);
  const isOfSeveral =
    [line.productId, line.packageId, line.discountId].filter((id) => idOrNull(id) !== null).length > 1;
  const isNegative = deal !== undefined && packageOn(deal, before).itemPrice < 0;
  const center = named(line.profitCenterId, before?.profitCenterId);
  return [
    ['id', (line.id ?? 0) > 0 && before === undefined ? NOT_ITS_LINE : undefined],
    ['productId', referenceFault('product', references.products, named(line.productId, before?.productId))],
    ['packageId', referenceFault('deal', deals, named(line.packageId, before?.packageId))],
    ['packageId', isOfSeveral ? 'Please Select a Product or Package' : undefined],
    ['packageId', isNegative ? PACKAGE_NEGATIVE : undefined],
    ['discountId', referenceFault('deal', offs, named(line.discountId, before?.discountId))],
    ['accountId', accountFault(references.accounts, named(line.accountId, before?.accountId), RECEIVABLE)],
    ['profitCenterId', referenceFault('profitCenter', references.profitCenters, center)],
    ['locationId', referenceFault('location', references.locations, named(line.locationId, before?.locationId))],
  ];
}
