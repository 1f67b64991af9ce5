import { movingCalls as calls } from '@evenkeel/contract/moving';
import { reportCalls } from '@evenkeel/contract/reports';
import { testCompany } from '@evenkeel/imports/testing/company';
import { dialects } from '@evenkeel/imports/testing/dialects';
import { styleOf } from '@evenkeel/imports/testing/files';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyCompany } from '../health/books-verify.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { confirmAll, type Mover, openMover, typesIn } from './testing/moving.ts';

let t: TestApp;
let mover: Mover;
beforeAll(async () => {
  t = await startTestApp();
  mover = openMover(t);
});
afterAll(async () => {
  await mover.close();
  await t.close();
});

test('a company of QuickBooks Online moves in with its proof', async () => {
  const { administrator, companyId } = await t.createCompany();
  const { token } = administrator;
  const [dialect] = dialects;
  if (dialect === undefined) throw new Error('no dialect');
  const company = testCompany(1, 200);
  const draft = await mover.draft(token, dialect.write(company, styleOf(1)));
  expect(draft.error).toBe(null);
  expect(draft.status).toBe('ready');
  expect(draft.transactions).toBe(200);
  const ready = await confirmAll(t, token, draft, typesIn(company, dialect));
  const previewed = await mover.run(token, ready.id, 'preview');
  expect(previewed.error).toBe(null);
  expect(previewed.preview?.failure).toBe(null);
  expect(previewed.preview).toMatchObject({ proved: true, counts: { transactions: 200 } });
  const imported = await mover.run(token, ready.id, 'import');
  expect(imported.error).toBe(null);
  expect(imported.status).toBe('imported');
  const { faults } = await verifyCompany(t.pool, companyId);
  expect(faults).toEqual([]);
  void reportCalls;
  void calls;
});
