import { Failure } from '@evenkeel/core/failure';
import { monotonic } from '../clock.ts';

/** Turns at once, for all companies and for one. Nobody waits longer for a turn than `waitMs`. */
export interface GateBounds {
  all: number;
  each: number;
  waitMs: number;
  /** The most of one company that wait; one more is refused at once. Default: no bound but `waitMs`. */
  line?: number;
  /** The sentence of a refusal. */
  refusal?: string;
}

/** Who asks for a turn. */
export interface Visitor {
  companyId: number;
  /** Names the record that is saved: its second save would only wait for the lock of the first, so it waits here. */
  record?: string | undefined;
  /** True once nobody waits for the answer: what has not begun then never does. */
  isGone?: (() => boolean) | undefined;
}

/** Refused before it began: nothing was asked of the database. */
export class TurnedAway extends Failure {}

interface Waiting extends Visitor {
  since: number;
  enter(): void;
  refuse(error: unknown): void;
}

/** One company: how many of its own are inside, on which records, and who waits. */
interface Company {
  inside: number;
  records: Set<string>;
  line: Waiting[];
}

/**
 * Stands in front of the pool, so that whoever waits for a lock or behind a long report waits without a connection. A
 * company has a few turns at a time and a line of its own; a free turn goes to the company that has the fewest. It
 * bounds this process alone: correctness rests on the locks of the database.
 */
export class Gate {
  readonly #bounds: GateBounds;
  /** In the order in which their next turn comes. */
  readonly #companies = new Map<number, Company>();
  #inside = 0;
  /** Is told how long each waited, in milliseconds. */
  onEntered: ((milliseconds: number) => void) | undefined;

  constructor(bounds: GateBounds) {
    this.#bounds = bounds;
  }

  /** The number of those who wait. */
  get waiting(): number {
    return [...this.#companies.values()].reduce((sum, { line }) => sum + line.length, 0);
  }

  /** Does the work in its turn; throws TurnedAway when that does not come in time, or nobody waits for it any more. */
  async pass<T>(visitor: Visitor, work: () => Promise<T>): Promise<T> {
    await this.#enter(visitor);
    try {
      return await work();
    } finally {
      this.#leave(visitor);
    }
  }

  /** Refuses all who wait: the database is away, and none of them need find that out for itself. */
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
      const { line = Number.POSITIVE_INFINITY, waitMs, refusal } = this.#bounds;
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
        refuse(tooMuch(refusal));
      }, waitMs);
      company.line.push(waiting);
      this.#admit();
      if (company.line.length <= line) return;
      company.line.splice(company.line.indexOf(waiting), 1);
      refuse(tooMuch(refusal));
    });
  }

  #leave({ companyId, record }: Visitor): void {
    const company = this.#companies.get(companyId);
    if (company === undefined) throw new Error('a company left that was not inside');
    this.#inside -= 1;
    company.inside -= 1;
    if (record !== undefined) company.records.delete(record);
    this.#forget(companyId, company);
    this.#admit();
  }

  #forget(companyId: number, { inside, line }: Company): void {
    if (inside === 0 && line.length === 0) this.#companies.delete(companyId);
  }

  /** Gives free turns away: the next goes to the company with the fewest inside, of equals to the longest without. */
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
    // Whoever had a turn stands behind the others for the next.
    this.#companies.delete(companyId);
    this.#companies.set(companyId, company);
    next.enter();
  }

  /** Takes the first of the line who may go in now; who has gone meanwhile is refused. */
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

function tooMuch(message = 'Your company has too many requests in progress. Try again in a moment.'): TurnedAway {
  return new TurnedAway('unavailable', message, undefined, { retryAfterSeconds: 5 });
}
