import { afterAll, beforeAll, expect, test } from 'vitest';
import { authCalls } from '@evenkeel/contract/auth';
import { bankingCalls } from '@evenkeel/contract/banking';
import { reconciliationCalls } from '@evenkeel/contract/reconciliation';
import { statementCalls } from '@evenkeel/contract/statements';
import { isoDate } from '@evenkeel/core/dates';
import { sql } from 'kysely';
import { bestOf } from '../../features/banking/candidates.ts';
import { reviewOf } from '../../features/banking/review.ts';
import { COMPANY } from '../../platform/db/query.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { verifyCompany } from '../../across/health/books-verify.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { createDemo } from './demo.ts';

const today = isoDate('2026-11-21');

let t: TestApp;
let companyId: number;
let token: string;
beforeAll(async () => {
  t = await startTestApp();
  const demo = await createDemo(t.services, today);
  ({ companyId } = demo);
  ({ token } = await t.login(demo.email, demo.password));
  token = await t.call(authCalls.updateUserTerms, { token, body: { termsAccepted: true } });
});
afterAll(() => t.close());

test('two accounts and a card have two years of statements, and all but the latest are reconciled', async () => {
  expect((await verifyCompany(t.pool, companyId)).faults).toEqual([]);
  const accounts = await t.call(bankingCalls.listBankingAccounts, { token });
  expect(accounts.map(({ name }) => name)).toEqual(['Checking', 'Credit Card', 'Savings']);
  for (const { bankingAccountID: bankAccountId } of accounts) {
    const [newest, ...older] = await t.call(reconciliationCalls.listReconciliations, {
      token,
      params: { bankAccountId },
    });
    expect([newest?.reconciliationDate, older.length >= 17]).toEqual(['2026-10-31', true]);
  }
  const reviews = await t.call(statementCalls.reviewAccounts, { token });
  expect(reviews.map(({ bankDate, reviewCount }) => [bankDate, reviewCount > 0])).toEqual([
    ['2026-11-21', true],
    ['2026-11-21', true],
    ['2026-11-21', false],
  ]);
});

test('importing any statement file again adds nothing and asks no questions', async () => {
  const statements = await t.call(statementCalls.listStatements, { token, query: {} });
  expect(statements.length).toBeGreaterThan(60);
  for (const { documentId, bankAccountId, count, sum } of statements) {
    const preview = await t.call(statementCalls.previewStatement, { token, body: { documentId, bankAccountId } });
    const { newCount, knownCount, asksAccountNumber, questions } = preview;
    expect({ newCount, knownCount, asksAccountNumber, questions, sum: preview.sum }).toEqual({
      newCount: 0,
      knownCount: count,
      asksAccountNumber: false,
      questions: [],
      sum,
    });
  }
});

/** Undoes all matches and reconciliation marks. Returns the entries that each bank transaction was matched to. */
async function freeAll(tx: Tx): Promise<Map<number, string>> {
  const matched = await tx.rows(sql<{ id: number; key: string }>`
    select l.id, 'entry:' || m.line_id as key from bank_line l
    join bank_match m on m.company_id = ${COMPANY} and m.act_id = l.act_id where l.company_id = ${COMPANY}`);
  await tx.inOrder([
    sql`delete from bank_match where company_id = ${COMPANY}`,
    sql`update bank_line set state = 'review', act_id = null where company_id = ${COMPANY}`,
  ]);
  return new Map(matched.map(({ id, key }) => [id, key]));
}

const enough = new Error('rolled back on purpose');

test('90% of suggestions for two years of transactions are right, and 100% of the certain ones', async () => {
  const seen = { lines: 0, right: 0, sure: 0, wrong: [] as unknown[] };
  const work = t.inCompany(companyId, async (tx) => {
    const right = await freeAll(tx);
    const accounts = await tx.rows(sql<{ id: number }>`select id from banking_account where company_id = ${COMPANY}`);
    for (const { id } of accounts) {
      const review = await reviewOf(tx, id);
      for (const line of review.lines) {
        const wanted = right.get(line.id);
        if (wanted === undefined) continue;
        const { candidate } = bestOf(review, line);
        seen.lines += 1;
        seen.right += candidate?.key === wanted ? 1 : 0;
        seen.sure += candidate?.sure === true ? 1 : 0;
        if (candidate?.sure === true && candidate.key !== wanted) seen.wrong.push([line.text, wanted, candidate]);
      }
    }
    throw enough;
  });
  await expect(work).rejects.toBe(enough);
  expect(seen.wrong).toEqual([]);
  expect(seen.lines).toBeGreaterThan(1000);
  expect(seen.right / seen.lines).toBeGreaterThanOrEqual(0.9);
  expect(seen.sure / seen.lines).toBeGreaterThan(0.3);
});
