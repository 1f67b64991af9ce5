import { billingCalls } from '@evenkeel/contract/billing';
import { entityCalls } from '@evenkeel/contract/entities';
import { type Client, openClient } from './client.ts';
import { type Company, newCompany } from './company.ts';
import { type Aim, type Chapter, duration, figure, ratio, table } from './figures.ts';
import { interleave, pairedRatio, type Round, summary, type Work } from './load.ts';
import { invoiceBody, newKey, type PostingPlan, today } from './posting.ts';
import type { RunningServer } from './server.ts';

const IN_FLIGHT = 16;

type Body = (worker: number) => unknown;

/** Returns the bodies to post, each with its call. Every payment applies one cent to its worker's invoice. */
async function bodiesOf(client: Client, { token, customerId }: Company): Promise<Record<string, [string, Body]>> {
  const date = today();
  const body = { name: 'Quarry & Mulch Supply', emailAddress: 'orders@quarry.example' };
  const { id: vendorId } = await client.call(entityCalls.createVendor, { token, body });
  const invoice: unknown = JSON.parse(invoiceBody(customerId, date));
  const open = await Promise.all(
    Array.from({ length: IN_FLIGHT }, () => client.call(billingCalls.createInvoice, { token, body: invoice })),
  );
  const lineItems = [
    { description: 'Mulch, per yard', lineItemAmount: 144.75, accountId: 146 },
    { description: 'Fuel', lineItemAmount: 61.2, accountId: 146 },
  ];
  const bill = { vendorId, invoiceNumber: 'Q-1', invoiceDate: date, lineItems };
  const paid = { customerId, paymentDate: date, paymentAmount: 0.01, paymentTypeId: 2, paymentAccountId: 104 };
  const applied = (worker: number) => [{ invoiceId: open[worker]?.id, amount: 0.01 }];
  return {
    'customers’ invoices': ['/billinginvoice', () => invoice],
    'vendors’ bills': ['/expenseinvoice', () => bill],
    'customers’ payments': ['/billingpayment', (worker) => ({ ...paid, paymentApplications: applied(worker) })],
  };
}

/** Compares the rate and the database cost of customer payments with those of invoices. */
function aimsOf(seen: ReadonlyMap<string, Round[]>): Aim[] {
  const invoices = seen.get('customers’ invoices') ?? [];
  const payments = seen.get('customers’ payments') ?? [];
  const rate = pairedRatio(payments, invoices);
  const time = (summary(payments).cpu.get('PostgreSQL') ?? Number.NaN) / 1000;
  return [
    { wanted: 'Payments a second to invoices a second: at least 0.35', seen: ratio(rate), isMet: rate >= 0.35 },
    { wanted: 'The database’s processor time a payment: at most 5 ms', seen: duration(time), isMet: time <= 5 },
  ];
}

/**
 * Measures how fast one company's invoices, bills, and payments are posted over HTTP, one kind after another. A second
 * kind of document should cost as much as the first.
 */
export async function measureDocuments(
  server: RunningServer,
  plan: Pick<PostingPlan, 'rounds' | 'milliseconds'>,
): Promise<Chapter> {
  const company = await newCompany(server, 'Documents');
  const client = openClient(server.url, IN_FLIGHT);
  try {
    const bodies = await bodiesOf(client, company);
    const works = Object.entries(bodies).map(([name, [path, bodyOf]]): Work => {
      const once = async (worker: number): Promise<void> => {
        const asking = { token: company.token, key: newKey(), body: JSON.stringify(bodyOf(worker)) };
        const { status, text } = await client.send('POST', path, asking);
        if (status !== 200) throw new Error(`${name} were not posted: ${status} ${text}`);
      };
      return { name, once };
    });
    const load = { ...plan, inFlight: IN_FLIGHT, cpu: server.cpu };
    await interleave(works, { ...load, rounds: 0 });
    // The database updates its statistics automatically within a minute. Until then, queries are planned as if the
    // tables were empty.
    await server.raw.query('analyze');
    const seen = await interleave(works, load);
    const [first = []] = seen.values();
    const rows = [...seen].map(([name, list]) => {
      const { perSecond, p50, cpu } = summary(list);
      const used = [...cpu.values()].map(figure).join(' + ');
      return [name, figure(perSecond), ratio(pairedRatio(list, first)), duration(p50), used];
    });
    const length = duration(plan.milliseconds);
    const text = [
      `One company, ${IN_FLIGHT} at once, ${plan.rounds} rounds of ${length} each in turn. Invoices and bills share`,
      'the company’s batches. Payments lock their invoices. While several payments wait, they share a transaction.',
      '',
      table(
        [
          'posted',
          'a second',
          'to invoices',
          'median wait',
          'processor time each, µs: load generator + server + PostgreSQL',
        ],
        rows,
      ),
    ].join('\n');
    return { title: 'Bills and payments', text, aims: aimsOf(seen) };
  } finally {
    client.close();
  }
}
