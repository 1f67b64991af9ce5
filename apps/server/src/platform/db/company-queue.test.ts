import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { CompanyQueue, type Member, type QueueBounds, queueBounds, type RunBatch } from './company-queue.ts';

/** Creates a queue that records its batches and the values reported to the meter, both as text. */
function queueOf(run: RunBatch<string, string>, bounds: Partial<QueueBounds> = {}) {
  const sizes: number[] = [];
  const waits: number[] = [];
  let waiting = (): number => 0;
  const meter = {
    batch: (size: number) => sizes.push(size),
    waited: (ms: number) => waits.push(ms),
    watch: (count: () => number) => (waiting = count),
  };
  return { queue: new CompanyQueue(run, meter, { ...queueBounds, ...bounds }), sizes, waits, waiting: () => waiting() };
}

const one = (input: string, bytes = 1) => ({ input, bytes });
const answerAll = (members: readonly Member<string, string>[]): void =>
  members.forEach((member) => member.answer(`${member.input}!`));

test("an idle company's request starts immediately, and later ones go into the next batch in order", async () => {
  const batches: string[][] = [];
  const { queue, sizes, waits, waiting } = queueOf(async (_company, take) => {
    const members = take();
    batches.push(members.map((member) => member.input));
    await sleep(20);
    answerAll(members);
  });
  const first = queue.submit(1, one('a'));
  expect(batches).toEqual([['a']]);
  const others = ['b', 'c', 'd'].map((input) => queue.submit(1, one(input)));
  expect(waiting()).toBe(3);
  expect(await Promise.all([first, ...others])).toEqual(['a!', 'b!', 'c!', 'd!']);
  expect(batches).toEqual([['a'], ['b', 'c', 'd']]);
  expect(sizes).toEqual([1, 3]);
  expect(waits).toHaveLength(4);
});

test('a batch has at most 64 members and a byte limit, and a larger request runs alone', async () => {
  const batches: number[] = [];
  const { queue } = queueOf(
    async (_company, take) => {
      const members = take();
      batches.push(members.length);
      await sleep(1);
      answerAll(members);
    },
    { bytes: 200 },
  );
  const small = Array.from({ length: 130 }, (_, at) => queue.submit(1, one(String(at))));
  await Promise.all(small);
  expect(batches).toEqual([1, 64, 64, 1]);
  batches.length = 0;
  await sleep(1);
  await Promise.all([100, 101, 150, 1000, 20].map((bytes) => queue.submit(1, one('x', bytes))));
  expect(batches).toEqual([1, 1, 1, 1, 1]);
  batches.length = 0;
  await sleep(1);
  await Promise.all([1, 100, 100, 1, 199].map((bytes) => queue.submit(1, one('x', bytes))));
  expect(batches).toEqual([1, 2, 2]);
});

test('a company runs one batch at a time, and companies do not wait for each other', async () => {
  let most = 0;
  const under = new Map<number, number>();
  const { queue } = queueOf(async (companyId, take) => {
    under.set(companyId, (under.get(companyId) ?? 0) + 1);
    expect(under.get(companyId)).toBe(1);
    most = Math.max(
      most,
      [...under.values()].reduce((sum, each) => sum + each, 0),
    );
    await sleep(2);
    answerAll(take());
    under.set(companyId, 0);
  });
  await Promise.all(Array.from({ length: 60 }, (_, at) => queue.submit(at % 3, one('x'))));
  expect(most).toBe(3);
});

test("a rejected or slow request gets its own response, and the batch's other members get theirs", async () => {
  const { queue } = queueOf(
    async (_company, take) => {
      const members = take();
      members.find((member) => member.input === 'bad')?.refuse(new Error('no'));
      members.filter((member) => member.input === 'good').forEach((member) => member.answer('fine'));
      if (members.some((member) => member.input === 'slow')) await sleep(40);
      answerAll(members);
    },
    { waitMs: 30 },
  );
  const first = queue.submit(1, one('first'));
  const answers = await Promise.allSettled(['bad', 'good', 'slow'].map((input) => queue.submit(1, one(input))));
  expect(answers.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))).toEqual([
    'Error: no',
    'fine',
    'Failure: The request took too long. Try again.',
  ]);
  expect(await first).toBe('first!');
});

test('a request never starts if its client disconnects or its time limit passes before its batch starts', async () => {
  const begun: string[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const { queue } = queueOf(
    async (_company, take) => {
      const members = take();
      begun.push(...members.map((member) => member.input));
      if (members.some((member) => member.input === 'first')) await held;
      answerAll(members);
    },
    { waitMs: 30 },
  );
  let isGone = false;
  const early = Promise.allSettled([queue.submit(1, one('first')), queue.submit(1, one('late'))]);
  const gone = Promise.allSettled([queue.submit(1, { input: 'gone', bytes: 1, isGone: () => isGone })]);
  isGone = true;
  expect((await early).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const inTime = queue.submit(1, one('in time'));
  release();
  await inTime;
  expect((await gone).map(({ status }) => status)).toEqual(['rejected']);
  expect(begun).toEqual(['first', 'in time']);
});

test('a request whose client has disconnected is rejected without an error in the log', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const { queue } = queueOf(async (_company, take) => {
    const members = take();
    await held;
    answerAll(members);
  });
  const first = queue.submit(1, one('first'));
  const gone = Promise.allSettled([queue.submit(1, { input: 'gone', bytes: 1, isGone: () => true })]);
  release();
  expect(await first).toBe('first!');
  expect(await gone).toMatchObject([{ reason: { name: 'Failure', code: 'unavailable' } }]);
});

test('an error in a whole batch is returned to every waiting request, even if the batch has no members', async () => {
  let isBroken = true;
  const { queue } = queueOf(async (_company, take) => {
    await sleep(1);
    if (isBroken) throw new Error('no connection');
    answerAll(take());
  });
  const answers = await Promise.allSettled(['a', 'b', 'c'].map((input) => queue.submit(1, one(input))));
  expect(answers.map((each) => each.status === 'rejected' && String(each.reason))).toEqual(
    Array.from({ length: 3 }, () => 'Error: no connection'),
  );
  isBroken = false;
  expect(await queue.submit(1, one('d'))).toBe('d!');
});

test('a request that its batch never responds to is rejected instead of waiting forever', async () => {
  const { queue } = queueOf(async (_company, take) => void take());
  await expect(queue.submit(1, one('a'))).rejects.toThrow('without a response');
});
