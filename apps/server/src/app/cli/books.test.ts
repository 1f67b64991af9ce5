import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHECKING, SALES } from '@evenkeel/core/books/accounts';
import { journal, openTestBooks } from '../../books/ledger/testing/books.ts';
import type { TestBooks } from '../../books/ledger/testing/books.ts';
import { testConfig } from '../../testing/settings.ts';
import { eachCompany } from './companies.ts';
import type { Command, CommandContext, CommandResult } from './command.ts';
import { exportCommand } from './export.ts';
import { rebuildCommand } from './rebuild.ts';
import { verifyCommand } from './verify.ts';

let books: TestBooks;
let folder: string;
const said: string[] = [];
beforeAll(async () => {
  books = await openTestBooks();
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-cli-'));
  await books.post([journal('2026-05-05', [CHECKING, SALES], 12_345)]);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await books.close();
});

const contextOf = (options: CommandContext['options'] = {}): CommandContext => ({
  config: testConfig(),
  options,
  positionals: [],
  say: (line) => void said.push(line),
  database: async () => ({ connection: { connectionString: books.databaseUrl }, pool: books.pool }),
});

const run = (command: Command, options?: CommandContext['options']): Promise<CommandResult> =>
  command.run(contextOf(options));

test.each(['0', '-1', '1.5', 'two', '9007199254740993'])('a company ID of "%s" is rejected', async (company) => {
  await expect(run(verifyCommand, { company })).rejects.toThrow(`--company ${company} is not a company ID`);
});

test('an unknown company is reported, and nothing is written', async () => {
  await expect(run(verifyCommand, { company: '999' })).rejects.toThrow('Company 999 does not exist');
  const options = { format: 'csv', basis: 'cash', out: join(folder, 'none.csv'), company: '999' };
  await expect(run(exportCommand, options)).rejects.toThrow('Company 999 does not exist');
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  [{ format: 'xml', basis: 'cash', company: '1', out: 'x' }, '--format must be one of hledger, beancount, csv'],
  [{ format: 'csv', basis: 'both', company: '1', out: 'x' }, '--basis must be one of accrual, cash'],
  [{ format: 'csv', basis: 'cash', company: '1' }, '--out is missing'],
  [{ format: 'csv', basis: 'cash', out: 'x' }, '--company is missing'],
])('export with %j fails with "%s"', async (options, message) => {
  await expect(run(exportCommand, options)).rejects.toThrow(message);
});

test('export writes the complete file and returns a summary of the export', async () => {
  const file = join(folder, 'books.journal');
  const company = String(books.companyId);
  expect(await run(exportCommand, { format: 'hledger', basis: 'accrual', out: file, company })).toEqual({
    result: { file, companyId: books.companyId, format: 'hledger', basis: 'accrual', transactions: 1 },
  });
  expect(await readFile(file, 'utf8')).toContain('    Assets:Checking  $123.45\n');
  expect(existsSync(`${file}.part`)).toBe(false);
});

test('verify passes for two companies, and reports a total off by 1 cent until rebuild corrects it', async () => {
  const sound = {
    ok: true,
    companies: [
      { transactions: 1, faults: [] },
      { transactions: 0, faults: [] },
    ],
  };
  expect(await run(verifyCommand)).toMatchObject({ result: sound, exitCode: 0 });
  expect(said.toSorted().map((line) => line.replace(/\(\d of 2\)/, '(n of 2)'))).toEqual(
    expect.arrayContaining([`Company ${books.companyId} (n of 2): 1 transactions, 2 lines, 0 problems`]),
  );
  expect(said.filter((line) => /\([12] of 2\)/.test(line))).toHaveLength(2);
  await books.owner.query(
    `update ledger_total set amount_cents = amount_cents + 1 where account_id = $1 and grain = 'D'`,
    [CHECKING],
  );
  const company = String(books.companyId);
  expect(await run(verifyCommand, { company })).toMatchObject({
    result: { ok: false, companies: [{ companyId: books.companyId, faults: [{ check: 'totals' }] }] },
    exitCode: 1,
  });
  expect(await run(rebuildCommand, { company })).toEqual({
    result: { companies: [{ companyId: books.companyId, totals: 4 }] },
  });
  expect(await run(verifyCommand)).toMatchObject({ result: sound, exitCode: 0 });
});

describe('work for all companies', () => {
  test('two companies are processed at the same time, and the results are in the order of the companies', async () => {
    let startBoth = (): void => undefined;
    const both = new Promise<void>((done) => (startBoth = done));
    let started = 0;
    const results = await eachCompany(
      contextOf(),
      async (_, companyId) => {
        if ((started += 1) === 2) startBoth();
        await both;
        if (companyId === books.companyId) await setTimeout(20);
        return companyId;
      },
      2,
    );
    expect(results).toEqual([books.companyId, books.otherId]);
  });

  test('after an error, no other company is started, and the error is reported', async () => {
    const started: number[] = [];
    const work = async (_: unknown, companyId: number): Promise<never> => {
      started.push(companyId);
      throw new Error('the disk is full');
    };
    await expect(eachCompany(contextOf(), work)).rejects.toThrow('the disk is full');
    expect(started).toEqual([books.companyId]);
  });
});
