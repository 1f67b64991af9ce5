import { sql } from 'kysely';
import type { Chained, LedgerTotal } from '@evenkeel/core/chain';
import type { SourceType } from '@evenkeel/core/side';
import type { Runnable } from '../db/query.ts';
import { type RowOf, table } from '../db/table.ts';

const heads = table('ledger_head', {
  transactionId: 'next_transaction_id',
  lineId: 'next_line_id',
  postingNo: 'next_posting_no',
  lastHash: 'last_hash',
  closingDate: 'closing_date',
  invoice: 'next_invoice_number',
  payment: 'next_payment_number',
  expensepayment: 'next_expense_payment_number',
});

/** The company's head: where its journal ends and what its documents' next numbers are. */
export type HeadRow = RowOf<typeof heads>;

/** A document's kind takes its next number: the head behind it, and the number. */
export function numbersOf(head: HeadRow, kind: SourceType): [HeadRow, string] {
  if (kind !== 'invoice' && kind !== 'payment' && kind !== 'expensepayment') throw new Error(`no ${kind} has a number`);
  return [{ ...head, [kind]: head[kind] + 1 }, String(head[kind])];
}

/** Takes the company's place in the line of postings. */
export const lockHead = heads.find({}, { lock: 'for update' });

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

/** Adds sums that are made already, as the database's ledger_add_totals does from lines. */
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
