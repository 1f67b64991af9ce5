import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@evenkeel/contract/all';
import { auditCalls } from '@evenkeel/contract/audit';
import { AREAS } from '@evenkeel/contract/areas';
import { entityCalls } from '@evenkeel/contract/entities';
import { keyCalls } from '@evenkeel/contract/keys';
import { operationId } from '@evenkeel/contract/request';
import { addMonths } from '@evenkeel/core/dates';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { todayIn } from '../../platform/clock.ts';
import { installation } from '../../platform/db/tx.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { callCommand } from './call.ts';
import { reportCommand } from './report.ts';
import { runLine } from './run.ts';

let t: TestApp;
let company: WorldCompany;
let environment: Record<string, string>;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-call-'));
  t = await startTestApp();
  company = await t.createCompany('Command Lines');
  const make = factoryFor(t, company);
  await make.invoice({ customerId: await make.customer() });
  const { key: apiKey } = await t.call(keyCalls.createApiKey, {
    token: company.administrator.token,
    body: {
      name: 'Command line',
      userId: company.administrator.userId,
      permissions: AREAS.flatMap((area) => [`View ${area}`, `Manage ${area}`]),
      endsOn: addMonths(todayIn('America/New_York'), 6),
    } as never,
  });
  await t.app.listen({ host: '127.0.0.1', port: 0 });
  const address = t.app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  environment = { EVENKEEL_KEY: apiKey, EVENKEEL_ADDRESS: `http://127.0.0.1:${port}` };
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await t.close();
});

async function evenkeel(words: string[], changes: Record<string, string> = {}) {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runLine([callCommand, reportCommand], words, {
    environment: { ...environment, ...changes },
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

async function json(body: unknown): Promise<string> {
  const file = join(folder, 'body.json');
  await writeFile(file, JSON.stringify(body));
  return file;
}

const customers = () => t.call(entityCalls.listCustomers, { token: company.administrator.token, query: {} });

test('every call in the contract is listed with its parameters', async () => {
  const { code, out } = await evenkeel(['call', '--list']);
  const listed = JSON.parse(out) as { operation: string; parameters: string[] }[];
  expect([code, listed.map(({ operation }) => operation)]).toEqual([0, endpoints.map(operationId)]);
  expect(listed).toContainEqual(expect.objectContaining({ operation: 'getBillinginvoiceId', parameters: ['id'] }));
});

test('a rehearsed call changes nothing, and the call itself returns the saved record', async () => {
  const before = await customers();
  const body = await json({ name: 'Quarry Supply', displayname: 'Quarry Supply', emailAddress: 'quarry@example.com' });
  const rehearsed = await evenkeel(['call', 'postCustomer', '--json', body, '--rehearse']);
  expect([rehearsed.code, JSON.parse(rehearsed.out)]).toEqual([
    0,
    expect.objectContaining({ rehearsal: expect.anything() }),
  ]);
  expect(await customers()).toEqual(before);
  const { code, out } = await evenkeel(['call', 'postcustomer', '--json', body]);
  expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ displayname: 'Quarry Supply' })]);
  const read = await evenkeel(['call', 'getCustomer', 'q=Quarry', 'limit=5']);
  expect(JSON.parse(read.out)).toMatchObject({ items: [{ displayname: 'Quarry Supply' }], total: 1 });
});

test('a rejected call returns the error as JSON and exit code 1', async () => {
  const { code, out, err } = await evenkeel(['call', 'getBillinginvoiceId', 'id=987654']);
  expect([code, err]).toEqual([1, expect.stringContaining('not found')]);
  expect(JSON.parse(out)).toMatchObject({ code: 'not_found', requestId: expect.any(String) });
});

test('a file in the response is written to --out', async () => {
  const file = join(folder, 'invoice.pdf');
  const [{ id = 0 } = {}] = JSON.parse((await evenkeel(['call', 'getBillinginvoice'])).out) as {
    id?: number;
  }[];
  const { code, out } = await evenkeel(['call', 'getInvoiceviewId', `id=${id}`, '--out', file]);
  expect([code, JSON.parse(out)]).toEqual([0, { file, bytes: expect.any(Number), contentType: 'application/pdf' }]);
  expect((await readFile(file)).subarray(0, 5).toString()).toBe('%PDF-');
});

test('without a server, the exit code is 3', async () => {
  const { code, err } = await evenkeel(['call', 'getCustomer', '--address', 'http://127.0.0.1:1']);
  expect([code, err]).toEqual([3, 'No response from http://127.0.0.1:1']);
});

test.each([
  ['a missing operation', [], 'specify an operation'],
  ['an unknown operation', ['getCustomerr'], 'unknown operation "getCustomerr" (--list lists all operations)'],
  ['part of an operation name', ['invoicenote'], 'unknown operation "invoicenote"'],
  ['an unknown parameter', ['getCustomer', 'color=red'], '"color=red" is not a parameter (NAME=VALUE: '],
  ['a missing parameter', ['getBillinginvoiceId'], 'id=VALUE is missing'],
  ['a missing body', ['postCustomer'], '--json is missing'],
  [
    'a file for an operation that does not accept one',
    ['getCustomer', '--file', 'x'],
    'getCustomer does not accept a file',
  ],
  ['a file response without --out', ['getInvoiceviewId', 'id=1'], '--out is required'],
  ['rehearsing a read', ['getCustomer', '--rehearse'], "getCustomer can't be rehearsed"],
  ['an invalid address', ['getCustomer', '--address', 'nowhere'], '"nowhere" is not an address'],
])('%s is a usage error with exit code 2 and a one-line message', async (_, words, message) => {
  const { code, out, err } = await evenkeel(['call', ...words]);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(message);
});

test('a call without a key is a usage error', async () => {
  const { code, err } = await evenkeel(['call', 'getCustomer'], { EVENKEEL_KEY: '' });
  expect([code, err]).toEqual([2, expect.stringContaining('EVENKEEL_KEY is not set')]);
});

test("on the server's machine, a call with --company needs no key, and its session ends with the call", async () => {
  const port = new URL(environment['EVENKEEL_ADDRESS'] ?? '').port;
  const here = { EVENKEEL_KEY: '', EVENKEEL_ADDRESS: '', PORT: port, DATABASE_URL: t.databaseUrl };
  const local = (...words: string[]) => evenkeel([...words, '--company', String(company.companyId)], here);
  const sessionsLeft = () => installation(t.pool, sql`select from session where device = 'Command line'`);
  const body = await json({ name: 'Local Supply', displayname: 'Local Supply', emailAddress: 'local@example.com' });
  const { code, out } = await local('call', 'postCustomer', '--json', body);
  expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ displayname: 'Local Supply' })]);
  const log = await t.call(auditCalls.listAudit, { token: company.administrator.token, query: {} });
  const newest = (Array.isArray(log) ? log : log.items).at(-1);
  expect(newest).toMatchObject({
    kind: 'customer',
    action: 'create',
    title: 'Local Supply',
    userId: company.administrator.userId,
  });
  expect((await local('report', 'trialBalance')).code).toBe(0);
  // The user's own permissions apply.
  const { email } = company.bookkeeper;
  const refused = await local('call', 'getUseradmin', '--user', email.toUpperCase());
  expect([refused.code, JSON.parse(refused.out)]).toEqual([1, expect.objectContaining({ code: 'forbidden' })]);
  expect(await sessionsLeft()).toEqual([]);
  const usage = async (...words: string[]) => {
    const { code: status, err } = await evenkeel(['call', 'getCustomer', ...words], here);
    return [status, err.split('\n')[0]];
  };
  expect(await usage('--company', '987654')).toEqual([2, 'company 987654 does not exist or has no administrator']);
  expect(await usage('--company', String(company.companyId), '--user', 'nobody@example.com')).toEqual([
    2,
    `nobody@example.com is not a user of company ${company.companyId}`,
  ]);
  expect(await usage('--user', email)).toEqual([2, '--user requires --company']);
  expect(await usage('--company', String(company.companyId), '--address', 'http://books.example')).toEqual([
    2,
    "--company and --address can't be used together",
  ]);
  expect(await sessionsLeft()).toEqual([]);
});

test("a report's table, CSV, JSON, PDF, and workbook formats have the same amounts", async () => {
  const report = (...words: string[]) =>
    evenkeel(['report', 'profitAndLoss', '--from', '2026-01-01', '--to', '2026-12-31', ...words]);
  const { code, out: table } = await report();
  expect(code).toBe(0);
  expect(table).toMatch(/^Command Lines\nProfit & Loss Statement\n/);
  const [, net = ''] = /^Net Income +(\S+)$/m.exec(table) ?? [];
  expect(net).toMatch(/^\d[\d,]*\.\d\d$/);
  const plain = net.replaceAll(',', '');
  expect((await report('--format', 'csv')).out).toContain(`Net Income,${plain}`);
  expect(JSON.parse((await report('--format', 'json')).out)).toMatchObject({ title: 'Profit & Loss Statement' });
  for (const [format, start] of [
    ['pdf', '%PDF-'],
    ['excel', 'PK'],
    ['csv', ''],
  ] as const) {
    const file = join(folder, `report.${format}`);
    expect(JSON.parse((await report('--format', format, '--out', file)).out)).toMatchObject({ file });
    expect((await readFile(file)).subarray(0, start.length).toString()).toBe(start);
  }
});

test.each([
  ['an unknown report', ['nonsense'], 'unknown report "nonsense"'],
  ['an unknown format', ['3', '--format', 'xml'], '--format must be one of table, csv, json, pdf, excel'],
  ['an unknown basis', ['3', '--basis', 'both'], '--basis must be one of accrual, cash'],
  ['a title without quotes', ['Trial', 'Balance'], 'put it in quotation marks'],
  ['a PDF without --out', ['3', '--format', 'pdf'], '--out is required'],
])('%s is a usage error', async (_, words, message) => {
  const { code, err } = await evenkeel(['report', ...words]);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

test('every report can be specified by its name, ID, or title', async () => {
  const listed = JSON.parse((await evenkeel(['report', '--list'])).out) as { name: string }[];
  expect(listed.map(({ name }) => name)).toEqual(Object.keys(reportKinds));
  const outs = await Promise.all(
    ['trialBalance', '3', 'Trial Balance'].map((name) => evenkeel(['report', name, '--format', 'csv'])),
  );
  expect(new Set(outs.map(({ out }) => out)).size).toBe(1);
  expect(outs[0]?.code).toBe(0);
});
