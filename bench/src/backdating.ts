import type { Books } from './books.ts';
import { openClient } from './client.ts';
import { type Chapter, duration, figure, ratio, table } from './figures.ts';
import { interleave, pairedRatio, summary } from './load.ts';
import { invoiceBody, postInvoice, type PostingPlan } from './posting.ts';
import type { RunningServer } from './server.ts';

const IN_FLIGHT = 8;
const dates = [
  { name: 'in the last month of the books', date: '2025-12-15' },
  { name: 'two years before', date: '2023-12-15' },
] as const;
/** The minimum ratio that counts as "the same", because measurements vary. */
const FREE = 0.9;

/**
 * Alternately measures the posting of invoices dated today and of invoices dated two years earlier, in the same books.
 */
export async function measureBackdating(
  server: RunningServer,
  books: Books,
  plan: Pick<PostingPlan, 'rounds' | 'milliseconds'>,
): Promise<Chapter> {
  const client = openClient(server.url, IN_FLIGHT);
  try {
    const works = dates.map(({ name, date }) => {
      const body = invoiceBody(books.customerId, date);
      return { name, once: async () => void (await postInvoice(client, books.token, body)) };
    });
    const rounds = await interleave(works, { ...plan, inFlight: IN_FLIGHT, cpu: server.cpu });
    const [now, then] = dates.map(({ name }) => rounds.get(name) ?? []);
    const share = pairedRatio(then ?? [], now ?? []);
    const rows = [...rounds].map(([name, list]) => {
      const { perSecond, p50 } = summary(list);
      return [name, figure(perSecond), duration(p50)];
    });
    const text = [
      `Invoices posted over HTTP into the ${books.name} books, ${IN_FLIGHT} at once, ${plan.rounds} rounds of`,
      `${duration(plan.milliseconds)} each in turn. Back-dated ones run at ${ratio(share)} of the rate of the others:`,
      'no balance is stored that would have to be carried forward. A posting changes only the totals of its day and',
      'month.',
      '',
      table(['dated', 'a second', 'median wait'], rows),
    ].join('\n');
    const wanted = `Backdated invoices: at least ${FREE} of the rate of current ones`;
    return { title: 'Back-dating', text, aims: [{ wanted, seen: ratio(share), isMet: share >= FREE }] };
  } finally {
    client.close();
  }
}
