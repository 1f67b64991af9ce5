import type { Cents } from '@evenkeel/core/money';
import { type BankKind, namesOf } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { filesToLink, type LinkableFile } from '../../books/attachments/attachments.sql.ts';
import { pageClauses, type PageRequest, searchClause } from '../../platform/db/page.ts';
import { COMPANY, type Runnable, takeIds } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { type FaultRow, MOST_FAULTS } from '../../books/documents/verify.sql.ts';

/** SQL statements for the headers of transfers and deposits. */

export const bankDocuments = table('bank_document', {
  id: 'id',
  kind: 'kind',
  number: 'bank_document_number',
  date: 'posting_date',
  bankAccountId: 'bank_account_id',
  fromBankAccountId: 'from_bank_account_id',
  amount: 'amount_cents',
  referenceNumber: 'reference_number',
  memo: 'memo',
  entryDate: 'entry_date',
  deleted: 'deleted',
  rowVersion: 'row_version',
});
export type BankDocumentRow = RowOf<typeof bankDocuments>;

/** A header with the current names and GL accounts of its bank accounts. */
export interface NamedBankDocument extends BankDocumentRow {
  bankName: string;
  glAccountId: number;
  fromBankName: string | null;
  fromGlAccountId: number | null;
  /** Whether the money moved at the online payment provider. If so, the document can't be changed here. */
  isOnline?: boolean;
}

const NAMED = sql`${bankDocuments.columns('d')}, b.name as "bankName", b.gl_account_id as "glAccountId",
  f.name as "fromBankName", f.gl_account_id as "fromGlAccountId"`;
const BANKS = sql`
  join banking_account b on b.company_id = ${COMPANY} and b.id = d.bank_account_id
  left join banking_account f on f.company_id = ${COMPANY} and f.id = d.from_bank_account_id`;

/** Returns one header, unless it is deleted. */
export function selectBankDocument({ source }: BankKind, id: number): Runnable<NamedBankDocument> {
  return sql<NamedBankDocument>`
    select ${NAMED},
      exists (select from online_movement m where m.company_id = ${COMPANY} and m.transfer_id = d.id) as "isOnline"
    from bank_document d ${BANKS}
    where d.company_id = ${COMPANY} and d.kind = ${source} and d.id = ${id} and not d.deleted`;
}

/** Locks a header. Run it before the ledger head is locked. */
export function lockBankDocument({ source }: BankKind, id: number): Runnable<unknown> {
  return bankDocuments.find({ id, kind: source }, { lock: 'for no key update' });
}

/** Returns the next headers of a kind after an ID, including deleted ones. */
export function nextBankDocuments({ source }: BankKind, behind: number): Runnable<NamedBankDocument> {
  return sql<NamedBankDocument>`
    select ${NAMED} from bank_document d ${BANKS}
    where d.company_id = ${COMPANY} and d.kind = ${source} and d.id > ${behind} order by d.id limit 500`;
}

/** Finds entries of these kinds whose document does not exist. */
export function orphanFaults(kinds: readonly BankKind[]): Runnable<FaultRow> {
  return sql<FaultRow>`
    select t.id as "transactionId", t.posting_no as "postingNo",
      'it belongs to ' || t.source_type || ' ' || t.source_id || ', which does not exist' as message
    from journal_transaction t
    where t.company_id = ${COMPANY} and t.source_type = any(${namesOf(kinds)}::text[]) and not exists (
      select from bank_document d
      where d.company_id = ${COMPANY} and d.kind = t.source_type and d.id = t.source_id)
    order by t.posting_no
    limit ${MOST_FAULTS}`;
}

export interface ListFilter extends PageRequest {
  q?: string | undefined;
  bankAccountId?: number | undefined;
}

const NUMBER = { expression: sql`lpad(d.bank_document_number, 20, '0')`, type: 'text' } as const;
const DATE = { expression: sql`d.posting_date`, type: 'date' } as const;
const COLUMNS = {
  transferNumber: NUMBER,
  depositNumber: NUMBER,
  transferDate: DATE,
  depositDate: DATE,
  bankAccountName: { expression: sql`lower(b.name)`, type: 'text' },
  toBankAccountName: { expression: sql`lower(b.name)`, type: 'text' },
  fromBankAccountName: { expression: sql`lower(coalesce(f.name, ''))`, type: 'text' },
  referenceNumber: { expression: sql`lower(d.reference_number)`, type: 'text' },
  memo: { expression: sql`lower(d.memo)`, type: 'text' },
  amount: { expression: sql`d.amount_cents`, type: 'bigint' },
} as const;

function matching({ source }: BankKind, { q, bankAccountId }: ListFilter): RawBuilder<unknown> {
  const ofAccount =
    bankAccountId === undefined ? sql`` : sql`and ${bankAccountId} in (d.bank_account_id, d.from_bank_account_id)`;
  const searched = searchClause(q, {
    texts: [sql`d.bank_document_number`, sql`d.reference_number`, sql`d.memo`, sql`b.name`, sql`coalesce(f.name, '')`],
    dates: [sql`d.posting_date`],
    amounts: [sql`d.amount_cents`],
  });
  return sql`from bank_document d ${BANKS}
    where d.company_id = ${COMPANY} and d.kind = ${source} and not d.deleted ${ofAccount} ${searched}`;
}

export interface ListRow extends NamedBankDocument {
  receiptCount: number;
  sortKey: string;
}

/** Returns transfers or deposits, sorted by date, with the number of receipts for each. */
export function selectBankDocuments(kind: BankKind, filter: ListFilter): Runnable<ListRow> {
  const page = pageClauses(filter, COLUMNS, { id: sql`d.id`, initial: DATE });
  const receipts = sql`(
      select count(*) from deposit_receipt r where r.company_id = ${COMPANY} and r.deposit_id = d.id)`;
  return sql<ListRow>`
    select ${NAMED}, ${receipts} as "receiptCount", ${page.key}
    ${matching(kind, filter)} ${page.after} ${page.orderBy} ${page.limit}`;
}

/** Returns the number of transfers or deposits and their total amount. */
export function countBankDocuments(kind: BankKind, filter: ListFilter): Runnable<{ total: number; amount: Cents }> {
  return sql`
    select count(*) as total, coalesce(sum(d.amount_cents), 0)::bigint as amount ${matching(kind, filter)}`;
}

export interface BankRow {
  id: number;
  name: string;
  glAccountId: number;
  active: boolean;
  allowDeposits: boolean;
}

/** The stored data that saving transfers and deposits requires. The IDs of new documents are assigned here. */
export interface BankFacts {
  banks: BankRow[];
  ids: number[];
  files: (LinkableFile & { linkId: number })[];
}

export interface BankFactsWanted {
  bankIds: readonly number[];
  /** The IDs of files to attach to new records. */
  fileIds: readonly number[];
  newCount: number;
}

/** Returns a SQL expression for a subquery's rows as a JSON list. */
export const listIn = (rows: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select coalesce(jsonb_agg(x), '[]') from (${rows}) x)`;

/** Returns the columns of BankFacts. */
export function bankFacts({ bankIds, fileIds, newCount }: BankFactsWanted): RawBuilder<BankFacts> {
  const banks = sql`
    select b.id, b.name, b.gl_account_id as "glAccountId", b.active, b.allow_deposits as "allowDeposits"
    from banking_account b where b.company_id = ${COMPANY} and b.id = any(${bankIds}::bigint[])`;
  return sql<BankFacts>`${listIn(banks)} as banks, ${takeIds('bank_document_id_seq', newCount)} as ids,
    ${fileIds.length > 0 ? listIn(filesToLink(fileIds)) : sql`'[]'::jsonb`} as files`;
}
