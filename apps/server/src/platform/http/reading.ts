import { refuse } from '@evenkeel/core/failure';
import { Piscina } from 'piscina';
import { requireNoTransaction } from '../waits.ts';
import { workerFile } from './threads.ts';

export interface ReadingLimits {
  threads: number;
  /** The time limit for reading a file, in milliseconds. */
  longestMs: number;
  /** The maximum memory for a thread, in MB. A thread that exceeds it is stopped. */
  memoryMb: number;
}

interface Task {
  /** The caller's module. The worker is in the same folder. */
  from: string;
  /** The name of the worker, without `.worker`. */
  worker: string;
  /** A description of the content, for internal errors. */
  what: string;
  /** The request field that contains the file. Errors refer to this field. */
  field: string;
  tooSlow: string;
  tooLarge: string;
}

/** Reads files in worker threads, which start when the first file arrives. */
export class FileThreads<Order, Answer> {
  readonly #task: Task;
  readonly #limits: ReadingLimits;
  #pool: Piscina<Order, Answer> | undefined;

  constructor(task: Task, limits: ReadingLimits) {
    this.#task = task;
    this.#limits = limits;
  }

  /**
   * Runs the worker's function `read`. The buffers in `moved` are moved to the thread instead of being copied. Throws
   * 422 if a file needs too much time or memory.
   */
  async read(order: Order, moved: ArrayBuffer[] = []): Promise<Answer> {
    const { what, field, tooSlow, tooLarge } = this.#task;
    requireNoTransaction(what);
    const signal = AbortSignal.timeout(this.#limits.longestMs);
    try {
      return await this.#open().run(order, { name: 'read', signal, transferList: moved });
    } catch (error) {
      if (signal.aborted) throw refuse(tooSlow, { [field]: tooSlow });
      if (isOutOfMemory(error)) throw refuse(tooLarge, { [field]: tooLarge });
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
    this.#pool = undefined;
  }

  #open(): Piscina<Order, Answer> {
    if (this.#pool !== undefined) return this.#pool;
    const { threads, memoryMb } = this.#limits;
    // A small young generation is enough, because most of a thread's memory is outside it.
    const resourceLimits = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16 };
    const options = { minThreads: 0, maxThreads: threads, idleTimeout: 60_000, resourceLimits };
    this.#pool = new Piscina<Order, Answer>({ ...workerFile(this.#task.from, this.#task.worker), ...options });
    // A thread that crashes while it is idle is replaced. Without a listener, the error would stop the server.
    this.#pool.on('error', () => undefined);
    return this.#pool;
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
