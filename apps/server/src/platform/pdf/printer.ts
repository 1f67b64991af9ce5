import { availableParallelism } from 'node:os';
import { Failure } from '@evenkeel/core/failure';
import { Piscina } from 'piscina';
import { workerFile } from '../http/threads.ts';
import type { InvoicePaper } from './invoice.ts';
import { drawable, withDrawable } from './bitmap.ts';
import type { Picture, RawPicture } from './picture.ts';
import type { ReceiptPaper } from './receipt.ts';
import type { StatementPaper } from './statement.ts';
import { requireNoTransaction } from '../waits.ts';

export interface PrinterLimits {
  threads: number;
  /** Papers that wait for a thread; one more is refused. */
  mostWaiting: number;
  /** From the order to the paper, milliseconds. */
  longestMs: number;
  /** Memory that a thread may use before it is ended. */
  memoryMb: number;
}

const LIMITS: PrinterLimits = {
  threads: Math.min(4, Math.max(1, availableParallelism() - 1)),
  mostWaiting: 32,
  longestMs: 30_000,
  memoryMb: 512,
};

/** The functions of draw.worker.ts. */
type Paper = 'invoice' | 'receipt' | 'report' | 'statement' | 'workbook' | 'warm';

/**
 * Draws papers in threads of their own, so that a long one stops nobody. A paper too many, or one that takes too long,
 * is an `unavailable` Failure (503); a thread that breaks is an error of that paper alone, and the next gets a new one.
 */
export class Printer {
  readonly limits: PrinterLimits;
  #pool: Piscina<unknown, Uint8Array> | undefined;
  /** Papers that are drawn or wait. */
  #ordered = 0;

  constructor(limits: Partial<PrinterLimits> = {}) {
    this.limits = { ...LIMITS, ...limits };
  }

  async invoice(paper: InvoicePaper): Promise<Uint8Array> {
    return this.#run('invoice', await withDrawable(paper));
  }

  /** A report, as JSON; the logo above its head, if it has one. */
  async report(json: string, logo?: Picture | RawPicture): Promise<Uint8Array> {
    return this.#run('report', { json, logo: await drawable(logo) });
  }

  async receipt(paper: ReceiptPaper): Promise<Uint8Array> {
    return this.#run('receipt', await withDrawable(paper));
  }

  /** Statements of several customers are one file. */
  async statement(...papers: readonly StatementPaper[]): Promise<Uint8Array> {
    return this.#run('statement', await Promise.all(papers.map(withDrawable)));
  }

  workbook(json: string): Promise<Uint8Array> {
    return this.#run('workbook', { json });
  }

  /** Loads library and fonts, so that the first paper is not slow. */
  async warm(): Promise<void> {
    await this.#run('warm', undefined);
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
    this.#pool = undefined;
  }

  /** Started with the first paper: a command that prints nothing has no threads. */
  #open(): Piscina<unknown, Uint8Array> {
    const { threads, memoryMb } = this.limits;
    const pool = new Piscina<unknown, Uint8Array>({
      ...workerFile(import.meta.url, 'draw'),
      minThreads: 1,
      maxThreads: threads,
      idleTimeout: 60_000,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    // A thread that breaks while it draws nothing is replaced; without a listener it would end the server.
    pool.on('error', () => undefined);
    return pool;
  }

  async #run(name: Paper, task: unknown): Promise<Uint8Array> {
    requireNoTransaction('A document');
    const { threads, mostWaiting, longestMs } = this.limits;
    // Counted here: the pool's own bound leaves out what can be aborted.
    if (this.#ordered >= threads + mostWaiting) throw tooBusy();
    this.#ordered += 1;
    this.#pool ??= this.#open();
    const signal = AbortSignal.timeout(longestMs);
    try {
      return await this.#pool.run(task, { name, signal });
    } catch (error) {
      throw signal.aborted ? tooBusy() : error;
    } finally {
      this.#ordered -= 1;
    }
  }
}

function tooBusy(): Failure {
  const message = 'The server is creating too many PDFs right now. Try again in a moment.';
  return new Failure('unavailable', message, undefined, { retryAfterSeconds: 5 });
}

/** The printer of this process. */
export const printer = new Printer();
