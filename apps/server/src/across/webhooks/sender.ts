import { eventOf } from '@evenkeel/core/words/webhooks';
import { sql } from 'kysely';
import { todayIn, now, monotonic } from '../../platform/clock.ts';
import { isUnavailable } from '../../platform/db/errors.ts';
import { record } from '../../platform/db/audit.ts';
import { asWorker, enqueue } from '../../platform/db/jobs.ts';
import { inCompany, type Tx } from '../../platform/db/tx.ts';
import type { Services } from '../../platform/http/context.ts';
import { serverActor } from '../../platform/http/session.ts';
import { webhookLetter } from '../auth/letters.ts';
import { type Outcome, post, type Posting, signatureOf } from './post.ts';
import { resolveHost } from './targets.ts';
import { payloadOf, secretsOf, shown, subject } from './webhooks.ts';
import {
  attempts,
  deliveries,
  type DueRow,
  endpoints,
  type LeasedRow,
  lockEndpoint,
  openAdministrators,
  parkFollowers,
  releaseFollowers,
  selectDue,
  selectEndpoints,
  selectHeads,
} from './webhooks.sql.ts';

/**
 * Sends the events that are due. Events are rows that the change's own transaction wrote, so no event is lost, and each
 * is sent at least once. One process at a time sends to a webhook, and each record's events are sent one after another.
 * While a request is running, the sender holds no connection to the database.
 */

/**
 * The delays between the attempts, in seconds. They add up to about three days. If the last attempt fails, the event
 * fails.
 */
const WAITS: readonly number[] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 64_800, 79_200];

/** The number of failed attempts in a row after which a webhook is paused. */
const MOST_FAILURES = 100;

/** The number of simultaneous events for one webhook, and the number of webhooks that get events at the same time. */
const AT_ONCE = 16;
const MOST_WEBHOOKS = 20;

/** The number of batches after which the turn passes to another webhook. */
const MOST_BATCHES = 50;

/** Settings that only tests change. */
export interface SenderSettings extends Omit<Posting, 'allowsPrivate'> {
  /** The time limit for one process to send to a webhook. When it expires, another process can take over. */
  leaseMs: number;
  waits: readonly number[];
}

/** Starts sending the due events. Returns the running work for each webhook. */
export type Sender = () => Promise<Promise<void>[]>;

export function openSender(
  services: Services,
  given: Pick<SenderSettings, 'signal'> & Partial<SenderSettings>,
): Sender {
  const settings = { leaseMs: 60_000, answerMs: 10_000, waits: WAITS, resolve: resolveHost, ...given };
  const busy = new Set<string>();
  return async () => {
    const due = await asWorker(services.pool, selectDue());
    const started: Promise<void>[] = [];
    for (const { companyId, endpointId } of shuffled(due)) {
      const name = `${companyId} ${endpointId}`;
      if (busy.size >= MOST_WEBHOOKS || settings.signal.aborted) break;
      if (busy.has(name)) continue;
      busy.add(name);
      const turn = new Turn(services, settings, { companyId, endpointId });
      const running = turn.run().catch((error: unknown) => {
        if (!isUnavailable(error)) services.log.error({ err: error, companyId, endpointId }, 'sending webhooks failed');
      });
      started.push(running.finally(() => busy.delete(name)));
    }
    return started;
  };
}

/** Returns the list in random order. If there are more webhooks than turns, each of them eventually gets a turn. */
function shuffled<T>(all: readonly T[]): T[] {
  return all
    .map((each) => ({ each, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ each }) => each);
}

/** The events in one round, the secrets that sign them, and the database's time when they were read. */
interface Batch {
  endpoint: LeasedRow;
  due: DueRow[];
  readAt: number;
}

/** One process's turn to send to a webhook. */
class Turn {
  readonly #services: Services;
  readonly #settings: SenderSettings;
  readonly #companyId: number;
  readonly #endpointId: number;
  /** The number of the lease that this turn holds, or undefined. */
  #lease: number | undefined;

  constructor(
    services: Services,
    settings: SenderSettings,
    { companyId, endpointId }: { companyId: number; endpointId: number },
  ) {
    this.#services = services;
    this.#settings = settings;
    this.#companyId = companyId;
    this.#endpointId = endpointId;
  }

  async run(): Promise<void> {
    const { signal, leaseMs, answerMs } = this.#settings;
    for (let round = 0; round < MOST_BATCHES && !signal.aborted; round += 1) {
      const startedAt = monotonic();
      const batch = await this.#write((tx) => this.#take(tx));
      if (batch === undefined) break;
      // If taking the lease took too long, the lease could end while events are being sent.
      if (monotonic() - startedAt > leaseMs - 2 * answerMs) continue;
      const sent = await Promise.all(batch.due.map((event) => this.#send(batch.endpoint, event)));
      if (signal.aborted) break;
      await this.#write((tx) => this.#settle(tx, batch, sent));
    }
    await this.#write((tx) => this.#giveBack(tx));
  }

  #write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return inCompany(this.#services.pool, this.#companyId, work);
  }

  /** Takes or renews the lease and reads the next events. Returns undefined if there is nothing to send. */
  async #take(tx: Tx): Promise<Batch | undefined> {
    const id = this.#endpointId;
    const [[endpoint], due] = await tx.inOrder([lockEndpoint(id), selectHeads(id, AT_ONCE)]);
    if (endpoint === undefined) return this.#forget(tx);
    if (endpoint.isLeased && endpoint.lease !== this.#lease) return undefined;
    if (endpoint.pausedAt !== null) {
      tx.atEnd(deliveries.update({ endpointId: id, status: 'waiting' }, { dueAt: null }));
      return undefined;
    }
    if (due.length === 0) {
      tx.atEnd(parkFollowers(id));
      return undefined;
    }
    const lease = endpoint.lease === this.#lease ? endpoint.lease : endpoint.lease + 1;
    const leasedUntil = sql`now() + make_interval(secs => ${this.#settings.leaseMs / 1000})`;
    tx.atEnd(endpoints.update({ id }, { lease, leasedUntil }));
    this.#lease = lease;
    return { endpoint, due, readAt: monotonic() };
  }

  /**
   * Deletes events that were queued while their webhook was being deleted. A webhook that is merely locked keeps its
   * events.
   */
  async #forget(tx: Tx): Promise<undefined> {
    const endpoint = await tx.row(endpoints.find({ id: this.#endpointId }));
    if (endpoint === undefined) tx.atEnd(deliveries.delete({ endpointId: this.#endpointId }));
    return undefined;
  }

  async #send(endpoint: LeasedRow, event: DueRow): Promise<Outcome & { at: Date; signature: string }> {
    const { config, box } = this.#services;
    const at = now();
    const secrets = secretsOf(box, this.#companyId, endpoint);
    if (secrets === undefined) {
      const error = "The webhook's secret can't be decrypted. Rotate the secret.";
      return { at, signature: '', status: null, milliseconds: 0, error, response: null };
    }
    const signed = {
      id: event.webhookId,
      seconds: Math.floor(at.getTime() / 1000),
      body: payloadOf(this.#companyId, event),
    };
    const signature = signatureOf(secrets, signed);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Evenkeel-Webhooks',
      'webhook-id': signed.id,
      'webhook-timestamp': String(signed.seconds),
      'webhook-signature': signature,
    };
    const posting = { ...this.#settings, allowsPrivate: config.webhookPrivateTargets };
    const outcome = await post(endpoint.url, { headers, body: signed.body }, posting);
    this.#services.log.debug(
      { companyId: this.#companyId, event: eventOf(event.act), status: outcome.status },
      'sent a webhook',
    );
    return { ...outcome, at, signature };
  }

  /** Stores the results, unless another process took over because the lease ended. */
  async #settle(
    tx: Tx,
    { endpoint, due, readAt }: Batch,
    sent: readonly (Outcome & { at: Date; signature: string })[],
  ) {
    const endpointId = this.#endpointId;
    const found = await tx.row(endpoints.find({ id: endpointId }, { lock: 'for no key update' }));
    if (found === undefined || found.lease !== this.#lease) return;
    const readable = endpoint.now.getTime() + monotonic() - readAt;
    const rows = due.map((event, at) => {
      const isDone = sent[at]?.error === null;
      const wait = this.#settings.waits[event.tries];
      const dueAt = isDone || wait === undefined ? null : new Date(readable + wait * 1000);
      const status = isDone ? 'delivered' : wait === undefined ? 'failed' : 'waiting';
      const { eventId, kind, recordId } = event;
      return {
        endpointId,
        eventId,
        kind,
        recordId,
        status,
        dueAt,
        attempts: event.attempts + 1,
        tries: event.tries + 1,
      };
    });
    const log = sent.map((outcome, at) => {
      return { endpointId, eventId: due[at]?.eventId ?? 0, attempt: (due[at]?.attempts ?? 0) + 1, ...outcome };
    });
    const settled = rows.filter(({ status }) => status !== 'waiting');
    const lastDone = sent.findLastIndex(({ error }) => error === null);
    const failures = lastDone === -1 ? found.failures + sent.length : sent.length - 1 - lastDone;
    tx.atEnd(
      deliveries.updateMany(
        rows.map(({ kind: _, recordId: __, ...row }) => row),
        ['endpointId', 'eventId'],
      ),
      attempts.insertMany(log),
    );
    if (settled.length > 0) tx.atEnd(releaseFollowers(endpointId, settled));
    const isOver = failures >= MOST_FAILURES && found.pausedAt === null;
    if (isOver) await this.#pause(tx, failures);
    else if (failures !== found.failures) tx.atEnd(endpoints.update({ id: endpointId }, { failures }));
  }

  /** Pauses the webhook after too many failures, records this in the audit log, and notifies the administrators. */
  async #pause(tx: Tx, failures: number): Promise<void> {
    const id = this.#endpointId;
    const changes = { failures, pausedAt: sql`now()`, pausedByFailures: true };
    const [[before], , [after]] = await tx.inOrder([
      selectEndpoints(id),
      endpoints.update({ id }, changes),
      selectEndpoints(id),
    ]);
    if (before === undefined || after === undefined) return;
    const actor = serverActor({ companyId: this.#companyId, userId: before.createdBy }, todayIn('UTC'));
    record({ ...actor, tx }, subject, { before: shown(before), after: shown(after) });
    for (const { userId } of await tx.rows(openAdministrators())) enqueue(tx, webhookLetter(userId, before));
  }

  /** Ends the lease, so that another process can take it without waiting. */
  async #giveBack(tx: Tx): Promise<void> {
    if (this.#lease === undefined) return;
    tx.atEnd(endpoints.update({ id: this.#endpointId, lease: this.#lease }, { leasedUntil: null }));
  }
}
