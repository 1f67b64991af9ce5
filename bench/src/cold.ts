import { openClient } from './client.ts';
import { newCompany } from './company.ts';
import { type Chapter, duration, figure, median, ratio, table } from './figures.ts';
import { invoiceBody, postInvoice, today } from './posting.ts';
import { type RunningServer, startSecond } from './server.ts';

const POSTED = 1000;
const STEP = 100;
/** The invoices after which a new server should almost be at its full speed, and how close it should be. */
const COLD = 200;
const LEAST = 0.8;

/** Measures how a server that has just started becomes faster with each invoice, one request at a time. */
export async function measureCold(server: RunningServer, rounds: number): Promise<Chapter> {
  const waits: number[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { companyId: _, ...company } = await newCompany(server, `Cold ${round}`);
    const second = await startSecond(server, server.database.connectionString);
    const client = openClient(second.url, 1);
    const body = invoiceBody(company.customerId, today());
    const times: number[] = [];
    for (let each = 0; each < POSTED; each += 1) {
      const began = performance.now();
      await postInvoice(client, company.token, body);
      times.push(performance.now() - began);
    }
    waits.push(times);
    client.close();
    await second.stop();
  }
  const mean = (from: number, to: number): number =>
    median(waits.map((times) => times.slice(from, to).reduce((sum, each) => sum + each, 0) / (to - from)));
  const warm = mean(POSTED / 2, POSTED);
  const steps = Array.from({ length: POSTED / STEP }, (_, index) => index * STEP);
  const share = warm / mean(COLD, COLD + STEP);
  return {
    title: 'A server that has just started',
    text: [
      `${POSTED} invoices, one request at a time, to a server that has just started. Medians of ${rounds} starts.`,
      '',
      table(
        ['invoices', 'each', 'rate, to the warm rate'],
        steps.map((from) => [
          `${from + 1} to ${from + STEP}`,
          duration(mean(from, from + STEP)),
          ratio(warm / mean(from, from + STEP)),
        ]),
      ),
    ].join('\n'),
    aims: [
      {
        wanted: `A server that has just started: ${LEAST} of its full rate after ${figure(COLD)} invoices`,
        seen: ratio(share),
        isMet: share >= LEAST,
      },
    ],
  };
}
