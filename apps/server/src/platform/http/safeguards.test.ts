import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { attachmentCalls } from '@evenkeel/contract/uploads';
import { closingCalls } from '@evenkeel/contract/closing';
import { installation } from '../db/tx.ts';
import { serverRoot } from '../root.ts';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';
import { multipart, upload } from '../../testing/files.ts';
import { keepOperatorRule } from './session.ts';

/** Responds like the ClamAV daemon. It recognizes a single virus and can be made unresponsive. */
let isAway = false;
let scanned = '';
const scanner: Server = createServer((socket) => {
  if (isAway) return void socket.destroy();
  let bytes = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    if (!bytes.subarray(-4).equals(Buffer.alloc(4))) return;
    scanned = bytes.toString('latin1');
    socket.end(scanned.includes('A-VIRUS') ? 'stream: Test.Virus FOUND\0' : 'stream: OK\0');
  });
});

let t: TestApp;
beforeAll(async () => {
  scanner.listen({ host: '127.0.0.1', port: 0 });
  await once(scanner, 'listening');
  const { port } = scanner.address() as { port: number };
  t = await startTestApp({ config: { virusScan: { host: '127.0.0.1', port } } });
});
afterAll(async () => {
  await t.close();
  scanner.close();
});

test('a file with a virus is rejected, and so is every file if the scanner is unavailable', async () => {
  const { token, companyId } = t.world.company.administrator;
  const files = () => countRows(t, companyId, 'attachment');
  const { documentId } = await upload(t, token, { name: 'clean.pdf' });
  expect(documentId).toBeGreaterThan(0);
  expect(scanned).toBe('zINSTREAM\0\0\0\0\u0012%PDF-1.7 clean.pdf\0\0\0\0');
  const before = await files();
  const send = (bytes: string) => t.refused(attachmentCalls.uploadDocument, { token, ...multipart('bad.pdf', bytes) });
  expect(await send('%PDF-1.7 A-VIRUS')).toMatchObject({
    status: 422,
    message: 'bad.pdf contains a virus and was not saved',
  });
  isAway = true;
  expect(await send('%PDF-1.7 clean').finally(() => (isAway = false))).toMatchObject({
    status: 503,
    code: 'unavailable',
  });
  expect(await files()).toBe(before);
});

test('an expensive call returns 429 above its company’s limit, but still works for other companies', async () => {
  const [{ administrator }, other] = [t.world.company, t.world.other.administrator];
  await t.call(closingCalls.exportBooks, { token: administrator.token, query: {} });
  await installation(t.pool, sql`update rate_limit set count = 120 where key like '%booksexport%'`);
  const refused = await t.refused(closingCalls.exportBooks, { token: administrator.token, query: {} });
  expect([refused.status, refused.message]).toEqual([
    429,
    'Your company can do this at most 120 times per hour. Try again later.',
  ]);
  await t.call(closingCalls.exportBooks, { token: other.token, query: {} });
});

test('if the operator requires two-step verification, every member of every company must use it', async () => {
  const { bookkeeper, administrator } = t.world.company;
  const get = (token: string) => t.refused(closingCalls.closingChecklist, { token, query: {} });
  await installation(t.pool, keepOperatorRule({ secondFactor: 'administrators' }));
  expect(await get(administrator.token)).toMatchObject({ status: 409, code: 'second_factor_required' });
  expect((await t.request({ method: 'GET', url: '/api/account', token: bookkeeper.token })).status).toBe(200);
  await installation(t.pool, keepOperatorRule({ secondFactor: 'everybody' }));
  expect(await get(bookkeeper.token)).toMatchObject({ status: 409, code: 'second_factor_required' });
  await installation(t.pool, keepOperatorRule({ secondFactor: 'company' }));
  await t.call(closingCalls.closingChecklist, { token: administrator.token, query: {} });
});

test("the data inventory gives the sensitivity level of every table that doesn't belong to a company", async () => {
  const text = readFileSync(join(serverRoot(), '../../docs/safeguards.md'), 'utf8');
  const listed = [...text.matchAll(/^Tables (?:of|with)[^`]*((?:`\w+`(?:, |\.))+)/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ''),
  );
  const tables = await installation(
    t.pool,
    sql<{ name: string; isTenant: boolean }>`
      select c.relname as name, c.relrowsecurity as "isTenant" from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
  );
  expect(listed).toEqual([...new Set(listed)]);
  expect(listed.filter((name) => !tables.some((table) => table.name === name))).toEqual([]);
  // Tables that don't belong to a company contain personal data or secrets, so each of these tables is listed by name.
  expect(tables.filter(({ name, isTenant }) => !isTenant && !listed.includes(name))).toEqual([]);
});
