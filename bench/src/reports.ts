import { addDays, isoDate } from '@evenkeel/core/dates';
import { type Books, extremes } from './books.ts';
import { askReport, type Client, openClient } from './client.ts';
import { type Aim, type Chapter, duration, figure, median, ratio, table } from './figures.ts';
import { BOOKS } from './fill.sql.ts';
import { type RunningServer, startSecond } from './server.ts';
import { type WatchedDatabase, watchDatabase } from './wire.ts';

interface Asked {
  id: number;
  report: string;
  when: string;
  isMonthEnd: boolean;
  parameters: Readonly<Record<string, string>>;
  /** A report that lists lines. `startdate` is chosen so that books of every size print the same number of lines. */
  isOfLines?: true;
}

const monthEnd = '31 December 2025';
const toMonthEnd = `the year to ${monthEnd}`;
const midMonth = '15 December 2025';
// The most expensive dates: the period covers 30 days in the first month and 30 days in the last month, in addition to
// the months in between.
const manyDays = '2 January to 30 December 2025';

const END = { reportdate: '2025-12-31' };
const YEAR = { startdate: '2025-01-01', ...END };
const MIDDLE = { reportdate: '2025-12-15' };
const MANY = { startdate: '2025-01-02', reportdate: '2025-12-30' };
const CASH = { basis: '1' };

/** A report at the end of a month, for which totals are stored. */
const atMonthEnd = (id: number, report: string, more: Omit<Asked, 'id' | 'report' | 'isMonthEnd'>): Asked => {
  return { id, report, isMonthEnd: true, ...more };
};
const within = (id: number, report: string, when: string, parameters: Asked['parameters']): Asked => {
  return { id, report, when, isMonthEnd: false, parameters };
};

/** The number of lines in a report that lists lines. The largest books have this many lines a day. */
const PRINTED = 900;
const printed = `${PRINTED} lines to ${monthEnd}`;

const all: readonly Asked[] = [
  atMonthEnd(3, 'Trial Balance', { when: monthEnd, parameters: END }),
  atMonthEnd(3, 'Trial Balance, cash', { when: monthEnd, parameters: { ...END, ...CASH } }),
  atMonthEnd(1, 'Profit & Loss Statement', { when: toMonthEnd, parameters: YEAR }),
  atMonthEnd(1, 'Profit & Loss Statement, cash', { when: toMonthEnd, parameters: { ...YEAR, ...CASH } }),
  atMonthEnd(0, 'Balance Sheet', { when: monthEnd, parameters: END }),
  atMonthEnd(0, 'Balance Sheet, cash', { when: monthEnd, parameters: { ...END, ...CASH } }),
  atMonthEnd(100, 'Statement of Cash Flows', {
    when: toMonthEnd,
    parameters: YEAR,
  }),
  atMonthEnd(1, 'Profit & Loss, by month', {
    when: toMonthEnd,
    parameters: { ...YEAR, compare: 'month' },
  }),
  atMonthEnd(1, 'Profit & Loss, by month, cash', {
    when: toMonthEnd,
    parameters: { ...YEAR, ...CASH, compare: 'month' },
  }),
  atMonthEnd(1, 'Profit & Loss, by profit center', {
    when: toMonthEnd,
    parameters: { ...YEAR, compare: 'profitcenter' },
  }),
  atMonthEnd(0, 'Balance Sheet, by month', {
    when: 'the 12 months of 2025',
    parameters: { ...END, compare: 'month' },
  }),
  atMonthEnd(0, 'Balance Sheet, with the year before', {
    when: monthEnd,
    parameters: { ...END, compare: 'previousyear' },
  }),
  atMonthEnd(100, 'Cash Flows, by month', { when: toMonthEnd, parameters: { ...YEAR, compare: 'month' } }),
  ...[{}, CASH].flatMap((basis): Asked[] => {
    const words = basis === CASH ? ', cash' : '';
    const parameters = { ...END, ...basis };
    return [
      atMonthEnd(101, `General Ledger${words}`, { when: printed, parameters, isOfLines: true }),
      atMonthEnd(102, `Journal${words}`, { when: printed, parameters, isOfLines: true }),
    ];
  }),
  within(3, 'Trial Balance', midMonth, MIDDLE),
  within(1, 'Profit & Loss Statement', `16 January to ${midMonth}`, { startdate: '2025-01-16', ...MIDDLE }),
  within(0, 'Balance Sheet', midMonth, MIDDLE),
  within(100, 'Statement of Cash Flows', `16 January to ${midMonth}`, { startdate: '2025-01-16', ...MIDDLE }),
  within(3, 'Trial Balance', '30 December 2025', { reportdate: MANY.reportdate }),
  within(1, 'Profit & Loss Statement', manyDays, MANY),
  within(1, 'Profit & Loss Statement, cash', manyDays, { ...MANY, ...CASH }),
  within(0, 'Balance Sheet', '30 December 2025', { reportdate: MANY.reportdate }),
  within(100, 'Statement of Cash Flows', manyDays, MANY),
];

/** Books with more lines have too many lines in a day for a report that lists them. */
const MOST_LISTED = 9_000_000;

/** Returns the start date of a period that ends with the books and has about PRINTED lines. */
function firstDayOf({ lines }: Books): string {
  const days = Math.max(1, Math.round((PRINTED * BOOKS.days) / lines));
  return addDays(isoDate(BOOKS.to), 1 - days);
}

const parametersOf = ({ parameters, isOfLines }: Asked, books: Books): Asked['parameters'] =>
  isOfLines === true ? { startdate: firstDayOf(books), ...parameters } : parameters;

/** Returns the reports that books of every size can have. */
const askedOf = (books: readonly Books[]): readonly Asked[] =>
  all.filter(({ isOfLines }) => isOfLines !== true || extremes(books).large.lines <= MOST_LISTED);

/** The time that a report takes on a company's books, in ms. */
interface Timing {
  asked: Asked;
  books: Books;
  http: number[];
  database: number[];
}

const run = (client: Client, one: Asked, books: Books): Promise<string> =>
  askReport(client, { token: books.token, id: one.id, parameters: parametersOf(one, books) });

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

/** Measures every report on books of every size in turn, round after round. */
async function measureAll(server: RunningServer, books: readonly Books[], rounds: number): Promise<Timing[]> {
  const wire = await watchDatabase(server.database.connection);
  const second = await startSecond(server, wire.url);
  const desk = { direct: openClient(server.url, 1), watched: openClient(second.url, 1), wire };
  const timings = askedOf(books).flatMap((one) =>
    books.map((of) => ({ asked: one, books: of, http: [], database: [] })),
  );
  try {
    for (let round = -WARM; round < rounds; round += 1) {
      for (const timing of timings) {
        await measureOnce(desk, timing);
        // The first rounds, which open connections and prepare query plans, are not counted.
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

/** Measures reports as of the end of a month and within a month, over HTTP and in the database. */
export async function measureReports(server: RunningServer, books: readonly Books[], rounds: number): Promise<Chapter> {
  const asked = askedOf(books);
  const timings = await measureAll(server, books, rounds);
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
  const largest = (list: readonly Asked[], of: (one: Asked) => number): { one: Asked; value: number } =>
    list.map((one) => ({ one, value: of(one) })).reduce((a, b) => (b.value > a.value ? b : a));
  const grown = largest(asked, (one) => growth(one, 'http'));
  const slowest = largest(
    asked.filter(({ isOfLines }) => isOfLines !== true),
    (one) => median(of(one, large).database),
  );
  const aims: Aim[] = [
    {
      wanted: `Each of ${asked.length} reports over ${large.name} lines: less than 2 times its time over ${small.name}`,
      seen: `${ratio(grown.value)} (${grown.one.report}, ${grown.one.when})`,
      isMet: grown.value < 2,
    },
    {
      wanted: `Each report without lists of entries, over ${large.name} lines: less than 20 ms in the database`,
      seen: `${duration(slowest.value)} (${slowest.one.report})`,
      isMet: slowest.value < 20,
    },
  ];
  const text = [
    `Books of 36 months over 40 accounts; lines: ${books.map(({ lines }) => figure(lines)).join(', ')}. Medians of`,
    `${rounds} rounds in which every report is asked for on every size in turn. The time in the database is that of`,
    "all the report's statements from the first byte of a request to the last byte of its answer, as a relay between",
    'server and database sees it; the relay itself is in it. General Ledger and Journal are asked for as many days as',
    `hold about ${PRINTED} lines: a day of the largest books, a hundred of the smallest.`,
    '',
    table(head, rows),
  ].join('\n');
  const summary = [
    `Books of 36 months with 40 accounts. Medians of ${rounds} rounds over HTTP.`,
    '',
    table(
      ['report', `${small.name} lines`, `${large.name} lines`],
      asked
        .filter(({ isMonthEnd, parameters }) => isMonthEnd && parameters['basis'] === undefined)
        .map((one) => [one.report, ...[small, large].map((size) => duration(median(of(one, size).http)))]),
    ),
  ].join('\n');
  return { title: 'Reports', text, summary, aims };
}
