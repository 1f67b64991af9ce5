import { sql } from 'kysely';
import { expect } from 'vitest';
import { verifyCompany } from '../../ledger/verify.ts';
import type { RawAnswer, TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';

/** Two invoices of 100.00, a payment of 60.00 on the first, one of 50.00 on both: what the commands of a race share. */
interface Shared {
  customerId: number;
  first: number;
  second: number;
  payment: number;
}

interface Command {
  method: 'POST' | 'PUT' | 'DELETE';
  url: string;
  body?: object;
}

const line = (amount: number) => [{ description: 'Work', itemPrice: amount, quantity: 1, accountId: 140 }];

function invoiceOf({ customerId }: Shared, given: object): object {
  return { customerId, invoiceDate: '2026-03-10', dueDate: '2026-04-09', lineItems: line(100), ...given };
}

function paymentOf({ customerId }: Shared, given: object): object {
  return { customerId, paymentDate: '2026-03-20', paymentAccountId: 104, paymentAmount: 60, ...given };
}

const invoices = '/api/billinginvoice';
const payments = '/api/billingpayment';
const applied = (invoiceId: number, amount: number) => ({ paymentApplications: [{ invoiceId, amount }] });

/** What a person can do to an invoice and to a payment that others have open too. */
const commands: Readonly<Record<string, (shared: Shared) => Command>> = {
  'create invoice': (shared) => ({ method: 'POST', url: invoices, body: invoiceOf(shared, {}) }),
  'edit invoice': (shared) => {
    return { method: 'PUT', url: invoices, body: invoiceOf(shared, { id: shared.first, lineItems: line(120) }) };
  },
  'move invoice': (shared) => {
    return { method: 'PUT', url: invoices, body: invoiceOf(shared, { id: shared.first, invoiceDate: '2026-04-02' }) };
  },
  'void invoice': (shared) => {
    return { method: 'PUT', url: invoices, body: invoiceOf(shared, { id: shared.second, arBillingStatus: 5 }) };
  },
  'delete invoice': ({ second }) => ({ method: 'DELETE', url: `${invoices}/${second}` }),
  'create payment': (shared) => ({ method: 'POST', url: payments, body: paymentOf(shared, { paymentAmount: 130 }) }),
  'edit payment': (shared) => {
    const given = { id: shared.payment, paymentAmount: 75, ...applied(shared.first, 70) };
    return { method: 'PUT', url: payments, body: paymentOf(shared, given) };
  },
  'move payment': (shared) => {
    const given = { id: shared.payment, ...applied(shared.second, 60) };
    return { method: 'PUT', url: payments, body: paymentOf(shared, given) };
  },
  'unapply payment': (shared) => {
    const given = { id: shared.payment, paymentApplications: [] };
    return { method: 'PUT', url: payments, body: paymentOf(shared, given) };
  },
  'delete payment': ({ payment }) => ({ method: 'DELETE', url: `${payments}/${payment}` }),
};

const names = Object.keys(commands);

/** Every two commands, one with itself too. */
const pairs = names.flatMap((one, at) => names.slice(at).map((other) => [one, other]));

/** What a command may meet: done, gone, changed meanwhile, or against the rules as things stand by then. */
const lawful = [200, 404, 409, 422];

async function race(t: TestApp, company: WorldCompany, run: readonly string[]): Promise<void> {
  const make = factoryFor(t, company);
  const customerId = await make.customer();
  const first = (await make.invoice({ customerId })).id;
  const second = (await make.invoice({ customerId })).id;
  const one = { customerId, paymentAmount: 60, ...applied(first, 60) };
  const payment = (await make.payment(one)).id;
  const both = [
    { invoiceId: first, amount: 20 },
    { invoiceId: second, amount: 30 },
  ];
  await make.payment({ customerId, paymentAmount: 50, paymentApplications: both });
  const shared = { customerId, first, second, payment };
  const answers = await Promise.all(
    run.map(async (name): Promise<[string, RawAnswer]> => {
      const command = commands[name]?.(shared);
      if (command === undefined) throw new Error(`there is no command ${name}`);
      return [name, await t.request({ ...command, token: make.token })];
    }),
  );
  const unlawful = answers.filter(([, { status }]) => !lawful.includes(status));
  expect(unlawful.map(([name, { status, body }]) => [name, status, body])).toEqual([]);
  expect({ run, wrong: await wrongSums(t, company.companyId) }).toEqual({ run, wrong: [] });
}

/** Documents and payments whose kept amounts are not what their applications give, counted here and not by `verify`. */
async function wrongSums(t: TestApp, companyId: number): Promise<unknown[]> {
  return t.inCompany(companyId, (tx) =>
    tx.rows(sql`
      select * from (
        select 'document' as what, d.id, d.open_cents as kept,
          case when d.deleted or d.status in (1, 5) then 0 else d.total_cents end
          - coalesce((select sum(a.amount_cents) from payment_application a
            where a.company_id = ${companyId} and a.document_id = d.id), 0) as wanted
        from document d where d.company_id = ${companyId}
        union all
        select 'payment', p.id, p.unapplied_cents, case when p.deleted then 0 else p.amount_cents end
          - coalesce((select sum(a.amount_cents) from payment_application a
            where a.company_id = ${companyId} and a.payment_id = p.id), 0)
        from payment p where p.company_id = ${companyId}) s
      where kept <> wanted`),
  );
}

/**
 * Runs `rounds` rounds. Each runs all commands at once on documents they share, and two of the pairs by themselves;
 * after each the open and unapplied amounts are right, at the end of ten the books verify.
 */
export async function raceRounds(t: TestApp, rounds: number): Promise<void> {
  let company = await t.createCompany();
  for (let round = 0; round < rounds; round += 1) {
    await race(t, company, names);
    for (const place of [2 * round, 2 * round + 1]) await race(t, company, pairs[place % pairs.length] ?? []);
    if (round % 10 < 9 && round < rounds - 1) continue;
    expect((await verifyCompany(t.pool, company.companyId)).faults).toEqual([]);
    company = await t.createCompany();
  }
}
