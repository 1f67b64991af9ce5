import { refuse } from '@evenkeel/core/failure';
import type { ReadFile, ReadStatement, StatementLine } from '@evenkeel/statements/read';
import { FileThreads, type ReadingLimits } from '../../platform/http/reading.ts';
import { longTasksAtOnce } from '../../platform/db/connect.ts';
import { nextTurn } from '../../platform/http/turns.ts';
import type { ReadAnswer, ReadOrder } from './read.worker.ts';

export type ReaderLimits = ReadingLimits;

/** No file waits for a thread. A file with 100,000 lines takes one or two seconds. */
const LIMITS: ReaderLimits = { threads: longTasksAtOnce.all, longestMs: 15_000, memoryMb: 512 };

const TASK = {
  from: import.meta.url,
  worker: 'read',
  what: 'A statement file',
  field: 'documentId',
  tooSlow: 'The file takes too long to read. Export a shorter period, or use another format such as OFX.',
  tooLarge: 'The file takes too much memory to read. Export a shorter period, or use another format such as OFX.',
};

/**
 * Reads statement files in worker threads, which start when the first file arrives. Callers must already have a turn at
 * the gate for long tasks.
 */
export class Reader {
  readonly #threads: FileThreads<ReadOrder, ReadAnswer>;

  constructor(limits: Partial<ReaderLimits> = {}) {
    this.#threads = new FileThreads(TASK, { ...LIMITS, ...limits });
  }

  /**
   * Throws 422 with the reader's message, or if a file needs too much time or memory. The bytes are moved to the thread
   * and can't be used afterward.
   */
  async read(order: ReadOrder): Promise<ReadFile> {
    const answer = await this.#threads.read(order, [order.bytes.buffer]);
    if ('refusal' in answer) throw refuse(answer.refusal, { documentId: answer.refusal });
    return withLines(answer);
  }

  close(): Promise<void> {
    return this.#threads.close();
  }
}

async function withLines({ file, lines }: Exclude<ReadAnswer, { refusal: string }>): Promise<ReadFile> {
  const statements: ReadStatement[] = [];
  for (const [at, statement] of file.statements.entries()) {
    const all: StatementLine[] = [];
    for (const part of lines[at] ?? []) {
      const some: StatementLine[] = JSON.parse(part);
      all.push(...some);
      await nextTurn();
    }
    statements.push({ ...statement, lines: all });
  }
  return { ...file, statements };
}

/** This process's reader. */
export const reader = new Reader();
