/** Reads the files of a move in a worker thread. across/moving/reader.ts calls this function by name. */
import { setPriority } from 'node:os';
import type { SourceBooks } from '@evenkeel/imports/books';
import { read as readFiles } from '@evenkeel/imports/read';
import type { Choices } from '@evenkeel/imports/reader';
import { type BooksSummary, summaryOf } from '@evenkeel/imports/summary';
import type { ImportFile } from '@evenkeel/imports/zip';

// A large file does not block the thread that handles requests (see platform/pdf/draw.worker.ts).
if (process.platform === 'linux') setPriority(5);

export interface BooksOrder {
  files: ImportFile[];
  choices: Choices;
  /** The first month of the fiscal year, 1 to 12. */
  startMonth: number;
  /** Whether the answer contains the books. Otherwise, it only summarizes them. */
  whole: boolean;
}

export interface BooksAnswer {
  summary: BooksSummary;
  /** The books without their transactions. */
  books?: SourceBooks;
  /** The transactions as JSON in parts, so that the receiver can yield between them. */
  parts: string[];
}

const TOGETHER = 500;

export function read({ files, choices, startMonth, whole }: BooksOrder): BooksAnswer {
  const reading = readFiles(files, choices);
  const summary = summaryOf(reading, startMonth);
  if (!whole) return { summary, parts: [] };
  const { transactions, ...books } = reading.books;
  const parts: string[] = [];
  for (let at = 0; at < transactions.length; at += TOGETHER) {
    parts.push(JSON.stringify(transactions.slice(at, at + TOGETHER)));
  }
  return { summary, books: { ...books, transactions: [] }, parts };
}
