import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { monotonic } from '../clock.ts';
import { NoAnswer } from './errors.ts';

/** Milliseconds until a connection that is lent raises a doubt, and that the database then has to answer a probe. */
export interface WatchBounds {
  doubtMs: number;
  probeMs: number;
}

/** Ends a connection without a goodbye: its statements fail with the reason. */
function cut(client: pg.ClientBase, reason: Error): void {
  (client as unknown as { connection: { stream: { destroy(reason: Error): void } } }).connection.stream.destroy(reason);
}

/**
 * Tells a database that hangs from one that works long: while a connection is lent for longer than the doubt, a trivial
 * statement asks on a connection of the watch's own. This one is there before it is needed, because a postmaster alone
 * may hang, and then the connections that exist go on. When the probe has no answer either, all connections are cut.
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

  /** `openProbe` makes a client that is not connected yet; `onLoss` is called after the connections were cut. */
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

  /** Connects the probe where there is none: a connection was made just now, so another can be. */
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

  /** True when the database answers the probe in time, or refuses it: then it does not hang. */
  async #ask(): Promise<boolean> {
    this.#stand();
    let isAnswered = false;
    const answered = (): void => void (isAnswered = true);
    const answer = this.#probe?.query('select 1').then(answered, answered);
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([answer, new Promise((resolve) => (timer = setTimeout(resolve, this.#bounds.probeMs)))]);
    clearTimeout(timer);
    // A long step of this process may have let the time pass while the answer lay in the socket.
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
