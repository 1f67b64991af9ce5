import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { changeCustomers, outOfOrder, sendUnderKills, subscribe } from './testing/delivery.ts';
import { openReceiver, verified } from './testing/receiver.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp({ config: { webhookPrivateTargets: true } });
});
afterAll(() => t.close());

test('10,000 events under kills, failures, and slow responses arrive at least once, signed, and in order', async () => {
  const { company } = t.world;
  const receiver = await openReceiver();
  const events = ['customer.created', 'customer.updated'];
  const { secret } = await subscribe(t, company, receiver.url, events);
  await changeCustomers(t, company, { customers: 500, changes: 19 });
  const dice = fc.sample(fc.double({ min: 0, max: 1, noNaN: true }), 10_000);
  let thrown = 0;
  const roll = (): number => dice[(thrown += 1) % dice.length] ?? 0;
  receiver.respond = (_arrival, reply) => {
    const luck = roll();
    if (luck < 0.02) reply.socket?.destroy();
    else if (luck < 0.04) reply.writeHead(503).end();
    else if (luck < 0.06) reply.writeHead(307, { location: receiver.url }).end();
    else if (luck < 0.065) setTimeout(() => reply.end(), 1000);
    else reply.end();
  };
  const kills = await sendUnderKills(t, company.companyId, roll);
  expect(kills).toBeGreaterThan(50);
  expect(new Set(receiver.arrivals.map(({ id }) => id)).size).toBe(10_000);
  expect(outOfOrder(receiver.arrivals)).toEqual([]);
  for (const arrival of receiver.arrivals) verified(secret, arrival);
  await receiver.close();
});
