import type { BillingLineInput } from '@evenkeel/contract/billing';
import { isBillable } from '@evenkeel/core/accounts';
import { refuse, type FieldMessages } from '@evenkeel/core/failure';
import { lineRequirements, priceInvoice, requireLines } from '@evenkeel/core/invoice';
import { type Cents, type Decimal, decimal, toDecimal } from '@evenkeel/core/money';
import type { CompanySettings } from '../settings/settings.ts';
import type { References } from '../subledger/references.sql.ts';
import type { TaxSnapshot } from '../subledger/tables.sql.ts';
import type { LineRow } from './invoices.sql.ts';

export interface LineContext {
  references: References;
  settings: CompanySettings;
  /** The invoice's stored lines; empty for a new one. */
  stored: readonly LineRow[];
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
 * Request lines → stored lines with their money (Specification part 1 §5, §9; accounting: A4). A product line takes
 * account, profit center and taxability from the product unless it says otherwise. Throws a refusal with a message per
 * wrong field; ids that are not the company's are refused like missing ones.
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
  const priced = priceInvoice(live.map(priceable), exactRates);
  let used = 0;
  const lines = live.map((line, index) => {
    const money = priced.lines[index];
    const id = line.id > 0 ? line.id : (context.newIds[used++] ?? 0);
    return {
      ...line,
      id,
      lineNo: index + 1,
      lineItemAmount: money?.lineItemAmount ?? line.itemPrice,
      lineTax: (money?.lineItemTax ?? decimal(0)).toString(),
      taxItems: (money?.taxItems ?? []).map((item) => ({ ...item, total: item.total.toString() })),
    };
  });
  const taxSnapshot = priced.taxItems.map((item) => ({ ...item, percentage: item.percentage.toString() }));
  return { lines, taxSnapshot, salesTaxAmount: priced.salesTaxAmount, invoiceAmount: priced.invoiceAmount };
}

function priceable(line: { itemPrice: Cents; quantity: string; taxable: boolean }) {
  return { itemPrice: toDecimal(line.itemPrice), quantity: decimal(line.quantity), taxable: line.taxable };
}

type ResolvedLine = Omit<LineRow, 'lineNo' | 'lineItemAmount' | 'lineTax' | 'taxItems'>;

function resolve(line: BillingLineInput, context: LineContext): ResolvedLine {
  const product = context.references.products.find((each) => each.id === line.productId);
  const before = context.stored.find((each) => each.id === line.id);
  return {
    id: line.id ?? 0,
    productId: product?.id ?? null,
    productName: product?.name ?? null,
    description: line.description,
    serviceDate: line.serviceDate ?? null,
    itemPrice: line.itemPrice,
    itemAmount: toDecimal(line.itemPrice).toString(),
    quantity: line.quantity.toString(),
    taxable: isTaxable(line, product, before),
    accountId: given(line.accountId) ?? product?.accountId ?? 0,
    profitCenterId: given(line.profitCenterId) ?? product?.profitCenterId ?? null,
    locationId: given(line.locationId) ?? null,
  };
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
  const resolved = resolve(line, context);
  const quantity: Decimal = line.quantity;
  return {
    description: line.description,
    accountId: resolved.accountId,
    isProduct: resolved.productId !== null,
    isPackage: false,
    itemPrice: toDecimal(line.itemPrice),
    quantity,
    profitCenterId: resolved.profitCenterId,
    locationId: resolved.locationId,
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
    accounts: ids((line) => line.accountId),
    profitCenters: ids((line) => line.profitCenterId),
    locations: ids((line) => line.locationId),
  };
}

function checkReferences(input: readonly BillingLineInput[], context: LineContext): void {
  const fields: FieldMessages = {};
  for (const { line, index } of liveInputs(input)) {
    for (const [name, message] of referenceFaults(line, context)) fields[`lineItems.${index}.${name}`] = message;
  }
  const [first] = Object.values(fields);
  if (first !== undefined) throw refuse(first, fields);
}

function referenceFaults(line: BillingLineInput, { references, stored }: LineContext): [string, string][] {
  const before = stored.find((each) => each.id === line.id);
  const product = references.products.find((each) => each.id === line.productId);
  const account = references.accounts.find((each) => each.id === line.accountId);
  const isMissing = (id: number | null | undefined, found: boolean): boolean => given(id) !== undefined && !found;
  const productFits = product !== undefined && (product.active || before?.productId === product.id);
  const accountFits =
    account !== undefined && (before?.accountId === account.id || (account.active && isBillable(account)));
  const faults: [string, boolean, string][] = [
    ['id', (line.id ?? 0) > 0 && before === undefined, 'This line is not part of the invoice'],
    ['productId', isMissing(line.productId, productFits), 'Please Select a Product'],
    ['packageId', given(line.packageId) !== undefined, 'Please Select a Product or Package'],
    ['discountId', given(line.discountId) !== undefined, 'Please Select a Product or Package'],
    ['accountId', isMissing(line.accountId, accountFits), 'Please Select an Account'],
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
