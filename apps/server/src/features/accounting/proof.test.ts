import { execFile } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closingCalls } from '@evenkeel/contract/closing';
import { reportCalls } from '@evenkeel/contract/reports';
import { CHECKING, SALES } from '@evenkeel/core/books/accounts';
import { endOfMonth, isoDate } from '@evenkeel/core/dates';
import { fromPlain } from '@evenkeel/core/money';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { exportCommand } from '../../app/cli/export.ts';
import { post } from '../../books/ledger/journal.ts';
import { entry, journal, posting } from '../../books/ledger/testing/books.ts';
import { Box } from '../../platform/db/box.ts';
import { proofKey } from '../../platform/db/proof-key.ts';
import { inCompany } from '../../platform/db/tx.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import { testConfig } from '../../testing/settings.ts';
import { loadVerifier, VERIFIER } from './testing/verifier.ts';

/** `npm run torture` makes all 1,000 changes. */
const CHANGES = process.env['TORTURE'] === undefined ? 60 : 1000;
const { verify } = await loadVerifier();

let t: TestApp;
let folder: string;
let bytes: Buffer;
beforeAll(async () => {
  t = await startTestApp();
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-proof-'));
  const { company } = t.world;
  const make = factoryFor(t, company);
  const customerId = await make.customer('Zoë, "Ünïcode" 🙂');
  const { id } = await make.invoice({ customerId, invoiceDate: '2025-12-10', amount: 120 });
  const paymentApplications = [{ invoiceId: id, amount: 50 }];
  await make.payment({ customerId, paymentAmount: 50, paymentDate: '2026-03-02', paymentApplications });
  const names = ['', 'semi | pipe', 'line\nbreak', '日本語 🙂', 'x'.repeat(9000)];
  const entries = names.map((name, at) => ({
    source: { type: 'journal' as const, id: 0 },
    postings: [
      posting(`20${22 + at}-02-10`, [entry(CHECKING, at + 1, { description: name }), entry(SALES, -at - 1)], name),
    ],
  }));
  await inCompany(t.pool, company.companyId, (tx) =>
    post({ tx, userId: company.bookkeeper.userId }, [...entries, journal('1999-01-31', [CHECKING, SALES], 700)]),
  );
  bytes = await proof();
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await t.close();
});

async function proof({ administrator: { token } } = t.world.company): Promise<Buffer> {
  const answer = await t.request({ method: 'GET', url: '/api/booksproof', token });
  expect(answer.status).toBe(200);
  return answer.bytes;
}

const shownKey = async () =>
  (await t.call(closingCalls.proofKey, { token: t.world.company.administrator.token })).publicKey;

const place = (at: number) => `Byte ${at + 1} was changed`;
const isInLastLine = (at: number) => at > bytes.lastIndexOf('\n', bytes.length - 2);

test('the verifier accepts a proof, and the balances of each month equal the Trial Balance report', async () => {
  const { token } = t.world.company.administrator;
  const { faults, header, accounts, months, transactions } = await verify(bytes, await shownKey());
  expect(faults).toEqual([]);
  expect(header).toMatchObject({ companyId: t.world.company.companyId, retainedEarnings: expect.any(Number) });
  expect([transactions, months.length]).toEqual([8, 8]);
  const nameOf = (id: string) => accounts.find((account) => account.id === Number(id))?.name;
  for (const each of months) {
    for (const [basis, own] of [each.accrual, each.cash].entries()) {
      const reportDate = endOfMonth(isoDate(`${each.month}-01`));
      const reportParams = [
        { paramType: 3 as const, paramName: 'reportdate', paramvalue: reportDate },
        { paramType: 3 as const, paramName: 'basis', paramvalue: String(basis) },
      ];
      const params = { reportId: String(reportKinds.trialBalance.id) };
      const report = await t.call(reportCalls.runReport, { token, params, body: { reportParams } });
      const rows = report.reportSections.flatMap((section) =>
        section.reportBlocks.flatMap((block) =>
          block.reportLines.map(({ lineItems }): [string | undefined, number] => {
            const [name, debit, credit] = lineItems.map(({ itemText }) => itemText);
            return [name, fromPlain(debit || '0') - fromPlain(credit || '0')];
          }),
        ),
      );
      expect(new Map(Object.entries(own).map(([id, amount]) => [nameOf(id), amount]))).toEqual(new Map(rows));
    }
  }
});

test(`the verifier finds and identifies each of ${CHANGES} single-byte changes`, async () => {
  const change = fc.record({ at: fc.nat(bytes.length - 1), by: fc.integer({ min: 1, max: 255 }) });
  await fc.assert(
    fc.asyncProperty(change, async ({ at, by }) => {
      const changed = Buffer.from(bytes);
      changed[at] = ((changed[at] ?? 0) + by) % 256;
      const { faults } = await verify(changed);
      expect(faults[0]).toContain(isInLastLine(at) ? "The last line doesn't match the content" : place(at));
    }),
    { numRuns: CHANGES },
  );
});

test('the verifier reports changes to several bytes with their lines', async () => {
  const text = String(bytes).replace('"name":"Checking"', '"name":"Savings!"').replace('semi | pipe', 'semi - pipe');
  const { faults } = await verify(Buffer.from(text));
  expect(faults).toEqual([
    expect.stringMatching(/^Line \d+ was changed: \{"account":.*Savings!/),
    expect.stringMatching(/^Line \d+ was changed: \{"id":/),
    expect.stringMatching(/^Transaction \d+ \(2023-02-10\) doesn't match its hash$/),
  ]);
});

test('the verifier finds a removed line, a missing end, and an empty file', async () => {
  const lines = String(bytes).split('\n');
  const without = (at: number) => Buffer.from(lines.filter((_, each) => each !== at).join('\n'));
  expect((await verify(without(3))).faults[0]).toBe('Lines were added, removed, or moved');
  expect((await verify(without(lines.length - 2))).faults[0]).toContain("The last line doesn't match");
  expect((await verify(new Uint8Array())).faults).not.toEqual([]);
});

/** Rewrites a file with changed lines and matching digests, and signs it with another key. */
function forged(change: (json: string) => string): Buffer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const shown = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex');
  const digest = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
  const lines = String(bytes).split('\n').slice(0, -2);
  const body = Buffer.from(
    lines
      .map((line) => change(line.slice(17)).replace(/"publicKey":"\w+"/, `"publicKey":"${shown}"`))
      .map((json) => `${digest(json).slice(0, 16)} ${json}\n`)
      .join(''),
  );
  let [plain, placed] = [0n, 0n];
  for (const [at, byte] of body.entries()) [plain, placed] = [plain + BigInt(byte), placed + BigInt(byte * (at + 1))];
  const said = [digest(body), plain % 2147483647n, placed % 2147483647n].join(' ');
  const signature = sign(null, Buffer.from(`evenkeel proof 1 ${said}`), privateKey).toString('hex');
  return Buffer.concat([body, Buffer.from(`end ${said} ${signature}\n`)]);
}

test('if a changed file is signed again, the chain, the balances, and the key reveal the change', async () => {
  const changed = forged((json) => json.replace(/(\[\d+,101,)2,/, '$13,').replace(/(\[\d+,140,)-2,/, '$1-3,'));
  expect((await verify(changed)).faults.slice(0, 2)).toEqual([
    "Transaction 4 (2023-02-10) doesn't match its hash",
    'Trial balance 2023-02, accrual basis: Checking is 703 cents instead of 704',
  ]);
  const balance = forged((json) => json.replace(/("month":"2022-02","accrual":\{"101":)\d+/, '$1999'));
  expect((await verify(balance)).faults).toEqual([
    'Trial balance 2022-02, accrual basis: Checking is 999 cents instead of 701',
  ]);
  const unbalanced = forged((json) => json.replace(/(\[\d+,101,)2,/, '$13,'));
  expect((await verify(unbalanced)).faults).toContain("Transaction 4 (2023-02-10) doesn't balance");
  const key = await shownKey();
  expect(
    (
      await verify(
        forged((json) => json),
        key,
      )
    ).faults,
  ).toEqual([expect.stringContaining('another key')]);
});

test('the command line writes the same proof as the API, and the verifier accepts the file', async () => {
  const out = join(folder, 'proof.txt');
  const options = { format: 'proof', out, company: String(t.world.company.companyId) };
  const database = async () => ({ connection: { connectionString: t.databaseUrl }, pool: t.pool });
  const context = { config: testConfig({ dataDir: folder }), positionals: [], say: () => undefined, database };
  await expect(exportCommand.run({ ...context, options: { ...options, basis: 'cash' } })).rejects.toThrow(
    '--basis does not apply to --format proof',
  );
  const { result } = await exportCommand.run({ ...context, options });
  const written = await readFile(out, 'utf8');
  const content = (text: string) => text.split('\n').slice(1, -2);
  expect(content(written)).toEqual(content(String(bytes)));
  const { publicKey } = result as { publicKey: string };
  const check = (...args: string[]) =>
    new Promise<{ code: number; text: string }>((resolve) => {
      execFile(process.execPath, [VERIFIER, ...args], (error, text) => resolve({ code: error === null ? 0 : 1, text }));
    });
  expect(await check(out, publicKey)).toEqual({ code: 0, text: expect.stringContaining('The file is unchanged') });
  await writeFile(out, written.replace('Checking', 'Chequing'));
  expect(await check(out)).toEqual({ code: 1, text: expect.stringContaining('was changed') });
});

test('all processes share one proof key, and a process that cannot decrypt it creates a new one', async () => {
  const key = Buffer.alloc(32, 7);
  const both = await Promise.all([1, 2].map(() => proofKey({ pool: t.pool, box: new Box('', key) })));
  expect(both[0]?.publicKey).toBe(both[1]?.publicKey);
  const other = await proofKey({ pool: t.pool, box: new Box('', Buffer.alloc(32, 8)) });
  expect(other.publicKey).not.toBe(both[0]?.publicKey);
});

test('only administrators can get a proof and its key', async () => {
  const { token } = t.world.company.bookkeeper;
  expect((await t.refused(closingCalls.proofKey, { token })).status).toBe(403);
  expect((await t.refused(closingCalls.exportProof, { token })).status).toBe(403);
});

test('a proof can be created for a company without entries', async () => {
  const { administrator } = await t.createCompany();
  const empty = await t.request({ method: 'GET', url: '/api/booksproof', token: administrator.token });
  expect(await verify(empty.bytes)).toMatchObject({ faults: [], months: [], transactions: 0 });
});
