import { type RawBuilder, sql } from 'kysely';
import type { Chained, LedgerTotal } from '@evenkeel/core/chain';
import { auditLog } from '../db/audit.ts';
import { COMPANY, type Runnable, listOf, takeIds } from '../db/query.ts';
import { type RowOf, table } from '../db/table.ts';
import { answers } from '../http/idempotency.ts';

const heads = table('ledger_head', {
  transactionId: 'next_transaction_id',
  lineId: 'next_line_id',
  postingNo: 'next_posting_no',
  lastHash: 'last_hash',
  closingDate: 'closing_date',
  invoiceNumber: 'next_invoice_number',
});

/** The company's head: where its journal ends and what its documents' next numbers are. */
export type HeadRow = RowOf<typeof heads>;

/** Takes the company's place in the line of postings. */
export const lockHead = heads.find({}, { lock: 'for update' });

/** An answer that was given before; the digest in hexadecimal digits. */
export interface StoredRow {
  key: string;
  requestHash: string;
  reply: string;
}

/** What a batch is judged by: the moment, the answers known by now, ids for the log, each kind's facts by its name. */
export type FactsRow = { at: Date; stored: StoredRow[]; logIds: number[] } & Record<string, unknown>;

/** All of it in one statement. Run it behind the lock: started before, it could see what another posting changes. */
export function selectFacts(
  count: number,
  keys: readonly string[],
  facts: ReadonlyMap<string, RawBuilder<unknown>>,
): Runnable<FactsRow> {
  const named = [...facts].map(([name, value]) => sql`, ${value} as ${sql.ref(name)}`);
  const stored = sql`(
    select jsonb_agg(jsonb_build_object('key', i.key, 'requestHash', encode(i.request_hash, 'hex'),
      'reply', coalesce(i.reply, a.after::text)))
    from idempotency i
    left join audit_log a on a.company_id = i.company_id and a.id = i.audit_id
    where i.company_id = ${COMPANY} and i.key = any(${keys}::text[]))`;
  return sql<FactsRow>`
    select date_trunc('milliseconds', clock_timestamp()) as at, ${listOf(keys, stored)} as stored,
      ${takeIds('audit_log_id_seq', count)} as "logIds" ${sql.join(named, sql``)}`;
}

const journalTransactions = table('journal_transaction', {
  id: 'id',
  postingNo: 'posting_no',
  postingDate: 'posting_date',
  sourceType: 'source_type',
  sourceId: 'source_id',
  description: 'description',
  createdBy: 'created_by',
  createdAt: 'created_at',
  previousHash: 'previous_hash',
  hash: 'hash',
});
const journalLines = table('journal_line', {
  id: 'id',
  transactionId: 'transaction_id',
  lineNo: 'line_no',
  postingDate: 'posting_date',
  accountId: 'account_id',
  amount: 'amount_cents',
  basis: 'basis',
  description: 'description',
  entityId: 'entity_id',
  profitCenterId: 'profit_center_id',
  locationId: 'location_id',
  reverses: 'reverses',
});
const ledgerTotals = table('ledger_total', {
  grain: 'grain',
  begins: 'begins',
  accountId: 'account_id',
  basis: 'basis',
  profitCenterId: 'profit_center_id',
  locationId: 'location_id',
  amount: 'amount_cents',
  lines: 'line_count',
});

/** The same as the database's ledger_add_totals, of what is summed already. */
function addTotals(totals: readonly LedgerTotal[]): Runnable<unknown> {
  return sql`
    ${ledgerTotals.insertMany(totals)}
    on conflict (company_id, grain, begins, account_id, basis, profit_center_id, location_id) do update
      set amount_cents = ledger_total.amount_cents + excluded.amount_cents,
        line_count = ledger_total.line_count + excluded.line_count`;
}

const bytesOf = (hash: string): Buffer => Buffer.from(hash, 'hex');

/** The journal's part of a batch: transactions, lines, totals, and the head behind them. */
export function writeJournal(journal: {
  transactions: readonly Chained[];
  totals: readonly LedgerTotal[];
  head: HeadRow;
}): Runnable<unknown>[] {
  const { transactions, totals, head } = journal;
  const { closingDate: _, ...moved } = head;
  const move = heads.update({}, moved);
  if (transactions.length === 0) return [move];
  const rows = transactions.map(({ lines: _lines, companyId: _company, ...transaction }) => ({
    ...transaction,
    previousHash: bytesOf(transaction.previousHash),
    hash: bytesOf(transaction.hash),
  }));
  const lines = transactions.flatMap(({ id, postingDate, lines: own }) =>
    own.map((line) => ({ ...line, transactionId: id, postingDate })),
  );
  return [journalTransactions.insertMany(rows), journalLines.insertMany(lines), addTotals(totals), move];
}

/** A record's audit row, and the key under which its document is the stored answer. */
export interface LogRow extends RowOf<typeof auditLog> {
  once: { key: string; requestHash: Buffer } | undefined;
}

/** Audit rows and stored answers: the document stands in the audit row alone. */
export function writeLog(log: readonly LogRow[]): Runnable<unknown>[] {
  const keyed = log.flatMap(({ once, id, userId }) =>
    once === undefined ? [] : [{ key: once.key, userId, requestHash: once.requestHash, status: 200, auditId: id }],
  );
  const rows = log.map(({ once: _, ...row }) => row);
  return [auditLog.insertMany(rows), ...(keyed.length === 0 ? [] : [answers.insertMany(keyed)])];
}
