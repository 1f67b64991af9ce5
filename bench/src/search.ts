import type { Pool } from 'pg';
import { searchCalls } from '@evenkeel/contract/search';
import { openClient } from './client.ts';
import { newCompany } from './company.ts';
import { type Chapter, duration, figure, quantile, ratio, table } from './figures.ts';
import { fillSearch } from './fill-search.sql.ts';
import type { RunningServer } from './server.ts';

/**
 * The targets: 95% of the searches finish within this time, and within this multiple of the time that the index alone
 * takes.
 */
const LIMIT = { milliseconds: 30, times: 3 };

/** The measured searches, each with the word patterns that it looks up in the index. */
const questions: readonly { name: string; text: string; patterns: readonly string[] }[] = [
  { name: 'a number', text: '123456', patterns: ['%123456%'] },
  { name: 'the beginning of numbers', text: '12345', patterns: ['%12345%'] },
  { name: 'the middle of names', text: '0042', patterns: ['%0042%'] },
  { name: 'a name', text: 'customer 01234', patterns: ['%customer%', '%01234%'] },
  { name: 'a name and a number', text: 'vendor 00099 b-2', patterns: ['%vendor%', '%00099%', '%b-2%'] },
  { name: 'a word of most', text: 'customer', patterns: ['%customer%'] },
  { name: 'a name, with one typing error', text: 'custmoer 01234', patterns: ['%customer%', '%01234%'] },
  { name: 'what nothing has', text: 'wholly unknown', patterns: ['%wholly%', '%unknown%'] },
  { name: 'an amount', text: '$456.78', patterns: ['% 456.78 %'] },
  { name: 'amounts above', text: 'customer 01234 >500', patterns: ['%customer%', '%01234%'] },
  { name: 'a name in a month', text: 'customer 01234 march 2025', patterns: ['%customer%', '%01234%'] },
  { name: 'a month', text: 'march 2025', patterns: [] },
];

/** Returns the query for the newest entries that contain the words, which is the least work that a search must do. */
const rawOf = (patterns: readonly string[]): string =>
  `select s.kind, s.id from search_entry s where s.company_id = $1
    ${patterns.map((_, at) => `and s.words @~ $${at + 2}`).join(' ')}
    order by s.is_open desc, s.day desc, s.id desc limit 50`;

async function timedRaw(pool: Pool, companyId: number, patterns: readonly string[]): Promise<number> {
  const began = performance.now();
  await pool.query(rawOf(patterns), [companyId, ...patterns]);
  return performance.now() - began;
}

/** Alternately measures searches in a company with this number of entries, and lookups that use only the index. */
export async function measureSearch(server: RunningServer, entries: number, rounds: number): Promise<Chapter> {
  const client = openClient(server.url, 1);
  try {
    const { companyId, token } = await newCompany(server, 'Search');
    const made = await fillSearch(server.raw, companyId, entries);
    const seen = questions.map(() => ({ http: new Array<number>(), raw: new Array<number>(), found: 0 }));
    for (let round = -2; round < rounds; round += 1) {
      for (const [at, { text, patterns }] of questions.entries()) {
        const one = seen[at];
        const began = performance.now();
        const answer = await client.send('POST', '/search', { token, body: JSON.stringify({ text }) });
        const http = performance.now() - began;
        if (answer.status !== 200 || one === undefined) throw new Error(`a search: ${answer.status} ${answer.text}`);
        const raw = patterns.length === 0 ? undefined : await timedRaw(server.raw, companyId, patterns);
        if (round < 0) continue;
        one.found = searchCalls.search.reply.parse(JSON.parse(answer.text)).length;
        one.http.push(http);
        if (raw !== undefined) one.raw.push(raw);
      }
    }
    return chapterOf(seen, made, rounds);
  } finally {
    client.close();
  }
}

interface Seen {
  http: number[];
  raw: number[];
  found: number;
}

function chapterOf(seen: readonly Seen[], entries: number, rounds: number): Chapter {
  const rows = questions.map(({ name, text }, at) => {
    const { http = [], raw = [], found = 0 } = seen[at] ?? {};
    const [ours, alone] = [quantile(http, 0.95), quantile(raw, 0.95)];
    return [name, `\`${text}\``, String(found), duration(quantile(http, 0.5)), duration(ours), ...besides(ours, alone)];
  });
  const p95 = quantile(
    seen.flatMap(({ http }) => http),
    0.95,
  );
  const alone = quantile(
    seen.flatMap(({ raw }) => raw),
    0.95,
  );
  const text = [
    `A company of ${figure(entries)} entries: invoices, bills, payments, customers and vendors. Each search over HTTP,`,
    `and in turn with the bare query of the index for the same words, newest first; ${rounds} rounds in turn. All`,
    `searches together: ${duration(p95)} at the 95th percentile, the bare queries ${duration(alone)}.`,
    '',
    table(['search', 'text', 'found', 'median', '95th percentile', 'the bare query', 'ratio'], rows),
  ].join('\n');
  const aims = [
    {
      wanted: `A search over ${figure(entries)} entries: 95 of 100 within ${LIMIT.milliseconds} ms`,
      seen: duration(p95),
      isMet: p95 <= LIMIT.milliseconds,
      why: slowestOf(seen),
    },
    {
      wanted: `A search over ${figure(entries)} entries: at most ${LIMIT.times} times a bare query of the index`,
      seen: ratio(p95 / alone),
      isMet: p95 <= LIMIT.times * alone,
    },
  ];
  return { title: 'Search', text, aims };
}

/** Returns the searches that take longer than the limit, and how long all others take. */
function slowestOf(seen: readonly Seen[]): string {
  const all = questions.map(({ name }, at) => ({ name, p95: quantile(seen[at]?.http ?? [], 0.95) }));
  const slow = all.filter(({ p95 }) => p95 > LIMIT.milliseconds);
  const others = all.filter(({ p95 }) => p95 <= LIMIT.milliseconds).map(({ p95 }) => p95);
  return (
    `${slow.map(({ name, p95 }) => `${name}: ${duration(p95)}`).join('; ')}. All others: at most ` +
    `${duration(Math.max(...others))}. A search with a typing error runs up to five statements in turn: it looks for ` +
    'the text, then for similar words, and then for these. The index contains the entries of all companies.'
  );
}

const besides = (ours: number, alone: number): [string, string] =>
  Number.isFinite(alone) ? [duration(alone), ratio(ours / alone)] : ['', ''];
