import { join } from 'node:path';
import { type ExportAsk, exportFileName, type ExportFormat, rangeFault } from '@evenkeel/core/books/books-export';
import { refuseFields } from '@evenkeel/core/failure';
import { now } from '../../platform/clock.ts';
import type { Pool } from '../../platform/db/connect.ts';
import { readCompany } from '../../platform/db/tx.ts';
import type { Ctx } from '../../platform/http/context.ts';
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
 * Writes a company's books as text, piece by piece, from one database snapshot (repeatable read). It uses little memory
 * and yields to other work every few milliseconds. Throws 404 for an unknown company. Returns the number of
 * transactions written.
 */
export function exportBooks(
  pool: Pool,
  { companyId, format, ...asked }: ExportRequest,
  write: (text: string) => Promise<void>,
): Promise<number> {
  return readCompany(pool, companyId, async (tx) => {
    let count = 0;
    let waiting = '';
    const breath = breaths();
    const books = await readBooks(tx, asked, now().toISOString());
    const transactions = counting(books.transactions, () => (count += 1));
    for await (const text of writers[format]({ ...books, transactions })) {
      waiting += text;
      await breath();
      if (waiting.length < PIECE) continue;
      await write(waiting);
      waiting = '';
    }
    await write(waiting);
    return count;
  });
}

/**
 * Returns a company's books as a file, for administrators. The file is created after the request's transaction, one per
 * company at a time, and is sent from disk. A slow download therefore uses neither a connection nor a slot in the
 * company gate.
 */
export async function exportFile({ services, companyId, userId }: Ctx, asked: ExportAsk): Promise<StoredFile> {
  const { pool, config, log } = services;
  const fault = rangeFault(asked);
  if (fault !== undefined) refuseFields({ to: fault });
  tellEvent(services, 'books exported', { userId, companyId, format: asked.format, basis: asked.basis });
  const make = (write: (text: string) => Promise<void>) =>
    pool.gates.export.pass({ companyId }, () => exportBooks(pool, { companyId, ...asked }, write));
  return {
    name: exportFileName(asked),
    contentType: asked.format === 'csv' ? 'text/csv; charset=utf-8' : 'text/plain; charset=utf-8',
    bytes: () => throughFile(join(config.dataDir, 'uploads'), make, (error) => log.error({ err: error }, 'defect')),
  };
}

async function* counting<T>(items: AsyncIterable<T>, count: () => void): AsyncGenerator<T> {
  for await (const item of items) {
    count();
    yield item;
  }
}
