import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Dice } from '@evenkeel/core/dice';
import { groundOfHands, Hand, type Send } from '../features/banking/testing/two-people.ts';
import { addCustomer, createCompany, signIn, verify } from './testing/client.ts';
import { freePort, Installation, PATIENCE_MS, type Server } from './testing/installation.ts';

const KILLS = 25;

vi.setConfig({ testTimeout: KILLS * PATIENCE_MS, hookTimeout: PATIENCE_MS });

let installation: Installation;
let environment: { DATA_DIR: string; LOG_LEVEL: string; PORT: string };
let server: Server;
beforeAll(async () => {
  installation = await Installation.make();
  environment = { DATA_DIR: installation.dataDir(), LOG_LEVEL: 'warn', PORT: String(await freePort()) };
  await createCompany(installation, environment);
  server = await installation.start(environment);
});
afterAll(() => installation.remove());

const sendAs =
  (address: string, token: string): Send =>
  async ({ method, url, headers, body }) => {
    const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
    const answer = await fetch(`${address}${url}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(isRaw ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? Buffer.from(body) : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text };
  };

/** Performs steps one after another until the connection breaks. Any other error fails the test. */
async function workUntilKilled(hand: Hand, isKilled: () => boolean): Promise<void> {
  for (;;) {
    try {
      await hand.step();
    } catch (error) {
      if (isKilled()) return;
      throw error;
    }
  }
}

const doneBy = ({ done }: Hand): number => [...done.values()].reduce((all, count) => all + count, 0);

test(`verify passes after ${KILLS} server kills while two users work in a bank account`, async () => {
  const token = await signIn(server.address);
  const customerId = await addCustomer(server.address, token, 'Acme Tools');
  const ground = await groundOfHands(sendAs(server.address, token), customerId);
  const steps = new Map<string, number>();
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const hands = [1, 2].map((at) => new Hand(sendAs(server.address, token), new Dice(10 * kill + at), ground));
    let killed = false;
    const work = Promise.all(hands.map((hand) => workUntilKilled(hand, () => killed)));
    while (hands.some((hand) => doneBy(hand) < 20)) await sleep(5);
    await sleep(7 * kill);
    killed = true;
    await server.kill();
    await work;
    for (const hand of hands) for (const [name, count] of hand.done) steps.set(name, (steps.get(name) ?? 0) + count);
    server = await installation.start(environment);
    const { code, ok, companies } = await verify(installation, environment);
    expect([code, ok, companies.map(({ faults }) => faults)]).toEqual([0, true, [[]]]);
  }
  expect(steps.size).toBeGreaterThan(10);
});
