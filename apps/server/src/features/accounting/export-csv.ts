import { csvText, harmless } from '@evenkeel/core/csv';
import { cents, toPlain } from '@evenkeel/core/money';
import type { ExportedBooks, ExportedTransaction } from './export-books.ts';
import type { ExportAccount, ExportLine } from './export.sql.ts';

const columns = [
  'Transaction',
  'Date',
  'Source',
  'Source id',
  'Number',
  'Description',
  'Line',
  'Account id',
  'Account number',
  'Account name',
  'Account type',
  'Debit',
  'Credit',
  'Basis',
  'Line description',
  'Customer or vendor',
  'Profit center',
  'Location',
  'Reverses line',
];

/** Writes the books as comma-separated values, with a header and one row per journal line (RFC 4180). */
export async function* writeCsv(books: ExportedBooks): AsyncGenerator<string> {
  const accounts = new Map(books.accounts.map((account) => [account.id, account]));
  yield csvText([columns]);
  for await (const transaction of books.transactions) {
    yield csvText(transaction.lines.map((line) => cellsOf(line, transaction, accounts.get(line.accountId))));
  }
}

function cellsOf(line: ExportLine, transaction: ExportedTransaction, account: ExportAccount | undefined): string[] {
  const { amount } = line;
  return [
    String(transaction.id),
    transaction.postingDate,
    transaction.sourceType,
    String(line.sourceId),
    text(line.documentNumber),
    text(transaction.description),
    String(line.lineId),
    String(line.accountId),
    text(account?.number),
    text(account?.name),
    text(account?.type),
    amount > 0 ? toPlain(amount) : '',
    amount < 0 ? toPlain(cents(-amount)) : '',
    line.basis,
    text(line.description),
    text(line.entityName),
    text(line.profitCenter),
    text(line.location),
    line.reverses === null ? '' : String(line.reverses),
  ];
}

const text = (value: string | null | undefined): string => harmless(value ?? '');
