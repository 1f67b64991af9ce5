import type { SourceBooks } from '@evenkeel/imports/books';
import type { BooksSummary } from '@evenkeel/imports/summary';
import { Transactions } from '@evenkeel/imports/transactions';
import { FileThreads } from '../../platform/http/reading.ts';
import type { BooksAnswer, BooksOrder } from './books.worker.ts';

const TASK = {
  from: import.meta.url,
  worker: 'books',
  what: 'A file from another program',
  field: 'file',
  tooSlow: 'The files take too long to read. Export them in parts, for example year by year.',
  tooLarge: 'The files take too much memory to read. Export them in parts, for example year by year.',
};

const threads = new FileThreads<BooksOrder, BooksAnswer>(TASK, { threads: 1, longestMs: 300_000, memoryMb: 1536 });

type Asked = Omit<BooksOrder, 'whole'>;

/** Returns the buffers of the files, which the thread takes over. */
const buffersOf = ({ files }: Asked): ArrayBuffer[] =>
  files.flatMap(({ bytes: { buffer } }) => (buffer instanceof ArrayBuffer ? [buffer] : []));

/** Reads a move's files together in worker threads, and summarizes them. The bytes can't be used afterward. */
export async function summarize(asked: Asked): Promise<BooksSummary> {
  return (await threads.read({ ...asked, whole: false }, buffersOf(asked))).summary;
}

/** Reads a move's files with their transactions. The bytes can't be used afterward. */
export async function readBooks(asked: Asked): Promise<{ summary: BooksSummary; books: SourceBooks }> {
  const { summary, books: sent } = await threads.read({ ...asked, whole: true }, buffersOf(asked));
  if (sent === undefined) throw new Error('the reader returned no books');
  return { summary, books: { ...sent.books, transactions: new Transactions(sent.transactions) } };
}

/** Stops the threads. */
export const closeReader = (): Promise<void> => threads.close();
