import type { IsoDate } from '@evenkeel/core/dates';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, listOf, type Runnable, takeIds } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';
import { ACTIVE_LOCATIONS, ACTIVE_PROFIT_CENTERS, type SettingRow, settingsSql } from '../company-settings.ts';
import type { FoundAccount, FoundRecord } from '../ledger/references.ts';
import { COMPANY_VERSION, type DocumentRow, type DocumentLines, documents, HEAD } from './settlement.sql.ts';

/** The columns of a document header that the server writes. */
export type DocumentRecord = Omit<DocumentRow, 'rowVersion' | 'deleted' | 'isPosted'>;

/**
 * A header to be written, with the row versions of its company and of its customer or vendor. The versions let printed
 * documents keep the same names and addresses.
 */
export interface DocumentHead extends DocumentRecord {
  entityVersion: number;
  companyVersion: number;
}

/** The document headers with the row versions in `DocumentHead`. */
export const heads = table('document', {
  ...HEAD,
  entityVersion: 'entity_version',
  companyVersion: 'company_version',
}).typed<{
  side: DocumentRow['side'];
  taxSnapshot: DocumentRow['taxSnapshot'];
  opening: DocumentRow['opening'];
}>();

/** The header fields for a document that has no discount, no origin, and no response from the customer. */
export const OF_NOTHING = {
  discountPercent: null,
  discountUntil: null,
  creditedId: null,
  estimateId: null,
  answeredBy: '',
  answerNote: '',
  answeredAt: null,
  opening: null,
  note: '',
  poNumber: '',
};

/** The table for a document kind's lines, and the statements for that table. */
export interface LineStore<L> {
  table: DocumentLines;
  /** Selects the current lines on one document, in line order. */
  select: (documentId: number) => Runnable<L>;
  insertMany: (rows: readonly OwnLine<L>[]) => Runnable<unknown>;
  updateMany: (rows: readonly OwnLine<L>[], by: readonly 'id'[]) => Runnable<unknown>;
}

/** A line with the ID of its document. */
export type OwnLine<L> = L & { documentId: number };

/** Returns the statements that insert new documents and their lines. */
export function insertDocuments<L>(
  { insertMany }: Pick<LineStore<L>, 'insertMany'>,
  records: readonly DocumentHead[],
  own: readonly OwnLine<L>[],
): Runnable<unknown>[] {
  return [heads.insertMany(records), ...(own.length === 0 ? [] : [insertMany(own)])];
}

interface Rewrite<L> {
  head: DocumentHead;
  own: readonly OwnLine<L>[];
  stored: readonly { id: number }[];
}

/**
 * Returns the statements that write the header and the current lines. Stored lines that aren't among the current ones
 * are marked as deleted.
 */
export function updateDocument<L extends { id: number }>(
  { table: { name, document }, insertMany, updateMany }: LineStore<L>,
  { head, own, stored }: Rewrite<L>,
): Runnable<unknown>[] {
  const before = new Set(stored.map(({ id }) => id));
  const kept = own.filter(({ id }) => before.has(id));
  const added = own.filter(({ id }) => !before.has(id));
  return [
    heads.update({ id: head.id }, { ...head, rowVersion: sql`row_version + 1` }),
    sql`
      update ${sql.id(name)} set deleted = true
      where company_id = ${COMPANY} and ${sql.id(document)} = ${head.id} and not deleted
        and id <> all(${kept.map(({ id }) => id)}::bigint[])`,
    ...(kept.length === 0 ? [] : [updateMany(kept, ['id'])]),
    ...(added.length === 0 ? [] : [insertMany(added)]),
  ];
}

export function markDeleted(id: number): Runnable<unknown> {
  const none = { applied: sql`0`, openAmount: sql`0` };
  return documents.update({ id }, { deleted: true, ...none, rowVersion: sql`row_version + 1` });
}

/**
 * Selects the profit center that a product or discount sets on new lines, or null if that profit center is inactive.
 */
export function givenCenter(item: 'p' | 'd' | 'product'): RawBuilder<number | null> {
  return sql`(select g.id from profit_center g
    where g.company_id = ${COMPANY} and g.id = ${sql.ref(`${item}.profit_center_id`)} and g.active)`;
}

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
  /** 1 if there is an active profit center, and 0 otherwise. `activeLocations` is the same for locations. */
  activeProfitCenters: number;
  activeLocations: number;
}

export interface ReferencedIds {
  products: number[];
  accounts: number[];
  profitCenters: number[];
  locations: number[];
}

/** The company's records that the lines in requests refer to. */
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
    'activeProfitCenters', ${ACTIVE_PROFIT_CENTERS}, 'activeLocations', ${ACTIVE_LOCATIONS})`;
}

/** Everything that saving documents of any kind depends on, apart from the request. */
export interface DocumentFacts {
  references: References;
  settings: SettingRow[];
  /**
   * The closing date, for edits only. For a new document, the batch reads the closing date together with the ledger
   * head.
   */
  closingDate: IsoDate | null;
  /**
   * The company's row version, which a document stores so that a printed document keeps the company's name and address.
   */
  companyVersion: number;
  /** The IDs for new documents and lines. Each document takes its IDs from this list. */
  ids: { documents: number[]; lines: number[] };
}

/** The data that several documents need together. */
export interface FactsWanted {
  references: ReferencedIds;
  /** The number of new documents and the number of new lines. */
  documentCount: number;
  lineCount: number;
}

/**
 * Returns the columns of DocumentFacts, for one statement that reads the data for a kind of document. `lines` is the
 * table of that kind's lines.
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
