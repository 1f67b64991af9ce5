import { Failure, refuse } from '@evenkeel/core/failure';
import type { ReadFile, ReadStatement, StatementLine } from '@evenkeel/statements/read';
import { Piscina } from 'piscina';
import { workerFile } from '../http/threads.ts';
import { nextTurn } from '../http/turns.ts';
import type { ReadAnswer, ReadOrder } from './read.worker.ts';

const LONGEST_MS = 60_000;
const MEMORY_MB = 1024;
/** Files that are read or wait; one more is refused. */
const MOST_FILES = 8;

/** Reads statement files in one thread beside the requests; it starts with the first file. */
class Reader {
  #pool: Piscina<ReadOrder, ReadAnswer> | undefined;
  #files = 0;

  /** Throws a Failure: 422 in the reader's words, 503 when too many are read at once or one takes too long. */
  async read(order: ReadOrder): Promise<ReadFile> {
    if (this.#files >= MOST_FILES) throw tooBusy();
    this.#files += 1;
    const signal = AbortSignal.timeout(LONGEST_MS);
    try {
      const answer = await this.#open().run(order, { name: 'read', signal });
      if ('refusal' in answer) throw refuse(answer.refusal, { documentId: answer.refusal });
      return await withLines(answer);
    } catch (error) {
      throw signal.aborted ? tooBusy() : error;
    } finally {
      this.#files -= 1;
    }
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
    this.#pool = undefined;
  }

  #open(): Piscina<ReadOrder, ReadAnswer> {
    if (this.#pool !== undefined) return this.#pool;
    const limits = { maxOldGenerationSizeMb: MEMORY_MB };
    const options = { minThreads: 0, maxThreads: 1, idleTimeout: 60_000, resourceLimits: limits };
    this.#pool = new Piscina<ReadOrder, ReadAnswer>({ ...workerFile(import.meta.url, 'read'), ...options });
    // A thread that breaks while it reads nothing is replaced; without a listener it would end the server.
    this.#pool.on('error', () => undefined);
    return this.#pool;
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

function tooBusy(): Failure {
  const message = 'Too many statements are being read. Please try again in a moment';
  return new Failure('unavailable', message, undefined, { retryAfterSeconds: 5 });
}

/** The reader of this process. */
export const reader = new Reader();
