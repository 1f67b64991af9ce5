import { type RawBuilder, sql } from 'kysely';
import { COMPANY, listOf } from '../db/query.ts';

export interface References {
  products: {
    id: number;
    name: string;
    accountId: number;
    taxable: boolean;
    profitCenterId: number | null;
    /** Properties by which discounts match a product. */
    productServiceType: number;
    productCategoryID: number | null;
    active: boolean;
  }[];
  accounts: { id: number; active: boolean; type: string; contra: boolean; system: boolean }[];
  profitCenterIds: number[];
  locationIds: number[];
  /** 1 where there is an active one at all, else 0. */
  activeProfitCenters: number;
  activeLocations: number;
}

export interface ReferencedIds {
  products: number[];
  accounts: number[];
  profitCenters: number[];
  locations: number[];
}

/** The company's own records that the lines of requests refer to. */
export function references(ids: ReferencedIds): RawBuilder<unknown> {
  const own = (alias: string, list: readonly number[]) =>
    sql`${sql.ref(alias)}.company_id = ${COMPANY} and ${sql.ref(alias)}.id = any(${list}::bigint[])`;
  const products = sql`(
    select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'accountId', p.gl_account_id,
      'taxable', p.taxable, 'profitCenterId', p.profit_center_id, 'productServiceType', p.product_service_type,
      'productCategoryID', p.product_category_id, 'active', p.active))
    from product p where ${own('p', ids.products)})`;
  const accounts = sql`(
    select jsonb_agg(jsonb_build_object('id', a.id, 'active', a.active, 'type', a.account_type, 'contra', a.contra,
      'system', a.system))
    from account a where ${own('a', ids.accounts)})`;
  const profitCenters = sql`(select jsonb_agg(f.id) from profit_center f where ${own('f', ids.profitCenters)})`;
  const locations = sql`(select jsonb_agg(l.id) from location l where ${own('l', ids.locations)})`;
  return sql`jsonb_build_object(
    'products', ${listOf(ids.products, products)}, 'accounts', ${listOf(ids.accounts, accounts)},
    'profitCenterIds', ${listOf(ids.profitCenters, profitCenters)},
    'locationIds', ${listOf(ids.locations, locations)},
    'activeProfitCenters', (select count(*) from (
      select from profit_center f where f.company_id = ${COMPANY} and f.active limit 1) x),
    'activeLocations', (select count(*) from (
      select from location l where l.company_id = ${COMPANY} and l.active limit 1) x))`;
}
