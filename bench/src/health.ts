import { setTimeout } from 'node:timers/promises';
import { healthCalls } from '@evenkeel/contract/health';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import type { Books } from './books.ts';
import { openClient } from './client.ts';
import { type Chapter, duration, median, quantile, table } from './figures.ts';
import { invoiceBody, newKey, today } from './posting.ts';
import type { RunningServer } from './server.ts';

const PAUSE_MS = 20;
/** The maximum time to wait for a health check to finish. */
const MOST_MS = 600_000;

/** Measures a company's requests while its books are checked, and while the server is idle. */
export async function measureHealth(server: RunningServer, books: Books, rounds: number): Promise<Chapter> {
  const client = openClient(server.url, 2);
  const { token, customerId } = books;
  const report = () => ({ body: JSON.stringify({ reportParams: [] }) });
  const invoice = () => ({ body: invoiceBody(customerId, today()), key: newKey() });
  const asked = [
    { name: 'customers, a page', method: 'GET', path: '/customer?limit=50', sent: () => ({}) },
    { name: 'trial balance', method: 'POST', path: `/reports/${reportKinds.trialBalance.id}`, sent: report },
    { name: 'an invoice posted', method: 'POST', path: '/billinginvoice', sent: invoice },
  ];
  const time = async ({ method, path, sent }: (typeof asked)[number]): Promise<number> => {
    const asking = { token, ...sent() };
    const began = performance.now();
    const { status } = await client.send(method, path, asking);
    if (status !== 200) throw new Error(`${method} ${path}: ${status}`);
    return performance.now() - began;
  };
  try {
    const quiet = asked.map(() => new Array<number>());
    for (let round = -5; round < rounds; round += 1) {
      for (const [at, one] of asked.entries()) {
        const took = await time(one);
        if (round >= 0) quiet[at]?.push(took);
      }
    }
    const began = performance.now();
    await client.call(healthCalls.checkHealth, { token });
    const during = asked.map(() => new Array<number>());
    let isRunning = true;
    while (isRunning && performance.now() - began < MOST_MS) {
      for (const [at, one] of asked.entries()) during[at]?.push(await time(one));
      isRunning = (await client.call(healthCalls.getHealth, { token })).run !== null;
      await setTimeout(PAUSE_MS);
    }
    const took = performance.now() - began;
    const rows = asked.map(({ name }, at) => {
      const [before = [], beside = []] = [quiet[at], during[at]];
      return [name, ...[before, beside].flatMap((times) => [duration(median(times)), duration(quantile(times, 0.99))])];
    });
    const text = [
      `All checks of the ${books.name} books, one after the other, took ${duration(took)}. Meanwhile the same company`,
      'was asked over HTTP, again and again.',
      '',
      table(
        ['asked', 'median, quiet', '99th percentile', 'median, next to a check', '99th percentile next to it'],
        rows,
      ),
    ].join('\n');
    const worst = Math.max(...during.map((times) => quantile(times, 0.99)));
    const wanted = `Another request next to a check of ${books.name} lines: at most 100 ms (99th percentile)`;
    return { title: 'Checks of the books', text, aims: [{ wanted, seen: duration(worst), isMet: worst <= 100 }] };
  } finally {
    client.close();
  }
}
