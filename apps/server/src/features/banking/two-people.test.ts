import { afterAll, beforeAll, expect, test } from 'vitest';
import { Dice } from '@evenkeel/core/dice';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import { expectSound } from './testing/reconciling.ts';
import { groundOfHands, Hand, type Send } from './testing/two-people.ts';

/** The number of steps that each of two simultaneous users performs. A torture run uses more. */
const ROUNDS = Math.min(1000, Number(process.env['TORTURE_RUNS'] ?? 40));

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

test(`${ROUNDS} rounds with two simultaneous users in one bank account cause no problems in the books`, async () => {
  const company = await t.createCompany();
  const customerId = await factoryFor(t, company).customer();
  const sendAs =
    ({ token }: { token: string }): Send =>
    (request) =>
      t.request({ ...request, token });
  const people = [company.administrator, company.superuser].map(sendAs);
  const hands = await Promise.all(
    people.map(async (send, at) => new Hand(send, new Dice(71 + at), await groundOfHands(send, customerId))),
  );
  for (let round = 1; round <= ROUNDS; round += 1) {
    await Promise.all(hands.map((hand) => hand.step()));
    if (round % 10 === 0) await expectSound(t, company);
  }
  const kinds = new Set(hands.flatMap((hand) => [...hand.done.keys()]));
  expect(kinds.size).toBeGreaterThan(ROUNDS < 100 ? 6 : 11);
});
