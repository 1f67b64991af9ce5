import type { IsoDate } from '@evenkeel/core/dates';
import { type RawBuilder, sql } from 'kysely';
import { givenCenter } from './given-center.sql.ts';
import { COMPANY, listOf, takeIds } from '../../platform/db/query.ts';
import { COMPANY_VERSION } from '../documents/settlement.sql.ts';
import { type SettingRow, settingsSql } from '../company-settings.ts';
import type { FoundAccount, FoundRecord } from './references.ts';

export interface References {
  products: {
    id: number;
    name: string;
    accountId: number;
    taxable: boolean;
    profitCenterId: number | null;
    /** The properties that discounts use to match a product. */
    productServiceType: number;
    productCategoryID: number | null;
    active: boolean;
  }[];
  accounts: FoundAccount[];
  profitCenters: FoundRecord[];
  locations: FoundRecord[];
  /** 1 if there is an active one, otherwise 0. */
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
function references(ids: ReferencedIds): RawBuilder<unknown> {
  const own = (alias: string, list: readonly number[]) =>
    sql`${sql.ref(alias)}.company_id = ${COMPANY} and ${sql.ref(alias)}.id = any(${list}::bigint[])`;
  const products = sql`(
    select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'accountId', p.gl_account_id,
      'taxable', p.taxable, 'profitCenterId', ${givenCenter('p')}, 'productServiceType', p.product_service_type,
      'productCategoryID', p.product_category_id, 'active', p.active))
    from product p where ${own('p', ids.products)})`;
  const accounts = sql`(
    select jsonb_agg(jsonb_build_object('id', a.id, 'active', a.active, 'type', a.account_type, 'contra', a.contra,
      'system', a.system))
    from account a where ${own('a', ids.accounts)})`;
  const profitCenters = sql`(
    select jsonb_agg(jsonb_build_object('id', f.id, 'active', f.active))
    from profit_center f where ${own('f', ids.profitCenters)})`;
  const locations = sql`(
    select jsonb_agg(jsonb_build_object('id', l.id, 'active', l.active))
    from location l where ${own('l', ids.locations)})`;
  return sql`jsonb_build_object(
    'products', ${listOf(ids.products, products)}, 'accounts', ${listOf(ids.accounts, accounts)},
    'profitCenters', ${listOf(ids.profitCenters, profitCenters)},
    'locations', ${listOf(ids.locations, locations)},
    'activeProfitCenters', (select count(*) from (
      select from profit_center f where f.company_id = ${COMPANY} and f.active limit 1) x),
    'activeLocations', (select count(*) from (
      select from location l where l.company_id = ${COMPANY} and l.active limit 1) x))`;
}

/** Everything that saving documents of any kind depends on, apart from the request. */
export interface DocumentFacts {
  references: References;
  settings: SettingRow[];
  /** Used for edits. For a new document, its batch reads the closing date with the head. */
  closingDate: IsoDate | null;
  /** The company's row version. A document uses it to keep the company's name and address. */
  companyVersion: number;
  /** The IDs for new documents and lines. Each document takes its own from this list. */
  ids: { documents: number[]; lines: number[] };
}

/** The facts that several documents need together. */
export interface FactsWanted {
  references: ReferencedIds;
  /** The numbers of new documents and lines. */
  documentCount: number;
  lineCount: number;
}

/**
 * Returns the columns of DocumentFacts for one statement that reads the facts of a kind. `lines` is its table of lines.
 */
export function documentFacts(lines: string, { references: ids, documentCount, lineCount }: FactsWanted) {
  const closing = sql`(select h.closing_date from ledger_head h where h.company_id = ${COMPANY})`;
  return sql`${references(ids)} as "references",
      (select coalesce(jsonb_agg(x), '[]') from (${settingsSql()}) x) as settings,
      ${documentCount > 0 ? sql`null::date` : closing} as "closingDate",
      ${COMPANY_VERSION} as "companyVersion",
      jsonb_build_object('documents', ${takeIds('document_id_seq', documentCount)},
        'lines', ${takeIds(`${lines}_id_seq`, lineCount)}) as ids`;
}
