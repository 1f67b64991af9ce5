import { billingCalls } from '@evenkeel/contract/billing';
import { closingCalls } from '@evenkeel/contract/closing';
import { movingCalls as calls } from '@evenkeel/contract/moving';
import { reportCalls } from '@evenkeel/contract/reports';
import { addDays, fiscalYearStart, isoDate, type IsoDate } from '@evenkeel/core/dates';
import { Dice } from '@evenkeel/core/dice';
import { cents, toDollars } from '@evenkeel/core/money';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { monthEndsOf } from '@evenkeel/imports/prove';
import { testCompany } from '@evenkeel/imports/testing/company';
import { type Dialect, dialects } from '@evenkeel/imports/testing/dialects';
import { styleOf } from '@evenkeel/imports/testing/files';
import { companyDatabase } from '@evenkeel/imports/testing/gnucash';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import { reconcilerOf } from '../../features/banking/testing/reconciling.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { verifyCompany } from '../health/books-verify.ts';
import { addFile, confirmAll, type Mover, openMover, tablesOf, typesIn } from './testing/moving.ts';

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

const PLAIN = { ...styleOf(3), isWorkbook: false, encoding: 'utf-8', newline: '\n' } as const;
const WAVE = dialects.find(({ name }) => name === 'Wave');

function wave(): Dialect {
  if (WAVE === undefined) throw new Error('no dialect');
  return WAVE;
}

/** Uploads the books of a random company and confirms all accounts. */
async function ready(home: WorldCompany, count: number, seed = 5) {
  const { token } = home.administrator;
  const company = testCompany(seed, count);
  const draft = await mover.draft(token, wave().write(company, PLAIN), 'Wave');
  expect(draft).toMatchObject({ status: 'ready', blocked: { files: '' } });
  return { token, company, move: await confirmAll(t, token, draft, typesIn(company, wave())) };
}

/** Runs a financial report, and returns it without its heading. */
async function report(home: WorldCompany, id: number, asOf: IsoDate, basis: 0 | 1) {
  const given = { startdate: `${asOf.slice(0, 4)}-01-01`, enddate: asOf, reportdate: asOf, basis };
  const reportParams = Object.entries(given).map(([paramName, paramvalue]) => ({
    paramType: 3,
    paramName,
    paramvalue,
  }));
  const { reportSections, reportSummaries } = await t.call(reportCalls.runReport, {
    token: home.administrator.token,
    params: { reportId: id },
    body: { reportParams },
  });
  return { reportSections, reportSummaries };
}

const STATEMENTS = [reportKinds.trialBalance.id, reportKinds.profitAndLoss.id, reportKinds.balanceSheet.id];

test('a GnuCash database is imported with its balances at every month end', async () => {
  const home = await t.createCompany();
  const { token } = home.administrator;
  const company = testCompany(7, 60);
  const draft = await mover.draft(token, [await companyDatabase(company)], 'GnuCash');
  expect(draft).toMatchObject({ status: 'ready', blocked: { files: '' } });
  const ready = await confirmAll(t, token, draft, new Map(company.accounts.map(({ name, type }) => [name, type])));
  await mover.run(token, ready.id, 'preview');
  const { status, report: proof } = await mover.run(token, ready.id, 'import');
  expect({ status, proof }).toMatchObject({ status: 'imported', proof: { proved: true, totalDifference: 0 } });
  expect(proof?.months).toHaveLength(monthEndsOf(company.transactions.map(({ date }) => date)).length);
  expect((await verifyCompany(t.pool, home.companyId)).faults).toEqual([]);
});

test('a file with an error of one cent is rejected with the row number, and nothing can be imported', async () => {
  const home = await t.createCompany();
  const { token } = home.administrator;
  const [file] = wave().write(testCompany(5, 30), PLAIN);
  if (file === undefined) throw new Error('no file');
  const text = new TextDecoder().decode(file.bytes);
  const wrong = text.replace(
    /(\d\.\d)(\d)/,
    (_, start: string, digit: string) => `${start}${(Number(digit) + 1) % 10}`,
  );
  expect(wrong).not.toBe(text);
  const draft = await mover.draft(token, [{ ...file, bytes: new TextEncoder().encode(wrong) }], 'Wave');
  expect(draft.files).toMatchObject([{ state: 'rejected' }]);
  expect(draft.files[0]?.refusal?.row).toBeGreaterThan(1);
  expect(draft.blocked.files).toBe(`Replace or remove ${file.name} to continue`);
  const refusal = await t.refused(calls.importMove, { token, params: { id: draft.id }, body: {} });
  expect(refusal).toMatchObject({ status: 422, message: draft.blocked.files });
});

test('an import that loses its database connection saves nothing, and its job runs again', async () => {
  const home = await t.createCompany();
  const { token, move } = await ready(home, 1500);
  const before = await tablesOf(t, home.companyId);
  await t.call(calls.importMove, { token, params: { id: move.id }, body: {} });
  const owner = new pg.Client({ connectionString: t.databaseUrl });
  await owner.connect();
  const working = mover.work().catch((error: unknown) => error);
  let killed = 0;
  while (killed === 0) {
    const { rows } = await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where pid <> pg_backend_pid() and datname = current_database() and xact_start is not null
          and exists (select from move_in_progress where move_id = $1 and phase = 'transactions' and done > 0)`,
      [move.id],
    );
    killed = rows.length;
  }
  await owner.end();
  expect(await working).toBeInstanceOf(Error);
  expect(await tablesOf(t, home.companyId)).toEqual(before);
  expect((await verifyCompany(t.pool, home.companyId)).faults).toEqual([]);
  await t.inCompany(home.companyId, (tx) =>
    tx.rows(sql`update job set run_at = now() where company_id = ${home.companyId}`),
  );
  await mover.work();
  expect(await t.call(calls.getMove, { token, params: { id: move.id } })).toMatchObject({ status: 'imported' });
}, 120_000);

test('importing a version that another user has since changed is rejected, and nothing is written', async () => {
  const home = await t.createCompany();
  const { token, move } = await ready(home, 20);
  const before = await tablesOf(t, home.companyId);
  const own = { token, params: { id: move.id } };
  const body = { rowVersion: move.rowVersion, history: { from: null } };
  const { rowVersion } = await t.call(calls.updateMove, { ...own, body });
  const stale = await t.refused(calls.importMove, { ...own, body: { rowVersion: move.rowVersion } });
  expect(stale).toMatchObject({ status: 409, code: 'stale' });
  await mover.work();
  expect(await tablesOf(t, home.companyId)).toEqual(before);
  expect(await t.call(calls.importMove, { ...own, body: { rowVersion } })).toMatchObject({ status: 'importing' });
  await mover.work();
});

test("an import with a reconciled entry can't be undone until its reconciliation is deleted", async () => {
  const home = await t.createCompany();
  const { token, move } = await ready(home, 60);
  await mover.run(token, move.id, 'import');
  const books = reconcilerOf(t, home, home.administrator);
  const entry = (await books.open()).incomingEntries.find(({ debitAmount }) => debitAmount !== null);
  if (entry === undefined) throw new Error('Checking has no incoming entry');
  const given = {
    entries: [entry.glid],
    statementBalance: (entry.debitAmount ?? 0) / 100,
    statementDate: '2030-01-31',
  };
  const { reconciliationID } = await books.reconcile(given);
  const own = { token, params: { id: move.id } };
  const refusal = await t.refused(calls.undoMove, own);
  expect(refusal).toMatchObject({ status: 409, message: expect.stringMatching(/^Reconciliation · Checking depends/) });
  await books.remove(reconciliationID);
  expect(await mover.undo(token, move.id)).toMatchObject({ error: null, status: 'undone' });
});

test("only one of two simultaneous imports runs, and another company's rows don't change", async () => {
  const home = await t.createCompany();
  const { token, move } = await ready(home, 60);
  const other = await tablesOf(t, t.world.other.companyId);
  const send = () =>
    t.call(calls.importMove, { token, params: { id: move.id }, body: {} }).catch((error: unknown) => error);
  const answers = await Promise.all([send(), send()]);
  expect(answers.filter((answer) => answer instanceof Error)).toHaveLength(1);
  await mover.work();
  const done = await t.call(calls.getMove, { token, params: { id: move.id } });
  expect(done).toMatchObject({ status: 'imported', report: { counts: { transactions: 60 } } });
  expect(await tablesOf(t, t.world.other.companyId)).toEqual(other);
});

test("a save that waits too long for a running import fails and says so, and reads don't wait", async () => {
  const home = await t.createCompany();
  const { token } = home.administrator;
  const make = factoryFor(t, home);
  const customerId = await make.customer();
  const { id } = (await ready(home, 20)).move;
  await t.call(calls.importMove, { token, params: { id }, body: {} });
  // The import has posted its history but has not finished.
  const holder = await t.pool.connect();
  try {
    await holder.query('begin');
    await holder.query(`set local app.company_id = '${home.companyId}'`);
    await holder.query('select from ledger_head where company_id = $1 for update', [home.companyId]);
    const began = Date.now();
    expect(await t.call(billingCalls.listInvoices, { token, query: {} })).toEqual([]);
    expect(Date.now() - began).toBeLessThan(5000);
    await expect(make.invoice({ customerId, amount: 5 })).rejects.toThrow(
      'Books are being imported, so your change could not be saved. Try again later.',
    );
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  await mover.work();
  expect(await t.call(calls.getMove, { token, params: { id } })).toMatchObject({ status: 'imported' });
  expect(await make.invoice({ customerId, amount: 5 })).toMatchObject({ invoiceAmount: 500 });
});

test('from its start date on, an import has the same statements as a full import', async () => {
  const [whole, late] = [await t.createCompany(), await t.createCompany()];
  const all = await ready(whole, 200);
  expect((await mover.run(all.token, all.move.id, 'import')).status).toBe('imported');
  const { token, company, move } = await ready(late, 200);
  const monthEnds = monthEndsOf(company.transactions.map(({ date }) => date));
  const from = fiscalYearStart(monthEnds.at(-20) ?? isoDate('2020-01-01'), 1);
  const body = { rowVersion: move.rowVersion, history: { from } };
  await t.call(calls.updateMove, { token, params: { id: move.id }, body });
  const done = await mover.run(token, move.id, 'import');
  expect(done).toMatchObject({ error: null, status: 'imported', report: { proved: true } });
  const since = company.transactions.filter(({ date }) => date >= from).length;
  expect(done.report?.counts.transactions).toBe(since + 1);
  const names = (sections: unknown): unknown =>
    JSON.parse(JSON.stringify(sections, (key, value: unknown) => (key === 'source' ? undefined : value)));
  for (const monthEnd of monthEnds.filter((date) => date >= from).slice(-8)) {
    const id = reportKinds.trialBalance.id;
    const [a, b] = [await report(whole, id, monthEnd, 0), await report(late, id, monthEnd, 0)];
    expect(names(b)).toEqual(names(a));
  }
}, 120_000);

/** A torture run uses 25 new companies. To reproduce them, set SEED. */
const RUNS = Number(process.env['TORTURE_RUNS'] ?? 0);
const isTorture = RUNS > 0;
const FIRST_SEED = Number(process.env['SEED'] ?? 0) || (isTorture ? Date.now() % 1_000_000 : 1);
const SEEDS = Array.from({ length: Math.max(1, Math.min(25, RUNS)) }, (_, at) => FIRST_SEED + at);

/** Posts random invoices, credits, bills, and payments on random days, so that the two bases differ. */
async function randomBooks(home: WorldCompany, seed: number): Promise<void> {
  const dice = new Dice(seed);
  const make = factoryFor(t, home);
  await make.tax();
  const [ann, ben, bob] = [await make.customer('Ann'), await make.customer('Ben'), await make.vendor('Bob')];
  const day = (): IsoDate => addDays(isoDate('2025-01-01'), dice.between(0, 699));
  const amount = (): number => dice.between(100, 90_000) / 100;
  for (let count = 0; count < (isTorture ? 60 : 12); count += 1) {
    const customerId = dice.pick([ann, ben]);
    const [date, invoiceDate] = [day(), day()];
    const part = dice.between(1, 100) / 100;
    const kind = dice.pick(['invoice', 'paid', 'credit', 'bill', 'paid bill', 'vendor credit', 'unapplied'] as const);
    if (kind === 'unapplied') await make.payment({ customerId, paymentAmount: amount(), paymentDate: date });
    if (kind === 'credit') await make.credit({ customerId, invoiceDate, amount: amount() });
    if (kind === 'invoice' || kind === 'paid') {
      const lineItems = Array.from({ length: dice.between(1, 3) }, () => {
        return { description: 'Work', itemPrice: amount(), quantity: 1, accountId: dice.pick([140, 141]) };
      });
      const { id, invoiceAmount } = await make.invoice({ customerId, invoiceDate, lineItems });
      const paymentAmount = toDollars(cents(Math.max(1, Math.round(invoiceAmount * part))));
      const given = { customerId, paymentDate: date, paymentAmount };
      if (kind === 'paid') {
        await make.payment({ ...given, paymentApplications: [{ invoiceId: id, amount: paymentAmount }] });
      }
    }
    if (kind === 'bill' || kind === 'paid bill' || kind === 'vendor credit') {
      const value = amount();
      const { id } = await make.bill({ vendorId: bob, invoiceDate, amount: kind === 'vendor credit' ? -value : value });
      const applied = { invoiceId: id, amount: value };
      const given = { vendorId: bob, paymentDate: date, paymentAmount: value };
      if (kind === 'paid bill') await make.billPayment({ ...given, paymentApplications: [applied] });
    }
  }
}

test.each(SEEDS)(
  'on both bases, an Evenkeel export produces the same statements in an empty company (seed %i)',
  async (seed) => {
    const home = await t.createCompany();
    await randomBooks(home, seed);
    const { token } = home.administrator;
    const files = await Promise.all(
      (['accrual', 'cash'] as const).map(async (basis) => {
        const { bytes } = await t.call(closingCalls.exportBooks, { token, query: { format: 'csv', basis } });
        return { name: `Books ${basis}.csv`, bytes };
      }),
    );
    const empty = await t.createCompany();
    const draft = await mover.draft(empty.administrator.token, files, 'Evenkeel');
    const move = await confirmAll(t, empty.administrator.token, draft);
    const done = await mover.run(empty.administrator.token, move.id, 'import');
    expect(done).toMatchObject({ error: null, status: 'imported', report: { proved: true } });
    for (const asOf of ['2025-03-31', '2025-12-31', '2026-06-30', '2026-12-31']) {
      for (const id of STATEMENTS) {
        for (const basis of [0, 1] as const) {
          const [own, moved] = [
            await report(home, id, isoDate(asOf), basis),
            await report(empty, id, isoDate(asOf), basis),
          ];
          expect(JSON.stringify(moved)).toBe(JSON.stringify(own));
        }
      }
    }
    expect((await verifyCompany(t.pool, empty.companyId)).faults).toEqual([]);
  },
  300_000,
);

test('importing the same file again is rejected, and a file can be removed', async () => {
  const home = await t.createCompany();
  const { token } = home.administrator;
  const files = wave().write(testCompany(5, 30), PLAIN);
  const draft = await mover.draft(token, files, 'Wave');
  const [file] = files;
  if (file === undefined) throw new Error('no file');
  await expect(addFile(t, token, draft.id, { ...file, name: 'Copy.csv' })).rejects.toThrow(
    `has the same content as ${file.name}`,
  );
  const params = { id: draft.id, fileId: draft.files[0]?.id ?? 0 };
  await t.call(calls.deleteMoveFile, { token, params });
  await mover.work();
  const emptied = await t.call(calls.getMove, { token, params: { id: draft.id } });
  expect(emptied).toMatchObject({ status: 'draft', files: [], blocked: { files: 'Add the files to continue' } });
});
