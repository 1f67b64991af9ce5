import { reportCalls } from '@evenkeel/contract/reports';
import { decode } from '@evenkeel/contract/wire';
import { fromPlain, toPlain } from '@evenkeel/core/money';
import { type Books, extremes } from './books.ts';
import { type Client, openClient } from './client.ts';
import { type Aim, type Chapter, duration, figure, median, ratio, table } from './figures.ts';
import { type HledgerTimes, timeHledger } from './hledger.ts';
import { type RunningServer, startSecond } from './server.ts';
import { type WatchedDatabase, watchDatabase } from './wire.ts';

interface Asked {
  id: number;
  report: string;
  when: string;
  isMonthEnd: boolean;
  parameters: Readonly<Record<string, string>>;
}

const monthEnd = '31 December 2025';
// Half a month of lines is the most that a date can ask to be read; a range from a mid-month day reads it twice.
const midMonth = '15 December 2025';

const asked: readonly Asked[] = [
  { id: 3, report: 'Trial Balance', when: monthEnd, isMonthEnd: true, parameters: { reportdate: '2025-12-31' } },
  {
    id: 1,
    report: 'Profit & Loss Statement',
    when: `the year to ${monthEnd}`,
    isMonthEnd: true,
    parameters: { startdate: '2025-01-01', reportdate: '2025-12-31' },
  },
  { id: 0, report: 'Balance Sheet', when: monthEnd, isMonthEnd: true, parameters: { reportdate: '2025-12-31' } },
  {
    id: 100,
    report: 'Statement of Cash Flows',
    when: `the year to ${monthEnd}`,
    isMonthEnd: true,
    parameters: { startdate: '2025-01-01', reportdate: '2025-12-31' },
  },
  {
    id: 1,
    report: 'Profit & Loss, by month',
    when: `the year to ${monthEnd}`,
    isMonthEnd: true,
    parameters: { startdate: '2025-01-01', reportdate: '2025-12-31', compare: 'month' },
  },
  {
    id: 0,
    report: 'Balance Sheet, beside the year before',
    when: monthEnd,
    isMonthEnd: true,
    parameters: { reportdate: '2025-12-31', compare: 'previousyear' },
  },
  { id: 3, report: 'Trial Balance', when: midMonth, isMonthEnd: false, parameters: { reportdate: '2025-12-15' } },
  {
    id: 1,
    report: 'Profit & Loss Statement',
    when: `16 January to ${midMonth}`,
    isMonthEnd: false,
    parameters: { startdate: '2025-01-16', reportdate: '2025-12-15' },
  },
  { id: 0, report: 'Balance Sheet', when: midMonth, isMonthEnd: false, parameters: { reportdate: '2025-12-15' } },
];

/** Times of one report on one company's books, in ms. */
interface Timing {
  asked: Asked;
  books: Books;
  http: number[];
  database: number[];
}

async function run(client: Client, { id, parameters }: Asked, { token }: Books): Promise<string> {
  const reportParams = Object.entries(parameters).map(([paramName, paramvalue]) => ({
    paramType: 1,
    paramName,
    paramvalue,
  }));
  const { status, text } = await client.send('POST', `/reports/${id}`, {
    token,
    body: JSON.stringify({ reportParams }),
  });
  if (status !== 200) throw new Error(`report ${id}: ${status} ${text}`);
  return text;
}

interface Desk {
  direct: Client;
  watched: Client;
  wire: WatchedDatabase;
}

async function measureOnce({ direct, watched, wire }: Desk, timing: Timing): Promise<void> {
  const began = performance.now();
  await run(direct, timing.asked, timing.books);
  timing.http.push(performance.now() - began);
  wire.reset();
  await run(watched, timing.asked, timing.books);
  timing.database.push(wire.traffic().milliseconds);
}

const WARM = 5;

/** Every report on every size in turn, round after round. */
async function measureAll(server: RunningServer, books: readonly Books[], rounds: number): Promise<Timing[]> {
  const wire = await watchDatabase(server.database.connection);
  const second = await startSecond(server, wire.url);
  const desk = { direct: openClient(server.url, 1), watched: openClient(second.url, 1), wire };
  const timings = asked.flatMap((one) => books.map((of) => ({ asked: one, books: of, http: [], database: [] })));
  try {
    for (let round = -WARM; round < rounds; round += 1) {
      for (const timing of timings) {
        await measureOnce(desk, timing);
        // The first ones open connections and make plans.
        if (round < 0) Object.assign(timing, { http: [], database: [] });
      }
    }
  } finally {
    desk.direct.close();
    desk.watched.close();
    await second.stop();
    await wire.stop();
  }
  return timings;
}

/** The net income of 2025 that the Profit & Loss Statement shows, in dollars. */
async function netIncome(server: RunningServer, books: Books): Promise<string> {
  const client = openClient(server.url, 1);
  const yearly = asked.find(({ id, isMonthEnd }) => id === 1 && isMonthEnd);
  if (yearly === undefined) throw new Error('no yearly report is asked for');
  try {
    const text = await run(client, yearly, books);
    const { reportSummaries } = decode(reportCalls.runReport.reply, JSON.parse(text));
    const amount = reportSummaries.at(-1)?.amount;
    return amount === undefined ? '' : toPlain(amount);
  } finally {
    client.close();
  }
}

/** hledger's times by the size's name; throws when it reads another income out of the same books. */
async function judged(server: RunningServer, books: readonly Books[]): Promise<Map<string, HledgerTimes>> {
  const all = new Map<string, HledgerTimes>();
  for (const one of books) {
    const times = await timeHledger(server, one);
    if (times === undefined) continue;
    const ours = await netIncome(server, one);
    if (fromPlain(ours) !== fromPlain(times.netIncome)) {
      throw new Error(`${one.name} books: net income ${ours}, by hledger ${times.netIncome}`);
    }
    all.set(one.name, times);
  }
  return all;
}

/** Reports at a month's end and within a month, over HTTP and in the database, beside hledger on the same books. */
export async function measureReports(server: RunningServer, books: readonly Books[], rounds: number): Promise<Chapter> {
  const timings = await measureAll(server, books, rounds);
  const hledger = await judged(server, books);
  const { small, large } = extremes(books);
  const of = (one: Asked, size: Books): Timing => {
    const found = timings.find((timing) => timing.asked === one && timing.books === size);
    if (found === undefined) throw new Error(`${one.report} was not measured`);
    return found;
  };
  const growth = (one: Asked, kind: 'http' | 'database'): number =>
    median(of(one, large)[kind]) / median(of(one, small)[kind]);
  const head = ['report', 'at', ...books.map(({ name }) => `${name}: HTTP (database)`), 'growth: HTTP (database)'];
  const rows = asked.map((one) => [
    one.report,
    one.when,
    ...books.map((size) => `${duration(median(of(one, size).http))} (${duration(median(of(one, size).database))})`),
    `${ratio(growth(one, 'http'))} (${ratio(growth(one, 'database'))})`,
  ]);
  const aims = asked.flatMap((one): Aim[] => {
    const inDatabase = median(of(one, large).database);
    const where = `${one.report}, ${one.when}`;
    const quick: Aim = {
      wanted: `${where}: below 20 ms in the database at ${large.name} lines`,
      seen: duration(inDatabase),
      isMet: inDatabase < 20,
    };
    if (!one.isMonthEnd) return [quick];
    const grown = growth(one, 'http');
    const steady: Aim = {
      wanted: `${where}: at ${large.name} lines below 2 times its time at ${small.name}`,
      seen: `${ratio(grown)} (in the database ${ratio(growth(one, 'database'))})`,
      isMet: grown < 2,
    };
    return [steady, quick];
  });
  const text = [
    `Books of 36 months over 40 accounts; lines: ${books.map(({ lines }) => figure(lines)).join(', ')}. Medians of`,
    `${rounds} rounds in which every report is asked for on every size in turn. The time in the database is that of`,
    "all the report's statements from the first byte of a request to the last byte of its answer, as a relay between",
    'server and database sees it; the relay itself is in it.',
    '',
    table(head, rows),
    '',
    hledgerText({ books, hledger, timings }),
  ].join('\n');
  return { title: 'Reports', text, aims };
}

interface Compared {
  books: readonly Books[];
  hledger: ReadonlyMap<string, HledgerTimes>;
  timings: readonly Timing[];
}

function hledgerText({ books, hledger, timings }: Compared): string {
  if (hledger.size === 0) return 'hledger was not installed, so there is no comparison.';
  const rows = asked
    .filter(
      ({ report, isMonthEnd }) => isMonthEnd && [...hledger.values()].some((times) => times.milliseconds.has(report)),
    )
    .map((one) => [
      one.report,
      ...books.map((size) => {
        const theirs = hledger.get(size.name)?.milliseconds.get(one.report) ?? Number.NaN;
        const ours = timings.find((timing) => timing.asked === one && timing.books === size)?.http ?? [];
        return `${duration(theirs)} (${figure(theirs / median(ours))})`;
      }),
    ]);
  return [
    'hledger on the same books, exported: its time, and how many times the time of Evenkeel over HTTP that is. hledger',
    'reads its whole file for every report; it is here as a measure that everyone can repeat. Both read the same net',
    'income of 2025 out of the books, to the cent.',
    '',
    table(['report at the month’s end', ...books.map(({ name }) => name)], rows),
  ].join('\n');
}
