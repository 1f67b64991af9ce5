import { createHash } from 'node:crypto';
import type { MoveProgress, MoveResult } from '@evenkeel/contract/moving';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import type { MoveSystem } from '@evenkeel/core/moving/sources';
import type { MoveState } from '@evenkeel/core/moving/states';
import type { DateOrder } from '@evenkeel/imports/books';
import type { BooksSummary } from '@evenkeel/imports/summary';
import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';

/** The user's answers, as they are stored. A missing field means that the user has not answered. */
export interface MoveChoices {
  history?: { from: IsoDate | null } | null;
  fyStartMonth?: number;
  dateOrders?: Record<string, DateOrder>;
  sheets?: Record<string, { kind: string; mapping: Record<string, number> }>;
  /** The account for each source account, by the key in the source. */
  accounts?: Record<
    string,
    { accountId: number | null; create: { number: string; name: string; type: string } | null }
  >;
  /** The decisions about customers and vendors with similar names, by key. */
  parties?: Record<string, 'merge' | 'keep'>;
  /** The decisions about records in the source's other lists, by key. */
  lists?: Record<string, string>;
  /** The date and balance of a bank account's reconciliation, by the account's key in the source. */
  reconciled?: Record<string, { date: IsoDate; balance: Cents }>;
}

/** The balances of one account at all month ends. `ledger` is null if it equals `source`. */
export interface AccountBalances {
  key: string;
  number: string;
  name: string;
  source: Cents[];
  ledger: Cents[] | null;
}

export interface StoredBalances {
  monthEnds: IsoDate[];
  accounts: AccountBalances[];
}

export const moves = table('move_in', {
  id: 'id',
  system: 'system',
  status: 'status',
  choices: 'choices',
  reading: 'reading',
  preview: 'preview',
  report: 'report',
  balances: 'balances',
  error: 'error',
  createdBy: 'created_by',
  createdByName: 'created_by_name',
  createdAt: 'created_at',
  importedBy: 'imported_by',
  importedByName: 'imported_by_name',
  importedAt: 'imported_at',
  undoneBy: 'undone_by',
  undoneByName: 'undone_by_name',
  undoneAt: 'undone_at',
  rowVersion: 'row_version',
}).typed<{
  system: MoveSystem;
  status: MoveState;
  choices: MoveChoices;
  reading: BooksSummary | null;
  preview: MoveResult | null;
  report: MoveResult | null;
  balances: StoredBalances | null;
}>();
export type MoveRow = RowOf<typeof moves>;

/** The columns that the company chose for spreadsheets, by the digest of their headings. */
export const sheetMappings = table('move_in_mapping', {
  digest: 'header_digest',
  kind: 'kind',
  mapping: 'mapping',
}).typed<{ mapping: Record<string, number> }>();

/** Returns the digest that identifies a spreadsheet by its headings. */
export const sheetDigest = (headings: readonly string[]): string =>
  createHash('sha256').update(headings.join('\n').toLowerCase()).digest('hex');

/** Remembers the columns of a spreadsheet for the next spreadsheet with the same headings. */
export function rememberSheet(row: RowOf<typeof sheetMappings>): Runnable<unknown> {
  return sql`
    ${sheetMappings.insert(row)}
    on conflict (company_id, header_digest) do update set kind = excluded.kind, mapping = excluded.mapping`;
}

export const progress = table('move_in_progress', {
  moveId: 'move_id',
  phase: 'phase',
  done: 'done',
  total: 'total',
  day: 'day',
  startedAt: 'started_at',
  isCanceled: 'is_canceled',
}).typed<{ phase: MoveProgress['phase'] }>();
export type ProgressRow = RowOf<typeof progress>;

export type RecordKind =
  | 'transaction'
  | 'account'
  | 'party'
  | 'item'
  | 'profitCenter'
  | 'location'
  | 'document'
  | 'reversal'
  | 'bankAccount'
  | 'bankReconciliation'
  | 'receipt'
  | 'check'
  | 'paymentType'
  | 'tax'
  | 'taxItem';

/** A record that the move creates or uses. */
export interface Brought {
  kind: RecordKind;
  identity: Buffer;
  recordId: number;
  isNew: boolean;
}

/** The type, number, name, and ID that a transaction has in its source, and its position in the files. */
export interface SourceFacts {
  type: string;
  number?: string;
  party?: string;
  id?: string;
  file: string;
  row: number;
}

export const moved = table('move_in_record', {
  moveId: 'move_id',
  kind: 'kind',
  identity: 'identity',
  recordId: 'record_id',
  isNew: 'is_new',
  source: 'source',
  isUndone: 'is_undone',
}).typed<{ kind: RecordKind; source: SourceFacts | null }>();

/** Resets a move's progress. */
export function startProgress(moveId: number, phase: MoveProgress['phase']): Runnable<unknown> {
  return sql`
    insert into move_in_progress (company_id, move_id, phase, done, total)
    values (${COMPANY}, ${moveId}, ${phase}, 0, 0)
    on conflict (company_id, move_id) do update
      set phase = excluded.phase, done = 0, total = 0, day = null, started_at = excluded.started_at,
        is_canceled = false`;
}

/** Locks a move for background work, unless other work has locked it. */
export function claimMove(id: number): Runnable<MoveRow> {
  return moves.find({ id }, { lock: 'for no key update skip locked' });
}

export interface MoveListRow {
  id: number;
  status: MoveState;
  system: MoveSystem;
  company: string;
  createdBy: number;
  createdByName: string;
  createdAt: Date;
  importedAt: Date | null;
  undoneAt: Date | null;
  files: number;
  transactions: number;
}

/** Lists the moves, newest first, without their stored results. */
export function movesSql(id?: number): Runnable<MoveListRow> {
  return sql<MoveListRow>`
    select m.id, m.status, m.system, coalesce(m.reading ->> 'company', '') as company, m.created_by as "createdBy",
      m.created_by_name as "createdByName", m.created_at as "createdAt", m.imported_at as "importedAt",
      m.undone_at as "undoneAt", (
        select count(*)::int from attachment_link l
        where l.company_id = ${COMPANY} and l.owner_kind = 'movein' and l.owner_id = m.id) as files,
      coalesce((m.report -> 'counts' ->> 'transactions')::int, (m.reading ->> 'transactions')::int, 0) as transactions
    from move_in m
    where m.company_id = ${COMPANY} ${id === undefined ? sql`` : sql`and m.id = ${id}`}
    order by m.id desc`;
}

export interface MoveFileRow {
  /** The ID of the stored file. */
  id: number;
  name: string;
  size: number;
  sha256: Buffer;
  uploadedAt: Date;
}

/** Lists a move's files in the order in which they were added. */
export function filesOfMove(moveId: number): Runnable<MoveFileRow> {
  return sql<MoveFileRow>`
    select f.id, l.file_name as name, c.size_bytes as size, c.sha256, f.uploaded_at as "uploadedAt"
    from attachment_link l
    join attachment f on f.company_id = ${COMPANY} and f.id = l.attachment_id
    join attachment_content c on c.company_id = ${COMPANY} and c.sha256 = f.sha256
    where l.company_id = ${COMPANY} and l.owner_kind = 'movein' and l.owner_id = ${moveId}
    order by l.id`;
}

/** Returns the records with these identities that earlier imports created or used. */
export function knownRecords(
  kind: RecordKind,
  identities: readonly Buffer[],
): Runnable<{ identity: Buffer; recordId: number }> {
  return sql<{ identity: Buffer; recordId: number }>`
    select r.identity, r.record_id as "recordId"
    from move_in_record r
    where r.company_id = ${COMPANY} and r.kind = ${kind} and not r.is_undone
      and r.identity = any(${identities}::bytea[])`;
}

/** Returns the company's customers and vendors, each with its first phone number. */
export function ownPeople(): Runnable<{
  id: number;
  kind: number;
  name: string;
  email: string;
  phone: string;
}> {
  return sql`
    select e.id, e.kind, e.displayname as name, e.email_address as email,
      coalesce(e.details ->> 'primaryContactPhone', '') as phone
    from entity e where e.company_id = ${COMPANY} order by e.deleted, e.id`;
}

/** Adds up the accrual-basis lines of the written transactions by account, by month, and by customer or vendor. */
export function writtenSums(
  ids: readonly number[],
): Runnable<{ accountId: number; month: IsoDate; entityId: number | null; amount: Cents; lines: number }> {
  return sql<{ accountId: number; month: IsoDate; entityId: number | null; amount: Cents; lines: number }>`
    select l.account_id as "accountId", ledger_month_of(l.posting_date) as month,
      case when a.account_type in ('Accounts Receivable', 'Accounts Payable') then l.entity_id end as "entityId",
      sum(l.amount_cents)::bigint as amount, count(*)::int as lines
    from unnest(${ids}::bigint[]) i (id)
    join journal_line l on l.company_id = ${COMPANY} and l.transaction_id = i.id
    join account a on a.company_id = ${COMPANY} and a.id = l.account_id
    where l.basis <> 'C'
    group by 1, 2, 3`;
}

/** Makes inactive customers and vendors active again if transactions refer to them. */
export function activate(ids: readonly number[]): Runnable<unknown> {
  return sql`
    update entity set deleted = false, row_version = row_version + 1
    where company_id = ${COMPANY} and id = any(${ids}::bigint[]) and deleted`;
}

/** Returns the documents' transactions, by ID. */
export function transactionsOf(documentIds: readonly number[]): Runnable<{ id: number }> {
  return sql<{ id: number }>`
    select t.id from document d
    join journal_transaction t on t.company_id = ${COMPANY} and t.source_type = d.kind and t.source_id = d.id
    where d.company_id = ${COMPANY} and d.id = any(${documentIds}::bigint[])
    order by t.id`;
}

/** Returns the names of customers and vendors. */
export function entityNames(ids: readonly number[]): Runnable<{ id: number; name: string }> {
  return sql<{ id: number; name: string }>`
    select id, displayname as name from entity where company_id = ${COMPANY} and id = any(${ids}::bigint[])`;
}
