import type { DocumentLink } from '@evenkeel/contract/attachments';
import type { CatalogueQuery } from '@evenkeel/contract/catalogue';
import { isTrue } from '@evenkeel/contract/endpoint';
import type { Cents } from '@evenkeel/core/money';
import type { GivenDiscount, SoldProduct } from '@evenkeel/core/documents/packages';
import { type RawBuilder, sql } from 'kysely';
import { linksOf } from '../../books/attachments/attachments.sql.ts';
import { pageClauses, searchClause } from '../../platform/db/page.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';
import { givenCenter } from '../../books/documents/documents.sql.ts';

/** SQL statements for package deals. */

export const packages = table('package', {
  packageID: 'id',
  name: 'name',
  description: 'description',
  packageDealDiscountType: 'discount_mode',
  goalPrice: 'goal_cents',
  active: 'active',
  rowVersion: 'row_version',
});

export const packageLines = table('package_line', {
  packageLineItemID: 'id',
  packageID: 'package_id',
  lineNo: 'line_no',
  productID: 'product_id',
  discountID: 'discount_id',
  quantity: 'quantity',
});

/** A product in the form that packages and lines use. */
const soldProduct = sql`jsonb_build_object('productID', p.id, 'name', p.name, 'salesPrice', p.sales_price_cents,
  'taxable', p.taxable, 'GLAccountID', p.gl_account_id, 'profitCenterID', ${givenCenter('p')},
  'productServiceType', p.product_service_type, 'productCategoryID', p.product_category_id, 'active', p.active)`;

const givenDiscount = sql`jsonb_build_object('discountID', d.id, 'name', d.name, 'GLAccountID', d.gl_account_id,
  'profitCenterID', ${givenCenter('d')}, 'discountType', d.discount_type, 'discountTypeTarget', d.discount_type_target,
  'discountPercentage', trim_scale(d.discount_percentage)::text, 'discountFlatValue', d.flat_cents,
  'productCategoryID', d.product_category_id, 'active', d.active)`;

/** Returns products, including inactive ones, in the form that packages and billing lines use. */
export function soldProducts(ids: readonly number[]): RawBuilder<SoldRow> {
  return sql<SoldRow>`select ${soldProduct} as sold from product p
    where p.company_id = ${COMPANY} and p.id = any(${ids}::bigint[])`;
}

/** Returns discounts, including inactive ones, in the form that packages and billing lines use. */
export function givenDiscounts(ids: readonly number[]): RawBuilder<GivenRow> {
  return sql<GivenRow>`select ${givenDiscount} as given from discount d
    where d.company_id = ${COMPANY} and d.id = any(${ids}::bigint[])`;
}

export interface SoldRow {
  sold: SoldProduct & { active: boolean };
}
export interface GivenRow {
  given: GivenDiscount & { active: boolean };
}

export interface PackageLineRow {
  packageLineItemID: number;
  /** A decimal as text without trailing zeros. */
  quantity: string;
  product: (SoldProduct & { active: boolean }) | null;
  discount: (GivenDiscount & { active: boolean }) | null;
}

export interface PackageRow {
  packageID: number;
  entityID: number;
  name: string;
  description: string;
  packageDealDiscountType: number;
  goalPrice: Cents;
  deleted: boolean;
  rowVersion: number;
  lines: PackageLineRow[];
  documentLinks: DocumentLink[];
}

export interface ListedPackage extends PackageRow {
  id: number;
  sortKey: string;
}

const columns = sql`k.id as "packageID", k.company_id as "entityID", k.name, k.description,
    k.discount_mode as "packageDealDiscountType", k.goal_cents as "goalPrice", not k.active as deleted,
    k.row_version as "rowVersion", coalesce((
      select jsonb_agg(jsonb_build_object('packageLineItemID', l.id, 'quantity', trim_scale(l.quantity)::text,
        'product', case when p.id is not null then ${soldProduct} end,
        'discount', case when d.id is not null then ${givenDiscount} end) order by l.line_no, l.id)
      from package_line l
      left join product p on p.company_id = ${COMPANY} and p.id = l.product_id
      left join discount d on d.company_id = ${COMPANY} and d.id = l.discount_id
      where l.company_id = ${COMPANY} and l.package_id = k.id), '[]'::jsonb) as lines,
    ${linksOf('package', sql`k.id`)} as "documentLinks"`;

const NAME = { expression: sql`lower(k.name)`, type: 'text' } as const;
const SORTS = { name: NAME, description: { expression: sql`lower(k.description)`, type: 'text' } } as const;

function found({ q, inactive }: CatalogueQuery): RawBuilder<unknown> {
  return sql`from package k where k.company_id = ${COMPANY} ${isTrue(inactive) ? sql`` : sql`and k.active`}
    ${searchClause(q, { texts: [sql`k.name`, sql`k.description`] })}`;
}

/** Lists package deals with their lines. Reads one more row than `limit`. */
export function listSql(ask: CatalogueQuery): Runnable<ListedPackage> {
  const page = pageClauses(ask, SORTS, { id: sql`k.id`, initial: NAME });
  return sql<ListedPackage>`
    select ${columns}, k.id, ${page.key} ${found(ask)} ${page.after} ${page.orderBy} ${page.limit}`;
}

export function countSql(ask: CatalogueQuery): Runnable<{ total: number }> {
  return sql<{ total: number }>`select count(*) as total ${found(ask)}`;
}

/** Returns packages with their lines, including inactive ones. */
export function packagesOf(ids: readonly number[]): RawBuilder<PackageRow> {
  return sql<PackageRow>`
    select ${columns} from package k where k.company_id = ${COMPANY} and k.id = any(${ids}::bigint[])`;
}

/** Locks one package. Its lines change only together with the package. */
export function lockSql(packageID: number): Runnable<{ packageID: number }> {
  return packages.find({ packageID }, { lock: 'for update' });
}

/** A line to save. A line with a `packageLineItemID` of 0 is new. */
export interface LineWanted {
  packageLineItemID: number;
  productID: number | null;
  discountID: number | null;
  quantity: string;
}

/** Changes the stored lines of a package to the given lines, in order. Unchanged lines are not written. */
export function writeLines(packageID: number, wanted: readonly LineWanted[]): Runnable<unknown>[] {
  const rows = wanted.map((line, index) => ({ ...line, packageID, lineNo: index + 1 }));
  const kept = rows.filter((line) => line.packageLineItemID > 0);
  const added = rows.flatMap(({ packageLineItemID, ...line }) => (packageLineItemID > 0 ? [] : [line]));
  return [
    sql`delete from package_line where company_id = ${COMPANY} and package_id = ${packageID}
      and id <> all(${kept.map((line) => line.packageLineItemID)}::bigint[])`,
    ...(kept.length === 0 ? [] : [packageLines.updateMany(kept, ['packageLineItemID'])]),
    ...(added.length === 0 ? [] : [packageLines.insertMany(added)]),
  ];
}
