import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestContext } from 'vitest';
import { CHECKING, RETAINED_EARNINGS, SALES, SERVICE_INCOME } from '@evenkeel/core/books/accounts';
import type { ExportFormat } from '@evenkeel/core/books/books-export';
import { addDays, endOfMonth, fiscalYearStart, isoDate, startOfMonth } from '@evenkeel/core/dates';
import type { IsoDate } from '@evenkeel/core/dates';
import type { ReportBasis } from '@evenkeel/core/books/ledger';
import { fromPlain } from '@evenkeel/core/money';
import { closeVirtually } from '@evenkeel/core/reports/balances';
import type { ReportAccount, ReportRow } from '@evenkeel/core/reports/balances';
import { randomScenario } from '@evenkeel/scenario/random';
import { reportAccounts } from '@evenkeel/core/testing/report-accounts';
import { amountsOf, balancesOf } from '@evenkeel/scenario/reports';
import type { DatedEntries } from '@evenkeel/scenario/reports';
import { runScenario } from '@evenkeel/scenario/run';
import { findTool } from '../../../../../scripts/test/tools.ts';
import type { ToolName } from '../../../../../scripts/test/tools.ts';
import { Box } from '../../platform/db/box.ts';
import { proofKey } from '../../platform/db/proof-key.ts';
import { exportBooks } from './export.ts';
import { exportProof } from './proof.ts';
import { loadVerifier } from './testing/verifier.ts';
import { entry, openTestBooks, posting } from '../../books/ledger/testing/books.ts';
import type { TestBooks } from '../../books/ledger/testing/books.ts';

let books: TestBooks;
let folder: string;
const journal: DatedEntries[] = [];
const views: readonly ReportBasis[] = ['accrual', 'cash'];

/** Names that have a special meaning in one of the programs or in a spreadsheet. */
const nasty = [
  `"Quoted" & 'single'`,
  'semi ; colon',
  'pipe | and \\ slash',
  'Sub: account: deep',
  'two  spaces   and\ttab',
  'line\nbreak\r\nand return',
  '9-to-5 leading digit',
  'lower case',
  '日本語 Zoë Ünïcode 🙂',
  '(parentheses)',
  '[2024-01-01] brackets',
  '* starred',
  '! pending',
  '=SUM(A1:A9)',
  '-minus',
  '@at',
  'date:2020-01-01, date2:never',
  'comma, comma',
  'USD $5.00 {cost} @ price',
  '#hash ^caret %percent',
  '; only a comment',
  '::',
  '\u00a0nbsp\u00a0\u2003em',
  'Twin',
  'Twin',
  'twin',
];
const firstAccount = 1000;
const roots = ['Asset', 'Liability', 'Equity', 'Income', 'Expense'] as const;
const typeOf = { Asset: 'Bank', Liability: 'Credit Card', Equity: 'Equity', Income: 'Income', Expense: 'Expense' };
const rootOf = (at: number) => roots[at % roots.length] ?? 'Asset';
const accounts: readonly ReportAccount[] = [
  ...reportAccounts,
  ...nasty.map((name, at) => {
    const id = firstAccount + at;
    return { id, number: '', name, type: typeOf[rootOf(at)], contra: false, category: '', label: name };
  }),
];

beforeAll(async () => {
  books = await openTestBooks();
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-export-'));
  const scenario = randomScenario(20_261_121, { events: 60 });
  const played = runScenario(scenario);
  if (played.failures.length > 0) throw new Error('the scenario does not play');
  await writeNames(Math.max(...played.books.journal.flatMap((each) => each.entries.map((line) => line.entityId ?? 0))));
  const postings = played.books.journal.map(({ postingDate, description, entries }) => ({
    postingDate,
    description,
    entries: entries.map(({ id: _id, ...line }) => line),
  }));
  journal.push(...postings, ...nastyPostings());
  const requests = journal.map((each) => ({
    source: { type: 'journal', id: 0 } as const,
    postings: [{ description: '', ...each, entries: each.entries.map((line) => ({ reverses: null, ...line })) }],
  }));
  await books.post(requests);
  await books.owner.query(`update company set displayname = 'Quote " back \\ semi ; Co' where company_id = $1`, [
    books.companyId,
  ]);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await books.close();
});

async function writeNames(entities: number): Promise<void> {
  const { owner, companyId } = books;
  for (const [at, name] of nasty.entries()) {
    const [root, type] = [rootOf(at), typeOf[rootOf(at)]];
    await owner.query(
      `insert into account select company_id, $2, $2, '', $3, $4, $5, false, false, '', category_id, true, 1
      from account where company_id = $1 and id = 101`,
      [companyId, firstAccount + at, name, type, root],
    );
    await owner.query('insert into profit_center (company_id, id, name) values ($1, $2, $3)', [
      companyId,
      at + 1,
      name,
    ]);
    await owner.query('insert into location (company_id, id, name) values ($1, $2, $3)', [companyId, at + 1, name]);
  }
  for (let id = 1; id <= Math.max(entities, nasty.length); id += 1) {
    const name = nasty[id % nasty.length] ?? '';
    const values = [companyId, id, id % 2, name];
    await owner.query(
      'insert into entity (company_id, id, kind, displayname, name) values ($1, $2, $3, $4, $4)',
      values,
    );
  }
}

/**
 * Posts entries that use each difficult account, entity, dimension, and description once, and one entry with more lines
 * than one fetch returns.
 */
function nastyPostings() {
  const strange = nasty.map((name, at) => {
    const more = { entityId: at + 1, profitCenterId: at + 1, locationId: at + 1, description: name };
    const entries = [entry(firstAccount + at, 101 + at, more), entry(SERVICE_INCOME, -101 - at, { description: '' })];
    return posting(addDays(isoDate('2025-06-01'), at * 17), entries, name);
  });
  const many = Array.from({ length: 2500 }, (_, at) => entry(CHECKING, at + 1));
  const total = (2500 * 2501) / 2;
  return [...strange, posting('2025-07-04', [...many, entry(SALES, -total)], 'Many')];
}

/** Runs a program on the exported file. Rejects if the program fails or prints anything. */
async function run(tool: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 64 << 20, env: { ...process.env, LC_ALL: 'C.UTF-8' } };
    execFile(tool, [...args], options, (error, stdout, stderr) => {
      if (error !== null || stderr !== '')
        reject(new Error(`${tool} ${args.join(' ')}: ${stderr}${stdout}${error?.message ?? ''}`));
      else resolve(stdout);
    });
  });
}

function pathOf(name: ToolName, { skip }: Pick<TestContext, 'skip'>): string {
  const { path, missing } = findTool(name);
  return path ?? skip(missing);
}

const made = new Map<string, string>();

async function exported(format: ExportFormat, basis: ReportBasis): Promise<{ file: string; text: string }> {
  const file = join(folder, `${format}-${basis}`);
  const known = made.get(file);
  if (known !== undefined) return { file, text: known };
  const parts: string[] = [];
  await exportBooks(books.pool, { companyId: books.companyId, format, basis }, async (part) => {
    parts.push(part);
  });
  const text = parts.join('');
  await writeFile(file, text);
  made.set(file, text);
  return { file, text };
}

const lastDate = () =>
  journal
    .map((each) => each.postingDate)
    .toSorted()
    .at(-1) ?? isoDate('2024-01-01');
const sorted = (sums: Iterable<readonly [number, number]>) =>
  [...sums].filter(([, amount]) => amount !== 0).toSorted(([a], [b]) => a - b);

/** Evenkeel's nonzero balances by account ID. */
function ownBalances(basis: ReportBasis, range: { from?: IsoDate; to: IsoDate }): [number, number][] {
  return sorted(amountsOf(journal, { ...range, basis }).map(({ accountId, amount }) => [accountId, amount])).map(
    ([id, amount]) => [id, amount],
  );
}

/**
 * Balances follow the same rules as in reports: income and expenses start with the fiscal year, and retained earnings
 * include earlier years.
 */
function reportBalances(basis: ReportBasis, { to }: { to: IsoDate }) {
  const closed = closeVirtually(
    balancesOf(journal, { to, basis }, fiscalYearStart(to, 1)),
    accounts,
    RETAINED_EARNINGS,
  );
  const amounts = (rows: readonly ReportRow[]) => sorted(rows.map((row) => [row.account.id, row.amount] as const));
  const sums = balancesOf(journal, { to, basis }, addDays(to, 1));
  const earning = new Set(closed.ofYear.map((row) => row.account.id));
  return {
    ofYear: amounts(closed.ofYear),
    retained: closed.lasting.find((row) => row.account.id === RETAINED_EARNINGS)?.amount,
    earnings: sums.reduce((all, { accountId, toDate }) => all + (earning.has(accountId) ? toDate : 0), 0),
  };
}

/**
 * Returns the balances that the verifier computes from the proof for the first month, a middle month, and the last
 * month.
 */
async function proofBalances(basis: ReportBasis): Promise<[IsoDate, [number, number][]][]> {
  const parts: string[] = [];
  const key = await proofKey({ pool: books.pool, box: new Box('', Buffer.alloc(32, 1)) });
  await exportProof(books.pool, { companyId: books.companyId, key }, async (part) => void parts.push(part));
  const { verify } = await loadVerifier();
  const { faults, months } = await verify(Buffer.from(parts.join('')), key.publicKey);
  expect(faults).toEqual([]);
  const chosen = [0, months.length >> 1, months.length - 1].flatMap((at) => months[at] ?? []);
  return chosen.map((each) => {
    const own = Object.entries(each[basis]).map(([id, amount]) => [Number(id), amount] as const);
    return [isoDate(`${each.month}-01`), sorted(own).map(([id, amount]) => [id, amount])];
  });
}

describe.each(views)('the %s export for hledger', (basis) => {
  const idsOf = (text: string) =>
    new Map([...text.matchAll(/^account (.*?) {2}; type:\w, id:(\d+)$/gm)].map((m) => [m[1], Number(m[2])] as const));

  async function balances(hledger: string, ...args: string[]): Promise<[number, number][]> {
    const { file, text } = await exported('hledger', basis);
    const answer: unknown = JSON.parse(await run(hledger, ['-f', file, 'bal', '-N', '--flat', '-O', 'json', ...args]));
    const [rows] = answer as [
      [string, string, number, { aquantity: { decimalMantissa: number; decimalPlaces: number } }[]][],
    ];
    const ids = idsOf(text);
    return sorted(
      rows.map(([name, , , amounts]) => {
        const quantity = amounts[0]?.aquantity ?? { decimalMantissa: 0, decimalPlaces: 2 };
        return [ids.get(name) ?? 0, quantity.decimalMantissa * 10 ** (2 - quantity.decimalPlaces)] as const;
      }),
    ).map(([id, amount]) => [id, amount]);
  }

  test('the hledger export passes the strict check and declares every account in the chart', async (context) => {
    const hledger = pathOf('hledger', context);
    const { file, text } = await exported('hledger', basis);
    await run(hledger, ['-f', file, 'check', '--strict', 'ordereddates']);
    const { rows } = await books.owner.query<{ id: number }>('select id from account where company_id = $1', [
      books.companyId,
    ]);
    expect([...idsOf(text).values()].toSorted((a, b) => a - b)).toEqual(
      rows.map(({ id }) => id).toSorted((a, b) => a - b),
    );
  });

  test('hledger calculates the same account balances and monthly profit and loss as Evenkeel', async (context) => {
    const hledger = pathOf('hledger', context);
    const to = lastDate();
    expect(await balances(hledger, '-e', addDays(to, 1))).toEqual(ownBalances(basis, { to }));
    for (const month of ['2025-02-10', '2025-06-10', '2025-07-10'].map(isoDate)) {
      const [from, end] = [startOfMonth(month), endOfMonth(month)];
      const all = await balances(hledger, '-b', from, '-e', addDays(end, 1));
      expect(all).toEqual(ownBalances(basis, { from, to: end }));
    }
  });

  test('hledger calculates balances that equal the trial balances in the proof', async (context) => {
    const hledger = pathOf('hledger', context);
    for (const [month, own] of await proofBalances(basis)) {
      const [start, end] = [fiscalYearStart(month, 1), addDays(endOfMonth(month), 1)];
      const lasting = await balances(hledger, '-e', end, 'type:ALE');
      const ofYear = await balances(hledger, '-b', start, '-e', end, 'type:RX');
      const earlier = await balances(hledger, '-e', start, 'type:RX');
      const retained = [...earlier, ...lasting.filter(([id]) => id === RETAINED_EARNINGS)];
      const others = [...lasting, ...ofYear].filter(([id]) => id !== RETAINED_EARNINGS);
      expect(own).toEqual(sorted([...others, [RETAINED_EARNINGS, retained.reduce((all, [, each]) => all + each, 0)]]));
    }
  });

  test('in hledger, income and expenses restart at zero each fiscal year, and the books balance', async (context) => {
    const hledger = pathOf('hledger', context);
    const to = lastDate();
    const start = fiscalYearStart(to, 1);
    const total = (rows: [number, number][]) => rows.reduce((all, [, amount]) => all + amount, 0);
    const ofYear = await balances(hledger, '-b', start, '-e', addDays(to, 1), 'type:RX');
    const earlier = await balances(hledger, '-e', start, 'type:RX');
    const lasting = await balances(hledger, '-e', addDays(to, 1), 'type:ALE');
    expect(total(ofYear) + total(earlier) + total(lasting)).toBe(0);
    const [own, before] = [{ to }, { to: addDays(start, -1) }].map((range) => reportBalances(basis, range));
    expect(ofYear).toEqual(own?.ofYear);
    expect(total(earlier)).toBe(before?.earnings);
    expect(own?.retained).toBe(total(earlier) + total(lasting.filter(([id]) => id === RETAINED_EARNINGS)));
  });
});

describe.each(views)('the %s export for beancount', (basis) => {
  async function query(context: TestContext, from: string): Promise<Map<string, number>> {
    const { file } = await exported('beancount', basis);
    const select = `select account, sum(number) as n ${from} group by account`;
    const answer = await run(pathOf('bean-query', context), ['-q', '-f', 'csv', file, select]);
    const rows = answer
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((row) => row.split(',').map((cell) => cell.trim()));
    return new Map(rows.map(([account = '', n = '']) => [account, fromPlain(n === '' ? '0' : n)]));
  }

  test("the beancount export passes bean-check, and its balances equal Evenkeel's", async (context) => {
    const { file, text } = await exported('beancount', basis);
    expect(await run(pathOf('bean-check', context), [file])).toBe('');
    expect(text.match(/ balance /g)?.length).toBeGreaterThan(40);
    const ids = new Map(
      [...text.matchAll(/^1900-01-01 open (\S+) USD\n.*\n.*\n {2}id: "(\d+)"$/gm)].map((m) => [
        m[1] ?? '',
        Number(m[2]),
      ]),
    );
    const found = await query(context, '');
    expect(sorted([...found].map(([name, amount]) => [ids.get(name) ?? 0, amount] as const))).toEqual(
      ownBalances(basis, { to: lastDate() }),
    );
  });

  test('beancount calculates balances that equal the trial balances in the proof', async (context) => {
    const { text } = await exported('beancount', basis);
    const ids = new Map(
      [...text.matchAll(/^1900-01-01 open (\S+) USD\n.*\n.*\n {2}id: "(\d+)"$/gm)].map((m) => [m[1], Number(m[2])]),
    );
    for (const [month, own] of await proofBalances(basis)) {
      const [start, end] = [fiscalYearStart(month, 1), addDays(endOfMonth(month), 1)];
      const found = await query(context, `from open on ${start} close on ${end}`);
      const earlier = found.get('Equity:Earnings:Previous') ?? 0;
      const named = [...found].flatMap(([name, amount]) => {
        const id = ids.get(name);
        return id === undefined ? [] : [[id, id === RETAINED_EARNINGS ? amount + earlier : amount] as const];
      });
      const isPosted = named.some(([id]) => id === RETAINED_EARNINGS);
      expect(own).toEqual(sorted(isPosted ? named : [...named, [RETAINED_EARNINGS, earlier]]));
    }
  });

  test('closing the beancount export gives the same net income as Evenkeel for all years', async (context) => {
    const to = lastDate();
    const found = await query(context, `from close on ${addDays(to, 1)} clear`);
    const roots = await books.owner.query<{ id: number }>(
      `select id from account where company_id = $1 and root in ('Income', 'Expense')`,
      [books.companyId],
    );
    const earning = new Set(roots.rows.map(({ id }) => id));
    const income = ownBalances(basis, { to }).reduce((all, [id, amount]) => all + (earning.has(id) ? amount : 0), 0);
    expect(found.get('Equity:Earnings:Current')).toBe(income);
  });

  test('the beancount export fails bean-check if an amount is changed', async (context) => {
    const { text } = await exported('beancount', basis);
    const file = join(folder, `altered-${basis}`);
    await writeFile(
      file,
      text.replace(/^( {2}\S+ {2})(-?\d+)\.(\d\d) USD$/m, '$1$2.$3 USD\n  Equity:Opening-Balance-Equity  0.01 USD'),
    );
    await expect(run(pathOf('bean-check', context), [file])).rejects.toThrow('does not balance');
  });
});

/** An independent RFC 4180 parser. */
function readCsv(text: string): string[][] {
  const rows = [...text.matchAll(/((?:"(?:[^"]|"")*"|[^",\r\n]*)(?:,(?:"(?:[^"]|"")*"|[^",\r\n]*))*)\r\n/g)];
  return rows.map(([, row = '']) =>
    [...row.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^",]*)/g)].map(([, cell = '']) =>
      cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
    ),
  );
}

describe.each(views)('the %s export as comma-separated values', (basis) => {
  test('the CSV export has the same balances as Evenkeel, and keeps every name or marks it as text', async () => {
    const [head = [], ...rows] = readCsv((await exported('csv', basis)).text);
    expect(new Set(rows.map((row) => row.length))).toEqual(new Set([head.length]));
    const column = (name: string) => head.indexOf(name);
    const sums = new Map<number, number>();
    for (const row of rows) {
      const id = Number(row[column('Account id')]);
      const amount = fromPlain(row[column('Debit')] || '0') - fromPlain(row[column('Credit')] || '0');
      sums.set(id, (sums.get(id) ?? 0) + amount);
    }
    expect(sorted(sums)).toEqual(ownBalances(basis, { to: lastDate() }));
    const names = new Set(rows.map((row) => row[column('Account name')]));
    for (const name of nasty) expect(names).toContain(/^[=\-@]/.test(name) ? `'${name}` : name);
  });
});

test('hledger and bean-check accept the exports of a company without entries', async (context) => {
  for (const [format, tool, args] of [
    ['hledger', 'hledger', ['check', '--strict', '-f']],
    ['beancount', 'bean-check', []],
  ] as const) {
    const file = join(folder, `empty-${format}`);
    const parts: string[] = [];
    const request = { companyId: books.otherId, format, basis: 'accrual' } as const;
    expect(await exportBooks(books.pool, request, async (part) => void parts.push(part))).toBe(0);
    await writeFile(file, parts.join(''));
    await run(pathOf(tool, context), [...args, file]);
  }
});

test('rejects the export of an unknown company', async () => {
  const request = { companyId: 999_999, format: 'csv', basis: 'cash' } as const;
  await expect(exportBooks(books.pool, request, async () => undefined)).rejects.toMatchObject({ code: 'not_found' });
});
