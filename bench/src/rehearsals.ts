import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { REHEARSE_HEADER } from '@evenkeel/contract/wire';
import { type Client, openClient } from './client.ts';
import { type Company, newCompany } from './company.ts';
import { type Chapter, duration, figure, median, quantile, table } from './figures.ts';
import { invoiceBody, newKey, today } from './posting.ts';
import type { RunningServer } from './server.ts';

/** The longest additional wait that rehearsals may cause for a posting. */
const LIMIT_MS = 100;
const REHEARSERS = 8;
const POSTERS = 4;
/** The pause after each posting. People and scripts don't post without a pause. */
const PAUSE_MS = 20;

const Posted = z.looseObject({ invoiceNumber: z.string() });

interface Seen {
  name: string;
  times: number[];
  numbers: number[];
}

/** Posts invoices until `isOver`. Returns the duration and the invoice number of each posting. */
async function post(
  client: Client,
  { token, customerId }: Company,
  isOver: () => boolean,
): Promise<Omit<Seen, 'name'>> {
  const [times, numbers]: [number[], number[]] = [[], []];
  const work = async (): Promise<void> => {
    while (!isOver()) {
      const body = invoiceBody(customerId, today());
      const began = performance.now();
      const { status, text } = await client.send('POST', '/billinginvoice', { token, key: newKey(), body });
      times.push(performance.now() - began);
      if (status !== 200) throw new Error(`a posting returned ${status}: ${text}`);
      numbers.push(Number(Posted.parse(JSON.parse(text)).invoiceNumber));
      await setTimeout(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: POSTERS }, work));
  return { times, numbers };
}

/** Measures postings, first without and then with many rehearsals in the same company. */
export async function measureRehearsals(server: RunningServer, count: number): Promise<Chapter> {
  const company = await newCompany(server, 'Rehearses');
  const [client, others] = [openClient(server.url, POSTERS), openClient(server.url, REHEARSERS)];
  try {
    await post(client, company, countdown(1000));
    const without = { name: 'nothing', ...(await post(client, company, countdown(5000))) };
    const { token, customerId } = company;
    let [left, isOver] = [count, false];
    const times: number[] = [];
    const rehearse = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const asked = { token, body: invoiceBody(customerId, today()), headers: { [REHEARSE_HEADER]: 'true' } };
        const began = performance.now();
        const { status, text } = await others.send('POST', '/billinginvoice', asked);
        times.push(performance.now() - began);
        if (status !== 200) throw new Error(`a rehearsal returned ${status}: ${text}`);
      }
    };
    const rehearsing = Promise.all(Array.from({ length: REHEARSERS }, rehearse)).finally(() => (isOver = true));
    const busy = {
      name: `${count} rehearsals, ${REHEARSERS} at once`,
      ...(await post(client, company, () => isOver)),
    };
    await rehearsing;
    return chapterOf([without, busy], times);
  } finally {
    client.close();
    others.close();
  }
}

function countdown(milliseconds: number): () => boolean {
  const began = performance.now();
  return () => performance.now() - began > milliseconds;
}

function chapterOf([without, busy]: readonly [Seen, Seen], rehearsals: readonly number[]): Chapter {
  const longest = (times: readonly number[]): number => Math.max(...times);
  const rows = [without, busy].map(({ name, times }) => [
    name,
    figure(times.length),
    duration(median(times)),
    duration(quantile(times, 0.99)),
    duration(longest(times)),
  ]);
  const numbers = [...without.numbers, ...busy.numbers].toSorted((a, b) => a - b);
  const gaps = numbers.filter((number, at) => at > 0 && number !== (numbers[at - 1] ?? 0) + 1).length;
  const wait = longest(busy.times) - longest(without.times);
  return {
    title: 'Rehearsals',
    text: [
      `${POSTERS} users post invoices while other users of the company rehearse invoices. A rehearsal took`,
      `${duration(median(rehearsals))} (median), including the wait for its turn.`,
      '',
      table(['at the same time', 'postings', 'median', '99 of 100 within', 'longest'], rows),
    ].join('\n'),
    aims: [
      {
        wanted: `no posting waits more than ${LIMIT_MS} ms longer next to rehearsals`,
        seen: duration(Math.max(0, wait)),
        isMet: wait <= LIMIT_MS,
      },
      { wanted: 'no number is lost', seen: `${gaps} gaps`, isMet: gaps === 0 },
    ],
  };
}
