import { availableParallelism } from 'node:os';
import { Failure } from '@evenkeel/core/failure';
import type { Report } from '@evenkeel/core/reports/report';
import { Piscina } from 'piscina';
import { longJson } from '../http/long-json.ts';
import { workerFile } from '../http/threads.ts';
import { breaths } from '../http/turns.ts';
import type { InvoicePaper } from './invoice.ts';
import { drawable, withDrawable } from './bitmap.ts';
import type { Picture, RawPicture } from './picture.ts';
import type { ReceiptPaper } from './receipt.ts';
import type { StatementPaper } from './statement.ts';
import { requireNoTransaction } from '../waits.ts';

export interface PrinterLimits {
  threads: number;
  /** The maximum number of documents that wait for a thread. Any further document is rejected. */
  mostWaiting: number;
  /** The time limit from the request to the finished document, in milliseconds. */
  longestMs: number;
  /** The memory that a thread may use before it is stopped. */
  memoryMb: number;
}

const LIMITS: PrinterLimits = {
  threads: Math.min(4, Math.max(1, availableParallelism() - 1)),
  mostWaiting: 32,
  longestMs: 30_000,
  memoryMb: 512,
};

/** The functions in draw.worker.ts. */
type Paper = 'invoice' | 'receipt' | 'report' | 'reports' | 'statement' | 'workbook' | 'warm';

/**
 * Draws documents in worker threads, so that a long document does not block requests. If too many documents are waiting
 * or a document takes too long, throws an `unavailable` Failure (503). If a thread crashes, only its document is
 * affected, and the next document gets a new thread.
 */
export class Printer {
  readonly limits: PrinterLimits;
  #pool: Piscina<unknown, Uint8Array> | undefined;
  /** The number of documents that are being drawn or waiting. */
  #ordered = 0;

  constructor(limits: Partial<PrinterLimits> = {}) {
    this.limits = { ...LIMITS, ...limits };
  }

  async invoice(paper: InvoicePaper): Promise<Uint8Array> {
    return this.#run('invoice', await withDrawable(paper));
  }

  /** Draws a report, with the logo (if any) above its heading. */
  async report(report: Report, logo?: Picture | RawPicture): Promise<Uint8Array> {
    const [json, picture] = [await jsonOf(report), await drawable(logo)];
    return this.#run('report', { json, logo: picture }, json);
  }

  /** Draws several reports in one file. */
  async reports(...reports: readonly [Report, ...Report[]]): Promise<Uint8Array> {
    const jsons: JsonParts[] = [];
    for (const report of reports) jsons.push(await jsonOf(report));
    return this.#run('reports', jsons, jsons.flat());
  }

  async receipt(paper: ReceiptPaper): Promise<Uint8Array> {
    return this.#run('receipt', await withDrawable(paper));
  }

  /** Draws several customers' statements in one file. */
  async statement(...papers: readonly StatementPaper[]): Promise<Uint8Array> {
    return this.#run('statement', await Promise.all(papers.map(withDrawable)));
  }

  async workbook(report: Report): Promise<Uint8Array> {
    const json = await jsonOf(report);
    return this.#run('workbook', { json }, json);
  }

  /** Loads the library and the fonts, so that the first document is not slow. */
  async warm(): Promise<void> {
    await this.#run('warm', undefined);
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
    this.#pool = undefined;
  }

  /** The threads start with the first document, so a command that prints nothing starts none. */
  #open(): Piscina<unknown, Uint8Array> {
    const { threads, memoryMb } = this.limits;
    const pool = new Piscina<unknown, Uint8Array>({
      ...workerFile(import.meta.url, 'draw'),
      minThreads: 1,
      maxThreads: threads,
      idleTimeout: 60_000,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    // If a thread crashes while it is idle, it is replaced. Without a listener, the error would end the server process.
    pool.on('error', () => undefined);
    return pool;
  }

  /** Runs a function of the worker. The bytes in `moved` are moved to the thread instead of being copied. */
  async #run(name: Paper, task: unknown, moved: JsonParts = []): Promise<Uint8Array> {
    requireNoTransaction('A document');
    const { threads, mostWaiting, longestMs } = this.limits;
    // The documents are counted here, because the pool's own limit ignores tasks that can be aborted.
    if (this.#ordered >= threads + mostWaiting) throw tooBusy();
    this.#ordered += 1;
    this.#pool ??= this.#open();
    const signal = AbortSignal.timeout(longestMs);
    try {
      return await this.#pool.run(task, { name, signal, transferList: moved.map(({ buffer }) => buffer) });
    } catch (error) {
      throw signal.aborted ? tooBusy() : error;
    } finally {
      this.#ordered -= 1;
    }
  }
}

/** JSON in parts, as UTF-8. */
export type JsonParts = Uint8Array<ArrayBuffer>[];

/**
 * Returns a report as JSON that can be moved to a thread. Copying ten thousand lines in one step would block other
 * requests.
 */
async function jsonOf(report: Report): Promise<JsonParts> {
  const breath = breaths();
  const parts: JsonParts = [];
  for (const part of await longJson(report)) {
    parts.push(new TextEncoder().encode(part));
    await breath();
  }
  return parts;
}

function tooBusy(): Failure {
  const message = 'The server is creating too many PDFs right now. Try again in a moment.';
  return new Failure('unavailable', message, undefined, { retryAfterSeconds: 5 });
}

/** This process's printer. */
export const printer = new Printer();
