import { Failure } from '@evenkeel/core/failure';
import { monotonic } from '../clock.ts';

/** The size of a batch, and the longest wait of a request for its answer: as long as for a statement. */
export interface QueueBounds {
  members: number;
  /** Bytes of all requests in a batch together; a larger request goes alone. */
  bytes: number;
  waitMs: number;
}

export const queueBounds: QueueBounds = { members: 64, bytes: 65_536, waitMs: 12_000 };

/** Figures of batches, for the operator. */
export interface QueueMeter {
  batch(members: number): void;
  waited(milliseconds: number): void;
  /** Hands over how to count those who wait. */
  watch(waiting: () => number): void;
}

/** A request on its way in. */
export interface Submitted<I> {
  input: I;
  bytes: number;
  /** True once nobody waits for the answer: what has not begun then never does. */
  isGone?: (() => boolean) | undefined;
}

/** A request of a batch; the first answer or refusal counts. */
export interface Member<I, O> {
  readonly input: I;
  /** False once it has its answer. */
  readonly isOpen: boolean;
  answer(value: O): void;
  refuse(error: unknown): void;
}

/**
 * Does the work of one company's batch. `take` answers its members: call it once, as late as possible, with the
 * connection in hand. Members without an answer in the end get the error that it throws.
 */
export type RunBatch<I, O> = (companyId: number, take: () => Member<I, O>[]) => Promise<void>;

interface Waiting<I, O> extends Member<I, O> {
  submitted: Submitted<I>;
  since: number;
}

/**
 * A line for each company. An idle one begins at once, so a batch of one is the usual case; what comes while a batch
 * is under way goes with the next. There is no timer. A company has one batch, hence one connection, at a time, and
 * asks for it anew for each batch: however busy it is, others stand before its next one in the pool's line.
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

  /** The answer of the batch that takes this request; 503 when that takes longer than the bounds allow. */
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

  /** Batch after batch until nobody waits. */
  async #serve(companyId: number, line: Waiting<I, O>[]): Promise<void> {
    this.#lines.set(companyId, line);
    while (line.length > 0) {
      const taken: Waiting<I, O>[] = [];
      const take = (): Member<I, O>[] => {
        taken.push(...this.#take(line));
        return taken;
      };
      let failure: unknown = new Error('a batch left a request without an answer');
      await this.#run(companyId, take).catch((error: unknown) => {
        failure = error;
      });
      // Without a connection nothing was taken: those who wait now are told, instead of trying for ever.
      if (taken.length === 0) take();
      for (const member of taken) member.refuse(failure);
    }
    this.#lines.delete(companyId);
  }

  #take(line: Waiting<I, O>[]): Waiting<I, O>[] {
    const taken: Waiting<I, O>[] = [];
    let bytes = 0;
    for (let next = line[0]; next !== undefined; next = line[0]) {
      if (next.submitted.isGone?.() === true) next.refuse(new Failure('unavailable', 'The client has gone'));
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
