import { type CatalogueQuery, Discount, type DiscountInput } from '@evenkeel/contract/catalogue';
import { checkDiscount, FIXED } from '@evenkeel/core/documents/discounts';
import { notFound, refuseFields } from '@evenkeel/core/failure';
import { decimal, ZERO } from '@evenkeel/core/money';
import { PRODUCT } from '@evenkeel/core/documents/products';
import { record, type Subject } from '../../platform/db/audit.ts';
import { pageOf } from '../../platform/db/page.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import { countSql, type DiscountRow, discounts, discountSql, type ListedDiscount, listSql } from './discounts.sql.ts';
import { mergedOffer, NEW_OFFER, referencesSql, requireReferences } from './offered.ts';

const subject: Subject<typeof Discount> = { name: 'discount', schema: Discount, idOf: (one) => one.discountID };

/**
 * Lists active discounts or all discounts, by default sorted by name. Returns the whole list, or one page if `limit` is
 * given. Can be sorted by name, description, and categoryName.
 */
export async function listDiscounts(ctx: Ctx, ask: CatalogueQuery) {
  const [rows, count] = await Promise.all([
    ctx.tx.rows(listSql(ask)),
    ask.limit === undefined ? undefined : ctx.tx.row(countSql(ask)),
  ]);
  const found = { rows, total: count?.total ?? 0 };
  return pageOf(ask, found, ({ id: _, sortKey: __, ...row }: ListedDiscount): Discount => discountView(row));
}

/** Returns one discount, active or inactive. Throws 404 if it does not exist. */
export async function getDiscount(ctx: Ctx, id: number): Promise<Discount> {
  return discountView(required(await ctx.tx.row(discountSql(id))));
}

/**
 * Creates a discount. Throws 422 if validation fails (core/discounts) or a referenced record doesn't belong to the
 * company.
 */
export async function createDiscount(ctx: Ctx, input: DiscountInput): Promise<Discount> {
  const wanted = merged({ ...NEW_DISCOUNT, entityID: ctx.companyId }, input);
  refuseFields(checkDiscount({ ...wanted, discountFlatValue: input.discountFlatValue ?? null }));
  const made = { ...wanted, categoryName: await categoryOf(ctx, wanted, NEW_DISCOUNT) };
  const { discountID: _, ...row } = rowOf(made);
  const saved = await ctx.tx.one(discounts.insert(row, ['discountID']));
  return record(ctx, subject, { after: { ...made, ...saved } });
}

/**
 * Saves the discount with the ID `discountID`. Saved invoices keep their terms. Throws 404, 409 'stale', and 422 for
 * the same reasons as createDiscount.
 */
export async function updateDiscount(ctx: Ctx, input: DiscountInput): Promise<Discount> {
  const before = discountView(required(await ctx.tx.row(discountSql(input.discountID ?? 0, true))));
  requireFresh(Discount, before, input.rowVersion);
  const changes = { deleted: input.deleted ?? before.deleted, rowVersion: before.rowVersion + 1 };
  const wanted = { ...merged(before, input), ...changes };
  refuseFields(checkDiscount(wanted));
  const after = { ...wanted, categoryName: await categoryOf(ctx, wanted, before) };
  const write = discounts.update({ discountID: before.discountID }, rowOf(after));
  return record(ctx, subject, { before, after, write });
}

/**
 * Deletes a discount, or makes it inactive if a package or invoice refers to it. Throws 404 if the discount does not
 * exist.
 */
export async function deleteDiscount(ctx: Ctx, discountID: number): Promise<{ ok: true }> {
  const [[found], [use]] = await ctx.tx.inOrder([discountSql(discountID, true), discounts.isUsed(discountID)]);
  const before = discountView(required(found));
  const kept = { active: false, rowVersion: before.rowVersion + 1 };
  const write = use?.used === false ? discounts.delete({ discountID }) : discounts.update({ discountID }, kept);
  record(ctx, subject, { before, write });
  return { ok: true };
}

const NEW_DISCOUNT: Discount = {
  ...NEW_OFFER,
  discountID: 0,
  discountType: FIXED,
  discountTypeTarget: PRODUCT,
  discountPercentage: decimal(0),
  discountFlatValue: ZERO,
};

function required(row: DiscountRow | undefined): DiscountRow {
  if (row === undefined) throw notFound('Discount');
  return row;
}

function discountView(row: DiscountRow): Discount {
  return { ...row, discountPercentage: decimal(row.discountPercentage) };
}

function rowOf(discount: Discount) {
  return { ...discount, discountPercentage: discount.discountPercentage.toString(), active: !discount.deleted };
}

/** Returns the discount with the input applied. Omitted fields keep their values. */
function merged(stored: Discount, input: DiscountInput): Discount {
  return {
    ...stored,
    ...mergedOffer(stored, input),
    discountType: input.discountType ?? stored.discountType,
    discountTypeTarget: input.discountTypeTarget ?? stored.discountTypeTarget,
    discountPercentage: input.discountPercentage ?? stored.discountPercentage,
    discountFlatValue: input.discountFlatValue ?? stored.discountFlatValue,
  };
}

/** Returns the category name. Throws 422 if a reference doesn't belong to the company. */
async function categoryOf(ctx: Ctx, wanted: Discount, before: Discount): Promise<string> {
  const known = await ctx.tx.row(referencesSql(wanted));
  requireReferences(wanted, known, before, 'Please select an account.');
  return known?.category?.name ?? '';
}
