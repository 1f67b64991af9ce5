import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Pool } from 'pg';
import { endpoints } from '@evenkeel/contract/all';
import { authCalls } from '@evenkeel/contract/auth';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { isoDate } from '@evenkeel/core/dates';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { openPool } from '../db/connect.ts';
import { analyzeTables } from '../db/statistics.ts';
import { createDemo } from '../../app/demo/demo.ts';
import { type RawAnswer, type RawRequest, requestOf, startTestApp, type TestApp } from '../../testing/app.ts';
import { copyCompany, forgetStatistics, someRecords } from '../../testing/copies.ts';
import { MISSING, parametersOf, recordFor, type Records, references } from '../../testing/records.ts';
import { rowsTouched } from '../../testing/rows-read.ts';
import { sampleOf } from '../../testing/sample.ts';
import * as z from 'zod';

/** The IDs of other companies, which have about 100,000 lines in total. */
const OTHERS = Array.from({ length: 18 }, (_, n) => 1001 + n);
/** The ID of a copy of the company, which is created after the statistics are collected. */
const NEWCOMER = 2001;

/**
 * The maximum number of rows that a plan may read for each row in the response, plus an allowance for totals, names,
 * and settings.
 */
const PER_ROW = 30;
const BESIDES = 9000;

/**
 * Reports that have few rows but use all document lines in their date range. They may read each of the company's 2,000
 * lines 50 times. If the tables were never analyzed, the planner assumes that a company has one document, and reads the
 * documents once for each payment. This cost is limited because tables are analyzed after a bulk write, and
 * automatically after 250 changes.
 */
const OF_LINES = /^(Sales|Expenses|Cash to Accrual) /;
const LINES = { analyzed: 100_000, never: 1_000_000 };

/**
 * The number of reports that some calls compute at the same time. The response does not have a row for each row in
 * these reports.
 */
const REPORTS_IN: Readonly<Record<string, number>> = {
  // These calls compare customer and vendor aging with the control accounts.
  'GET /closingchecklist ': 2,
  'GET /closingdate/line ': 2,
  'GET /monthendpackage ': 6,
};

let t: TestApp;
let owner: Pool;
let token: string;
let companyId: number;
let ids: Records;
beforeAll(async () => {
  t = await startTestApp();
  owner = openPool({ connection: { connectionString: t.databaseUrl }, as: 'owner', max: 1 });
  const demo = await createDemo(t.services, isoDate('2026-11-21'));
  ({ companyId } = demo);
  ({ token } = await t.login(demo.email, demo.password));
  token = await t.call(authCalls.updateUserTerms, { token, body: { termsAccepted: true } });
  await copyCompany(owner, companyId, OTHERS);
  ids = await someRecords(t, companyId);
});
afterAll(async () => {
  await owner.end();
  await t.close();
});

interface Read {
  name: string;
  request: RawRequest;
}

/** Returns every call that reads the company's records. Lists are paged, as in the web app. */
function allReads(): Read[] {
  const reading = endpoints
    // Calls that don't require a sign-in don't belong to a company.
    .filter(({ needs }) => needs !== 'public')
    .filter(({ method, reads }) => method === 'GET' || reads === true);
  // Files are created from the same rows as the corresponding call without `/pdf`.
  const isFile = ({ path }: Endpoint): boolean => reading.some((other) => path === `${other.path}/pdf`);
  return reading.flatMap((endpoint) => {
    if (isFile(endpoint)) return [];
    if (endpoint.path.startsWith('/reports/')) return endpoint.path.endsWith('}') ? reportReads(endpoint) : [];
    const rule = { percent: 100, text: 'record', profitcenterid: null, locationid: null };
    const given = { ...references(ids), ...rule, side: 'receivable', date: '2026-11-21', since: 100 };
    const body = endpoint.body === undefined ? undefined : sampleOf(endpoint.body, given);
    const params = Object.fromEntries(
      parametersOf(endpoint).map((name) => [name, recordFor(endpoint, name, ids) ?? MISSING]),
    );
    return queriesOf(endpoint).map((query) => ({
      name: `${endpoint.method} ${endpoint.path} ${String(new URLSearchParams(query))}`,
      request: { ...requestOf(endpoint, { params, query, body }), token },
    }));
  });
}

function queriesOf({ path, query }: Endpoint): Record<string, string>[] {
  const shape = query?.shape ?? {};
  const page = { limit: '50' };
  if (path.startsWith('/GeneralLedger/GetAccountEntries')) {
    const year = { ...page, from: '2026-01-01', to: '2026-11-21' };
    const ofCustomer = { ...year, entityid: String(ids.ids['customer']) };
    const ofAssets = ['only', 'without'].map((ofassets) => ({ ...year, ofassets }));
    return [page, year, { ...year, desc: 'true' }, { ...year, unassigned: 'location' }, ofCustomer, ...ofAssets];
  }
  if (!('limit' in shape)) return [{}];
  const states = choicesOf(shape['status']).map((status) => ({ ...page, status }));
  return [page, { ...page, q: 'mul' }, { ...page, skip: '20' }, ...states];
}

/** Returns the values of an optional field that has a fixed list of values. */
function choicesOf(field: z.core.$ZodType | undefined): string[] {
  if (field instanceof z.ZodOptional) return choicesOf(field.unwrap());
  return field instanceof z.ZodEnum ? field.options.map(String) : [];
}

/** Returns every report over two years on both bases. Files are created from the same rows. */
function reportReads(endpoint: Endpoint): Read[] {
  return Object.values(reportKinds).flatMap(({ id, title }) =>
    [0, 1].map((basis) => {
      const given = { startdate: '2025-01-01', reportdate: '2026-11-21', basis, customerid: ids.ids['customer'] };
      const reportParams = Object.entries(given).map(([paramName, paramvalue]) => {
        return { paramType: 1, paramName, paramvalue };
      });
      const request = requestOf(endpoint, { params: { reportId: id }, body: { reportParams } });
      return { name: `${title}, basis ${basis}`, request: { ...request, token } };
    }),
  );
}

/** Returns the number of rows in a response: the objects in it, at any depth. */
function rowsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, each) => sum + rowsIn(each), Array.isArray(value) ? 0 : 1);
}

/** Returns the reads that fail or that read more rows than the response requires. */
async function unbounded(reads: readonly Read[], statistics: keyof typeof LINES): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const { name, request } of reads) {
    const answers: RawAnswer[] = [];
    const { rows } = await rowsTouched(t.pool, companyId, async () => answers.push(await t.request(request)));
    const [{ status, body } = { status: 0, body: undefined }] = answers;
    const bound = OF_LINES.test(name) ? LINES[statistics] : BESIDES * (REPORTS_IN[name] ?? 1);
    if (![200, 404].includes(status) || rows > PER_ROW * rowsIn(body) + bound) {
      found.push({ name, status, rows: Math.round(rows), answered: rowsIn(body), ...(status < 300 ? {} : { body }) });
    }
  }
  return found;
}

const isReport = ({ request }: Read): boolean => request.url.startsWith('/api/reports/');
const groups: [string, (read: Read) => boolean][] = [
  ['call', (read) => !isReport(read)],
  ['report', isReport],
];

// Promise (together): Every read touches a number of rows in proportion to its response, even in tables without
// statistics. [100,000 lines of other companies]
describe('in tables that were never analyzed', () => {
  beforeAll(() => forgetStatistics(owner));
  test.each(groups)('every %s that reads data touches a limited number of rows', async (_, isOf) => {
    const reads = allReads().filter(isOf);
    expect(reads.length).toBeGreaterThan(40);
    expect(await unbounded(reads, 'never')).toEqual([]);
  });
});

describe('in a company created after the tables were analyzed', () => {
  beforeAll(async () => {
    await analyzeTables(t.pool);
    await copyCompany(owner, companyId, [NEWCOMER]);
    await owner.query('update membership set company_id = $1 where company_id = $2', [NEWCOMER, companyId]);
    await owner.query('update session set company_id = $1 where company_id = $2', [NEWCOMER, companyId]);
    companyId = NEWCOMER;
  });
  test.each(groups)('every %s in a new company touches a limited number of rows', async (_, isOf) => {
    expect(await unbounded(allReads().filter(isOf), 'analyzed')).toEqual([]);
  });
});
