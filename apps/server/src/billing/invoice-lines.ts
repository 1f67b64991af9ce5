import type { BillingLineInput } from '@evenkeel/contract/billing';
import type { DiscountTerms } from '@evenkeel/core/discounts';
import { type FieldMessages, present, refuse } from '@evenkeel/core/failure';
import {
  type CheckableLine,
  type LineDiscount,
  lineRequirements,
  type PriceableLine,
  type PricedLine,
  priceInvoice,
  requireLines,
} from '@evenkeel/core/invoice';
import { type Cents, type Decimal, decimal, toDecimal } from '@evenkeel/core/money';
import {
  type GivenDiscount,
  PACKAGE_NEGATIVE,
  postedParts,
  sellPackage,
  type SoldPackage,
} from '@evenkeel/core/packages';
import { RECEIVABLE } from '@evenkeel/core/side';
import type { PackageRow } from '../catalogue/packages.sql.ts';
import { packageOf } from '../catalogue/packages.ts';
import type { CompanySettings } from '../settings/settings.ts';
import { lineAccountFault } from '../subledger/line-account.ts';
import type { TaxSnapshot } from '../subledger/settlement.sql.ts';
import type { InvoiceFacts, LineRow } from './invoices.sql.ts';

export interface LineContext extends Pick<InvoiceFacts, 'references' | 'packages' | 'discounts'> {
  settings: CompanySettings;
  /** The invoice's stored lines; empty for a new one. */
  stored: readonly LineRow[];
  /** Payments are on the invoice. */
  hasPayments: boolean;
  /** Ids for the lines that have none yet. */
  newIds: readonly number[];
}

export interface BuiltLines {
  lines: LineRow[];
  taxSnapshot: TaxSnapshot[];
  salesTaxAmount: Cents;
  invoiceAmount: Cents;
}

/** The live lines of a request, with their places in it for messages. */
export function liveInputs(input: readonly BillingLineInput[]): { line: BillingLineInput; index: number }[] {
  return input.flatMap((line, index) => (line.deleted === true ? [] : [{ line, index }]));
}

/**
 * Request lines → stored lines with their money (docs/accounting.md, "The money of an invoice"). A product line takes
 * account, profit center and taxability from the product unless it says otherwise; packages and discounts have their
 * own price, and keep what they were when the line was made. Throws a refusal with a message per wrong field; ids that
 * are not the company's are refused like missing ones.
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
  const exactRates = rates.map((rate) => ({ ...rate, percentage: decimal(rate.percentage) }));
  const priced = priceInvoice(
    live.map((line) => line.priceable),
    exactRates,
  );
  let used = 0;
  const lines = live.map(({ row, priceable }, index) => {
    const id = row.id > 0 ? row.id : present(context.newIds[used++], 'id of a line');
    const accountId = present(row.accountId, 'account of a line');
    return { ...row, id, accountId, lineNo: index + 1, ...moneyOf(priced.lines[index], priceable) };
  });
  const taxSnapshot = priced.taxItems.map((item) => ({ ...item, percentage: item.percentage.toString() }));
  return { lines, taxSnapshot, salesTaxAmount: priced.salesTaxAmount, invoiceAmount: priced.invoiceAmount };
}

/** The amounts of a line as they are stored; a package and a discount with their terms at that time. */
function moneyOf(money: PricedLine | undefined, { package: deal, discount }: PriceableLine): LineMoney {
  if (money === undefined) throw new Error('a line was not priced');
  const { itemPrice, taxable, lineItemAmount, partAmounts, discountBase } = money;
  return {
    itemPrice,
    taxable,
    lineItemAmount,
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
  | 'lineTax'
  | 'taxItems'
  | 'parts'
  | 'discountTerms'
>;

/** A line of a request with what it names, before its money is known. */
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
      productId: product?.id ?? null,
      packageId: deal?.packageID ?? null,
      discountId: discount?.discountID ?? null,
      productName: product?.name ?? deal?.name ?? discount?.name ?? null,
      description: line.description,
      serviceDate: line.serviceDate ?? null,
      // A package posts to the accounts of its parts; the line itself names the first of them.
      accountId: (sold === undefined ? given(line.accountId) : undefined) ?? own?.accountId ?? null,
      profitCenterId: given(line.profitCenterId) ?? own?.profitCenterId ?? null,
      locationId: given(line.locationId) ?? null,
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

/** The product, package or discount that a line names, as far as the company has it. */
function namedBy(line: BillingLineInput, { references, packages, discounts }: LineContext) {
  return {
    product: references.products.find((each) => each.id === line.productId),
    deal: packages.find((each) => each.packageID === line.packageId),
    discount: discounts.find((each) => each.discountID === line.discountId),
  };
}

/** The package as it was when the line was made, or as it is now for a new line. */
function packageOn(deal: PackageRow, before: LineRow | undefined): SoldPackage {
  if (before?.packageId !== deal.packageID || before.parts === null) return sellPackage(packageOf(deal));
  return { itemPrice: before.itemPrice, itemAmount: decimal(before.itemAmount), parts: before.parts };
}

function packageAccount(sold: SoldPackage | undefined) {
  const part = sold?.parts.find((each) => each.productID !== null) ?? sold?.parts[0];
  return part && { accountId: part.GLAccountID, profitCenterId: null };
}

/** The discount as it was when the line was made; while payments are on the invoice, a percentage stays what it was. */
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

/** Tax applies only if the product is taxable; a line that was saved so keeps it when the product changes later. */
function isTaxable(
  line: BillingLineInput,
  product: { id: number; taxable: boolean } | undefined,
  before: LineRow | undefined,
) {
  if (product === undefined) return line.taxable ?? false;
  const kept = before?.productId === product.id && before.taxable;
  return (line.taxable ?? product.taxable) && (product.taxable || kept);
}

/** Clients say "none" as null, 0 or by leaving the field out. */
function given(id: number | null | undefined): number | undefined {
  return id === null || id === undefined || id === 0 ? undefined : id;
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

/** The ids that the lines name, for one look-up. */
export function referencedIds(input: readonly BillingLineInput[]) {
  const ids = (pick: (line: BillingLineInput) => number | null | undefined): number[] => [
    ...new Set(input.flatMap((line) => given(pick(line)) ?? [])),
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
    for (const [name, message] of referenceFaults(line, context)) fields[`lineItems.${index}.${name}`] = message;
    // A line that is named twice would count twice and be kept once.
    const id = line.id ?? 0;
    if (id > 0 && seen.has(id)) fields[`lineItems.${index}.id`] = 'This line is not part of the invoice';
    seen.add(id);
  }
  const [first] = Object.values(fields);
  if (first !== undefined) throw refuse(first, fields);
}

function referenceFaults(line: BillingLineInput, context: LineContext): [string, string][] {
  const { references, stored } = context;
  const before = stored.find((each) => each.id === line.id);
  const { product, deal, discount } = namedBy(line, context);
  const account = references.accounts.find((each) => each.id === line.accountId);
  const isMissing = (id: number | null | undefined, found: boolean): boolean => given(id) !== undefined && !found;
  const productFits = product !== undefined && (product.active || before?.productId === product.id);
  const accountFault = lineAccountFault(account, RECEIVABLE, before?.accountId);
  const dealFits = deal !== undefined && (!deal.deleted || before?.packageId === deal.packageID);
  const discountFits = discount !== undefined && (discount.active || before?.discountId === discount.discountID);
  const isOfSeveral =
    [line.productId, line.packageId, line.discountId].filter((id) => given(id) !== undefined).length > 1;
  const isNegative = deal !== undefined && packageOn(deal, before).itemPrice < 0;
  const faults: [string, boolean, string][] = [
    ['id', (line.id ?? 0) > 0 && before === undefined, 'This line is not part of the invoice'],
    ['productId', isMissing(line.productId, productFits), 'Please Select a Product'],
    ['packageId', isMissing(line.packageId, dealFits) || isOfSeveral, 'Please Select a Product or Package'],
    ['packageId', isNegative, PACKAGE_NEGATIVE],
    ['discountId', isMissing(line.discountId, discountFits), 'Please Select a Product or Package'],
    ['accountId', isMissing(line.accountId, accountFault === undefined), accountFault ?? ''],
    [
      'profitCenterId',
      isMissing(line.profitCenterId, references.profitCenterIds.includes(line.profitCenterId ?? 0)),
      'Please Select a Profit Center',
    ],
    [
      'locationId',
      isMissing(line.locationId, references.locationIds.includes(line.locationId ?? 0)),
      'Please Select a Location',
    ],
  ];
  return faults.flatMap(([name, isWrong, message]): [string, string][] => (isWrong ? [[name, message]] : []));
}
