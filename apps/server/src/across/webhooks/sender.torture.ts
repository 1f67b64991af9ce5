import { type AddressInfo, createServer } from 'node:net';
import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { PRIVATE } from './targets.ts';
import { changeCustomers, compare, sendDue, sendUnderKills, subscribe } from './testing/delivery.ts';
import { openReceiver, verified } from './testing/receiver.ts';

/** The number of events, each of which goes to every webhook. */
const EVENTS = Math.max(100, Math.min(10_000, Number(process.env['TORTURE_RUNS'] ?? '10000')));
const CHANGES = 19;

/** The settings of the senders. On a busy machine, a shorter time limit would pause a webhook. */
const PATIENT = { leaseMs: 1600, answerMs: 450 };
const TIMEOUT_MS = 1500;

const events = ['customer.created', 'customer.updated'];
/** Numbers from 0 to 1, evenly distributed. The numbers of fc.double are mostly close to 0. */
const dice = fc.sample(
  fc.noBias(fc.nat(9999)).map((no) => no / 10_000),
  10_000,
);
let thrown = 0;
const roll = (): number => dice[(thrown += 1) % dice.length] ?? 0;

/** Counts connections to a private address, to which nothing may be sent. */
async function openTrap() {
  const found = { connections: 0 };
  const server = createServer((socket) => {
    found.connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  return { found, port, close: () => new Promise((resolve) => server.close(resolve)) };
}
type Trap = Awaited<ReturnType<typeof openTrap>>;

let trap: Trap;
let t: TestApp;
beforeAll(async () => {
  trap = await openTrap();
  t = await startTestApp({ config: { webhookPrivateTargets: true } });
});
afterAll(async () => {
  await t.close();
  await trap.close();
});

/**
 * The ways in which receivers respond to an event after they have read it. A response exceeds the time limit only on
 * purpose.
 */
const RECEIVERS: Readonly<Record<string, (reply: ServerResponse, luck: number) => void>> = {
  good: (reply) => void reply.end(),
  slow: (reply, luck) => void setTimeout(() => reply.end(), luck < 0.01 ? TIMEOUT_MS : luck * 200),
  failing: (reply, luck) => {
    if (luck < 0.01) return;
    reply.statusCode = luck < 0.2 ? 500 : 204;
    reply.end();
  },
  redirecting: (reply, luck) => {
    if (luck < 0.2) reply.writeHead(307, { location: `http://127.0.0.1:${trap.port}/` }).end();
    else if (luck < 0.3) reply.writeHead(301, { location: `https://[::1]:${trap.port}/` }).end();
    else reply.end();
  },
  dropping: (reply, luck) => {
    if (luck < 0.2) reply.socket?.destroy();
    else if (luck < 0.3) reply.writeHead(200, { 'content-length': '100' }).write('o', () => reply.socket?.destroy());
    else reply.end();
  },
};

test(`${EVENTS} events to unreliable receivers arrive at least once and in order despite kills`, async () => {
  const { company } = t.world;
  const startedAt = performance.now();
  let cut = 0;
  const receivers = await Promise.all(
    Object.entries(RECEIVERS).map(async ([name, respond]) => {
      const receiver = await openReceiver();
      const { secret, id } = await subscribe(t, company, receiver.url, events);
      const first = new Set<string>();
      receiver.respond = (arrival, reply) => {
        // The signature is valid for five minutes.
        verified(secret, arrival);
        expect(() => verified(`whsec_${Buffer.alloc(32).toString('base64')}`, arrival)).toThrow('signature');
        first.add(arrival.id);
        const at = performance.now();
        reply.on('close', () => {
          if (name === 'slow' && !reply.writableFinished && performance.now() - at < 250) cut += 1;
        });
        respond(reply, roll());
      };
      return { name, receiver, id, first };
    }),
  );
  let isPosting = true;
  const customers = Math.ceil(EVENTS / (CHANGES + 1));
  const posting = changeCustomers(t, company, { customers, changes: CHANGES }).finally(() => {
    isPosting = false;
  });
  const loop = { isPosting: () => isPosting, settings: PATIENT, longest: 6000 };
  const [ends] = await Promise.all([sendUnderKills(t, company, roll, loop), posting]);
  const total = customers * (CHANGES + 1);
  const told: Record<string, number> = { events: total, kills: ends, cut };
  for (const { name, receiver, id, first } of receivers) {
    const found = await compare(t, company.companyId, id, receiver.arrivals);
    expect({ name, ...found }).toEqual({ name, lost: 0, unknown: 0, outOfOrder: [] });
    expect(first.size).toBe(total);
    told[name] = receiver.arrivals.length;
    await receiver.close();
  }
  console.log(JSON.stringify({ ...told, seconds: Math.round((performance.now() - startedAt) / 1000) }));
  expect(ends).toBeGreaterThan(5);
  expect(cut).toBeGreaterThan(0);
  expect(trap.found.connections).toBe(0);
});

test('without permission, no event reaches a private address, whatever the URL or its DNS lookups', async () => {
  const strict = await startTestApp();
  const { port } = trap;
  const { company } = strict.world;
  const urls = [
    `http://127.0.0.1:${port}/`,
    `https://127.1:${port}/`,
    `https://2130706433:${port}/`,
    `https://017700000001:${port}/`,
    `https://0x7f000001:${port}/`,
    `https://[::1]:${port}/`,
    `https://[::ffff:127.0.0.1]:${port}/`,
    `https://localhost:${port}/`,
    `https://books.localhost:${port}/`,
    ...['one', 'mapped', 'mixed', 'changing'].map((name) => `https://${name}.example:${port}/`),
  ];
  let asked = 0;
  const addresses: Readonly<Record<string, () => string[]>> = {
    'one.example': () => ['127.0.0.1'],
    'mapped.example': () => ['::ffff:127.0.0.1'],
    'mixed.example': () => ['192.0.2.1', '::1'],
    // Each lookup finds another address. No address is public, so that the test connects to no other machine.
    'changing.example': () => [['127.0.0.1', '::1', '10.0.0.1'][(asked += 1) % 3] ?? ''],
  };
  const resolve = async (host: string) =>
    (addresses[host]?.() ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const ids: number[] = [];
  for (const [at, url] of urls.entries()) {
    const { id } = await subscribe(strict, company, `https://shop${at}.example/`, events);
    // The URL was saved while the operator allowed private addresses.
    await strict.inCompany(company.companyId, (tx) =>
      tx.rows(sql`update webhook_endpoint set url = ${url} where company_id = ${company.companyId} and id = ${id}`),
    );
    ids.push(id);
  }
  await changeCustomers(strict, company, { customers: 8, changes: CHANGES });
  for (let round = 0; round < 3; round += 1)
    await sendDue(strict, { resolve, waits: [0, 0, 0], leaseMs: 20_000, answerMs: 5000 });
  for (const [at, id] of ids.entries()) {
    const found = await strict.inCompany(company.companyId, (tx) =>
      tx.rows(sql<{ error: string }>`
        select distinct error from webhook_attempt
        where company_id = ${company.companyId} and endpoint_id = ${id}`),
    );
    const error = urls[at]?.startsWith('http:') === true ? 'The URL must begin with https://' : PRIVATE;
    expect([urls[at], ...found]).toEqual([urls[at], { error }]);
  }
  expect(trap.found.connections).toBe(0);
  await strict.close();
});
