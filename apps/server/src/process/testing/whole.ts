import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { must, verify } from './client.ts';
import type { Installation } from './installation.ts';
import type { Load } from './load.ts';

/** A company's address and session, and the customers on its invoices and payments. */
export interface Books {
  address: string;
  token: string;
  customers: readonly number[];
}

interface Row {
  id: number;
  invoiceNumber: string;
}

/**
 * Checks that every write in every load is in the books exactly once and has the acknowledged number, and that numbers
 * have no gaps. Returns the counts.
 */
export async function expectWhole(books: Books, loads: readonly Load[]): Promise<{ acknowledged: number }> {
  const { address, token } = books;
  const rows = await must<Row[]>(address, '/api/billinginvoice?status=all', { token });
  const found = new Map(rows.map((row) => [row.id, row.invoiceNumber]));
  const invoices = loads.flatMap((load) => load.answered('/api/billinginvoice'));
  const lost = invoices.filter(({ reply }) => found.get(reply?.id ?? 0) !== reply?.invoiceNumber);
  expect(lost).toEqual([]);
  expect(rows).toHaveLength(invoices.length);
  expect(new Set(invoices.map(({ reply }) => reply?.id)).size).toBe(invoices.length);
  const numbers = rows.map((row) => Number(row.invoiceNumber)).toSorted((a, b) => a - b);
  expect(numbers).toEqual(numbers.map((_, index) => 10_001 + index));
  const payments = loads.flatMap((load) => load.answered('/api/billingpayment')).length;
  expect(await paymentsOf(books)).toBe(payments);
  return { acknowledged: invoices.length + payments };
}

/** Returns the number of payments in the customers' histories. */
async function paymentsOf({ address, token, customers }: Books): Promise<number> {
  const histories = await Promise.all(
    customers.map((id) => must<{ kind: string }[]>(address, `/api/customerbillinghistory/${id}`, { token })),
  );
  return histories.flat().filter(({ kind }) => kind === 'payment').length;
}

/**
 * Repeats all writes that got no response, and the last 20 writes, each with its own key. These 20 writes must get the
 * same responses again.
 */
export async function sendAgain(load: Load, { address, token }: Books): Promise<{ unanswered: number }> {
  const unanswered = load.writes.filter(({ reply }) => reply === undefined);
  for (const write of unanswered) expect(await load.send(write, { address, token })).toBe(true);
  for (const write of load.writes.slice(-20)) {
    const body = await must(address, write.path, { token, key: write.key, body: write.body });
    expect(body).toEqual(write.reply);
  }
  return { unanswered: unanswered.length };
}

/** Checks that the `verify` command finds no problem in any company. */
export async function expectVerified(
  installation: Installation,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const { code, ok, companies, err } = await verify(installation, environment);
  expect([code, ok, companies.flatMap(({ faults }) => faults)]).toEqual([0, true, []]);
  expect(err).toContain('0 problems');
}

/** Waits until the load has received `count` more responses with status 200. */
export async function successes(load: Load, count: number): Promise<void> {
  const wanted = load.successes.length + count;
  for (const deadline = Date.now() + 60_000; load.successes.length < wanted; await sleep(5)) {
    if (Date.now() > deadline)
      throw new Error(`fewer than ${count} responses in a minute; rejected: ${JSON.stringify(load.refusals)}`);
  }
}
