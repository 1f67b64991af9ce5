import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endOfMonth } from '@evenkeel/core/dates';
import { parseScenario } from '@evenkeel/scenario/parse';
import { runScenario } from '@evenkeel/scenario/run';
import { verifyCompany } from '@evenkeel/server/across/health/books-verify';
import { startTestApp, type TestApp } from '@evenkeel/server/testing/app';
import { HttpBooks } from './testing/http-books.ts';
import { coreRows, coreTrialBalance, lastDay, reportNames, trialBalanceOf, views } from './testing/agreement.ts';
import { judged, judgeNames, missing } from './testing/judges.ts';

const folder = join(import.meta.dirname, '../packages/scenario/stories');
const files = readdirSync(folder).filter((name) => name.endsWith('.books'));

let t: TestApp;
const companies = new Map<string, HttpBooks>();

beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const WRONG = `company "Wrong"
customer "Elm"
product "Hour" 100.00 account 4100

2026-01-10 invoice 1 to "Elm"
  product "Hour"
expect refused "Invoice total cannot be negative"
2026-01-11 invoice 2 to "Elm"
  product "Hour"
2026-01-12 payment 1 from "Elm" 10.00 into 1000
  apply 1 100.00
expect open invoice 1 90.00
expect entries invoice 1
  2026-01-10 | 1200 Accounts Receivable | 100.00 |        | accrual
  2026-01-10 | 4000 Sales               |        | 100.00 | accrual
expect trial-balance 2026-01-31 accrual
  1200 Accounts Receivable | 100.00 |
  4100 Service Income      |        | 200.00
vendor "Oak"
2026-01-13 bill 7 from "Oak"
  credit "Taken back" 5.00 account 5000
expect open bill 7 5.00
`;

test('a scenario with a wrong amount fails over HTTP and shows the line and both amounts', async () => {
  const books = await HttpBooks.open(t, parseScenario(WRONG));
  const failures = await books.play();
  expect(failures).toEqual([
    expect.stringContaining('line 8: was accepted, expected to be refused with "Invoice total cannot be negative"'),
    expect.stringContaining('line 10: refused: POST /billingpayment answered 422'),
    'line 12: expected open amount 90.00, found 100.00',
    'line 13: missing entry: 2026-01-10 | Sales | -100.00 | A',
    'line 13: not expected: 2026-01-10 | Service Income | -100.00 | A',
    expect.stringContaining('found 1200 - Accounts Receivable | 200.00'),
    'line 22: expected open amount 5.00, found -5.00',
  ]);
});

describe.each(files)('the scenario %s', (name) => {
  const scenario = parseScenario(readFileSync(join(folder, name), 'utf8'));
  const { journal, failures } = runScenario(scenario);
  const startMonth = scenario.fiscalYearStartMonth;
  const asOf = endOfMonth(lastDay(journal));

  test('the scenario runs over HTTP as written, including rejected commands', async () => {
    const books = await HttpBooks.open(t, scenario);
    companies.set(name, books);
    expect(failures).toEqual([]);
    expect(await books.play()).toEqual([]);
    expect((await verifyCompany(t.pool, books.company.companyId)).faults).toEqual([]);
  });

  test('the scenario gives the same reports over HTTP as in memory, line by line and on both bases', async () => {
    const books = played(name);
    for (const basis of views) {
      for (const report of reportNames) {
        const wanted = { report, from: null, asOf, basis };
        expect(await books.rows(wanted)).toEqual(coreRows(journal, wanted, scenario));
      }
    }
  });

  // Promise (books): Every scenario gives the same balances in core, over HTTP, in hledger, and in beancount, on both
  // bases. [15 scenarios, 4 judges]
  test.for(judgeNames)('every account has the same balance in %s, on both bases', async (judge, { skip }) => {
    skip(missing(judge) !== undefined, missing(judge));
    const books = played(name);
    const { companyId } = books.company;
    for (const basis of views) {
      const movements = await judged(t.pool, { judge, companyId, basis });
      const theirs = trialBalanceOf(movements, { asOf, startMonth });
      expect(theirs).toEqual(await books.trialBalance(asOf, basis));
      expect(theirs).toEqual(coreTrialBalance(journal, { asOf, basis, startMonth }));
    }
  });
});

function played(name: string): HttpBooks {
  const books = companies.get(name);
  if (books === undefined) throw new Error(`${name} was not run`);
  return books;
}
