import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { monotonic } from '../clock.ts';
import { NoAnswer } from './errors.ts';

/**
 * The time limits in milliseconds: how long a connection may be lent before the database is checked, and how long the
 * database may take to respond to the check.
 */
export interface WatchBounds {
  doubtMs: number;
  probeMs: number;
}

/** Closes a connection abruptly, so that its statements fail and the error contains the reason. */
function cut(client: pg.ClientBase, reason: Error): void {
  (client as unknown as { connection: { stream: { destroy(reason: Error): void } } }).connection.stream.destroy(reason);
}

/**
 * Distinguishes a database that hangs from a database that is busy for a long time. If a connection is lent for longer
 * than `doubtMs`, a trivial statement, the probe, runs on a separate connection. The probe's connection is opened in
 * advance, because the postmaster may hang while existing connections still work. If the probe gets no response either,
 * all connections are closed.
 */
export class Watch {
  readonly #all = new Set<pg.ClientBase>();
  readonly #lentSince = new Map<pg.ClientBase, number>();
  readonly #openProbe: () => pg.Client;
  readonly #onLoss: (reason: NoAnswer) => void;
  readonly #bounds: WatchBounds;
  readonly #timer: NodeJS.Timeout;
  #probe: pg.Client | undefined;
  #isAsking = false;

  /** `openProbe` creates a client that isn't connected yet. `onLoss` is called after the connections are closed. */
  constructor(pool: pg.Pool, bounds: WatchBounds, more: { openProbe: () => pg.Client; onLoss: (e: NoAnswer) => void }) {
    this.#openProbe = more.openProbe;
    this.#onLoss = more.onLoss;
    this.#bounds = bounds;
    this.#timer = setInterval(() => void this.#look(), Math.ceil(bounds.doubtMs / 8)).unref();
    pool.on('connect', (client) => {
      this.#all.add(client);
      this.#stand();
    });
    pool.on('remove', (client) => this.#all.delete(client));
    pool.on('acquire', (client) => this.#lentSince.set(client, monotonic()));
    pool.on('release', (_error, client) => this.#lentSince.delete(client));
  }

  end(): void {
    clearInterval(this.#timer);
    this.#probe?.end().catch(() => undefined);
    this.#probe = undefined;
  }

  /**
   * Connects the probe if it is not connected. The pool has just opened a connection, so the database accepts new
   * connections.
   */
  #stand(): void {
    if (this.#probe !== undefined) return;
    const probe = this.#openProbe();
    const forget = (): void => {
      if (this.#probe === probe) this.#probe = undefined;
    };
    this.#probe = probe;
    probe.on('error', forget);
    probe.on('end', forget);
    probe.connect().catch(forget);
  }

  async #look(): Promise<void> {
    const [oldest = Number.POSITIVE_INFINITY] = this.#lentSince.values();
    if (this.#isAsking || monotonic() - oldest < this.#bounds.doubtMs) return;
    this.#isAsking = true;
    const isAlive = await this.#ask();
    this.#isAsking = false;
    if (!isAlive) this.#lose();
  }

  /**
   * Returns true if the database responds to the probe or rejects it in time. In either case, the database isn't
   * hanging.
   */
  async #ask(): Promise<boolean> {
    this.#stand();
    let isAnswered = false;
    const answered = (): void => void (isAnswered = true);
    const answer = this.#probe?.query('select 1').then(answered, answered);
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([answer, new Promise((resolve) => (timer = setTimeout(resolve, this.#bounds.probeMs)))]);
    clearTimeout(timer);
    // The response may already be in the socket if a long step in this process delayed reading it.
    for (let turn = 0; turn < 2 && !isAnswered; turn += 1) await setImmediate();
    return isAnswered;
  }

  #lose(): void {
    const reason = new NoAnswer(this.#bounds.doubtMs + this.#bounds.probeMs);
    const probe = this.#probe;
    this.#probe = undefined;
    for (const client of [...this.#all, ...(probe === undefined ? [] : [probe])]) cut(client, reason);
    this.#onLoss(reason);
  }
}
