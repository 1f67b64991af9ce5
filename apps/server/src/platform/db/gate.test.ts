import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Gate, type GateBounds, TurnedAway, type Visitor } from './gate.ts';

/** Creates a gate whose requests stay inside until the test releases them. */
function gateOf(bounds: Partial<GateBounds> = {}) {
  const gate = new Gate({ all: 4, each: 2, waitMs: 5000, ...bounds });
  const entered: string[] = [];
  const goers = new Map<string, () => void>();
  const waits: number[] = [];
  gate.onEntered = (milliseconds) => void waits.push(milliseconds);
  const visit = (companyId: number, name: string, more: Omit<Visitor, 'companyId'> = {}): Promise<string> =>
    gate.pass({ companyId, ...more }, async () => {
      entered.push(name);
      await new Promise<void>((resolve) => goers.set(name, resolve));
      return name;
    });
  const go = async (name: string): Promise<void> => {
    goers.get(name)?.();
    await sleep(0);
  };
  return { gate, entered, visit, go, waits };
}

/** Releases requests until none are left. */
async function empty({ entered, go }: ReturnType<typeof gateOf>): Promise<void> {
  for (const name of entered) await go(name);
}

test("a company has a limited number of turns, and other companies don't wait behind its requests", async () => {
  const at = gateOf();
  const visits = ['a1', 'a2', 'a3', 'a4'].map((name) => at.visit(1, name));
  visits.push(at.visit(2, 'b1'));
  await sleep(0);
  expect([at.entered, at.gate.waiting]).toEqual([['a1', 'a2', 'b1'], 2]);
  await at.go('b1');
  expect(at.entered).toEqual(['a1', 'a2', 'b1']);
  await at.go('a2');
  expect(at.entered).toEqual(['a1', 'a2', 'b1', 'a3']);
  await empty(at);
  expect(await Promise.all(visits)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
  expect([at.waits.length, at.gate.waiting]).toEqual([5, 0]);
});

test('a free turn goes to the company with the fewest turns, regardless of how long the queues are', async () => {
  const at = gateOf({ all: 2, each: 2 });
  const visits = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => at.visit(1, name));
  visits.push(at.visit(2, 'b1'), at.visit(2, 'b2'), at.visit(3, 'c1'));
  await sleep(0);
  for (const name of ['a1', 'a2', 'b1', 'a3']) await at.go(name);
  expect(at.entered.slice(2)).toEqual(['b1', 'a3', 'c1', 'b2']);
  await empty(at);
  expect(await Promise.all(visits)).toHaveLength(8);
});

test("saves of the same record run one after another and don't delay the company's other records", async () => {
  const at = gateOf();
  const visits = ['a1', 'a2', 'a3'].map((name) => at.visit(1, name, { record: 'invoice 7' }));
  visits.push(at.visit(1, 'other', { record: 'invoice 8' }), at.visit(2, 'b1', { record: 'invoice 7' }));
  await sleep(0);
  expect(at.entered).toEqual(['a1', 'other', 'b1']);
  await at.go('a1');
  expect(at.entered).toEqual(['a1', 'other', 'b1', 'a2']);
  await empty(at);
  expect(await Promise.all(visits)).toHaveLength(5);
});

test('a request never starts if its client has disconnected', async () => {
  const at = gateOf({ each: 1 });
  let isGone = false;
  const first = at.visit(1, 'first');
  const gone = at.visit(1, 'gone', { isGone: () => isGone });
  const last = at.visit(1, 'last');
  isGone = true;
  const refused = Promise.allSettled([gone]);
  await sleep(0);
  await at.go('first');
  expect(await refused).toMatchObject([{ reason: { name: 'Failure', code: 'unavailable' } }]);
  await empty(at);
  expect([await first, await last, at.entered]).toEqual(['first', 'last', ['first', 'last']]);
});

test('a request that waits too long is rejected with a message and does not block others', async () => {
  const at = gateOf({ each: 1, waitMs: 30 });
  const first = at.visit(1, 'first');
  const late: unknown = await at.visit(1, 'late').catch((error: unknown) => error);
  expect(late).toBeInstanceOf(TurnedAway);
  expect(late).toMatchObject({ code: 'unavailable', detail: { retryAfterSeconds: 5 } });
  expect(late).toMatchObject({ message: 'Your company has too many requests in progress. Try again in a moment.' });
  const next = at.visit(1, 'next');
  await at.go('first');
  expect([at.entered, at.gate.waiting]).toEqual([['first', 'next'], 0]);
  await empty(at);
  await Promise.all([first, next]);
});

test('all waiting requests can be rejected together, while running and later requests continue', async () => {
  const at = gateOf({ each: 1 });
  const first = at.visit(1, 'first');
  const waiting = Promise.allSettled([at.visit(1, 'second'), at.visit(1, 'third')]);
  await sleep(0);
  at.gate.refuseAll(new Error('unavailable'));
  expect(await waiting).toMatchObject([{ reason: { message: 'unavailable' } }, { reason: { message: 'unavailable' } }]);
  await at.go('first');
  const next = at.visit(1, 'next');
  await sleep(0);
  await empty(at);
  expect([await first, await next, at.entered]).toEqual(['first', 'next', ['first', 'next']]);
});

test('a request that fails gives up its turn', async () => {
  const gate = new Gate({ all: 1, each: 1, waitMs: 5000 });
  await expect(gate.pass({ companyId: 1 }, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await gate.pass({ companyId: 1 }, async () => 'yes')).toBe('yes');
});
