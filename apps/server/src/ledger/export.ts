import type { ReportBasis } from '@evenkeel/core/ledger';
import { now } from '../clock.ts';
import type { Pool } from '../db/connect.ts';
import { readCompany } from '../db/tx.ts';
import { writeBeancount } from './export-beancount.ts';
import { readBooks } from './export-books.ts';
import type { ExportedBooks } from './export-books.ts';
import { writeCsv } from './export-csv.ts';
import { writeHledger } from './export-hledger.ts';

export const exportFormats = ['hledger', 'beancount', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const writers: Record<ExportFormat, (books: ExportedBooks) => AsyncGenerator<string>> = {
  hledger: writeHledger,
  beancount: writeBeancount,
  csv: writeCsv,
};

export interface ExportRequest {
  companyId: number;
  format: ExportFormat;
  /** One view of the books per file. */
  basis: ReportBasis;
}

/**
 * Writes a company's books as text, piece by piece, from one moment of the database (repeatable read) and with little
 * memory. Throws Failure 404 for an unknown company. Answers the number of transactions written.
 */
export function exportBooks(
  pool: Pool,
  { companyId, format, basis }: ExportRequest,
  write: (text: string) => Promise<void>,
): Promise<number> {
  return readCompany(pool, companyId, async (tx) => {
    let count = 0;
    const books = await readBooks(tx, basis, now().toISOString());
    const transactions = counting(books.transactions, () => (count += 1));
    for await (const text of writers[format]({ ...books, transactions })) await write(text);
    return count;
  });
}

async function* counting<T>(items: AsyncIterable<T>, count: () => void): AsyncGenerator<T> {
  for await (const item of items) {
    count();
    yield item;
  }
}
