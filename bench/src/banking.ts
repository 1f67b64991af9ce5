import { attachmentCalls } from '@evenkeel/contract/uploads';
import { bankingCalls } from '@evenkeel/contract/banking';
import { statementCalls as calls } from '@evenkeel/contract/statements';
import { cents, toPlain } from '@evenkeel/core/money';
import { type Client, openClient, upload } from './client.ts';
import { newCompany } from './company.ts';
import { type Chapter, duration, figure, median, quantile, table } from './figures.ts';
import { fillBooks, settle } from './fill.sql.ts';
import type { RunningServer } from './server.ts';

/**
 * The targets for a page of bank transactions to review, for a preview, and for another company's simultaneous reads.
 */
const LIMIT_MS = { review: 1000, preview: 3000, beside: 100 };
const REVIEWED = 1000;
const PREVIEWED = 10_000;
const ENTRIES = 50_000;
/**
 * The number of journal lines needed for this account to have ENTRIES entries. 3 of 10 lines are in a bank account, and
 * 10 of 11 of those lines are in this account.
 */
const LINES = Math.ceil((ENTRIES * 10 * 11) / (3 * 10));
const BANK = 101;

interface Says {
  day: string;
  amount: number;
  text: string;
}

/** Returns a bank's CSV file. Its dates span several months, so the order of day and month is clear. */
function fileOf(lines: readonly Says[]): string {
  const rows = lines.map(({ day, amount, text }) => {
    const [year, month, date] = day.split('-');
    return `${month}/${date}/${year},"${text}",${toPlain(cents(amount))}`;
  });
  return ['Date,Description,Amount', ...rows, ''].join('\n');
}

/**
 * Returns `count` entries from all parts of the books as bank transactions. Two thirds are dated a day later, as banks
 * would date them.
 */
async function linesOfBooks({ raw }: RunningServer, companyId: number, count: number): Promise<Says[]> {
  const { rows } = await raw.query<Says>(
    `select to_char(l.posting_date + (n % 3 > 0)::int, 'YYYY-MM-DD') as day, l.amount_cents as amount,
        'ACH ' || upper(l.description) as text
      from (
        select *, row_number() over (order by posting_date, id) as n, count(*) over () as total from journal_line
        where company_id = $1 and account_id = ${BANK} and basis = 'B') l
      where l.n % (l.total / $2::int) = 0 order by l.n limit $2::int`,
    [companyId, count],
  );
  return rows;
}

async function uploadLines({ url }: RunningServer, token: string, lines: readonly Says[]): Promise<number> {
  const file = { name: 'bank.csv', bytes: new TextEncoder().encode(fileOf(lines)) };
  return (await upload({ url, token }, attachmentCalls.uploadDocument, { file })).documentId;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Measures another company's reads, one after another, while `work` runs. */
async function readsBeside(client: Client, token: string, work: () => Promise<void>): Promise<number[]> {
  let isOver = false;
  const ended = work().finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  while (!isOver) times.push(await timed(() => client.send('GET', '/company', { token })));
  await ended;
  return times;
}

/**
 * Measures the review of 1,000 bank transactions against 50,000 entries, and the preview of a file with 10,000 lines.
 */
export async function measureBanking(server: RunningServer, rounds: number): Promise<Chapter> {
  const [client, other] = [openClient(server.url, 1), openClient(server.url, 1)];
  try {
    const [{ companyId, token }, quiet] = [await newCompany(server, 'Bank'), await newCompany(server, 'Beside')];
    await fillBooks(server.raw, companyId, LINES);
    await settle(server.raw);
    const [bank] = await client.call(bankingCalls.listBankingAccounts, { token });
    const bankAccountId = bank?.bankingAccountID ?? 0;
    const documentId = await uploadLines(server, token, await linesOfBooks(server, companyId, REVIEWED));
    const imported = await timed(() =>
      client.call(calls.saveStatement, { token, body: { documentId, bankAccountId } }),
    );
    const path = `${calls.listBankLines.path}?state=review&limit=50`;
    const review: number[] = [];
    for (let round = -1; round < rounds; round += 1) {
      const took = await timed(() => client.call(calls.listBankLines, { token, path }));
      if (round >= 0) review.push(took);
    }
    const many = await uploadLines(server, token, await linesOfBooks(server, companyId, PREVIEWED));
    const preview: number[] = [];
    const beside = await readsBeside(other, quiet.token, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const body = { documentId: many, bankAccountId };
        preview.push(await timed(() => client.call(calls.previewStatement, { token, body })));
      }
    });
    return chapterOf({ imported, review, preview, beside, rounds });
  } finally {
    client.close();
    other.close();
  }
}

interface Seen {
  imported: number;
  review: number[];
  preview: number[];
  beside: number[];
  rounds: number;
}

function chapterOf({ imported, review, preview, beside, rounds }: Seen): Chapter {
  const [reviewed, previewed, read] = [median(review), median(preview), quantile(beside, 0.99)];
  const rows = [
    [`import of ${figure(REVIEWED)} lines, once`, duration(imported), ''],
    ['first page of the review', duration(reviewed), duration(quantile(review, 0.95))],
    [`preview of ${figure(PREVIEWED)} lines`, duration(previewed), duration(quantile(preview, 0.95))],
    ['another company’s reads at the same time', duration(median(beside)), duration(quantile(beside, 0.95))],
  ];
  const text = [
    `A bank account with ${figure(ENTRIES)} entries, none of them matched, and ${figure(REVIEWED)} lines for review`,
    `over the same three years. A page of the review explains all of them together. ${rounds} rounds, over HTTP.`,
    '',
    table(['work', 'median', '95th percentile'], rows),
  ].join('\n');
  const within = (wanted: string, took: number, limit: number) => {
    return { wanted: `${wanted} within ${duration(limit)}`, seen: duration(took), isMet: took <= limit };
  };
  const aims = [
    within(`A review of ${figure(REVIEWED)} lines against ${figure(ENTRIES)} entries`, reviewed, LIMIT_MS.review),
    within(`A file of ${figure(PREVIEWED)} lines read and previewed`, previewed, LIMIT_MS.preview),
    within('At the same time, 99 of 100 reads of another company', read, LIMIT_MS.beside),
  ];
  return { title: 'Bank lines', text, aims };
}
