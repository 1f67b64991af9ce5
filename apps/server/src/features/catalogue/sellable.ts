import type { ProductOrPackage } from '@evenkeel/contract/catalogue';
import { discountAmount, discountDisplay, FIXED } from '@evenkeel/core/documents/discounts';
import { decimal, toCents, ZERO } from '@evenkeel/core/money';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/http/context.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { givenCenter } from '../../books/documents/documents.sql.ts';
import { type DiscountRow, listSql as discountList } from './discounts.sql.ts';
import { listSql as packageList, type PackageRow } from './packages.sql.ts';
import { packageView } from './packages.ts';

/** Returns the items for a billing line: products, packages, and discounts. */
export async function listProductsAndPackages(ctx: Ctx): Promise<ProductOrPackage[]> {
  const [products, packages, discounts, centers] = await Promise.all([
    ctx.tx.rows(sellableProducts),
    ctx.tx.rows(packageList({})),
    ctx.tx.rows(discountList({})),
    ctx.tx.rows(sql<{ id: number }>`select id from profit_center where company_id = ${COMPANY} and active`),
  ]);
  const isThere = new Set(centers.map(({ id }) => id));
  const givenBy = (id: number | null): number | null => (id !== null && isThere.has(id) ? id : null);
  return [
    ...products.map((product) => ({ ...NOTHING, ...product })),
    ...packages.map(sellablePackage),
    ...discounts.map((each) => ({ ...sellableDiscount(each), profitCenterID: givenBy(each.profitCenterID) })),
  ];
}

const NOTHING = {
  description: '',
  isProduct: false,
  isPackage: false,
  isDiscount: false,
  discountDisplay: '',
  taxable: false,
  GLAccountID: null,
  profitCenterID: null,
  productServiceType: 0,
  productCategoryID: null,
  startDate: null,
  endDate: null,
  discountType: null,
  discountTypeTarget: null,
  discountPercentage: null,
  discountFlatValue: null,
  packageDealDiscountType: null,
  goalPrice: null,
  packageLineItems: [],
};

type SellableProduct = Omit<ProductOrPackage, keyof typeof NOTHING> & Partial<ProductOrPackage>;

const sellableProducts: Runnable<SellableProduct> = sql<SellableProduct>`
  select 'product-' || id as "itemKey", id, name, description, true as "isProduct",
    sales_price_cents as "calculatedTotal", taxable, gl_account_id as "GLAccountID",
    ${givenCenter('product')} as "profitCenterID", product_service_type as "productServiceType",
    product_category_id as "productCategoryID", start_date as "startDate", end_date as "endDate"
  from product where company_id = ${COMPANY} and active order by lower(name), id`;

function sellablePackage(row: PackageRow): ProductOrPackage {
  const {
    packageID: id,
    name,
    description,
    packageDealDiscountType,
    goalPrice,
    packageLineItems,
    ...deal
  } = packageView(row);
  return {
    ...NOTHING,
    itemKey: `package-${id}`,
    id,
    name,
    description,
    isPackage: true,
    calculatedTotal: toCents(deal.packageTotalPrice),
    taxable: packageLineItems.some(({ product }) => product?.taxable === true),
    packageDealDiscountType,
    goalPrice,
    packageLineItems,
  };
}

function sellableDiscount({ discountID: id, ...row }: DiscountRow): ProductOrPackage {
  const { name, description, discountType, discountTypeTarget, discountFlatValue, productCategoryID } = row;
  const isFixed = discountType === FIXED;
  return {
    ...NOTHING,
    itemKey: `discount-${id}`,
    id,
    name,
    description,
    isDiscount: true,
    discountDisplay: discountDisplay(row),
    calculatedTotal: isFixed ? toCents(discountAmount(row, decimal(0), decimal(1))) : ZERO,
    GLAccountID: row.GLAccountID,
    productCategoryID,
    startDate: row.startDate,
    endDate: row.endDate,
    discountType,
    discountTypeTarget,
    discountPercentage: decimal(row.discountPercentage),
    discountFlatValue,
  };
}
