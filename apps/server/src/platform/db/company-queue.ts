import { Failure } from '@evenkeel/core/failure';
import { monotonic } from '../clock.ts';

/**
 * The limits on a batch, and the maximum time that a request waits for its response. A statement has the same time
 * limit.
 */
export interface QueueBounds {
  members: number;
  /** The maximum total size of the requests in a batch, in bytes. A larger request runs alone. */
  bytes: number;
  waitMs: number;
}

export const queueBounds: QueueBounds = { members: 64, bytes: 65_536, waitMs: 12_000 };

/** Receives batch measurements for the operator's metrics. */
export interface QueueMeter {
  batch(members: number): void;
  waited(milliseconds: number): void;
  /** Receives a function that returns the number of waiting requests. */
  watch(waiting: () => number): void;
}

/** A request to be queued. */
export interface Submitted<I> {
  input: I;
  bytes: number;
  /** Returns whether the client has disconnected. In that case, a request that hasn't started never starts. */
  isGone?: (() => boolean) | undefined;
}

/** A request in a batch. Only its first response or rejection counts. */
export interface Member<I, O> {
  readonly input: I;
  /** False after the request has received a response. */
  readonly isOpen: boolean;
  answer(value: O): void;
  refuse(error: unknown): void;
}

/**
 * Runs a batch for one company. `take` returns the batch's members. Call `take` once and as late as possible, after a
 * connection is available. If this function throws, all members that have no response yet get the error.
 */
export type RunBatch<I, O> = (companyId: number, take: () => Member<I, O>[]) => Promise<void>;

interface Waiting<I, O> extends Member<I, O> {
  submitted: Submitted<I>;
  since: number;
}

/**
 * A queue for each company. If a company is idle, its queue runs immediately, so a batch usually contains a single
 * request. Requests that arrive during a batch are in the next batch. No timer is used. A company runs one batch at a
 * time, so it uses one connection, and it requests a new connection for each batch. Other companies are therefore ahead
 * of the company's next batch in the pool's queue, no matter how busy that company is.
 */
export class CompanyQueue<I, O> {
  readonly #lines = new Map<number, Waiting<I, O>[]>();
  readonly #run: RunBatch<I, O>;
  readonly #meter: QueueMeter;
  readonly #bounds: QueueBounds;

  constructor(run: RunBatch<I, O>, meter: QueueMeter, bounds: QueueBounds = queueBounds) {
    this.#run = run;
    this.#meter = meter;
    this.#bounds = bounds;
    meter.watch(() => [...this.#lines.values()].reduce((sum, line) => sum + line.length, 0));
  }

  /**
   * Returns the response from the batch that includes this request. Throws 503 if the response takes longer than the
   * limit.
   */
  submit(companyId: number, submitted: Submitted<I>): Promise<O> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting(submitted, resolve, reject);
      const line = this.#lines.get(companyId);
      if (line !== undefined) line.push(waiting);
      else void this.#serve(companyId, [waiting]);
    });
  }

  #waiting(submitted: Submitted<I>, resolve: (value: O) => void, reject: (error: unknown) => void): Waiting<I, O> {
    let isOpen = true;
    const settle = (): boolean => {
      if (!isOpen) return false;
      isOpen = false;
      clearTimeout(timer);
      return true;
    };
    const refuse = (error: unknown): void => void (settle() && reject(error));
    const timer = setTimeout(() => refuse(tooLong()), this.#bounds.waitMs);
    return {
      submitted,
      input: submitted.input,
      since: monotonic(),
      get isOpen() {
        return isOpen;
      },
      answer: (value) => void (settle() && resolve(value)),
      refuse,
    };
  }

  /** Runs batches until no requests are waiting. */
  async #serve(companyId: number, line: Waiting<I, O>[]): Promise<void> {
    this.#lines.set(companyId, line);
    while (line.length > 0) {
      const taken: Waiting<I, O>[] = [];
      const take = (): Member<I, O>[] => {
        taken.push(...this.#take(line));
        return taken;
      };
      let failure: unknown = new Error('a batch ended without a response to a request');
      await this.#run(companyId, take).catch((error: unknown) => {
        failure = error;
      });
      // The batch got no connection, so it took no members. The waiting requests fail now instead of retrying forever.
      if (taken.length === 0) take();
      for (const member of taken) member.refuse(failure);
    }
    this.#lines.delete(companyId);
  }

  #take(line: Waiting<I, O>[]): Waiting<I, O>[] {
    const taken: Waiting<I, O>[] = [];
    let bytes = 0;
    for (let next = line[0]; next !== undefined; next = line[0]) {
      if (next.submitted.isGone?.() === true) next.refuse(new Failure('unavailable', 'The client disconnected'));
      if (next.isOpen) {
        bytes += next.submitted.bytes;
        if (taken.length > 0 && (taken.length === this.#bounds.members || bytes > this.#bounds.bytes)) break;
        this.#meter.waited(monotonic() - next.since);
        taken.push(next);
      }
      line.shift();
    }
    if (taken.length > 0) this.#meter.batch(taken.length);
    return taken;
  }
}

function tooLong(): Failure {
  return new Failure('unavailable', 'The request took too long. Try again.', undefined, { retryAfterSeconds: 5 });
}
