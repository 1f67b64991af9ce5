// Checks that the schema can be distributed across several machines, as far as a text search can tell.
// docs/architecture.md has the reasons.
import { child, children, lineOf, text, walk } from './source.ts';
import type { Code, Finding, Node, Source } from './source.ts';

const isMigration = (path: string): boolean => path.startsWith('apps/server/migrations/') && path.endsWith('.sql');
const isServer = (path: string): boolean => path.startsWith('apps/server/src/') && path.endsWith('.ts');

/** Replaces comments with spaces, so that offsets and lines stay the same. */
const withoutComments = (sql: string): string =>
  sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '));

const withoutNotes = (code: string): string => code.replace(/\/\/[^\n]*/g, (note) => ' '.repeat(note.length));

type Ban = { pattern: RegExp; rule: string; message: string };

function banned(source: Source, sql: string, { pattern, rule, message }: Ban): Finding[] {
  const { path } = source;
  return [...sql.matchAll(pattern)].map(({ index }) => ({ path, line: lineOf(source, index + 1), rule, message }));
}

const tenantSetting: Ban = {
  pattern: /\bset_config\s*\(/gi,
  rule: 'set-config',
  message: 'set the tenant with `set local` in the opening statement: inside a query, it never reaches a worker',
};
const deferred: Ban = {
  pattern: /(?<!\bnot\s+)\bdeferrable\b|\binitially\s+deferred\b/gi,
  rule: 'deferrable',
  message: "constraints can't be deferrable: check immediately, in the posting function",
};

const simpleCase: Ban = {
  pattern: /\bupdate\s+"?\w+"?[^`;]*?\bset\b[^`;]*?\bcase\s+(?!when\b)[^`;]*?\bwhen\b/gi,
  rule: 'simple-case',
  message: 'use `case when x = y` in an update: Citus rewrites `case x when y` incorrectly',
};

/** The rules for migrations after the baseline, which keep the schema distributable. */
const ofLater: readonly Ban[] = [
  {
    pattern: /\blanguage\s+sql\b[^;$']*?(?:\breturn\b|\bbegin\s+atomic\b)/gi,
    rule: 'parsed-body',
    message: 'write function bodies as text (`as $$ … $$`): parsed bodies make objects depend on each other',
  },
  {
    pattern: /\binsert\s+into\s+\w+(?:\s+as\s+\w+)?\s+select\b|\binsert\s+into\b[^;]*?\bselect\s+(?:\w+\.)?\*/gi,
    rule: 'unnamed-columns',
    message: 'list the columns of insert … select, the company first: otherwise, COPY is used, which is rejected',
  },
  {
    pattern: /\badd\s+column\b[^,;]*\bgenerated\b[^,;]*\bas\s+identity\b/gi,
    rule: 'late-identity',
    message: "identity columns can't be added to a table that may be distributed: recreate the table",
  },
];

/** The last file in the baseline. Two functions in the baseline had parsed bodies from the start. */
const LAST_FREE = '20261127_010_search.sql';

const isLater = (path: string): boolean => {
  const name = path.split('/').at(-1) ?? '';
  return isMigration(path) && !/\/(always|upgrade)\//.test(path) && name > LAST_FREE;
};

/** Checks the wording of migrations and the server's SQL. */
export function checkSqlWords(source: Source): Finding[] {
  const { path } = source;
  if (!isMigration(path) && !isServer(path)) return [];
  const sql = isMigration(path) ? withoutComments(source.text) : withoutNotes(source.text);
  const findings = banned(source, sql, tenantSetting);
  if (isMigration(path)) findings.push(...banned(source, sql, deferred));
  if (isServer(path)) findings.push(...banned(source, sql, simpleCase));
  if (isLater(path)) findings.push(...ofLater.flatMap((ban) => banned(source, sql, ban)));
  if (isMigration(path) || path.endsWith('.sql.ts')) findings.push(...bareInserts(source, sql));
  return findings;
}

/** Returns the offset after the parenthesis that closes the given opening parenthesis. */
function behindBracket(sql: string, open: number): number {
  let depth = 0;
  for (let at = open; at < sql.length; at += 1) {
    if (sql[at] === '(') depth += 1;
    else if (sql[at] === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return sql.length;
}

const fromSet = /\bfrom\s+(?:lateral\s+)?(?:unnest|generate_series)\s*\(/gi;

/**
 * Finds `insert … select … from unnest(…)` without a join to a row that belongs to the company, which a distributed
 * table rejects.
 */
function bareInserts(source: Source, sql: string): Finding[] {
  return [...sql.matchAll(fromSet)].flatMap((found) => {
    const statement = sql.slice(0, found.index).split(/[;`]/).at(-1) ?? '';
    if (!/\binsert\s+into\b/i.test(statement)) return [];
    const rest = sql.slice(behindBracket(sql, found.index + found[0].length - 1));
    const others =
      rest.split(/\bwhere\b|\bgroup\s+by\b|\border\s+by\b|\breturning\b|\bon\s+conflict\b|[;`)]/i)[0] ?? '';
    // A column list, `as t(a, b)`, is not another table.
    if (/,|\bjoin\b/i.test(others.replace(/^\s*(with\s+ordinality\s*)?(as\s+)?\w*\s*\([^)]*\)?/i, ''))) return [];
    const message = 'insert … select from rows without a table: join a row of the company, or use VALUES';
    return [{ path: source.path, line: lineOf(source, found.index + 1), rule: 'bare-insert', message }];
  });
}

const creation = /create\s+table\s+(?:if\s+not\s+exists\s+)?(?:\w+\.)?"?(\w+)"?\s*\(([^;]*)/gi;
const renaming = /alter\s+table\s+(?:\w+\.)?"?(\w+)"?\s+rename\s+to\s+"?(\w+)"?/gi;
const keyedByCompany = /primary\s+key\s*\(\s*company_id\b|\bcompany_id\b[^,]*\bprimary\s+key\b/i;

/** Returns the tables whose primary key starts with the company, according to the migrations. */
export function tenantTables(sources: readonly Source[]): Set<string> {
  const tables = new Set<string>();
  for (const { path, text: content } of sources) {
    if (!isMigration(path)) continue;
    for (const [, name, body] of withoutComments(content).matchAll(creation)) {
      if (name && keyedByCompany.test(body ?? '')) tables.add(name);
    }
    for (const [, before = '', after = ''] of withoutComments(content).matchAll(renaming)) {
      if (tables.delete(before)) tables.add(after);
    }
  }
  return tables;
}

const builders = ['selectFrom', 'insertInto', 'updateTable', 'deleteFrom'];
const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/** Returns the tenant table that a SQL template reads from or writes to. */
function tableInTemplate(sql: string, tenants: ReadonlySet<string>): string | undefined {
  const named = sql.matchAll(/\b(?:from|join|into|update)\s+(?:only\s+)?"?(\w+)"?/gi);
  return [...named].map(([, name]) => name ?? '').find((name) => tenants.has(name));
}

const tableNamed = /\b(from|join|update|using|,)\s+(?:only\s+)?"?(\w+)"?(?:[ \n]+(?:as\s+)?(\w+))?/gi;
const notAnAlias = new Set(
  'where on set left right inner cross join full order group limit for and using values select union as'.split(' '),
);

/**
 * Returns the tables that a statement reads or changes without the company. The company must occur with each table name
 * as often as the statement uses that table. Each known condition (`companyConditions`) counts for one use.
 */
function tablesWithoutCompany(sql: string, { tables, conditions }: Tenancy): string[] {
  const wanted = new Map<string, string[]>();
  for (const [, word = '', table = '', next = ''] of sql.matchAll(tableNamed)) {
    const alias = notAnAlias.has(next.toLowerCase()) ? '' : next;
    if (!tables.has(table) || (word === ',' && alias === '')) continue;
    wanted.set(alias, [...(wanted.get(alias) ?? []), table]);
  }
  let spare = [...sql.matchAll(/\$\{\s*(\w+)/g)].filter(([, name]) => conditions.has(name ?? '')).length;
  // If the first table in a part has no condition, it gets its company where the part is used.
  if (/^`\s*from\b/i.test(sql) && !/\bwhere\b/i.test(sql)) spare += 1;
  return [...wanted].flatMap(([alias, named]) => {
    const own = alias === '' ? '(?<![\\w.])' : `\\b${alias}\\.`;
    const condition = new RegExp(`${own}company_id = \\$\\{`, 'g');
    const missing = named.slice([...sql.matchAll(condition)].length);
    const excused = Math.min(spare, missing.length);
    spare -= excused;
    return missing.slice(excused);
  });
}

/**
 * Returns the reasons why a statement on company tables could not run on the server with its rows if the tables were
 * distributed.
 */
function notDistributable(sql: string, tenancy: Tenancy): { rule: string; message: string }[] {
  const all: { rule: string; message: string }[] = [];
  // A statement that returns each row's company may read the rows of all companies.
  const missing = /\bcompany_id as "companyId"/.test(sql) ? [] : tablesWithoutCompany(sql, tenancy);
  if (missing.length > 0) {
    const message = `${missing.join(', ')} used without a company condition (= \${COMPANY})`;
    all.push({ rule: 'every-table', message });
  }
  if (/\bcompany_id\s*=\s*\w+\.company_id\b/i.test(sql)) {
    const message = 'company compared with another column: compare it in each table (= ${COMPANY})';
    all.push({ rule: 'company-by-column', message });
  }
  if (/\bnextval\s*\(/i.test(sql)) {
    const message = 'assign IDs with takeIds or in a statement without tables: sequences differ between servers';
    all.push({ rule: 'drawn-id', message });
  }
  if (/\bdo\s+update\b[^;]*?=[^;]*?\b(?:now|clock_timestamp)\s*\(/i.test(sql)) {
    const message = 'a time in `do update set`: take it from the row to be inserted (excluded)';
    all.push({ rule: 'moment-upsert', message });
  }
  if (/\$\{PEOPLE\}/.test(sql) && /\bleft\s+join\b/i.test(sql)) {
    all.push({
      rule: 'two-kinds',
      message: 'PEOPLE in a statement with an outer join: read the names in a separate statement',
    });
  }
  const installation = [...sql.matchAll(tableNamed)].find(([, , name]) => installationTables.has(name ?? ''));
  if (installation !== undefined && !/\boffset 0\b|\bmaterialized\b|\binsert\s+into\s+membership\b/i.test(sql)) {
    const message = `${installation[2]} together with company tables: read it separately (offset 0), or use \${PEOPLE}`;
    all.push({ rule: 'two-kinds', message });
  }
  return all;
}

/** Tables that are not distributed, as listed in migrations/always/security.sql. */
const installationTables = new Set([
  'api_key',
  'app_user',
  'membership',
  'passkey',
  'passkey_challenge',
  'rate_limit',
  'recovery_code',
  'second_factor',
  'session',
  'sign_in_place',
  'token',
]);

/** Returns the tenant table in a query builder call. */
function tableInCall(call: Node, tenants: ReadonlySet<string>): string | undefined {
  const name = text(child(child(call, 'callee'), 'property'), 'name') ?? '';
  const table = (text(children(call, 'arguments')[0], 'value') ?? '').split(/\s/)[0] ?? '';
  return builders.includes(name) && tenants.has(table) ? table : undefined;
}

/** Returns the names of the conditions (`where` parts outside a statement) that restrict statements to the company. */
export function companyConditions(codes: readonly Code[]): Set<string> {
  const names = new Set<string>();
  for (const code of codes.filter(({ path }) => path.endsWith('.sql.ts'))) {
    walk(code.program, (node) => {
      if (node.type !== 'FunctionDeclaration' && node.type !== 'VariableDeclarator') return;
      const source = code.text.slice(node.start, node.end);
      const isCondition =
        /\bcompany_id\b/.test(source) && !/\b(select|insert\s+into|update|delete\s+from)\b/i.test(source);
      if (isCondition) names.add(text(child(node, 'id'), 'name') ?? '');
    });
  }
  return names;
}

/** Information from the whole tree that the tenancy rule needs. */
export type Tenancy = { tables: ReadonlySet<string>; conditions: ReadonlySet<string> };

function namesCompany(sql: string, { conditions }: Tenancy): boolean {
  if (/\bcompany_id\b/.test(sql)) return true;
  return [...sql.matchAll(/\$\{\s*(\w+)/g)].some(([, name]) => conditions.has(name ?? ''));
}

/** Returns whether the tag is `sql` or `sql<Row>`. */
const isSqlTag = (node: Node | undefined): boolean =>
  node?.type === 'TaggedTemplateExpression' && text(child(node, 'tag'), 'name') === 'sql';

/**
 * Checks that each statement on company tables contains the company, in *.sql.ts files and in `sql` tags elsewhere on
 * the server. Row-level security is the second safeguard.
 */
export function checkTenancy(code: Code, tenancy: Tenancy): Finding[] {
  const isStatements = code.path.endsWith('.sql.ts');
  if (!isServer(code.path) || code.isTest) return [];
  const findings: Finding[] = [];
  walk(code.program, (node, above) => {
    const isOuter = node.type === 'TemplateLiteral' && !above.some((each) => each.type === 'TemplateLiteral');
    const isTemplate = isOuter && (isStatements || isSqlTag(above.at(-1)));
    const sql = code.text.slice(node.start, node.end);
    const table = isTemplate ? tableInTemplate(sql, tenancy.tables) : tableInCall(node, tenancy.tables);
    if (table === undefined) return;
    const found = (rule: string, message: string): void => {
      findings.push({ path: code.path, line: lineOf(code, node.start), rule, message });
    };
    const around = isTemplate ? node : (above.findLast((each) => functions.includes(each.type)) ?? node);
    if (!namesCompany(code.text.slice(around.start, around.end), tenancy)) {
      found('tenancy', `a statement on ${table} without company_id`);
    } else if (isTemplate) {
      for (const { rule, message } of notDistributable(sql, tenancy)) found(rule, message);
    }
  });
  return findings;
}

/** Returns the kinds of documents that core defines. */
export function kindNames(codes: readonly Code[]): Set<string> {
  const core = codes.filter(({ path }) => path.startsWith('packages/core/src/kinds/'));
  return new Set(core.flatMap(({ text }) => /^ {2}source: '(\w+)'/m.exec(text)?.[1] ?? []));
}

const statusNumber = /\bstatus\b(?:::\w+)?\s*(?:<>|!=|<=|>=|[=<>]|(?:not\s+)?in\s*\(|(?:not\s+)?between\b)\s*\d/gi;

/**
 * Rejects statements that contain a status number or the name of a document kind. Adding a kind must require only a
 * description in core and no changes to queries. Rows have `is_posted` and `is_draft`, and kinds are passed as values.
 * Migrations are exempt, because they describe one point in time.
 */
export function checkKindsAreData(code: Code, kinds: ReadonlySet<string>): Finding[] {
  if (!isServer(code.path) || code.isTest || code.path.includes('/testing/')) return [];
  const kindName = new RegExp(`'(?:${[...kinds].join('|')})'`, 'g');
  const findings: Finding[] = [];
  walk(code.program, (node, above) => {
    const isSql = code.path.endsWith('.sql.ts') || above.some(isSqlTag);
    if (node.type !== 'TemplateElement' || !isSql) return;
    const sql = code.text.slice(node.start, node.end);
    const find = (pattern: RegExp, message: string): void => {
      for (const { index } of sql.matchAll(pattern)) {
        findings.push({ path: code.path, line: lineOf(code, node.start + index), rule: 'kinds-are-data', message });
      }
    };
    find(statusNumber, 'a status number: use the column `is_posted` or `is_draft`');
    if (kinds.size > 0) find(kindName, 'the name of a document kind: pass it from core/kinds as a value');
  });
  return findings;
}
