import { type CatalogueQuery, Product, type ProductInput, type ProductRow } from '@evenkeel/contract/catalogue';
import { notFound, refuseFields } from '@evenkeel/core/failure';
import { ZERO } from '@evenkeel/core/money';
import { checkProduct, PRODUCT, productServiceType } from '@evenkeel/core/documents/products';
import { planLinks, unlinkAll } from '../../books/attachments/links.ts';
import { record, type Subject } from '../../platform/db/audit.ts';
import { pageOf } from '../../platform/db/page.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import { mergedOffer, NEW_OFFER, referencesSql, requireReferences } from './offered.ts';
import { countSql, type ListedProduct, listSql, productSql, products } from './products.sql.ts';

const subject: Subject<typeof Product> = { name: 'product', schema: Product, idOf: (product) => product.productID };

/**
 * Lists active products or all products, by default sorted by name. Returns the whole list, or one page if `limit` is
 * given. Can be sorted by name, description, version, categoryName, and salesPrice.
 */
export async function listProducts(ctx: Ctx, ask: CatalogueQuery) {
  const [rows, count] = await Promise.all([
    ctx.tx.rows(listSql(ask)),
    ask.limit === undefined ? undefined : ctx.tx.row(countSql(ask)),
  ]);
  const found = { rows, total: count?.total ?? 0 };
  return pageOf(ask, found, ({ id: _, sortKey: __, ...row }: ListedProduct): ProductRow => row);
}

/** Returns one product, active or inactive. Throws 404 if it does not exist. */
export async function getProduct(ctx: Ctx, id: number): Promise<Product> {
  return required(await ctx.tx.row(productSql(id)));
}

/**
 * Creates a product. Throws 422 if validation fails (core/products) or a referenced record doesn't belong to the
 * company.
 */
export async function createProduct(ctx: Ctx, input: ProductInput): Promise<Product> {
  const wanted = merged({ ...NEW_PRODUCT, entityID: ctx.companyId }, input);
  requireGood(wanted, input.salesPrice ?? null);
  const [known, links] = await Promise.all([
    ctx.tx.row(referencesSql(wanted)),
    planLinks(ctx, { kind: 'product', id: 0 }, input.documentLinks),
  ]);
  requireReferences(wanted, known, NEW_PRODUCT, NO_ACCOUNT);
  const { productID: _, ...row } = wanted;
  const { productID } = await ctx.tx.one(products.insert(row, ['productID']));
  return record(ctx, subject, {
    after: { ...wanted, productID, categoryName: known?.category?.name ?? '', documentLinks: links.after },
    write: links.write(productID),
  });
}

/**
 * Saves the product with the ID `productID`. Saved invoices keep their terms. Throws 404, 409 'stale', and 422 for the
 * same reasons as createProduct.
 */
export async function updateProduct(ctx: Ctx, input: ProductInput): Promise<Product> {
  const id = input.productID ?? 0;
  const [stored, links] = await Promise.all([
    ctx.tx.row(productSql(id, true)),
    planLinks(ctx, { kind: 'product', id }, input.documentLinks),
  ]);
  const before = { ...required(stored), documentLinks: links.before };
  requireFresh(Product, before, input.rowVersion);
  const wanted = {
    ...merged(before, input),
    deleted: input.deleted ?? before.deleted,
    rowVersion: before.rowVersion + 1,
  };
  requireGood(wanted, wanted.salesPrice);
  const known = await ctx.tx.row(referencesSql(wanted));
  requireReferences(wanted, known, before, NO_ACCOUNT);
  const product = { ...wanted, categoryName: known?.category?.name ?? '', documentLinks: links.after };
  const { productID } = product;
  const write = [products.update({ productID }, { ...product, active: !product.deleted }), ...links.write(productID)];
  return record(ctx, subject, { before, after: product, write });
}

/** Deletes a product, or makes it inactive if a record refers to it. Throws 404 if the product does not exist. */
export async function deleteProduct(ctx: Ctx, productID: number): Promise<{ ok: true }> {
  // The product must be locked first. Documents that refer to it wait for this lock, so the check that follows can't
  // become outdated.
  const [[stored], [use]] = await ctx.tx.inOrder([productSql(productID, true), products.isUsed(productID)]);
  const before = required(stored);
  const kept = { active: false, rowVersion: before.rowVersion + 1 };
  const write =
    use?.used === false
      ? [unlinkAll({ kind: 'product', id: productID }), products.delete({ productID })]
      : products.update({ productID }, kept);
  record(ctx, subject, { before, write });
  return { ok: true };
}

const NO_ACCOUNT = 'Please Select an Account';

const NEW_PRODUCT: Product = {
  ...NEW_OFFER,
  productID: 0,
  version: '',
  salesPrice: ZERO,
  taxable: false,
  productServiceType: PRODUCT,
  documentLinks: [],
};

function required(product: Product | undefined): Product {
  if (product === undefined) throw notFound('Product');
  return product;
}

/** Returns the product with the input applied. Omitted fields keep their values. */
function merged(stored: Product, input: ProductInput): Product {
  const type = input.productServiceType;
  return {
    ...stored,
    ...mergedOffer(stored, input),
    version: input.version ?? stored.version,
    salesPrice: input.salesPrice ?? stored.salesPrice,
    taxable: input.taxable ?? stored.taxable,
    productServiceType: type === undefined ? stored.productServiceType : productServiceType(type),
  };
}

function requireGood(product: Product, salesPrice: number | null): void {
  refuseFields(checkProduct({ ...product, salesPrice }));
}
