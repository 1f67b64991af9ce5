import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import * as z from 'zod';
import { Refused } from '@evenkeel/client/client';
import { attachmentCalls } from '@evenkeel/contract/uploads';
import { bankingCalls } from '@evenkeel/contract/banking';
import { billingCalls } from '@evenkeel/contract/billing';
import { statementCalls } from '@evenkeel/contract/statements';
import { decode } from '@evenkeel/contract/wire';
import { hostileFiles } from '@evenkeel/statements/testing/hostile';
import { answerOf } from './child.ts';
import { type Client, openClient, upload, reportBody } from './client.ts';
import { type Company, newCompany } from './company.ts';
import { type Chapter, duration, figure, quantile, median, table } from './figures.ts';
import { fillBooks, settle } from './fill.sql.ts';
import { invoiceBody, newKey, today } from './posting.ts';
import type { Reads } from './reader.ts';
import type { RunningServer } from './server.ts';

/** The design target: 99% of a company's reads finish within this time while another company is busy. */
const LIMIT_MS = 100;
const LINES = 100_000;
const LEDGERS = 16;
const SAVERS = 12;
const POSTERS = 8;
const POSTED_LINES = 500;
const UPLOADERS = 4;
const UPLOAD_BYTES = 8_388_608;
const LOGO_SIDE = 1400;
const PRINTERS = 4;
const READERS = 3;
const STATEMENT_LINES = 50_000;
const HOSTILE_LETTERS = 4_194_304;

/** The work of the busy company. `atOnce` is the number of its requests that are running at any time. */
interface Heavy {
  name: string;
  atOnce: number;
  once: (worker: number) => Promise<number>;
}

interface Stage {
  server: RunningServer;
  client: Client;
  busy: Company;
}

const send = (client: Client, token: string, [method, path, body]: [string, string, unknown]): Promise<number> =>
  client.send(method, path, { token, key: newKey(), body: JSON.stringify(body) }).then(({ status }) => status);

/** Requests a report on three months of the books, which has about 8,000 lines. */
const ledgerBody = reportBody({ startdate: '2025-10-03', reportdate: '2025-12-31' });

/** Returns a journal entry with many lines. */
function entryBody(): unknown {
  const line = { postingDate: today(), amount: 12.5 };
  const generalLedgerEntries = Array.from({ length: POSTED_LINES }, (_, index) => ({
    ...line,
    description: `Spread over the year, part ${index + 1}`,
    accountID: index % 2 === 0 ? 101 : 140,
    debit: index % 2 === 0,
  }));
  return { transactionID: 0, generalLedgerEntries };
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** Returns a PNG with an alpha channel. Each row consists of its filter number, followed by four bytes per pixel. */
function logo(): Buffer {
  const row = Buffer.from([0, ...Array.from({ length: LOGO_SIDE * 4 }, (_, at) => (at * 7) % 256)]);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(LOGO_SIDE, 0);
  head.writeUInt32BE(LOGO_SIDE, 4);
  head.set([8, 6], 8);
  const dots = deflateSync(Buffer.concat(Array.from({ length: LOGO_SIDE }, () => row)));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', dots), chunk('IEND', Buffer.alloc(0))]);
}

const Kept = z.looseObject({ id: z.number() });
/** Returns the status of a rejected call. Throws any other error. */
function statusOf(error: unknown): number {
  if (error instanceof Refused) return error.status;
  throw error;
}

/** Uploads a file and returns its ID. Throws if the server rejects it. */
async function uploadFile({ url }: RunningServer, token: string, [name, bytes]: [string, Buffer]): Promise<number> {
  const file = { name, bytes: new Uint8Array(bytes) };
  return (await upload({ url, token }, attachmentCalls.uploadDocument, { file })).documentId;
}

/**
 * Returns requests that save an invoice. All of them wait, because the invoice's row is locked during the measurement.
 */
async function savesOfOne({ server, client, busy }: Stage): Promise<Heavy & { end: () => Promise<void> }> {
  const { token, companyId, customerId } = busy;
  const made = await client.send('POST', '/billinginvoice', { token, body: invoiceBody(customerId, today()) });
  const invoice = decode(billingCalls.createInvoice.reply, JSON.parse(made.text));
  const body: unknown = JSON.parse(made.text);
  const holder = await server.raw.connect();
  await holder.query('begin');
  await holder.query('select from document where company_id = $1 and id = $2 for update', [companyId, invoice.id]);
  return {
    name: `${SAVERS} saves of one invoice that is locked`,
    atOnce: SAVERS,
    once: () => send(client, token, ['PUT', '/billinginvoice', body]),
    end: async () => {
      await holder.query('rollback');
      holder.release();
    },
  };
}

async function logoChanges({ server, client, busy }: Stage): Promise<Heavy> {
  const { token } = busy;
  const bytes = logo();
  const put = async (): Promise<number> => {
    const documentId = await uploadFile(server, token, ['logo.png', bytes]);
    const { text } = await client.send('GET', '/company', { token });
    const company = Kept.parse(JSON.parse(text));
    const link = { id: 0, documentId, documentName: 'logo.png' };
    return send(client, token, ['PUT', `/company/${company.id}`, { ...company, logo: link }]);
  };
  return { name: `logos of ${LOGO_SIDE} × ${LOGO_SIDE} dots`, atOnce: 2, once: put };
}

/** Previews of a bank file with many lines, and of hostile files, most of which are rejected. */
async function statementFiles({ server, client, busy: { token } }: Stage): Promise<Heavy[]> {
  const [bank] = await client.call(bankingCalls.listBankingAccounts, { token });
  const rows = Array.from({ length: STATEMENT_LINES }, (_, at) => {
    return `${String(1 + (at % 12)).padStart(2, '0')}/28/2025,"CARD PURCHASE ${at}",${at % 500}.25`;
  });
  const preview = async ([name, text, expected]: [string, string, number]): Promise<Heavy> => {
    const documentId = await uploadFile(server, token, ['bank.csv', Buffer.from(text)]);
    const body = { documentId, bankAccountId: bank?.bankingAccountID };
    const once = async (): Promise<number> => {
      const status = await send(client, token, ['POST', statementCalls.previewStatement.path, body]);
      return status === expected ? 200 : status;
    };
    return { name: `${READERS} previews of a bank statement of ${name}`, atOnce: READERS, once };
  };
  return [
    await preview(['50,000 lines', ['Date,Description,Amount', ...rows, ''].join('\n'), 200]),
    ...(await Promise.all(
      hostileFiles(HOSTILE_LETTERS).map(({ what, text, isRefused }) =>
        preview([`4 MB of ${what}`, text, isRefused ? 422 : 200]),
      ),
    )),
  ];
}

async function allKinds(stage: Stage): Promise<Heavy[]> {
  const { server, client, busy } = stage;
  const { token } = busy;
  const entry = entryBody();
  const file = randomBytes(UPLOAD_BYTES);
  return [
    {
      name: `${LEDGERS} general ledgers of 8,000 lines`,
      atOnce: LEDGERS,
      once: () => send(client, token, ['POST', '/reports/101', ledgerBody]),
    },
    {
      name: `${POSTERS} posts of ${POSTED_LINES} lines`,
      atOnce: POSTERS,
      once: () => send(client, token, ['POST', '/GeneralLedger/PostTransaction', entry]),
    },
    {
      name: `${UPLOADERS} uploads of 8 MB`,
      atOnce: UPLOADERS,
      once: async (worker) => {
        file.writeUInt32BE(Math.floor(performance.now() * 1000) % 2 ** 32, 8 + 4 * worker);
        return uploadFile(server, token, ['scan.pdf', file]).then(() => 200, statusOf);
      },
    },
    await logoChanges(stage),
    ...(await statementFiles(stage)),
    {
      name: `${PRINTERS} general ledgers as PDF`,
      atOnce: PRINTERS,
      once: () => send(client, token, ['POST', '/reports/101/pdf', ledgerBody]),
    },
  ];
}

/** The expected statuses: the request succeeded, was outdated, or was rejected after a wait or as one too many. */
const EXPECTED = new Set([200, 409, 429, 503]);

interface Seen {
  name: string;
  p50: number;
  p99: number;
  reads: number;
  refusedReads: number;
  /** The number of responses per second that the expensive work gets. */
  perSecond: number;
}

interface Quiet {
  url: string;
  token: string;
}

/** Runs the quiet company's reads in a separate process. */
export const readBeside = ({ url, token }: Quiet, milliseconds: number): Promise<Reads> =>
  answerOf<Reads>('reader.ts', url, token, milliseconds);

/** Measures the quiet company's reads while the busy company does this work. */
async function measureBeside(
  quiet: Quiet,
  { name, works, milliseconds }: { name: string; works: readonly Heavy[]; milliseconds: number },
): Promise<Seen> {
  let isOver = false;
  let answers = 0;
  let failure: unknown;
  const worker = async (work: Heavy, index: number): Promise<void> => {
    while (!isOver) {
      const status = await work.once(index);
      if (!EXPECTED.has(status)) throw new Error(`${work.name} returned ${status}`);
      answers += 1;
    }
  };
  const working = works.flatMap((work) =>
    Array.from({ length: work.atOnce }, (_, index) =>
      worker(work, index).catch((error: unknown) => (failure ??= error)),
    ),
  );
  await setTimeout(300);
  const began = performance.now();
  const { times, refused: refusedReads } = await readBeside(quiet, milliseconds);
  const perSecond = (answers * 1000) / (performance.now() - began);
  isOver = true;
  await Promise.all(working);
  if (failure !== undefined) throw failure;
  return { name, p50: median(times), p99: quantile(times, 0.99), reads: times.length, refusedReads, perSecond };
}

/** Measures one company's reads while another company does expensive work. */
export async function measureNeighbours(server: RunningServer, milliseconds: number): Promise<Chapter> {
  const [busy, still] = [await newCompany(server, 'Busy'), await newCompany(server, 'Quiet')];
  await fillBooks(server.raw, busy.companyId, LINES);
  await settle(server.raw);
  const client = openClient(server.url, 64);
  const quiet = { url: server.url, token: still.token };
  try {
    const seen: Seen[] = [];
    const beside = async (name: string, works: readonly Heavy[]): Promise<void> => {
      seen.push(await measureBeside(quiet, { name, works, milliseconds }));
    };
    await beside('nothing', []);
    const kinds = await allKinds({ server, client, busy });
    for (const kind of kinds) await beside(kind.name, [kind]);
    for (const [name, others] of [
      ['', []],
      ['all of it at once', kinds],
    ] as const) {
      const { end, ...saves } = await savesOfOne({ server, client, busy });
      // The saves wait until they are rejected. The row is released when the reads are finished.
      const letGo = setTimeout(milliseconds + 1500).then(end);
      await beside(name || saves.name, [...others, saves]);
      await letGo;
    }
    return chapterOf(seen);
  } finally {
    client.close();
  }
}

/** Explains why the worst work takes longest, and names the second worst. */
function nextOf(seen: readonly Seen[], worst: Seen): string {
  const others = seen.filter((each) => each !== worst);
  const next = others.reduce((one, other) => (other.p99 > one.p99 ? other : one));
  return (
    `Next to one kind of work, a read takes at most ${duration(next.p99)} (${next.name}). All of it at once is 70 ` +
    'requests. The main thread, the database, the load generator, and the threads that read and draw files need the ' +
    'same 2 cores.'
  );
}

function chapterOf(seen: readonly Seen[]): Chapter {
  const rows = seen.map(({ name, p50, p99, reads, refusedReads, perSecond }) => {
    return [name, duration(p50), duration(p99), `${reads}`, `${refusedReads}`, figure(perSecond)];
  });
  const head = ['the busy company does', 'median', '99 of 100 within', 'reads', 'refused', 'answers a second to it'];
  const worst = seen.reduce((one, other) => (other.p99 > one.p99 ? other : one));
  const isMet = worst.p99 <= LIMIT_MS && seen.every(({ refusedReads }) => refusedReads === 0);
  return {
    title: 'Neighbours',
    text: [
      'One company reads its customers, one read after the other, while another works.',
      '',
      table(head, rows),
    ].join('\n'),
    aims: [
      {
        wanted: `another company’s read within ${LIMIT_MS} ms in 99 of 100, whatever one company does`,
        seen: `${duration(worst.p99)} next to ${worst.name}`,
        isMet,
        why: nextOf(seen, worst),
      },
    ],
  };
}
