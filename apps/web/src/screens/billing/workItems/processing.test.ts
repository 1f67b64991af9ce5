// @vitest-environment jsdom
import { workItemCalls } from '@evenkeel/contract/workitems';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ask } from '../../../client/api.ts';
import { signOut } from '../../../client/session.ts';
import { alerts } from '../../../ui/alerts/store.ts';
import { forgetRun, goOn, type Job, type Run, type RunOf, startRun, stopRun, tally, useRun } from './processing.ts';
import { fakeNetwork, signedIn, wireInvoice } from '../testing/answers.tsx';

const job = (id: number): Job => ({
  id,
  name: `Customer ${id}`,
  count: 2,
  amount: cents(10_000 * id),
  asked: ask(workItemCalls.billWorkItems, { body: { id, invoiceDate: isoDate('2026-06-30'), workItemIds: [id * 10] } }),
});
const made = (id: number) => ({
  status: 200,
  body: wireInvoice({ id, invoiceNumber: `1046${id}`, invoiceAmount: id }),
});
const no = (message: string, more: object = {}) => {
  return { status: 409, body: { code: 'conflict', message, requestId: '1', ...more } };
};
const RUN: RunOf = {
  title: 'Process Work Items',
  dialog: 'process',
  words: { one: 'work item', many: 'work items' },
  head: 'Work Items',
};
const CALL = 'POST /workiteminvoice';
const BILLED = { invoiceId: 58, invoiceNumber: '10458', billedBy: 'Priya Raman', billedAt: '2026-06-30T13:38:00Z' };

beforeEach(() => {
  localStorage.clear();
  signedIn();
});
afterEach(() => {
  forgetRun();
  vi.unstubAllGlobals();
  signOut();
});

const shown = (): Run => {
  const { result } = renderHook(useRun);
  if (result.current === undefined) throw new Error('there is no run');
  return result.current;
};
const kinds = () => shown().rows.map(({ outcome }) => outcome.is);

it('a run that is started or continued twice bills each customer only once', async () => {
  const network = fakeNetwork({ [CALL]: [made(1), made(2)] });
  const onEnd = vi.fn<() => void>();
  const jobs = [1, 2].map(job);
  await Promise.all([startRun(RUN, jobs, onEnd), startRun(RUN, jobs, onEnd), goOn(onEnd)]);
  await startRun(RUN, jobs, onEnd);
  expect([network.writes.length, kinds(), onEnd.mock.calls.length]).toEqual([2, ['billed', 'billed'], 1]);
});

it('customers are billed one by one, each with its own idempotency key, and each result is reported', async () => {
  const refused = no('Mulch: Please Select an Account', { workItemId: 30 });
  const network = fakeNetwork({ [CALL]: [made(1), no('Already billed', { billed: BILLED }), refused] });
  const onEnd = vi.fn<() => void>();
  await startRun(RUN, [1, 2, 3].map(job), onEnd);
  expect(shown().rows.map(({ outcome }) => outcome)).toEqual([
    { is: 'billed', invoiceId: 1, invoiceNumber: '10461', amount: 100, isDraft: false },
    { is: 'already', billed: BILLED },
    { is: 'refused', message: 'Mulch: Please Select an Account', workItemId: 30 },
  ]);
  expect(network.writes.map(({ body }) => (body as { id: number }).id)).toEqual([1, 2, 3]);
  expect(new Set(network.writes.map(({ key }) => key)).size).toBe(3);
  expect(tally(shown())).toEqual({ billed: 1, already: 1, refused: 1, left: 0, amount: 100, of: 60_000 });
  expect(onEnd).toHaveBeenCalledTimes(1);
  // No dialog shows the result, so an alert shows it.
  expect(alerts.state().past[0]).toMatchObject({
    kind: 'Warning',
    text:
      'Billed 1 of 3 customers. See Process Work Items for the reason.. Customer 3: Mulch: Please ' +
      'Select an Account',
  });
});

it('if no response arrives, the other customers wait, and the request is repeated with the same key', async () => {
  const network = fakeNetwork({ [CALL]: [made(1), 'silence', made(2), made(3)] });
  await startRun(RUN, [1, 2, 3].map(job), () => undefined);
  expect([kinds(), shown().isRunning]).toEqual([['billed', 'unanswered', 'waiting'], false]);
  expect(tally(shown()).left).toBe(2);
  await goOn(() => undefined);
  expect(kinds()).toEqual(['billed', 'billed', 'billed']);
  const [, lost, again, last] = network.writes;
  expect(again).toEqual(lost);
  expect(last?.key).not.toBe(again?.key);
});

it("a server error for one customer doesn't stop the others and can be retried", async () => {
  const defect = { status: 500, body: { code: 'error', message: 'Something went wrong', requestId: '1' } };
  const network = fakeNetwork({ [CALL]: [defect, made(2), made(1)] });
  await startRun(RUN, [1, 2].map(job), () => undefined);
  expect(kinds()).toEqual(['unanswered', 'billed']);
  await goOn(() => undefined);
  expect(kinds()).toEqual(['billed', 'billed']);
  expect(network.writes.map(({ key }) => key)[2]).toBe(network.writes[0]?.key);
});

it('a full disk on the server stops the run, as a lost connection does', async () => {
  fakeNetwork({ [CALL]: [{ status: 503, body: { code: 'unavailable', message: 'No disk', requestId: '1' } }] });
  await startRun(RUN, [1, 2].map(job), () => undefined);
  expect(kinds()).toEqual(['unanswered', 'waiting']);
});

it('stopping ends the run after the current customer, and the other customers can be billed later', async () => {
  let answer: (given: ReturnType<typeof made>) => void = () => undefined;
  const kept = new Promise<ReturnType<typeof made>>((resolve) => {
    answer = resolve;
  });
  fakeNetwork({ [CALL]: [kept, made(2), made(3)] });
  const run = startRun(RUN, [1, 2, 3].map(job), () => undefined);
  expect(kinds()).toEqual(['billing', 'waiting', 'waiting']);
  stopRun();
  expect(shown().isStopping).toBe(true);
  answer(made(1));
  await run;
  expect([kinds(), shown().isStopping]).toEqual([['billed', 'waiting', 'waiting'], false]);
  await goOn(() => undefined);
  expect(kinds()).toEqual(['billed', 'billed', 'billed']);
});

it('the run ends with the session, so the next user sees no run and nothing else is billed', async () => {
  let answer: (given: ReturnType<typeof made>) => void = () => undefined;
  const kept = new Promise<ReturnType<typeof made>>((resolve) => {
    answer = resolve;
  });
  const network = fakeNetwork({ [CALL]: [kept, made(2)] });
  // Calls from an earlier session never resolve.
  void startRun(RUN, [1, 2].map(job), () => undefined);
  signOut();
  answer(made(1));
  await new Promise((next) => setTimeout(next, 50));
  expect(renderHook(useRun).result.current).toBeUndefined();
  expect(network.writes).toHaveLength(1);
});
