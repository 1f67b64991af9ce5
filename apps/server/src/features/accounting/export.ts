import { join } from 'node:path';
import { type ExportAsk, exportFileName, type ExportFormat, rangeFault } from '@evenkeel/core/books/books-export';
import { refuseFields } from '@evenkeel/core/failure';
import { now } from '../../platform/clock.ts';
import type { Pool } from '../../platform/db/connect.ts';
import { readCompany, type Tx } from '../../platform/db/tx.ts';
import type { Ctx, Services } from '../../platform/http/context.ts';
import type { StoredFile } from '../../platform/http/route.ts';
import { tellEvent } from '../../platform/http/security-log.ts';
import { throughFile } from '../../platform/http/through-file.ts';
import { breaths } from '../../platform/http/turns.ts';
import { writeBeancount } from './export-beancount.ts';
import { readBooks } from './export-books.ts';
import type { ExportedBooks } from './export-books.ts';
import { writeCsv } from './export-csv.ts';
import { writeHledger } from './export-hledger.ts';

const writers: Record<ExportFormat, (books: ExportedBooks) => AsyncGenerator<string>> = {
  hledger: writeHledger,
  beancount: writeBeancount,
  csv: writeCsv,
};

export interface ExportRequest extends ExportAsk {
  companyId: number;
}

/** The number of characters per write. */
const PIECE = 65_536;

/**
 * Writes text about a company's books, piece by piece, from one database snapshot (repeatable read). This uses little
 * memory and yields to other work every few milliseconds. `textOf` gets the time of the export in ISO format.
 */
export function exportText(
  pool: Pool,
  companyId: number,
  textOf: (tx: Tx, exportedAt: string) => AsyncIterable<string>,
  write: (text: string) => Promise<void>,
): Promise<void> {
  return readCompany(pool, companyId, async (tx) => {
    let waiting = '';
    const breath = breaths();
    for await (const text of textOf(tx, now().toISOString())) {
      waiting += text;
      await breath();
      if (waiting.length < PIECE) continue;
      await write(waiting);
      waiting = '';
    }
    await write(waiting);
  });
}

/** Writes a company's books. Throws 404 for an unknown company. Returns the number of transactions written. */
export async function exportBooks(
  pool: Pool,
  { companyId, format, ...asked }: ExportRequest,
  write: (text: string) => Promise<void>,
): Promise<number> {
  let count = 0;
  const textOf = async function* (tx: Tx, exportedAt: string) {
    const books = await readBooks(tx, asked, exportedAt);
    const transactions = counting(books.transactions, () => (count += 1));
    yield* writers[format]({ ...books, transactions });
  };
  await exportText(pool, companyId, textOf, write);
  return count;
}

/** Returns a company's books as a file, for administrators. */
export async function exportFile({ services, companyId, userId }: Ctx, asked: ExportAsk): Promise<StoredFile> {
  const fault = rangeFault(asked);
  if (fault !== undefined) refuseFields({ to: fault });
  tellEvent(services, 'books exported', { userId, companyId, format: asked.format, basis: asked.basis });
  return booksFile(services, companyId, {
    name: exportFileName(asked),
    contentType: asked.format === 'csv' ? 'text/csv; charset=utf-8' : 'text/plain; charset=utf-8',
    write: (pass) => exportBooks(services.pool, { companyId, ...asked }, pass),
  });
}

/**
 * Returns a file about a company's books. Only one file per company is created at a time. After the request's
 * transaction ends, the file is created on disk and then sent, so a slow download uses neither a connection nor a slot
 * in the company gate.
 */
export function booksFile(
  { pool, config, log }: Services,
  companyId: number,
  {
    write,
    ...file
  }: Pick<StoredFile, 'name' | 'contentType'> & {
    write: (pass: (text: string) => Promise<void>) => Promise<unknown>;
  },
): StoredFile {
  const make = (pass: (text: string) => Promise<void>) => pool.gates.export.pass({ companyId }, () => write(pass));
  return {
    ...file,
    bytes: () => throughFile(join(config.dataDir, 'uploads'), make, (error) => log.error({ err: error }, 'defect')),
  };
}

async function* counting<T>(items: AsyncIterable<T>, count: () => void): AsyncGenerator<T> {
  for await (const item of items) {
    count();
    yield item;
  }
}
