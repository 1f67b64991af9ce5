import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bankingCalls } from '@evenkeel/contract/banking';
import { statementCalls as calls } from '@evenkeel/contract/statements';
import { addDays, isoDate } from '@evenkeel/core/dates';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { checkingOf } from '../../testing/factories.ts';
import { upload } from '../../testing/files.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { type BankSays, csv, importFile, ofx } from './testing/statement-files.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const MAY = isoDate('2026-05-04');
const coffee = (id?: string): BankSays => ({ date: MAY, amount: -450, text: 'BLUE CUP', ...(id ? { id } : {}) });

/** Creates a company and returns its Checking account. */
async function books(): Promise<{ company: WorldCompany; token: string; bankAccountId: number }> {
  const company = await t.createCompany();
  return { company, token: company.bookkeeper.token, bankAccountId: await checkingOf(t, company.companyId) };
}

async function ask(token: string, bankAccountId: number, bytes: string, more: Record<string, unknown> = {}) {
  const { documentId } = await upload(t, token, { name: 'may.ofx', bytes });
  return { token, body: { documentId, bankAccountId, ...more } };
}

const linesOf = async (token: string, bankAccountId: number) => {
  const all = await t.call(calls.listBankLines, { token, query: { bankAccountId: String(bankAccountId) } });
  return Array.isArray(all) ? all : all.items;
};

describe('a statement file', () => {
  test('a file with 2 lines is previewed with its total and then saved for review', async () => {
    const { token, bankAccountId } = await books();
    const bytes = ofx([coffee('a1'), { date: addDays(MAY, 1), amount: 120_050, text: 'ACH ACME', id: 'a2' }], {
      closing: 119_600,
    });
    const asked = await ask(token, bankAccountId, bytes);
    const preview = await t.call(calls.previewStatement, asked);
    expect(preview).toMatchObject({
      format: 'OFX',
      accountNumber: '1222',
      asksAccountNumber: true,
      from: '2026-05-04',
      to: '2026-05-05',
      count: 2,
      sum: 119_600,
      newCount: 2,
      knownCount: 0,
      booksBalance: 0,
      booksDate: '2026-05-05',
      questions: [],
    });
    expect(await linesOf(token, bankAccountId)).toEqual([]);
    const unconfirmed = await t.refused(calls.saveStatement, asked);
    expect(unconfirmed.fields?.['accountNumberConfirmed']).toBeDefined();
    const body = { ...asked.body, accountNumberConfirmed: true };
    const saved = await t.call(calls.saveStatement, { token, body });
    expect(saved).toMatchObject({ count: 2, sum: 119_600, knownCount: 0, reviewCount: 2, fileName: 'may.ofx' });
    const lines = await linesOf(token, bankAccountId);
    expect(lines.map(({ amount, text, state, bankId }) => [amount, text, state, bankId])).toEqual([
      [-450, 'BLUE CUP', 'review', 'a1'],
      [120_050, 'ACH ACME', 'review', 'a2'],
    ]);
    const again = await t.call(calls.previewStatement, asked);
    expect(again).toMatchObject({ asksAccountNumber: false, newCount: 0, knownCount: 2 });
    expect(await t.call(calls.listStatements, { token, query: {} })).toEqual([saved]);
    const accounts = await t.call(calls.reviewAccounts, { token });
    expect(accounts).toContainEqual({
      bankAccountId,
      bankBalance: 119_600,
      bankDate: '2026-05-05',
      booksBalance: 0,
      reviewCount: 2,
      reviewSum: 119_600,
    });
    const file = { method: 'GET' as const, url: `/api/document/${saved.documentId}`, token };
    expect((await t.request(file)).bytes.toString()).toBe(bytes);
  });

  test('repeated imports add nothing, overlapping files are merged, and identical purchases are kept', async () => {
    const { token, bankAccountId } = await books();
    const all = [
      coffee(),
      coffee(),
      ...Array.from({ length: 20 }, (_, at): BankSays => {
        return { date: addDays(MAY, at), amount: (at - 10) * 100, text: `SHOP ${at}` };
      }),
    ];
    const first = await importFile(t, token, { bankAccountId, bytes: ofx(all.slice(0, 14)) });
    const second = await importFile(t, token, { bankAccountId, bytes: ofx(all.slice(6)), name: 'renamed.qfx' });
    expect([first.count, second.count, second.knownCount]).toEqual([14, 8, 8]);
    const twice = await importFile(t, token, { bankAccountId, bytes: ofx(all) });
    expect([twice.count, twice.knownCount]).toEqual([0, 22]);
    const table = await importFile(t, token, { bankAccountId, bytes: csv(all), name: 'may.csv' });
    expect([table.count, table.knownCount]).toEqual([0, 22]);
    const lines = await linesOf(token, bankAccountId);
    expect(lines).toHaveLength(22);
    expect(lines.filter(({ text }) => text === 'BLUE CUP')).toHaveLength(2);
  });

  test('a repeated import returns the stored response, and its key is rejected with another file', async () => {
    const { token, bankAccountId } = await books();
    const { body } = await ask(token, bankAccountId, ofx([coffee('k1')]), { accountNumberConfirmed: true });
    const headers = { 'idempotency-key': 'may' };
    const saved = await t.call(calls.saveStatement, { token, headers, body });
    await t.call(calls.deleteStatement, { token, params: { id: saved.id } });
    expect(await t.call(calls.saveStatement, { token, headers, body })).toEqual(saved);
    expect(await linesOf(token, bankAccountId)).toEqual([]);
    const reused = await t.refused(calls.saveStatement, { token, headers, body: { ...body, documentId: 1 } });
    expect(reused).toMatchObject({ status: 409, code: 'key_reused' });
  });

  test('a file that two users send at the same time is imported only once', async () => {
    const { company, token, bankAccountId } = await books();
    const bytes = ofx(Array.from({ length: 50 }, (_, at) => ({ ...coffee(`f${at}`), amount: -at - 1 })));
    const people = [token, company.administrator.token, company.superuser.token];
    const saved = await Promise.all(people.map((who) => importFile(t, who, { bankAccountId, bytes })));
    expect(saved.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual([0, 0, 50]);
    expect(await linesOf(token, bankAccountId)).toHaveLength(50);
  });

  test("a file whose lines don't add up to its closing balance is rejected with the difference", async () => {
    const { token, bankAccountId } = await books();
    const head = ':20:1\n:25:000111222\n:28C:1/1\n:60F:C260504USD100,00';
    const mt940 = `${head}\n:61:2605040504D4,50NMSC//1\n:86:BLUE CUP\n:62F:C260504USD95,00\n-`;
    const refused = await t.refused(
      calls.saveStatement,
      await ask(token, bankAccountId, mt940, { accountNumberConfirmed: true }),
    );
    expect(refused.status).toBe(422);
    expect(refused.message).toContain('$0.50');
    expect(await linesOf(token, bankAccountId)).toEqual([]);
  });

  test("a file that is not a statement is rejected with the reader's message", async () => {
    const { token, bankAccountId } = await books();
    const refused = await t.refused(calls.previewStatement, await ask(token, bankAccountId, '<html>Sign in</html>'));
    expect(refused).toMatchObject({ status: 422, message: 'Line 1: The file is a web page, not a bank statement' });
  });

  test('an import with ambiguous dates asks for the format and remembers the choice for the layout', async () => {
    const { token, bankAccountId } = await books();
    const table = (day: string) => `Date,Description,Amount\n${day},BLUE CUP,-4.50\n`;
    const asked = await ask(token, bankAccountId, table('05/06/2026'));
    const { questions } = await t.call(calls.previewStatement, asked);
    expect(questions.map(({ name }) => name)).toEqual(['dateOrder']);
    expect((await t.refused(calls.saveStatement, asked)).fields).toHaveProperty(['mapping.dateOrder']);
    const { mapping } = await t.call(calls.previewStatement, asked);
    const body = { ...asked.body, mapping: { ...mapping, dateOrder: 'dmy' } };
    await t.call(calls.saveStatement, { token, body });
    expect((await linesOf(token, bankAccountId)).map(({ date }) => date)).toEqual(['2026-06-05']);
    const next = await t.call(calls.previewStatement, await ask(token, bankAccountId, table('07/08/2026')));
    expect(next).toMatchObject({ questions: [], from: '2026-08-07' });
    expect(next.answers.find(({ name }) => name === 'dateOrder')).toMatchObject({ value: 'dmy', proved: false });
  });

  test('an import with positive purchases and no payment asks for the signs and remembers the choice', async () => {
    const { token, bankAccountId } = await books();
    const table = (amount: string) =>
      `Date,Description,Amount\n2026-05-04,OFFICE DEPOT,${amount}\n2026-05-05,TOOLS,12.00\n`;
    const asked = await ask(token, bankAccountId, table('64.20'));
    const { questions, mapping } = await t.call(calls.previewStatement, asked);
    expect(questions).toEqual([
      {
        name: 'turned',
        choices: [
          { value: 'false', label: '64.20 OFFICE DEPOT is money in' },
          { value: 'true', label: '64.20 OFFICE DEPOT is money out' },
        ],
      },
    ]);
    const refused = await t.refused(calls.saveStatement, asked);
    expect(refused).toMatchObject({
      status: 422,
      fields: { 'mapping.turned': expect.stringContaining('is money out') },
    });
    // Sending the mapping back unchanged does not answer the question about the format.
    const echoed = { token, body: { ...asked.body, mapping } };
    expect((await t.refused(calls.saveStatement, echoed)).fields).toHaveProperty(['mapping.turned']);
    expect(await linesOf(token, bankAccountId)).toEqual([]);
    const body = { ...asked.body, mapping: { ...mapping, turned: true } };
    await t.call(calls.saveStatement, { token, body });
    expect((await linesOf(token, bankAccountId)).map(({ amount }) => amount)).toEqual([-6420, -1200]);
    const next = await t.call(calls.previewStatement, await ask(token, bankAccountId, table('70.00')));
    expect([next.questions, next.sum]).toEqual([[], -8200]);
    expect(next.answers).toMatchObject([{ name: 'turned', value: 'true', proved: false }]);
  });

  test("a file's pending transactions are excluded with a note", async () => {
    const { token, bankAccountId } = await books();
    const table = 'Date,Description,Amount,Status\n2026-05-04,TEA,-4.50,Posted\n2026-05-05,CAKE,-3.00,PENDING\n';
    const preview = await t.call(calls.previewStatement, await ask(token, bankAccountId, table));
    expect(preview).toMatchObject({ count: 1, sum: -450, questions: [] });
    expect([preview.headerRow, preview.sampleLines]).toEqual([1, [0, null]]);
    expect(preview.notes).toEqual([
      '1 pending transaction is excluded. Import a new file after the bank has posted it.',
    ]);
  });

  test('if a known FITID has a different amount, both bank transactions are kept with a note', async () => {
    const { token, bankAccountId } = await books();
    await importFile(t, token, { bankAccountId, bytes: ofx([coffee('x1')]) });
    const changed = ofx([{ ...coffee('x1'), amount: -500 }]);
    const preview = await t.call(calls.previewStatement, await ask(token, bankAccountId, changed));
    expect(preview).toMatchObject({ doubtfulCount: 1, newCount: 0 });
    expect(preview.notes).toHaveLength(1);
    await importFile(t, token, { bankAccountId, bytes: changed });
    const lines = await linesOf(token, bankAccountId);
    expect(lines.map(({ amount, doubtful }) => [amount, doubtful])).toEqual([
      [-450, false],
      [-500, true],
    ]);
  });

  test.each([
    ['CSV', 'OFX'],
    ['OFX', 'CSV'],
  ])('transactions that are imported from a file in %s and then in %s are doubtful', async (first) => {
    const { token, bankAccountId } = await books();
    const identified = [coffee('c1'), coffee('c2'), { ...coffee('c3'), date: addDays(MAY, 10) }];
    const once = [coffee(), { ...coffee(), date: addDays(MAY, 10), text: 'Blue  cup' }];
    const files = { CSV: csv(once), OFX: ofx(identified) };
    const isCsvFirst = first === 'CSV';
    const [stored, again] = isCsvFirst ? [files.CSV, files.OFX] : [files.OFX, files.CSV];
    await importFile(t, token, { bankAccountId, bytes: stored });
    const asked = await ask(token, bankAccountId, again);
    const preview = await t.call(calls.previewStatement, asked);
    expect(preview).toMatchObject({ doubtfulCount: 2, knownCount: 0, newCount: isCsvFirst ? 1 : 0 });
    expect(preview.notes).toEqual([
      '2 lines have the same date, amount, and description as transactions from another file. ' +
        'All transactions are kept. If a transaction is a duplicate, exclude it in Review.',
    ]);
    await importFile(t, token, { bankAccountId, bytes: again });
    const lines = await linesOf(token, bankAccountId);
    expect(lines.filter(({ doubtful }) => doubtful)).toHaveLength(2);
    expect(lines).toHaveLength(5);
    for (const bytes of [stored, again]) {
      const repeated = await t.call(calls.previewStatement, await ask(token, bankAccountId, bytes));
      expect(repeated).toMatchObject({ newCount: 0, doubtfulCount: 0, notes: [] });
    }
  });

  test('the account number in a file selects the account, unless it is unknown or two accounts have it', async () => {
    const { company, token, bankAccountId } = await books();
    const { documentId } = await upload(t, token, { name: 'may.ofx', bytes: ofx([coffee()]) });
    const recognized = async () =>
      (await t.call(calls.recognizeAccount, { token, body: { documentId } })).bankAccountId;
    expect(await recognized()).toBeNull();
    // After a confirmed import, the account number from the file is saved for the account.
    await importFile(t, token, { bankAccountId, bytes: ofx([coffee('r1')]) });
    expect(await recognized()).toBe(bankAccountId);
    const savings = { name: 'Second Savings', accountNumber: '9900111222', kind: 'Savings' as const };
    await t.call(bankingCalls.createBankingAccount, { token: company.administrator.token, body: savings });
    expect(await recognized()).toBeNull();
    const others = await t.refused(calls.recognizeAccount, {
      token: t.world.other.bookkeeper.token,
      body: { documentId },
    });
    expect(others.status).toBe(404);
  });

  test("a file can't be read by another company, another uploader, or a user without Manage Banking", async () => {
    const { company, token, bankAccountId } = await books();
    const { documentId } = await upload(t, token, { name: 'may.ofx', bytes: ofx([coffee()]) });
    const body = { documentId, bankAccountId };
    const status = async (who: string) => (await t.refused(calls.previewStatement, { token: who, body })).status;
    expect(await status(company.administrator.token)).toBe(404);
    expect(await status(t.world.other.bookkeeper.token)).toBe(404);
    expect(await status(company.reader.token)).toBe(403);
  });

  test('undoing an import removes everything, and the file can be imported again', async () => {
    const { company, token, bankAccountId } = await books();
    const bytes = ofx([coffee('y1'), { ...coffee('y2'), amount: -900 }]);
    const saved = await importFile(t, token, { bankAccountId, bytes });
    const [line] = await linesOf(token, bankAccountId);
    await t.call(calls.actOnBankLine, { token, params: { id: line?.id ?? 0 }, body: { action: 'exclude' } });
    const contents = await t.call(calls.statementContents, { token, params: { id: saved.id } });
    expect(contents).toMatchObject({ counts: { excluded: 1, review: 1 }, obstacle: null });
    expect(contents.undone.map(({ does }) => does)).toEqual(['No longer excluded']);
    const kept = await importFile(t, token, { bankAccountId, bytes });
    expect(kept.count).toBe(0);
    await t.call(calls.deleteStatement, { token, params: { id: saved.id } });
    expect(await linesOf(token, bankAccountId)).toEqual([]);
    expect((await importFile(t, token, { bankAccountId, bytes })).count).toBe(2);
    const left = await t.inCompany(company.companyId, (tx) =>
      tx.row(sql<{ count: number }>`select count(*) as count from bank_act where company_id = ${company.companyId}`),
    );
    expect(left?.count).toBe(0);
  });
});
