import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testCompany } from '@evenkeel/imports/testing/company';
import { type Dialect, dialects } from '@evenkeel/imports/testing/dialects';
import { styleOf } from '@evenkeel/imports/testing/files';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tablesOf } from '../../across/moving/testing/moving.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import type { CommandContext } from './command.ts';
import { importCommand } from './import.ts';

let t: TestApp;
let folder: string;
beforeAll(async () => {
  t = await startTestApp();
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-import-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await t.close();
});

const company = testCompany(9, 60);

/** Writes the random company's files in a dialect. Returns their paths. */
async function files(name: string): Promise<string[]> {
  const dialect: Dialect | undefined = dialects.find((one) => one.name === name);
  const written = dialect?.write(company, { ...styleOf(3), isWorkbook: false }) ?? [];
  const paths = written.map((file) => join(folder, file.name));
  for (const [at, file] of written.entries()) await writeFile(paths[at] ?? '', file.bytes);
  return paths;
}

function run(positionals: string[], options: CommandContext['options']) {
  const { config } = t.services;
  const database = async () => ({ connection: { connectionString: t.databaseUrl }, pool: t.pool });
  return importCommand.run({ config, options, positionals, say: () => undefined, database });
}

interface ToConfirm {
  key: string;
  name: string;
  number: string;
  suggestion: { accountId: number | null };
}

/** Writes a mapping file with a decision for each account that must be confirmed. */
async function mappingFor(paths: string[], companyId: number): Promise<string> {
  const { result } = await run(paths, { company: String(companyId) });
  const { toConfirm } = result as { toConfirm: ToConfirm[] };
  const accounts = Object.fromEntries(
    toConfirm.map(({ key, name, number, suggestion: { accountId } }) => {
      const type = company.accounts.find((account) => account.name === name)?.type ?? 'Expense';
      return [key, accountId ?? { number, name: `${name} (moved)`, type }];
    }),
  );
  const file = join(folder, `mapping ${companyId}.json`);
  await writeFile(file, JSON.stringify({ accounts }));
  return file;
}

test('a preview writes nothing, the import writes the previewed books, and importing again adds nothing', async () => {
  const { companyId } = await t.createCompany();
  const before = await tablesOf(t, companyId);
  const paths = await files('Wave');
  const options = { company: String(companyId), mapping: await mappingFor(paths, companyId) };
  const preview = await run(paths, { ...options, preview: true });
  expect(preview).toMatchObject({ exitCode: 0, result: { ok: true, proved: true, counts: { transactions: 60 } } });
  expect(await tablesOf(t, companyId)).toEqual(before);
  const imported = await run(paths, options);
  expect(imported).toMatchObject({ exitCode: 0, result: { ok: true, status: 'imported', totalDifference: 0 } });
  const again = await run(paths, options);
  expect(again).toMatchObject({ exitCode: 0, result: { counts: { transactions: 0, known: 60 } } });
});

test('accounts without a type must be in the mapping file', async () => {
  const { companyId } = await t.createCompany();
  const [paths, options] = [await files('QuickBooks Online Journal since 2026'), { company: String(companyId) }];
  const asked = await run(paths, options);
  expect(asked).toMatchObject({ exitCode: 1, result: { ok: false } });
  const mapping = await mappingFor(paths, companyId);
  expect(await run(paths, { ...options, mapping })).toMatchObject({ exitCode: 0, result: { ok: true, proved: true } });
});

test('a mapping file sets the columns, the terms, and the opening reconciliation', async () => {
  const { companyId } = await t.createCompany();
  const people = join(folder, 'people.csv');
  await writeFile(people, 'Who,Pays\nAnn & Co,Net 30\nBea Ltd,Prepaid\n');
  const entries = join(folder, 'entries.csv');
  await writeFile(
    entries,
    'Date,Number,Account,Debit,Credit\n2026-01-05,1,Checking,100.25,\n2026-01-05,1,Services Income,,100.25\n' +
      '2026-02-05,2,Checking,50.00,\n2026-02-05,2,Services Income,,50.00\n',
  );
  const mapping = {
    sheets: { 'people.csv': { kind: 'Customers', columns: { customer: 'Who', terms: 'pays' } } },
    accounts: {
      Checking: 101,
      'Services Income': { number: '4800', name: 'Services Income', type: 'Income' },
    },
    lists: { terms: { 'Net 30': 15, prepaid: 'skip' } },
    reconciled: { checking: { date: '2026-01-31', balance: 100.25 } },
  };
  const runWith = async (changes: object) => {
    const file = join(folder, 'decisions.json');
    await writeFile(file, JSON.stringify({ ...mapping, ...changes }));
    return run([people, entries], { company: String(companyId), mapping: file });
  };
  await expect(runWith({ reconciled: { Savings: mapping.reconciled.checking } })).rejects.toThrow(
    'The mapping names the account Savings, which is not in the files',
  );
  await expect(runWith({ lists: { terms: { 'Net 31': 15 } } })).rejects.toThrow('The mapping names Net 31 under terms');
  const wrong = await runWith({ reconciled: { Checking: { date: '2026-01-31', balance: 100.24 } } });
  expect(wrong).toMatchObject({ exitCode: 1, result: { proved: false, totalDifference: 0.01 } });
  const { result } = await runWith({});
  expect(result).toMatchObject({ ok: true, proved: true, counts: { transactions: 2, customers: 2 } });
  const customers = await t.inCompany(companyId, (tx) =>
    tx.rows(sql`
      select displayname as name, terms_days as days from entity
      where company_id = ${companyId} and displayname in ('Ann & Co', 'Bea Ltd') order by 1`),
  );
  expect(customers).toEqual([
    { name: 'Ann & Co', days: 15 },
    { name: 'Bea Ltd', days: null },
  ]);
});

test('an unknown company, a missing file, and an invalid date are rejected', async () => {
  await expect(run(['x.csv'], { company: '99999' })).rejects.toThrow('Company 99999 does not exist');
  const { companyId } = await t.createCompany();
  const company_ = String(companyId);
  await expect(run([], { company: company_ })).rejects.toThrow('specify at least one file');
  await expect(run(['x.csv'], { company: company_, from: 'May' })).rejects.toThrow('--from May is not a date');
  await expect(run([join(folder, 'none.csv')], { company: company_ })).rejects.toThrow('no such file');
});
