import { refuse } from '@evenkeel/core/failure';
import type { ReadFile, ReadStatement, StatementLine } from '@evenkeel/statements/read';
import { Piscina } from 'piscina';
import { workerFile } from '../../platform/http/threads.ts';
import { nextTurn } from '../../platform/http/turns.ts';
import type { ReadAnswer, ReadOrder } from './read.worker.ts';
import { requireNoTransaction } from '../../platform/waits.ts';

export interface ReaderLimits {
  threads: number;
  /** The maximum time to read a file, in milliseconds. A file with 100,000 lines takes one or two seconds. */
  longestMs: number;
  /** The maximum memory for a thread, in MB. A thread that exceeds it is stopped. */
  memoryMb: number;
}

/** The number of threads equals the limit for statement files (platform/db/connect.ts). */
const LIMITS: ReaderLimits = { threads: 2, longestMs: 15_000, memoryMb: 512 };

const TOO_SLOW = 'The file takes too long to read. Export fewer days, or use another format such as OFX.';
const TOO_LARGE = 'The file takes too much memory to read. Export fewer days, or use another format such as OFX.';

/**
 * Reads statement files in worker threads, which start when the first file arrives. Callers have already waited for the
 * limit.
 */
export class Reader {
  readonly #limits: ReaderLimits;
  #pool: Piscina<ReadOrder, ReadAnswer> | undefined;

  constructor(limits: Partial<ReaderLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Throws 422 with the reader's message, or if a file needs too much time or memory. */
  async read(order: ReadOrder): Promise<ReadFile> {
    requireNoTransaction('A statement file');
    const signal = AbortSignal.timeout(this.#limits.longestMs);
    const answer = await this.#open()
      .run(order, { name: 'read', signal })
      .catch((error: unknown): ReadAnswer => {
        if (signal.aborted) return { refusal: TOO_SLOW };
        if (isOutOfMemory(error)) return { refusal: TOO_LARGE };
        throw error;
      });
    if ('refusal' in answer) throw refuse(answer.refusal, { documentId: answer.refusal });
    return withLines(answer);
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
    this.#pool = undefined;
  }

  #open(): Piscina<ReadOrder, ReadAnswer> {
    if (this.#pool !== undefined) return this.#pool;
    const { threads, memoryMb } = this.#limits;
    const resourceLimits = { maxOldGenerationSizeMb: memoryMb };
    const options = { minThreads: 0, maxThreads: threads, idleTimeout: 60_000, resourceLimits };
    this.#pool = new Piscina<ReadOrder, ReadAnswer>({ ...workerFile(import.meta.url, 'read'), ...options });
    // A thread that crashes while idle is replaced. Without a listener, the error would stop the server.
    this.#pool.on('error', () => undefined);
    return this.#pool;
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

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
