import { type RawBuilder, sql } from 'kysely';
import { filesToLink, type LinkableFile } from '../../books/attachments/attachments.sql.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import {
  documentFacts,
  type DocumentFacts,
  type FactsWanted as DocumentFactsWanted,
  type LineStore,
} from '../../books/documents/documents.sql.ts';
import { documentKinds } from '@evenkeel/core/documents/side';
import { ownLines } from '../../books/documents/settlement.sql.ts';

const lines = table('expense_line', {
  id: 'id',
  documentId: 'expense_id',
  lineNo: 'line_no',
  description: 'description',
  accountId: 'account_id',
  profitCenterId: 'profit_center_id',
  locationId: 'location_id',
  creditLine: 'credit_line',
  lineItemAmount: 'line_amount_cents',
});

/** A stored line. The amount is what the line adds to the bill. */
export type LineRow = Omit<RowOf<typeof lines>, 'documentId'>;

function selectLines(expenseId: number): Runnable<LineRow> {
  return sql<LineRow>`
    select ${lines.columns('l')} from expense_line l
    where l.company_id = ${COMPANY} and l.expense_id = ${expenseId} and not l.deleted
    order by l.line_no`;
}

export const lineStore: LineStore<LineRow> = {
  table: ownLines(documentKinds.expense),
  select: selectLines,
  insertMany: (rows) => lines.insertMany(rows),
  updateMany: (rows, by) => lines.updateMany(rows, by),
};

export interface VendorRow {
  id: number;
  displayname: string;
  rowVersion: number;
  deleted: boolean;
  /** The vendor's terms. Null if the company's terms apply. */
  termsDays: number | null;
  discountPercent: number | null;
  discountDays: number | null;
}

export interface BankRow {
  id: number;
  glAccountId: number;
  active: boolean;
  allowPayments: boolean;
}

/** The data that several bills need together. */
export interface FactsWanted extends DocumentFactsWanted {
  vendorIds: number[];
  bankIds: number[];
  /** Saved bills that were paid immediately and keep their bank account, because the request omits it. */
  paidIds: number[];
  /** The IDs of files to attach. */
  fileIds: number[];
}

/**
 * The data that is needed to save bills, in addition to the requests. Each bill takes its new IDs from the shared
 * lists.
 */
export interface BillFacts extends DocumentFacts {
  vendors: VendorRow[];
  banks: BankRow[];
  files: (LinkableFile & { linkId: number })[];
}

/** Everything is read in one statement. */
export function selectFacts(wanted: FactsWanted): RawBuilder<BillFacts> {
  const list = (rows: RawBuilder<unknown>) => sql`(select coalesce(jsonb_agg(x), '[]') from (${rows}) x)`;
  const vendors = sql`select e.id, e.displayname, e.row_version as "rowVersion", e.deleted, e.terms_days as "termsDays",
      e.discount_percent as "discountPercent", e.discount_days as "discountDays" from entity e
    where e.company_id = ${COMPANY} and e.kind = 1 and e.id = any(${wanted.vendorIds}::bigint[])`;
  const banks = sql`select b.id, b.gl_account_id as "glAccountId", b.active, b.allow_payments as "allowPayments"
    from banking_account b where b.company_id = ${COMPANY} and (b.id = any(${wanted.bankIds}::bigint[])
      or b.id in (select d.bank_account_id from document d
        where d.company_id = ${COMPANY} and d.id = any(${wanted.paidIds}::bigint[])))`;
  const namesBanks = wanted.bankIds.length + wanted.paidIds.length > 0;
  return sql<BillFacts>`
    select ${list(vendors)} as vendors, ${namesBanks ? list(banks) : sql`'[]'::jsonb`} as banks,
      ${wanted.fileIds.length > 0 ? list(filesToLink(wanted.fileIds)) : sql`'[]'::jsonb`} as files,
      ${documentFacts('expense_line', wanted)}`;
}
