import { type CatalogueQuery, PackageDeal, type PackageDealInput } from '@evenkeel/contract/catalogue';
import { notFound, refuse } from '@evenkeel/core/failure';
import { decimal, ZERO } from '@evenkeel/core/money';
import {
  isProductLine,
  MY_DISCOUNTS,
  NO_DISCOUNTS,
  type Package,
  pricePackage,
  requirePackage,
  smartDisplay,
} from '@evenkeel/core/documents/packages';
import { type LinkPlan, planLinks, unlinkAll } from '../../books/attachments/links.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import { pageOf } from '../../platform/db/page.ts';
import { holds } from '../../platform/http/session.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import * as packagesSql from './packages.sql.ts';
import { type LineWanted, type ListedPackage, type PackageLineRow, type PackageRow, packages } from './packages.sql.ts';
import { inactive } from '../../books/ledger/references.ts';

const subject: Subject<typeof PackageDeal> = { name: 'package', schema: PackageDeal, idOf: (deal) => deal.packageID };

/**
 * Lists active package deals or all package deals, by default sorted by name. Returns the whole list, or one page if
 * `limit` is given. Can be sorted by name and description.
 */
export async function listPackages(ctx: Ctx, ask: CatalogueQuery) {
  const [rows, count] = await Promise.all([
    ctx.tx.rows(packagesSql.listSql(ask)),
    ask.limit === undefined ? undefined : ctx.tx.row(packagesSql.countSql(ask)),
  ]);
  // Every user can choose a package from the list. Files are included only for users who can view products.
  const shown = holds(ctx, 'View Products') ? {} : { documentLinks: [] };
  const view = ({ id: _, sortKey: __, ...row }: ListedPackage): PackageDeal => ({ ...packageView(row), ...shown });
  return pageOf(ask, { rows, total: count?.total ?? 0 }, view);
}

/** Returns one package deal, active or inactive. Throws 404 if it does not exist. */
export async function getPackage(ctx: Ctx, id: number): Promise<PackageDeal> {
  return packageView(required(await ctx.tx.row(packagesSql.packagesOf([id]))));
}

/**
 * Creates a package deal. Throws 422 if validation fails (core/packages) or an item is not available in the company.
 */
export async function createPackage(ctx: Ctx, input: PackageDealInput): Promise<PackageDeal> {
  const [{ head, lines }, links] = await Promise.all([
    wantedOf(ctx, input, undefined),
    planLinks(ctx, { kind: 'package', id: 0 }, input.documentLinks),
  ]);
  const { packageID } = await ctx.tx.one(packages.insert(head, ['packageID']));
  return written(ctx, packageID, { lines, links });
}

/**
 * Saves the package with the ID `packageID`. Saved invoices keep their terms. Throws 404, 409 'stale', and 422 for the
 * same reasons as createPackage.
 */
export async function updatePackage(ctx: Ctx, input: PackageDealInput): Promise<PackageDeal> {
  const packageID = input.packageID ?? 0;
  const [[, [found]], links] = await Promise.all([
    ctx.tx.inOrder([packagesSql.lockSql(packageID), packagesSql.packagesOf([packageID])]),
    planLinks(ctx, { kind: 'package', id: packageID }, input.documentLinks),
  ]);
  const stored = required(found);
  const before = packageView(stored);
  requireFresh(PackageDeal, before, input.rowVersion);
  const { head, lines } = await wantedOf(ctx, input, stored);
  await ctx.tx.rows(packages.update({ packageID }, { ...head, rowVersion: stored.rowVersion + 1 }));
  return written(ctx, packageID, { lines, links, before });
}

/**
 * Deletes a package with its lines, or makes it inactive if an invoice refers to it. Throws 404 if the package does not
 * exist.
 */
export async function deletePackage(ctx: Ctx, packageID: number): Promise<{ ok: true }> {
  const [, [found], [use]] = await ctx.tx.inOrder([
    packagesSql.lockSql(packageID),
    packagesSql.packagesOf([packageID]),
    packages.isUsed(packageID),
  ]);
  const before = packageView(required(found));
  const kept = { active: false, rowVersion: before.rowVersion + 1 };
  const write =
    use?.used === false
      ? [unlinkAll({ kind: 'package', id: packageID }), packages.delete({ packageID })]
      : packages.update({ packageID }, kept);
  record(ctx, subject, { before, write });
  return { ok: true };
}

/** Converts a stored package to the form that core uses for calculations. */
export function packageOf({ packageDealDiscountType, goalPrice, lines }: PackageRow): Package {
  const items = lines.map((line) => ({ ...line, quantity: decimal(line.quantity) }));
  return { packageDealDiscountType, goalPrice, items };
}

/** Returns a stored package in the API format. */
export function packageView({ lines, ...deal }: PackageRow): PackageDeal {
  const { values, total, smart } = pricePackage(packageOf({ lines, ...deal }));
  const { packageID } = deal;
  return {
    ...deal,
    packageTotalPrice: total,
    packageLineItems: lines.map(({ packageLineItemID, quantity, product, discount }, index) => ({
      packageLineItemID,
      productID: product?.productID ?? null,
      discountID: discount?.discountID ?? null,
      isAProductLine: product !== null,
      quantity: decimal(quantity),
      totalLineItemValue: values[index] ?? decimal(0),
      product,
      discount: discount && { ...discount, discountPercentage: decimal(discount.discountPercentage) },
    })),
    smartDiscount: smart && {
      ...smart,
      ...smartDisplay(smart),
      smartDiscountID: packageID,
      packageID,
      flatvalue: smart.amount,
    },
  };
}

const NO_LINES: PackageLineRow[] = [];
const NEW_PACKAGE = {
  name: '',
  description: '',
  packageDealDiscountType: NO_DISCOUNTS,
  goalPrice: ZERO,
  deleted: false,
  lines: NO_LINES,
};

function required(row: PackageRow | undefined): PackageRow {
  if (row === undefined) throw notFound('Package');
  return row;
}

/**
 * Returns the package to store: the stored one with the input applied. Throws 422 with a message for each invalid
 * field.
 */
async function wantedOf(ctx: Ctx, input: PackageDealInput, stored: PackageRow | undefined) {
  const base = stored ?? NEW_PACKAGE;
  const packageDealDiscountType = input.packageDealDiscountType ?? base.packageDealDiscountType;
  const head = {
    name: input.name ?? base.name,
    description: input.description ?? base.description,
    packageDealDiscountType,
    goalPrice: input.goalPrice ?? base.goalPrice,
    active: !(stored !== undefined && (input.deleted ?? stored.deleted)),
  };
  // Only the mode "My Discounts" has discounts. Other modes remove them.
  const lines = linesOf(input, base.lines).filter(
    (line) => line.productID !== null || packageDealDiscountType === MY_DISCOUNTS,
  );
  const items = await itemsOf(ctx, lines, base.lines);
  const goalPrice = stored === undefined ? input.goalPrice : head.goalPrice;
  const checked = { ...head, goalPrice, packageLineItems: lines };
  requirePackage(checked, pricePackage({ ...head, items: items.found }));
  for (const [index, missing] of items.missing.entries()) {
    const field = lines[index]?.productID === null ? 'discountID' : 'productID';
    const none = field === 'productID' ? 'Please Select a Product' : 'Please Select a Discount';
    const message = missing === 'inactive' ? inactive('item') : none;
    if (missing !== undefined) throw refuse(message, { [`packageLineItems.${index}.${field}`]: message });
  }
  return { head, lines };
}

/** Returns the given lines, or the stored ones if none are given. A line whose item has not changed keeps its ID. */
function linesOf({ packageLineItems: given }: PackageDealInput, stored: readonly PackageLineRow[]): LineWanted[] {
  if (!given) return stored.map(lineOf);
  return given.map((line) => {
    const isProduct = isProductLine(line);
    const wanted = {
      productID: isProduct ? (line.productID ?? 0) : null,
      // A discount ID is kept even if the line has a product, so that core rejects a line with both.
      discountID: isProduct ? line.discountID || null : (line.discountID ?? 0),
      quantity: (line.quantity ?? decimal(1)).toString(),
    };
    const same = stored.map(lineOf).find((each) => {
      return each.productID === wanted.productID && each.discountID === wanted.discountID;
    });
    return { packageLineItemID: same?.packageLineItemID ?? 0, ...wanted };
  });
}

function lineOf({ packageLineItemID, product, discount, quantity }: PackageLineRow): LineWanted {
  const [productID, discountID] = [product?.productID ?? null, discount?.discountID ?? null];
  return { packageLineItemID, productID, discountID, quantity };
}

/**
 * Returns the items on the lines, and which of these items are not available. An inactive item is available if the
 * package already contained it.
 */
async function itemsOf(ctx: Ctx, lines: readonly LineWanted[], stored: readonly PackageLineRow[]) {
  const [sold, given] = await Promise.all([
    ctx.tx.rows(packagesSql.soldProducts(lines.flatMap((line) => line.productID ?? []))),
    ctx.tx.rows(packagesSql.givenDiscounts(lines.flatMap((line) => line.discountID ?? []))),
  ]);
  const items = lines.map((line) => ({
    quantity: decimal(line.quantity),
    product: sold.find((row) => row.sold.productID === line.productID)?.sold ?? null,
    discount: given.find((row) => row.given.discountID === line.discountID)?.given ?? null,
    wasThere: stored.some((each) => each.packageLineItemID === line.packageLineItemID),
  }));
  return {
    found: items,
    missing: items.map(({ product, discount, wasThere }) => {
      const one = product ?? discount;
      if (one === null) return 'unknown';
      return one.active || wasThere ? undefined : 'inactive';
    }),
  };
}

/** Writes the lines and files, and returns the saved package. */
async function written(
  ctx: Ctx,
  packageID: number,
  { lines, links, before }: { lines: readonly LineWanted[]; links: LinkPlan; before?: PackageDeal },
): Promise<PackageDeal> {
  ctx.tx.atEnd(...packagesSql.writeLines(packageID, lines), ...links.write(packageID));
  const after = packageView(required(await ctx.tx.row(packagesSql.packagesOf([packageID]))));
  return record(ctx, subject, { before, after });
}
