/** Reads a move's files in a worker thread. across/moving/reader.ts calls this function by name. */
import { setPriority } from 'node:os';
import type { SourceBooks } from '@evenkeel/imports/books';
import { readOwned } from '@evenkeel/imports/read';
import type { Choices } from '@evenkeel/imports/reader';
import { isSqlite } from '@evenkeel/imports/sqlite';
import { type BooksSummary, summaryOf } from '@evenkeel/imports/summary';
import type { TransactionsData } from '@evenkeel/imports/transactions';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { ImportFile } from '@evenkeel/imports/zip';

// Keeps a large file from blocking the thread that handles requests (see platform/pdf/draw.worker.ts).
if (process.platform === 'linux') setPriority(5);

export interface BooksOrder {
  files: ImportFile[];
  choices: Choices;
  /** The first month of the fiscal year, 1 to 12. */
  startMonth: number;
  /** Whether the response contains the complete books. If not, it contains only a summary. */
  whole: boolean;
}

export interface BooksAnswer {
  summary: BooksSummary;
  books?: SentBooks;
}

/** Books in a form that a thread can send. */
interface SentBooks {
  books: Omit<SourceBooks, 'transactions'>;
  transactions: TransactionsData;
}

/** Reads files. The memory that holds the transactions is moved to the caller's thread instead of being copied. */
export async function read({ files, choices, startMonth, whole }: BooksOrder): Promise<object> {
  // SQLite is loaded only for databases.
  const sqlite = files.some(({ bytes }) => isSqlite(bytes)) ? await (await import('sql.js')).default() : undefined;
  const reading = readOwned(files, choices, sqlite);
  const summary = summaryOf(reading, startMonth);
  if (!whole) return { summary } satisfies BooksAnswer;
  const { transactions: all, ...books } = reading.books;
  const transactions = all.data();
  const { strings, heads, lines } = transactions;
  return move({
    [transferableSymbol]: [...strings.chunks, ...heads.chunks, ...lines.chunks].map(({ buffer }) => buffer),
    [valueSymbol]: { summary, books: { books, transactions } } satisfies BooksAnswer,
  });
}
