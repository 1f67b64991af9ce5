import { Failure } from '@evenkeel/core/failure';
import { monotonic } from '../clock.ts';

/**
 * The maximum number of simultaneous turns, for all companies together and for each company. A request waits at most
 * `waitMs` for a turn.
 */
export interface GateBounds {
  all: number;
  each: number;
  waitMs: number;
}

/** A request for a turn. */
export interface Visitor {
  companyId: number;
  /**
   * The name of the record to save. A second save of the same record would only wait for the first save's lock, so the
   * second save waits here.
   */
  record?: string | undefined;
  /** Returns whether the client has disconnected. In that case, a request that hasn't started never starts. */
  isGone?: (() => boolean) | undefined;
}

/** The error for a request that was rejected before it started, and therefore didn't use the database. */
export class TurnedAway extends Failure {}

interface Waiting extends Visitor {
  since: number;
  enter(): void;
  refuse(error: unknown): void;
}

/**
 * The state of one company: the number of its requests in progress, the records that these requests save, and its
 * waiting requests.
 */
interface Company {
  inside: number;
  records: Set<string>;
  line: Waiting[];
}

/**
 * Limits the requests that use the pool, so that a request that waits for a lock or a long report doesn't hold a
 * connection. Each company has a few turns at a time and its own queue. A free turn goes to the company with the fewest
 * turns. The limits apply only to this process, and correctness depends only on database locks.
 */
export class Gate {
  readonly #bounds: GateBounds;
  /** The companies in the order of their next turn. */
  readonly #companies = new Map<number, Company>();
  #inside = 0;
  /** Receives the time that each request waited, in milliseconds. */
  onEntered: ((milliseconds: number) => void) | undefined;

  constructor(bounds: GateBounds) {
    this.#bounds = bounds;
  }

  /** The number of waiting requests. */
  get waiting(): number {
    return [...this.#companies.values()].reduce((sum, { line }) => sum + line.length, 0);
  }

  /**
   * Runs the work when its turn comes. Throws TurnedAway if the turn doesn't come in time or the client has
   * disconnected.
   */
  async pass<T>(visitor: Visitor, work: () => Promise<T>): Promise<T> {
    await this.#enter(visitor);
    try {
      return await work();
    } finally {
      this.#leave(visitor);
    }
  }

  /** Rejects all waiting requests, because the database is unavailable and each request would fail. */
  refuseAll(error: unknown): void {
    for (const [companyId, company] of this.#companies) {
      for (const waiting of company.line.splice(0)) waiting.refuse(error);
      this.#forget(companyId, company);
    }
  }

  #enter(visitor: Visitor): Promise<void> {
    return new Promise((resolve, reject) => {
      const { companyId } = visitor;
      const company = this.#companies.get(companyId) ?? { inside: 0, records: new Set(), line: [] };
      this.#companies.set(companyId, company);
      const refuse = (error: unknown): void => {
        clearTimeout(timer);
        reject(error);
      };
      const waiting: Waiting = {
        ...visitor,
        since: monotonic(),
        refuse,
        enter: () => {
          clearTimeout(timer);
          this.onEntered?.(monotonic() - waiting.since);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        company.line.splice(company.line.indexOf(waiting), 1);
        this.#forget(companyId, company);
        refuse(tooMuch());
      }, this.#bounds.waitMs);
      company.line.push(waiting);
      this.#admit();
    });
  }

  #leave({ companyId, record }: Visitor): void {
    const company = this.#companies.get(companyId);
    if (company === undefined) throw new Error('a company released a turn that it did not hold');
    this.#inside -= 1;
    company.inside -= 1;
    if (record !== undefined) company.records.delete(record);
    this.#forget(companyId, company);
    this.#admit();
  }

  #forget(companyId: number, { inside, line }: Company): void {
    if (inside === 0 && line.length === 0) this.#companies.delete(companyId);
  }

  /**
   * Assigns free turns. The next turn goes to the company with the fewest running requests. If several companies are
   * tied, the turn goes to the company that has waited longest.
   */
  #admit(): void {
    const companies = [...this.#companies].filter(([, { line }]) => line.length > 0);
    for (let fewest = 0; fewest < this.#bounds.each; fewest += 1) {
      for (const [companyId, company] of companies) {
        if (this.#inside >= this.#bounds.all) return;
        if (company.inside === fewest) this.#admitOne(companyId, company);
      }
    }
  }

  #admitOne(companyId: number, company: Company): void {
    const next = this.#nextOf(company);
    if (next === undefined) return this.#forget(companyId, company);
    this.#inside += 1;
    company.inside += 1;
    if (next.record !== undefined) company.records.add(next.record);
    // A company that has had a turn moves to the end.
    this.#companies.delete(companyId);
    this.#companies.set(companyId, company);
    next.enter();
  }

  /** Returns the first waiting request that may start now. Rejects requests whose clients have disconnected. */
  #nextOf({ records, line }: Company): Waiting | undefined {
    for (let at = 0; at < line.length;) {
      const waiting = line[at];
      if (waiting?.isGone?.() === true) {
        line.splice(at, 1);
        waiting.refuse(new TurnedAway('unavailable', 'The client disconnected'));
      } else if (waiting?.record !== undefined && records.has(waiting.record)) at += 1;
      else return line.splice(at, 1)[0];
    }
    return undefined;
  }
}

function tooMuch(): TurnedAway {
  const message = 'Your company has too many requests in progress. Try again in a moment.';
  return new TurnedAway('unavailable', message, undefined, { retryAfterSeconds: 5 });
}
