import { billingCalls } from '@evenkeel/contract/billing';
import { reportCalls } from '@evenkeel/contract/reports';
import { decode } from '@evenkeel/contract/wire';
import { type Cents, fromPlain, toPlain, ZERO } from '@evenkeel/core/money';
import type { Books } from '../books.ts';
import { askReport, type Client, openClient } from '../client.ts';
import { newCompany } from '../company.ts';
import { type Aim, type Chapter, duration, figure, median, table } from '../figures.ts';
import { BOOKS } from '../fill.sql.ts';
import { interleave, pairedRatio, type Plan, type Round, summary, type Work } from '../load.ts';
import { invoiceBody, postInvoice, today } from '../posting.ts';
import type { RunningServer } from '../server.ts';
import { LEDGERSMB, startLedgerSmb } from './ledgersmb.ts';
import { type Peer, type Poster, RECEIVABLE, type ReportName, reports, SERVER_REPEATS } from './peer.ts';
import { openTextPrograms } from './textPrograms.ts';
import { missingTryton, startTryton } from './tryton.ts';

const CODES: Readonly<Record<ReportName, number>> = {
  'Trial Balance': 3,
  'Profit & Loss Statement': 1,
  'Balance Sheet': 0,
};

const isReceivable = ([account]: readonly string[]): boolean => account?.includes(RECEIVABLE) === true;

/** Evenkeel's reports over HTTP. */
function evenkeel(client: Client, { token }: Books): Peer {
  return {
    name: OURS,
    repeats: SERVER_REPEATS,
    report: async (which) => {
      const period = which === 'Profit & Loss Statement' ? { startdate: BOOKS.lastYear } : {};
      const text = await askReport(client, {
        token,
        id: CODES[which],
        parameters: { ...period, reportdate: BOOKS.to },
      });
      const { reportSections, reportSummaries } = decode(reportCalls.runReport.reply, JSON.parse(text));
      if (which === 'Profit & Loss Statement') return reportSummaries.at(-1)?.amount ?? ZERO;
      if (which === 'Balance Sheet') {
        return (
          reportSections.find(({ title, totalTitle }) => [title, totalTitle].includes('Total Assets'))?.total ?? ZERO
        );
      }
      const cells = reportSections
        .flatMap(({ reportBlocks }) => reportBlocks)
        .flatMap(({ reportLines }) => reportLines);
      const line = cells.map(({ lineItems }) => lineItems.map(({ itemText }) => itemText)).find(isReceivable);
      return fromPlain(line?.[1] ?? '0');
    },
  };
}

interface Timing {
  peer: Peer;
  books: Books;
  times: Record<ReportName, number[]>;
}

/** Runs every report in every program in turn. Throws if a program returns a different figure. */
async function timeReports(peers: readonly (readonly [Books, readonly Peer[]])[], rounds: number): Promise<Timing[]> {
  const timings = peers.flatMap(([books, all]) =>
    all.map((peer): Timing => ({
      peer,
      books,
      times: { 'Trial Balance': [], 'Profit & Loss Statement': [], 'Balance Sheet': [] },
    })),
  );
  const expected = new Map<string, Cents>();
  // The first round only fills caches.
  for (let round = -1; round < rounds; round += 1) {
    for (const report of reports) {
      for (const { peer, books, times } of timings) {
        if (peer.missing !== undefined) continue;
        const key = `${report} of the ${books.name} books`;
        for (let repeat = 0; repeat < peer.repeats; repeat += 1) {
          const began = performance.now();
          const figure = await peer.report(report);
          if (round >= 0) times[report].push(performance.now() - began);
          const first = expected.get(key) ?? figure;
          expected.set(key, first);
          if (figure !== first) {
            throw new Error(`${key}: ${toPlain(figure)} in ${peer.name}, ${toPlain(first)} in Evenkeel`);
          }
        }
      }
    }
  }
  return timings;
}

const IN_FLIGHT = [1, 16];

const TRYTON = 'Tryton';
const OURS = 'Evenkeel';

type Running = Extract<Poster, { missing?: never }>;

const isRunning = (poster: Poster): poster is Running => poster.missing === undefined;

/** Posts the same invoice in all programs in turn, with one request and with 16 requests at a time. */
async function timePostings(server: RunningServer, others: readonly Poster[], plan: Omit<Plan, 'inFlight' | 'cpu'>) {
  const company = await newCompany(server, 'Peer of the others');
  const client = openClient(server.url, Math.max(...IN_FLIGHT));
  const body = invoiceBody(company.customerId, today());
  const running = others.filter(isRunning);
  const works: Work[] = [
    { name: OURS, once: async () => void (await postInvoice(client, company.token, body)) },
    ...running.map(({ name, post }) => ({ name, once: async () => void (await post()) })),
  ];
  try {
    const { invoiceAmount } = decode(
      billingCalls.createInvoice.reply,
      JSON.parse(await postInvoice(client, company.token, body)),
    );
    for (const { name, post } of running) {
      const theirs = await post();
      if (invoiceAmount !== theirs) throw new Error(`an invoice of ${invoiceAmount} cents has ${theirs} in ${name}`);
    }
    const scenes: Scene[] = [];
    for (const inFlight of IN_FLIGHT) {
      scenes.push({ inFlight, seen: await interleave(works, { ...plan, inFlight, cpu: () => ({}) }) });
    }
    return scenes;
  } finally {
    client.close();
  }
}

/** The rounds of each program with a number of requests at a time. */
interface Scene {
  inFlight: number;
  seen: ReadonlyMap<string, readonly Round[]>;
}

/**
 * Measures the programs that are installed on the same books: invoices in Tryton and LedgerSMB, and reports in Tryton,
 * ledger, hledger, and beancount. Every program must return the same figures, to the cent.
 */
export async function measurePeers(
  server: RunningServer,
  all: readonly Books[],
  plan: { rounds: number; milliseconds: number },
): Promise<Chapter> {
  const client = openClient(server.url, 1);
  const missing = missingTryton();
  const tryton = missing === undefined ? await startTryton(server, all) : undefined;
  const posters: Poster[] = [tryton?.poster ?? { name: TRYTON, missing: missing ?? '' }];
  try {
    posters.push(await startLedgerSmb(server));
    const programs: [Books, Peer[]][] = [];
    for (const books of all) {
      const theirs = tryton?.peers.get(books) ?? { name: TRYTON, missing: missing ?? '' };
      programs.push([books, [evenkeel(client, books), theirs, ...(await openTextPrograms(server, books))]]);
    }
    const timings = await timeReports(programs, plan.rounds);
    return chapterOf(timings, posters, await timePostings(server, posters, plan));
  } finally {
    client.close();
    for (const poster of posters.filter(isRunning)) await poster.stop();
  }
}

function chapterOf(timings: readonly Timing[], posters: readonly Poster[], scenes: readonly Scene[]): Chapter {
  const names = [...new Set(timings.map(({ books }) => books.name))];
  const timeOf = (books: string, peer: string, report: ReportName): number =>
    median(timings.find((each) => each.books.name === books && each.peer.name === peer)?.times[report] ?? []);
  const peers = [...new Set(timings.map(({ peer }) => peer.name))].filter((name) => name !== OURS);
  const reportRows = names.flatMap((books) =>
    reports.map((report) => {
      const ours = timeOf(books, OURS, report);
      const theirs = peers.map((peer) => {
        const time = timeOf(books, peer, report);
        return Number.isNaN(time) ? 'not installed' : `${duration(time)} (${figure(time / ours)})`;
      });
      return [report, books, duration(ours), ...theirs];
    }),
  );
  const rateOf = ({ seen }: Scene, name: string): string => figure(summary(seen.get(name) ?? []).perSecond);
  const ratioTo = ({ seen }: Scene, name: string): number => pairedRatio(seen.get(OURS) ?? [], seen.get(name) ?? []);
  const running = posters.filter(isRunning);
  const postingRows = scenes.map((scene) => [
    String(scene.inFlight),
    rateOf(scene, OURS),
    ...running.map(({ name }) => `${rateOf(scene, name)} (${figure(ratioTo(scene, name))})`),
  ]);
  const text = [
    'Reports on the same books, in turn. In parentheses: how many times as long as Evenkeel a program takes. All',
    'programs return the same receivables, net income, and total assets. Evenkeel and Tryton answer over HTTP. For',
    'Tryton, only the one call with which its client reads all lines is timed. The times of ledger, hledger, and',
    'beancount include the start of the program, which reads the whole file for each report.',
    '',
    table(['report', 'lines', OURS, ...peers], reportRows),
    '',
    'Invoices per second, with the same two lines, tax, and total. In parentheses: how many times as many Evenkeel',
    'posts. Evenkeel posts an invoice with one request over HTTP. Tryton, with two processes under gunicorn on the',
    'same PostgreSQL, creates and posts it with two requests, and reads the total with a third. Tryton rejects an',
    'invoice while another one gets its number, so it is sent again. LedgerSMB’s function that posts an invoice is',
    'called directly in two processes, without HTTP, sign-in, or the page that LedgerSMB shows afterward.',
    '',
    table(['requests at a time', OURS, ...running.map(({ name }) => name)], postingRows),
    ...posters.flatMap(({ missing }) => (missing === undefined ? [] : ['', `${missing}.`])),
  ].join('\n');
  const alone = scenes.find(({ inFlight, seen }) => inFlight === 1 && seen.has(LEDGERSMB));
  const aims = alone === undefined ? [] : [ledgerSmbAim(ratioTo(alone, LEDGERSMB))];
  return { title: 'Other programs', text, summary: text, aims };
}

const LEAST_RATIO = 1.5;

const ledgerSmbAim = (seen: number): Aim => ({
  wanted: `invoices over HTTP, one at a time, at ${LEAST_RATIO} times the rate of LedgerSMB’s function`,
  seen: `${figure(seen)} times`,
  isMet: seen >= LEAST_RATIO,
});
