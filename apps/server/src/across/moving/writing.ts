import type { MoveProgress } from '@evenkeel/contract/moving';
import type { SourceBooks, SourceTransaction } from '@evenkeel/imports/books';
import type { BooksSummary } from '@evenkeel/imports/summary';
import type { Ctx } from '../../platform/http/context.ts';
import { breaths } from '../../platform/http/turns.ts';
import type { MoveChoices } from './moving.sql.ts';

/** Reports the progress of the work. Throws if the user has canceled it. */
export type Tell = (progress: Pick<MoveProgress, 'phase' | 'done' | 'total' | 'date'>) => Promise<void>;

export interface Writing {
  ctx: Ctx;
  moveId: number;
  choices: MoveChoices;
  summary: BooksSummary;
  books: SourceBooks;
  /** The first month of the fiscal year, 1 to 12. */
  startMonth: number;
  tell: Tell;
  /** Returns the ID of the uploaded file that contains a file or sheet, or 0. */
  fileOf: (file: string) => number;
}

/** Calls a function for each transaction. Other requests can run between the calls. */
export async function eachTransaction(
  { transactions }: SourceBooks,
  work: (transaction: SourceTransaction) => void,
): Promise<void> {
  const breath = breaths();
  for (const transaction of transactions) {
    work(transaction);
    await breath();
  }
}
