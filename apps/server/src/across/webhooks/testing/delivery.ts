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

/** Sends everything that is due once, and waits until it has been sent. */
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

/** Creates customers and renames each one several times. The last word of the name counts the changes. */
export async function changeCustomers(
  t: TestApp,
  { administrator: { token } }: WorldCompany,
  { customers, changes }: { customers: number; changes: number },
): Promise<void> {
  const one = async (no: number): Promise<void> => {
    const bodyOf = (change: number) => ({ name: `Customer ${no} ${change}`, emailAddress: 'books@example.com' });
    const { id } = await t.call(entityCalls.createCustomer, { token, body: bodyOf(0) });
    for (let change = 1; change <= changes; change += 1) {
      await t.call(entityCalls.updateCustomer, { token, params: { id }, body: { ...bodyOf(change), id } });
    }
  };
  for (let no = 0; no < customers; no += 8) {
    await Promise.all(Array.from({ length: Math.min(8, customers - no) }, (_, at) => one(no + at)));
  }
}

/** A pool for a process that is killed after a number of transactions. Afterward, every use of the pool fails. */
function killedAfter(t: TestApp, transactions: number) {
  const life = { left: transactions, isOver: false };
  const pool = new Proxy(t.pool, {
    get: (target, name) => {
      if (name === 'lend') life.left -= 1;
      if (life.left < 0) life.isOver = true;
      if (life.isOver) throw new Error('killed');
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { life, pool };
}

/**
 * Runs two senders at the same time and keeps killing them until nothing is waiting. A killed sender stores no results
 * and keeps its lease, as if its process had ended. Returns the number of kills.
 */
export async function sendUnderKills(t: TestApp, companyId: number, random: () => number): Promise<number> {
  let kills = 0;
  const log = pino({ level: 'silent' });
  const sendOne = async (): Promise<void> => {
    while ((await waiting(t, companyId)) > 0) {
      const { life, pool } = killedAfter(t, 10 + Math.floor(random() * 20));
      const sender = openSender({ ...t.services, pool, log }, { signal: new AbortController().signal, ...QUICK });
      const running: Promise<void>[] = [];
      while (!life.isOver && (await waiting(t, companyId)) > 0) {
        running.push(...(await sender().catch(() => [])));
        await sleep(60);
      }
      if (life.isOver) kills += 1;
      await Promise.all(running);
    }
  };
  await Promise.all([sendOne(), sendOne()]);
  return kills;
}

/** Returns the records whose events arrived out of order. An event may arrive again until the next one has arrived. */
export function outOfOrder(arrivals: readonly Arrival[]): number[] {
  const last = new Map<number, number>();
  return arrivals.flatMap(({ event: { data } }) => {
    const [id, change] = [Number(data['id']), Number(String(data['displayname']).split(' ').at(-1))];
    const before = last.get(id) ?? 0;
    last.set(id, change);
    return change === before || change === before + 1 ? [] : [id];
  });
}
