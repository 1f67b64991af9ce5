import { setTimeout as sleep } from 'node:timers/promises';
import { entityCalls } from '@evenkeel/contract/entities';
import { webhookCalls } from '@evenkeel/contract/webhooks';
import { sql } from 'kysely';
import { pino } from 'pino';
import type { TestApp } from '../../../testing/app.ts';
import type { WorldCompany } from '../../../testing/world.ts';
import { openSender, type SenderSettings } from '../sender.ts';
import type { Arrival } from './receiver.ts';

/** A short lease and no waits, so that tests don't wait for retries. */
export const QUICK = { leaseMs: 800, answerMs: 200, waits: Array.from({ length: 50 }, () => 0) };

/** Creates a webhook and returns its ID and secret. */
export async function subscribe(t: TestApp, company: WorldCompany, url: string, events: readonly string[]) {
  const body = { name: 'Web shop', url, events };
  const { secret, record } = await t.call(webhookCalls.createWebhook, { token: company.administrator.token, body });
  return { secret, id: record.id };
}

/** Sends all events that are due now, and waits until they have been sent. */
export async function sendDue(t: TestApp, settings: Partial<SenderSettings> = {}): Promise<void> {
  const sender = openSender(t.services, { signal: new AbortController().signal, ...QUICK, ...settings });
  await Promise.all(await sender());
}

/** Returns the number of deliveries in a company that have not been sent yet. */
export async function waiting(t: TestApp, companyId: number): Promise<number> {
  const { count } = await t.inCompany(companyId, (tx) =>
    tx.one(sql<{ count: number }>`
      select count(*)::int as count from webhook_delivery where company_id = ${companyId} and status = 'waiting'`),
  );
  return count;
}

/** Returns whether events are waiting in a company, and its paused webhooks. */
const standing = (t: TestApp, companyId: number): Promise<{ isWaiting: boolean; paused: number[] }> =>
  t.inCompany(companyId, (tx) =>
    tx.one(sql<{ isWaiting: boolean; paused: number[] }>`
      select exists (
          select from webhook_delivery where company_id = ${companyId} and status = 'waiting') as "isWaiting",
        array(
          select id::int from webhook_endpoint
          where company_id = ${companyId} and paused_at is not null) as paused`),
  );

/** Creates customers, and two users rename each one several times at the same time. */
export async function changeCustomers(
  t: TestApp,
  { administrator: { token } }: WorldCompany,
  { customers, changes }: { customers: number; changes: number },
): Promise<void> {
  const one = async (no: number): Promise<void> => {
    const bodyOf = (change: number) => ({ name: `Customer ${no} ${change}`, emailAddress: 'books@example.com' });
    const { id } = await t.call(entityCalls.createCustomer, { token, body: bodyOf(0) });
    const rename = async (first: number): Promise<void> => {
      for (let change = first; change <= changes; change += 2) {
        await t.call(entityCalls.updateCustomer, { token, params: { id }, body: { ...bodyOf(change), id } });
      }
    };
    await Promise.all([rename(1), rename(2)]);
  };
  for (let no = 0; no < customers; no += 8) {
    await Promise.all(Array.from({ length: Math.min(8, customers - no) }, (_, at) => one(no + at)));
  }
}

/**
 * A process that is killed after a number of transactions or an amount of time, whichever comes first. Afterward, every
 * use of its pool fails, and its requests are cut off.
 */
function killedAfter(t: TestApp, transactions: number, milliseconds: number) {
  const cut = new AbortController();
  const life = { left: transactions, isOver: false };
  const kill = (): void => {
    life.isOver = true;
    cut.abort();
  };
  const timer = setTimeout(kill, milliseconds);
  const pool = new Proxy(t.pool, {
    get: (target, name) => {
      if (name === 'lend') life.left -= 1;
      if (life.left < 0) kill();
      if (life.isOver) throw new Error('killed');
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { life, pool, signal: cut.signal, end: () => clearTimeout(timer) };
}

/** Settings for the loop of senders that are killed. */
interface Loop {
  isPosting?: () => boolean;
  settings?: Partial<SenderSettings>;
  /** The longest life of a sender in milliseconds. */
  longest?: number;
}

/**
 * Runs two senders at the same time and keeps killing them until nothing is waiting and no more events are posted. A
 * killed sender stores no results and keeps its lease, as if its process had ended. Every third sender is stopped like
 * a server that shuts down. Returns the number of kills.
 */
export async function sendUnderKills(
  t: TestApp,
  company: WorldCompany,
  random: () => number,
  { isPosting = () => false, settings = QUICK, longest = 1500 }: Loop = {},
): Promise<number> {
  let ends = 0;
  const log = pino({ level: 'silent' });
  const isBusy = async (): Promise<boolean> => {
    const { isWaiting, paused } = await standing(t, company.companyId);
    // On a busy machine, time limits can cause a hundred failures in a row.
    const { token } = company.administrator;
    for (const id of paused) await t.call(webhookCalls.resumeWebhook, { token, params: { id } });
    return isPosting() || isWaiting;
  };
  const sendOne = async (): Promise<void> => {
    while (await isBusy()) {
      const isStopped = ends % 3 === 2;
      const process = killedAfter(t, 20 + random() * 300, isStopped ? 600_000 : random() * longest);
      const stop = new AbortController();
      const signal = AbortSignal.any([process.signal, stop.signal]);
      const services = { ...t.services, pool: isStopped ? t.pool : process.pool, log };
      const sender = openSender(services, { signal, ...QUICK, ...settings });
      const timer = isStopped ? setTimeout(() => stop.abort(), random() * longest) : undefined;
      const running: Promise<void>[] = [];
      while (!signal.aborted && (await isBusy())) {
        running.push(...(await sender().catch(() => [])));
        await sleep(50);
      }
      if (signal.aborted) ends += 1;
      clearTimeout(timer);
      process.end();
      await Promise.all(running);
    }
  };
  await Promise.all([sendOne(), sendOne()]);
  return ends;
}

interface Found {
  /** The events that never arrived. */
  lost: number;
  /** The arrivals that are not events of this webhook. */
  unknown: number;
  /** The records whose events arrived out of order. */
  outOfOrder: number[];
}

/**
 * Compares the arrivals with the events that a webhook had to send, in the order of the audit log. An event may arrive
 * again until the next event of the same record has arrived.
 */
export async function compare(
  t: TestApp,
  companyId: number,
  endpointId: number,
  arrivals: readonly Pick<Arrival, 'id'>[],
): Promise<Found> {
  const events = await t.inCompany(companyId, (tx) =>
    tx.rows(sql<{ id: string; record: number; no: number }>`
      select webhook_id as id, subject_id as record,
        row_number() over (partition by subject_type, subject_id order by event_id)::int as no
      from webhook_delivery where company_id = ${companyId} and endpoint_id = ${endpointId}`),
  );
  const byId = new Map(events.map((event) => [event.id, event]));
  const arrived = new Set(arrivals.map(({ id }) => id));
  const last = new Map<number, number>();
  const outOfOrder = new Set<number>();
  for (const { id } of arrivals) {
    const event = byId.get(id);
    if (event === undefined) continue;
    const before = last.get(event.record) ?? 0;
    last.set(event.record, event.no);
    if (event.no !== before && event.no !== before + 1) outOfOrder.add(event.record);
  }
  return {
    lost: events.filter(({ id }) => !arrived.has(id)).length,
    unknown: [...arrived].filter((id) => !byId.has(id)).length,
    outOfOrder: [...outOfOrder],
  };
}
