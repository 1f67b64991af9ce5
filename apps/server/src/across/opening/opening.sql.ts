import type { IsoDate } from '@evenkeel/core/dates';
import type { OpeningAccount } from '@evenkeel/core/books/opening';
import type { Cents } from '@evenkeel/core/money';
import { kinds, type Side, type Source } from '@evenkeel/core/documents/side';
import { openingbalance } from '@evenkeel/core/kinds/openingbalance';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';
import { DOCUMENT, type DocumentRow, idList, lockPaymentsOf, ownLines } from '../../books/documents/settlement.sql.ts';
import { APPLIES_WAIVER } from '../../books/documents/waivers.sql.ts';

/** The source of the opening entry. A company has at most one. */
export const SOURCE: Source = { type: openingbalance.source, id: 1 };

export const openings = table('opening_balance', {
  id: 'id',
  date: 'balance_date',
  fiscalYearStart: 'fiscal_year_start',
  balances: 'balances',
  person: 'person',
  at: 'posted_at',
  rowVersion: 'row_version',
}).typed<{ balances: OpeningAccount[] }>();

/** The stored opening balances, without their documents. */
export interface OpeningRow {
  date: IsoDate;
  fiscalYearStart: IsoDate;
  balances: OpeningAccount[];
  person: string;
  at: Date;
  rowVersion: number;
}

/** Inserts the opening balances unless the company already has some. A simultaneous request waits for the commit. */
export function insertOpening(row: Omit<OpeningRow, 'at' | 'rowVersion'>): Runnable<{ id: number }> {
  return sql<{ id: number }>`
    ${openings.insert({ ...row, id: SOURCE.id })} on conflict (company_id, id) do nothing returning id`;
}

/** A line on an open document. The amount has the document's sign. */
interface OpenLine {
  accountId: number;
  lineNo: number;
  lineItemAmount: Cents;
  description: string;
  taxable: boolean;
  profitCenterId: number | null;
  locationId: number | null;
}

/** A document that was entered with the opening balances. */
export interface OpenRow extends DocumentRow {
  entityName: string;
  lines: OpenLine[];
  /** The records that depend on the document, such as "payment 10001". */
  usedBy: string[];
}

const entered = sql`d.opening ->> 'source' = 'balances'`;

/** Selects the IDs of the documents that were entered with the opening balances. */
export function openingDocumentIds(): Runnable<{ id: number }> {
  return sql<{ id: number }>`
    select d.id from document d
    where d.company_id = ${COMPANY} and d.opening is not null and ${entered} and not d.deleted
    order by d.id`;
}

/** Selects a side's documents that were entered with the opening balances, sorted by date, number, and ID. */
export function selectOpenDocuments({ name, document: kind }: Pick<Side, 'name' | 'document'>): Runnable<OpenRow> {
  const { name: lines, document, parts } = ownLines(kind);
  // Only the lines of sales are taxed.
  const isTaxable = parts === null ? sql`false` : sql`l.taxable`;
  return sql<OpenRow>`
    select ${DOCUMENT}, e.displayname as "entityName", (
        select jsonb_agg(jsonb_build_object('accountId', l.account_id, 'lineNo', l.line_no,
          'lineItemAmount', l.line_amount_cents, 'description', l.description, 'taxable', ${isTaxable},
          'profitCenterId', l.profit_center_id, 'locationId', l.location_id) order by l.line_no)
        from ${sql.table(lines)} l
        where l.company_id = ${COMPANY} and not l.deleted and l.${sql.id(document)} = d.id) as lines, coalesce((
        select jsonb_agg(u.name order by u.name) from (
          select distinct case when ${APPLIES_WAIVER} then 'write-off' else 'payment ' || p.payment_number end as name
          from payment_application a
          join payment p on p.company_id = ${COMPANY} and p.id = a.payment_id
          where a.company_id = ${COMPANY} and a.document_id = d.id
          union
          select ${labelOf()} || ' ' || c.document_number from document c
          where c.company_id = ${COMPANY} and c.credited_id = d.id and not c.deleted) u), '[]') as "usedBy"
    from document d
    join entity e on e.company_id = ${COMPANY} and e.id = d.entity_id
    where d.company_id = ${COMPANY} and d.opening is not null and d.side = ${name} and ${entered} and not d.deleted
    order by d.document_date, d.document_number, d.id`;
}

/** The label for a document `c` in the middle of a sentence. */
const labelOf = () =>
  sql`(${JSON.stringify(Object.fromEntries([...kinds].map(([name, { label }]) => [name, label.toLowerCase()])))}::jsonb
            ->> c.kind)`;

/** Selects the deposits that contain lines from the opening entry. */
export function depositsOfLines(lineIds: readonly number[]): Runnable<{ lineId: number; number: string }> {
  return sql<{ lineId: number; number: string }>`
    select r.line_id as "lineId", b.bank_document_number as number
    from deposit_receipt r
    join bank_document b on b.company_id = ${COMPANY} and b.id = r.deposit_id
    where r.company_id = ${COMPANY} and r.line_id = any(${idList(lineIds)})`;
}

/** Locks a side's payments that are applied to documents, in ID order. Lock the documents first. */
export function lockPaymentsOn(side: Side, documentIds: readonly number[]): Runnable<unknown> {
  return lockPaymentsOf(
    side,
    sql`array(
      select a.payment_id from payment_application a
      where a.company_id = ${COMPANY} and a.document_id = any(${idList(documentIds)}))`,
  );
}
