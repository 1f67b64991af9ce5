import { describe, expect, it } from 'vitest';
import { root } from './checkout.mjs';
import { readTree, tidy, voiceCeilings } from './tidy.ts';
import { listSizes } from './tidy/reports.ts';
import { parse, type Source } from './tidy/source.ts';

/** Returns the findings in a tree of files (path → text) as `path:line rule`. */
function found(tree: Record<string, string>): string[] {
  const sources: Source[] = Object.entries(tree).map(([path, text]) => ({ path, text }));
  return tidy(sources).map(({ path, line, rule }) => `${path}:${line} ${rule}`);
}

const app = 'apps/server/src';
const core = 'packages/core/src';
const migration = 'apps/server/migrations/20260101_1_first.sql';
const customerTable = 'create table customer (company_id bigint, id bigint, primary key (company_id, id));\n';
const one = 'export const a = 1;\n';
const word = (...parts: string[]): string => parts.join('');

describe('lines and names', () => {
  it('a line can have 120 columns, but not 121', () => {
    expect(found({ [`${app}/config.ts`]: `// ${'x'.repeat(118)}\n` })).toEqual([`${app}/config.ts:1 columns`]);
    expect(found({ [`${app}/config.ts`]: `// ${'x'.repeat(117)}\n` })).toEqual([]);
  });

  it('the name of a file must be a noun', () => {
    expect(found({ [`${app}/features/billing/utils.ts`]: one })).toEqual([
      `${app}/features/billing/utils.ts:1 empty-name`,
    ]);
    expect(found({ [`${app}/features/billing/invoices.ts`]: one })).toEqual([]);
    expect(found({ [`${app}/platform/db/types.ts`]: one })).toEqual([]);
  });
});

describe('language', () => {
  const at = `${app}/features/billing/invoices.ts`;

  it('rejects a type assertion outside the files that may use one', () => {
    expect(found({ [at]: 'a as B;' })).toEqual([`${at}:1 as`]);
    expect(found({ [at]: 'const a = { b: 1 } as const satisfies C;' })).toEqual([]);
    expect(found({ [`${app}/platform/db/connect.ts`]: 'a as B;', [`${app}/a.test.ts`]: 'a as B;' })).toEqual([]);
  });

  it('rejects a file that contains only re-exports', () => {
    expect(found({ [at]: "export * from 'a';\nexport { b } from 'b';\n" })).toEqual([`${at}:1 barrel`]);
    expect(found({ [at]: "import { a } from 'a';\nexport const all = [a];\n" })).toEqual([]);
  });

  it('unfinished work requires an entry in docs/decisions.md', () => {
    const note = word('// TO', 'DO(recurring-bills): later\n');
    expect(found({ [at]: note })).toEqual([`${at}:1 unfinished`]);
    expect(found({ [at]: note, 'docs/decisions.md': 'recurring-bills: wait' })).toEqual([]);
  });

  it('a comment must start with its subject', () => {
    const finding = [`${at}:1 opening`];
    expect(found({ [at]: '/** What a line costs. */\n' })).toEqual(finding);
    expect(found({ [at]: '// The same of a bill.\n' })).toEqual(finding);
    expect(found({ [at]: '/** A line. Of a discount none. */\n' })).toEqual(finding);
    expect(found({ [at]: '/** The cost of a line. */\n// Whether it is open.\n// Office hours.\n' })).toEqual([]);
    const sheet = 'apps/web/src/ui/a.css';
    expect(found({ [sheet]: '  /* Where it ends. */\n' })).toEqual([`${sheet}:1 opening`]);
    expect(found({ [migration]: '-- How it is kept.\n' })).toEqual([`${migration}:1 opening`]);
  });

  it('rejects the name of a machine or registry', () => {
    expect(found({ 'README.md': word('cd /wo', 'rk/main') })).toEqual(['README.md:1 place']);
    expect(found({ 'package-lock.json': word('"resolved": "htt', 'ps://a/b.tgz"') })).toEqual([
      'package-lock.json:1 place',
    ]);
    expect(found({ 'README.md': 'cd evenkeel', 'package-lock.json': '"resolved": "apps/web"' })).toEqual([]);
  });
});

describe('import direction', () => {
  const one = (path: string, written: string): string[] =>
    found({ [path]: `import { a } from '${written}';\nexport const b = a;\n` });
  const refused = (path: string, written: string): void => expect(one(path, written)).toEqual([`${path}:1 direction`]);
  const allowed = (path: string, written: string): void => expect(one(path, written)).toEqual([]);

  it('core imports only itself and big.js', () => {
    refused(`${core}/tax.ts`, 'zod');
    refused(`${core}/tax.ts`, 'node:fs');
    allowed(`${core}/tax.ts`, 'big.js');
    allowed(`${core}/reports/report.ts`, '../money.ts');
  });

  it('the statement readers import only core and packages, and only the server imports the readers', () => {
    const at = 'packages/statements/src/a.ts';
    allowed(at, '@evenkeel/core/money');
    allowed(at, 'papaparse');
    refused(at, '@evenkeel/contract/money');
    allowed(`${app}/features/banking/a.ts`, '@evenkeel/statements/read');
    refused('apps/web/src/screens/banking/A.ts', '@evenkeel/statements/read');
  });

  it('the readers of books import only core, the statement readers, and packages', () => {
    const at = 'packages/imports/src/a.ts';
    allowed(at, '@evenkeel/core/money');
    allowed(at, '@evenkeel/statements/days');
    allowed(at, 'fflate');
    refused(at, '@evenkeel/contract/money');
    refused('packages/statements/src/a.ts', '@evenkeel/imports/read');
    allowed(`${app}/features/settings/a.ts`, '@evenkeel/imports/read');
    refused('apps/web/src/screens/settings/A.ts', '@evenkeel/imports/read');
  });

  it('the contract imports only core and zod', () => {
    refused('packages/contract/src/billing.ts', 'fastify');
    refused('packages/contract/src/billing.ts', '@evenkeel/server/app/app');
    allowed('packages/contract/src/billing.ts', '@evenkeel/core/money');
    allowed('packages/contract/src/billing.ts', 'zod');
  });

  it('neither web nor server imports the other', () => {
    refused(`${app}/features/billing/invoices.ts`, '@evenkeel/web/api');
    refused(`${app}/features/billing/invoices.ts`, '../../../../web/src/client/api.ts');
    refused('apps/web/src/screens/billing/List.tsx', '@evenkeel/server/app/app');
    refused('apps/web/src/screens/billing/List.tsx', 'node:fs');
    allowed('apps/web/src/screens/billing/List.tsx', '@evenkeel/contract/billing');
  });

  it('the PostgreSQL supervisor imports no Evenkeel code, and only server, scripts, and bench import it', () => {
    refused('packages/postgres/src/lock.ts', '@evenkeel/server/platform/config');
    refused('packages/postgres/src/lock.ts', '@evenkeel/core/money');
    allowed('packages/postgres/src/lock.ts', './account.ts');
    allowed(`${app}/main.ts`, '@evenkeel/postgres/embedded');
    allowed('bench/src/server.ts', '@evenkeel/postgres/embedded');
    refused('packages/core/src/money.ts', '@evenkeel/postgres/lock');
    refused('apps/web/src/client/api.ts', '@evenkeel/postgres/lock');
  });

  it('from the server, journeys import only the testing folder', () => {
    allowed('e2e/src/company.ts', '../../apps/server/src/testing/companies.ts');
    refused('e2e/src/company.ts', '../../apps/server/src/across/setup/company.ts');
    refused('e2e/src/company.ts', '../../apps/web/src/client/api.ts');
  });

  it('no layer of the server imports a higher layer', () => {
    allowed(`${app}/app/app.ts`, '../features/billing/invoices.ts');
    allowed(`${app}/main.ts`, './app/app.ts');
    allowed(`${app}/across/reports/aging.ts`, '../../features/billing/invoices.ts');
    allowed(`${app}/features/billing/invoices.ts`, '../../books/ledger/journal.ts');
    allowed(`${app}/books/ledger/journal.ts`, '../../platform/db/tx.ts');
    refused(`${app}/across/reports/aging.ts`, '../../app/app.ts');
    refused(`${app}/features/billing/invoices.ts`, '../../across/reports/aging.ts');
    refused(`${app}/books/ledger/journal.ts`, '../../features/billing/invoices.ts');
    refused(`${app}/platform/http/serve.ts`, '../../books/ledger/journal.ts');
    refused(`${app}/features/billing/invoices.ts`, '../../main.ts');
  });

  it('a folder in the server imports only the listed folders in its layer', () => {
    const at = `${app}/features/billing/invoices.ts`;
    allowed(at, './views.ts');
    allowed(at, '../entities/customers.ts');
    refused(at, '../expenses/bills.ts');
    refused(at, '../../testing/world.ts');
    refused(at, '../../services/mailer.ts');
    allowed(`${app}/features/billing/invoices.test.ts`, '../../testing/world.ts');
    allowed(`${app}/books/ledger/journal.ts`, '../company-settings.ts');
  });

  it('a screen imports lower layers, but no other screen', () => {
    const at = 'apps/web/src/screens/billing/List.tsx';
    for (const below of ['parts/documents/Head.tsx', 'records/place.ts', 'client/api.ts', 'ui/Field.tsx'])
      allowed(at, `../../${below}`);
    allowed(at, './queries.ts');
    refused(at, '../banking/Register.tsx');
    refused(at, '../../app/routes.tsx');
    refused(at, '../../testing/show.tsx');
  });

  it('no layer of the web app imports a higher layer', () => {
    allowed('apps/web/src/app/routes.tsx', '../screens/billing/List.tsx');
    allowed('apps/web/src/parts/documents/Head.tsx', '../choices/Account.tsx');
    refused('apps/web/src/parts/documents/Head.tsx', '../../screens/billing/List.tsx');
    refused('apps/web/src/records/place.ts', '../parts/documents/Head.tsx');
    refused('apps/web/src/client/api.ts', '../records/place.ts');
    refused('apps/web/src/ui/Field.tsx', '../client/api.ts');
    allowed('apps/web/src/ui/Field.test.tsx', '../testing/show.tsx');
  });

  it('end-to-end tests and benchmarks import the contract, and benchmarks also import the database', () => {
    refused('e2e/src/pay.e2e.ts', '@evenkeel/server/platform/db/connect');
    refused('bench/src/run.ts', '@evenkeel/server/features/billing/invoices');
    allowed('e2e/src/pay.e2e.ts', '@evenkeel/contract/billing');
    allowed('bench/src/run.ts', '@evenkeel/server/platform/db/connect');
  });
});

describe('core and its documentation', () => {
  const at = `${core}/dates.ts`;

  it('core uses no clock, process, network, or async code', () => {
    const code = [
      'new Date();',
      'Date.now();',
      'process.env;',
      "fetch('a');",
      'const f = async () => 1;',
      'Math.random();',
    ];
    expect(found({ [at]: code.join('\n') })).toEqual(code.map((_, index) => `${at}:${index + 1} core-pure`));
    expect(found({ [at]: "new Date('2026-01-31T00:00:00Z');" })).toEqual([]);
    expect(found({ [`${app}/platform/clock.ts`]: code.join('\n') })).toEqual([]);
  });

  it('an exported function in core requires a doc comment', () => {
    expect(found({ [at]: 'export function f() {}\nexport const g = () => 1;\n' })).toEqual([
      `${at}:1 doc`,
      `${at}:2 doc`,
    ]);
    expect(found({ [at]: '/** The day after. */\nexport function f() {}\nfunction g() {}\n' })).toEqual([]);
  });

  it('an endpoint requires a summary or a doc comment', () => {
    const file = 'packages/contract/src/billing.ts';
    expect(found({ [file]: "export const a = endpoint({ path: '/a' });" })).toEqual([`${file}:1 doc`]);
    expect(found({ [file]: "export const a = endpoint({ path: '/a', summary: 'Lists.' });" })).toEqual([]);
    expect(found({ [file]: "/** Lists. */\nexport const a = endpoint({ path: '/a' });" })).toEqual([]);
  });
});

describe('money and time', () => {
  const at = `${app}/features/billing/invoices.ts`;

  it('the format of money is changed only in core/money', () => {
    const code = 'a.toFixed(2);\nparseFloat(b);\nc * 100;\nd / 100;\n';
    expect(found({ [at]: code })).toEqual([1, 2, 3, 4].map((line) => `${at}:${line} money`));
    expect(found({ [`${core}/money.ts`]: code, [`${app}/a.test.ts`]: code })).toEqual([]);
    expect(found({ [at]: 'a * 10;\n100 / b;\n100 * 365;\n' })).toEqual([]);
  });

  it('only core contains the dash for an empty value, but a dash between two dates is allowed', () => {
    const screen = 'apps/web/src/a/a.tsx';
    const dashes = "export const a = '–';\nexport const b = '—';\nexport const c = <b>–</b>;\n";
    expect(found({ [screen]: dashes })).toEqual([1, 2, 3].map((line) => `${screen}:${line} dash`));
    const range = 'export const a = <b>{from} – {to}</b>;\nexport const b = `${from} – ${to}`;\n';
    expect(found({ [screen]: range, [`${core}/nothing.ts`]: "export const NOTHING = '–';\n" })).toEqual([]);
  });

  it('the server reads the time only in its clock', () => {
    expect(found({ [at]: 'new Date();\nDate();\n' })).toEqual([`${at}:1 clock`, `${at}:2 clock`]);
    expect(found({ [`${app}/platform/clock.ts`]: 'new Date();', [at]: "new Date('2026-01-31');" })).toEqual([]);
  });
});

describe('distributable SQL', () => {
  const file = `${app}/features/billing/invoices.sql.ts`;

  it('a query never sets the tenant', () => {
    expect(found({ [`${app}/platform/db/tx.ts`]: "query(`select set_config('app.company_id', $1, true)`);" })).toEqual([
      `${app}/platform/db/tx.ts:1 set-config`,
    ]);
    expect(found({ [`${app}/platform/db/tx.ts`]: "query(`set local app.company_id = '7'`);" })).toEqual([]);
  });

  it('an update uses `case when x = y`, not the short form of case', () => {
    const by = (words: string): string => `const a = sql\`update document d set status = case ${words} then 1 end\`;`;
    expect(found({ [`${app}/a.ts`]: by('d.status when ${OPEN}') })).toEqual([`${app}/a.ts:1 simple-case`]);
    expect(found({ [`${app}/a.ts`]: by('when d.status = ${OPEN}') })).toEqual([]);
  });

  it('a constraint is never deferred', () => {
    expect(found({ [migration]: 'alter table a add unique (b)\n  deferrable initially deferred;' })).toEqual([
      `${migration}:2 deferrable`,
      `${migration}:2 deferrable`,
    ]);
    expect(found({ [migration]: '-- nothing deferrable\nalter table a add unique (b) not deferrable;' })).toEqual([]);
  });

  it('rows are inserted only with a join to a row that belongs to the company', () => {
    const bare = 'insert into a (company_id, b)\nselect $1, t.b from unnest($2::int[]) as t(b) where t.b > 0;';
    expect(found({ [migration]: bare })).toEqual([`${migration}:2 bare-insert`]);
    const joined = 'insert into a select h.company_id, b from ledger_head h, unnest($2) b where h.company_id = $1;';
    const behind = 'insert into a select h.company_id, b from unnest($2) b join ledger_head h on h.company_id = $1;';
    expect(found({ [migration]: `${joined}\n${behind}\nselect * from unnest($1);` })).toEqual([]);
  });

  it('each statement on a company’s table specifies the company', () => {
    const tree = (sql: string): Record<string, string> => ({ [migration]: customerTable, [file]: sql });
    expect(found(tree('sql`select name from customer where id = ${id}`;'))).toEqual([`${file}:1 tenancy`]);
    expect(found(tree("const f = () => tx.selectFrom('customer as c').where('id', '=', id);"))).toEqual([
      `${file}:1 tenancy`,
    ]);
    expect(found(tree('sql`select name from customer where company_id = ${company} and id = ${id}`;'))).toEqual([]);
    expect(found(tree("const f = () => tx.selectFrom('customer').where('company_id', '=', c);"))).toEqual([]);
    expect(found(tree('sql`select name from country`;'))).toEqual([]);
    const beside = `${app}/features/billing/invoices.ts`;
    const elsewhere = (sql: string) => found({ [migration]: customerTable, [beside]: sql });
    expect(elsewhere('sql<Row>`select name from customer where id = ${id}`;')).toEqual([`${beside}:1 tenancy`]);
    expect(elsewhere('throw new Error(`a letter from customer ${id}`);')).toEqual([]);
    const condition = 'const mine = (id) => sql`company_id = ${id}`;\n';
    expect(found(tree(`${condition}sql\`select name from customer where \${mine(id)}\`;`))).toEqual([]);
    expect(found(tree(`${condition}sql\`select name from customer where \${named(id)}\`;`))).toEqual([
      `${file}:2 tenancy`,
    ]);
  });

  it('each table in a statement is compared with the company, even in subqueries', () => {
    const two = `${customerTable}\ncreate table visit (company_id int, id int, primary key (company_id, id));`;
    const rules = (sql: string) => {
      const code = `const own = (a) => sql\`\${a}.company_id = \${COMPANY}\`;\nsql\`${sql}\`;`;
      return found({ [migration]: two, [file]: code }).map((finding) => finding.split(' ')[1]);
    };
    const whole =
      'from customer c join visit v on v.company_id = ${COMPANY} and v.of = c.id where c.company_id = ${COMPANY}';
    expect(rules(`select * ${whole}`)).toEqual([]);
    expect(rules(`select * ${whole}\n and exists (select from visit v where v.company_id = \${COMPANY})`)).toEqual([]);
    expect(rules(`select * ${whole}\n and exists (select from visit v where v.of = c.id)`)).toEqual(['every-table']);
    const joined = 'from customer c join visit v on v.company_id = c.company_id where c.company_id = ${COMPANY}';
    expect(rules(`select * ${joined}`)).toEqual(['every-table', 'company-by-column']);
    expect(rules('select * from customer c, visit v where ${own(c)} and ${own(v)}')).toEqual([]);
    expect(rules('update customer c set a = 1 from visit v where c.company_id = ${COMPANY} and v.of = c.id')).toEqual([
      'every-table',
    ]);
    expect(rules('select company_id as "companyId" from customer')).toEqual([]);
  });

  it('IDs are generated separately, timestamps come from the row, and users are read separately', () => {
    const rules = (sql: string) =>
      found({ [migration]: customerTable, [file]: `sql\`${sql}\`;` }).map((finding) => finding.split(' ')[1]);
    const from = 'from customer c where c.company_id = ${COMPANY}';
    expect(rules(`select nextval('a') ${from}`)).toEqual(['drawn-id']);
    expect(rules(`select \${takeIds('a', 1)} ${from}`)).toEqual([]);
    expect(rules("select nextval('a')")).toEqual([]);
    const kept = 'insert into customer (company_id) values (${COMPANY}) on conflict (company_id) do update set at =';
    expect(rules(`${kept} now()`)).toEqual(['moment-upsert']);
    expect(rules(`${kept} excluded.at`)).toEqual([]);
    expect(rules(`select (select u.email from app_user u where u.id = c.by) ${from}`)).toEqual(['two-kinds']);
    expect(rules(`select (select u.name from \${PEOPLE} u where u.id = c.by) ${from}`)).toEqual([]);
    const outer = 'left join ${PEOPLE} u on u.id = c.by where c.company_id = ${COMPANY}';
    expect(rules(`select u.name from customer c ${outer}`)).toEqual(['two-kinds']);
  });

  it('later migrations stay distributable', () => {
    const rules = (sql: string, name = '20261127_300_later.sql') =>
      found({ [`apps/server/migrations/${name}`]: sql }).map((finding) => finding.split(' ')[1]);
    const parsed = 'create function a(b int) returns int\nlanguage sql immutable\nreturn b + 1;';
    expect(rules(parsed)).toEqual(['parsed-body']);
    expect(rules(parsed, '20261127_004_ledger.sql')).toEqual([]);
    expect(rules('create function a(b int) returns int language sql as $$ select b + 1 $$;')).toEqual([]);
    expect(rules('insert into a select b from c;')).toEqual(['unnamed-columns']);
    expect(rules('insert into a (b) select * from c;')).toEqual(['unnamed-columns']);
    expect(rules('insert into a (b) select c.b from c;')).toEqual([]);
    expect(rules('alter table a add column id bigint generated by default as identity;')).toEqual(['late-identity']);
  });

  it('a company’s table that a later migration renamed is recognized', () => {
    const later = 'apps/server/migrations/20260102_1_later.sql';
    const tree = (sql: string): Record<string, string> => {
      return { [migration]: customerTable, [later]: 'alter table customer rename to buyer;', [file]: sql };
    };
    expect(found(tree('sql`select name from buyer where id = ${id}`;'))).toEqual([`${file}:1 tenancy`]);
    expect(found(tree('sql`select name from customer where id = ${id}`;'))).toEqual([]);
  });
});

describe('document kinds as data', () => {
  const tree = (text: string) => ({
    [`${core}/kinds/memo.ts`]: "export const memo = {\n  source: 'memo',\n};\n",
    [`${app}/books/documents/reads.ts`]: text,
  });
  const at = [`${app}/books/documents/reads.ts:1 kinds-are-data`];

  it.each(['d.status = 1', 'd.status in (2, 3)', 'd.status <> 5', 'status between 2 and 4', 'd.status::int >= 2'])(
    'rejects a query for a status by its number: %s',
    (condition) => {
      expect(found(tree(`sql\`${condition}\`;\n`))).toEqual(at);
    },
  );

  it('rejects a kind by its name, but accepts it as a value', () => {
    expect(found(tree("sql`t.source_type in ('other', 'memo')`;\n"))).toEqual(at);
    expect(found(tree('sql`t.source_type = ${memo.source} and d.is_posted and d.status = ${status}`;\n'))).toEqual([]);
    expect(found(tree("const word = 'memo';\n"))).toEqual([]);
  });
});

describe('list reports', () => {
  const kinds = `${core}/reports/kinds.ts`;
  const runs = `${app}/across/reports/sales.ts`;
  const known = "export const reportKinds = { salesByMoon: { id: 199, title: 'Sales by Moon' } } as const;\n";
  const report = (lines: number): string =>
    `const run = () => {\n${'  work();\n'.repeat(lines - 2)}};\n` +
    'export const salesReports = { salesByMoon: run } satisfies Runs;\n';

  it('a list report has at most 35 lines without its SQL, including the declarations it uses in its file', () => {
    expect(found({ [kinds]: known, [runs]: report(33) })).toEqual([]);
    expect(found({ [kinds]: known, [runs]: report(34) })).toEqual([`${runs}:35 list-report`]);
  });

  it('titles and IDs of list reports appear only in their kinds', () => {
    const at = 'apps/web/src/screens/reports/Menu.tsx';
    expect(found({ [kinds]: known, [at]: "export const title = 'Sales by Moon';\n" })).toEqual([
      `${at}:1 report-twice`,
    ]);
    expect(found({ [kinds]: known, [at]: 'export const ask = { reportId: 199 };\n' })).toEqual([
      `${at}:1 report-twice`,
    ]);
    expect(found({ [kinds]: known, [at]: "export const title = 'Moons';\n" })).toEqual([]);
  });

  it('the list reports in this checkout are counted', () => {
    const codes = readTree(root)
      .map(parse)
      .filter((code) => code !== undefined);
    const sizes = listSizes(codes).map(({ name, kind, own, shared }) => ({ name, lines: kind + own + shared }));
    expect(sizes.length).toBeGreaterThan(15);
    console.table(sizes);
    expect(sizes.filter(({ lines }) => lines > 35)).toEqual([]);
  });
});

describe('voice', () => {
  const ceilings = (count: number): Record<string, string> => ({
    'scripts/tidy/voice-ceilings.json': JSON.stringify({ anew: { s: count, c: count, t: count, d: count } }),
  });
  const tree = {
    [`${app}/a.ts`]: word('// Reads the file a', "new.\nexport const a = 'Reads the file a", "new';\n"),
    [`${app}/a.test.ts`]: word("it('reads it a", "new', () => undefined);\n"),
    'docs/a.md': word('Read the file a', 'new.\n'),
  };

  it('strings, comments, test names, and docs are reported if their count is above the ceiling', () => {
    expect(found({ ...tree, ...ceilings(0) })).toEqual(Array(4).fill('scripts/tidy/voice-ceilings.json:1 voice'));
    expect(found({ ...tree, ...ceilings(1) })).toEqual([]);
  });

  it('lowers ceilings to the counts and never raises them', () => {
    const lowered = (count: number): unknown => {
      const sources = Object.entries({ ...tree, ...ceilings(count) }).map(([path, text]) => ({ path, text }));
      return JSON.parse(voiceCeilings(sources)).anew;
    };
    expect(lowered(3)).toEqual({ s: 1, c: 1, t: 1, d: 1 });
    expect(lowered(0)).toEqual({ s: 0, c: 0, t: 0, d: 0 });
  });
});
