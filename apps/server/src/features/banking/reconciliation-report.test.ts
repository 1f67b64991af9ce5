import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { reconciliationCalls as calls } from '@evenkeel/contract/reconciliation';
import { reportCalls } from '@evenkeel/contract/reports';
import { pageRows } from '@evenkeel/core/reports/page';
import { flattenReport } from '@evenkeel/core/testing/flat-report';
import { openPool, type Pool } from '../../platform/db/connect.ts';
import { inCompany } from '../../platform/db/tx.ts';
import { verifyWithin } from '../../across/health/books-verify.ts';
import { pagesOf } from '../../platform/pdf/testing/pages.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import { expectSound, type Reconciler, reconcilerOf } from './testing/reconciling.ts';

let t: TestApp;
let owner: Pool;
let books: Reconciler;
let april: number;
let may: number;

/**
 * The April statement clears 1,000.00. The May statement clears +60.00 −300.00 −10.00 +1.25. A 45.00 check and a sale
 * in June are outstanding.
 */
beforeAll(async () => {
  t = await startTestApp();
  owner = openPool({ connection: { connectionString: t.databaseUrl }, as: 'owner' });
  const { company } = t.world;
  books = reconcilerOf(t, company);
  const make = factoryFor(t, company);
  const opening = await books.entry('2026-04-10', [101, 140], 1000);
  const first = { entries: [opening.glid], statementDate: '2026-04-30', statementBalance: 1000 };
  april = (await books.reconcile(first)).reconciliationID;
  await make.payment({ customerId: await make.customer(), paymentAmount: 60, paymentDate: '2026-05-05' });
  const rent = await books.entry('2026-05-12', [160, 101], 300);
  await books.entry('2026-05-28', [160, 101], 45);
  await books.entry('2026-06-01', [101, 140], 77);
  const open = await books.open(101, { statementDate: '2026-05-20' });
  const entries = [...open.incomingEntries.map(({ glid }) => glid), rent.glid];
  const charges = { bankCharge: 10, bankChargeAccountID: 151, interest: 1.25, interestAccountID: 176 };
  may = (await books.reconcile({ entries, statementBalance: 751.25, ...charges })).reconciliationID;
});
afterAll(async () => {
  await owner.end();
  await t.close();
});

const run = (id: number) => t.call(calls.reconciliationReport, { token: books.token, params: { id } });
const rowsOf = async (id: number) =>
  flattenReport(await run(id)).map(({ label, amounts }) => [label, ...amounts].filter((text) => text !== '').join(' '));

describe('the reconciliation report', () => {
  it('a reconciliation report has balances, cleared and outstanding entries, charges, and interest', async () => {
    const report = await run(may);
    expect(report.reportHeaderItems.map(({ headerText }) => headerText)).toEqual([
      t.world.company.displayname,
      'Reconciliation Report',
      'Checking, reconciliation 2',
      'Statement dated May 31, 2026',
    ]);
    expect(await rowsOf(may)).toEqual([
      '4/30/2026 Statement dated 4/30/2026 1000.00',
      '5/5/2026 1 Fairlawn Heights Payment 1 60.00',
      'Total Money In 60.00',
      '5/12/2026 3 Entry -300.00',
      'Total Money Out -300.00',
      '5/31/2026 Bank charge -10.00',
      '5/31/2026 Interest 1.25',
      'Total Charge and Interest -8.75',
      'Statement Balance 751.25',
      '5/28/2026 4 Entry -45.00',
      'Total Outstanding Money Out -45.00',
      'Total Outstanding Entries -45.00',
      'Balance in the Books 706.25',
    ]);
    const lines = report.reportSections.flatMap((section) =>
      section.reportBlocks.flatMap((block) => block.reportLines),
    );
    expect(lines.filter(({ source }) => source?.transactionId !== undefined)).toHaveLength(3);
  });

  it("reconciliations are numbered within their account, on the report and in the account's list", async () => {
    const { reportHeaderItems } = await run(april);
    expect(reportHeaderItems[2]?.headerText).toBe('Checking, reconciliation 1');
    expect((await books.list()).map(({ number, reconciliationID }) => [number, reconciliationID])).toEqual([
      [2, may],
      [1, april],
    ]);
  });

  it('an earlier report does not change, and entries cleared in May stay outstanding on that report', async () => {
    expect(await rowsOf(april)).toEqual([
      '– No previous statement 0.00',
      '4/10/2026 1 Entry 1000.00',
      'Total Money In 1000.00',
      'Statement Balance 1000.00',
      'Total Outstanding Entries 0.00',
      'Balance in the Books 1000.00',
    ]);
  });

  it('a printed reconciliation report has the same lines and requires View Banking', async () => {
    const pdf = await t.call(calls.reconciliationReportPdf, { token: books.token, params: { id: may } });
    const text = (await pagesOf(pdf)).join(' ').replace(/\s+/g, ' ');
    for (const words of [
      'Statement dated May 31, 2026',
      'Fairlawn Heights',
      '(300.00)',
      'Statement Balance',
      '751.25',
    ]) {
      expect(text).toContain(words);
    }
    const { token } = t.world.company.stranger;
    expect((await t.refused(calls.reconciliationReport, { token, params: { id: may } })).status).toBe(403);
    const gone = { token: books.token, params: { id: 999_999 } };
    expect((await t.refused(calls.reconciliationReport, gone)).status).toBe(404);
  });
});

/** Changes the database with a statement, verifies, and rolls back. Returns the messages of `verify`. */
async function faultsAfter(statement: string): Promise<string[]> {
  const undo = new Error('undo');
  const found: string[] = [];
  await inCompany(owner, t.world.company.companyId, async (tx) => {
    await tx.rows(sql`set local session_replication_role = replica`);
    await tx.rows(sql.raw(statement));
    const { faults } = await verifyWithin(tx);
    found.push(...faults.flatMap(({ check, message }) => (check === 'reconciliations' ? [message] : [])));
    throw undo;
  }).catch((error: unknown) => {
    if (error !== undo) throw error;
  });
  return found;
}

describe('the Uncleared Transactions report', () => {
  const uncleared = async (reportdate: string) => {
    const reportParams = [{ paramType: 3, paramName: 'reportdate', paramvalue: reportdate }];
    const report = await t.call(reportCalls.runReport, {
      token: books.token,
      params: { reportId: '120' },
      body: { reportParams },
    });
    return pageRows(report)
      .filter(({ look }) => look !== 'heads')
      .map(({ cells }) => cells.map((cell) => ('amount' in cell ? String(cell.amount ?? '') : cell.text)).join(' | '));
  };

  test('the Uncleared Transactions report lists entries that no statement by its date has cleared', async () => {
    expect(await uncleared('2026-06-30')).toMatchInlineSnapshot(`
      [
        "Checking",
        "5/28/2026 | Journal entry | 4 |  | Entry | -4500",
        "6/1/2026 | Journal entry | 5 |  | Entry | 7700",
        "Total Checking |  |  |  |  | 3200",
        "Total |  |  |  |  | 3200",
      ]
    `);
    // This date is before the end of the May statement.
    expect(await uncleared('2026-05-15')).toMatchInlineSnapshot(`
      [
        "Checking",
        "5/5/2026 | Payment | 1 | Fairlawn Heights | Payment 1 | 6000",
        "5/12/2026 | Journal entry | 3 |  | Entry | -30000",
        "Total Checking |  |  |  |  | -24000",
        "Total |  |  |  |  | -24000",
      ]
    `);
    expect(await uncleared('2026-04-30')).toMatchInlineSnapshot(`
      [
        "Total |  |  |  |  | 0",
      ]
    `);
  });
});

describe('verify', () => {
  test('verify finds no discrepancies in correct books', () => expectSound(t, t.world.company));

  test.each([
    ['a missing mark', `delete from reconciliation_line where line_id = 1`, / adds up to 0 instead of 100000 cents$/],
    ['a changed statement balance', `update reconciliation set statement_cents = 1`, / instead of 1 cents$/],
    ['a wrong last balance', `update reconciliation set last_cents = 5`, / begins with 5 cents/],
    [
      'a mark on a line that does not exist',
      `update reconciliation_line set line_id = 99999 where line_id = 1`,
      /does not exist$/,
    ],
    [
      'a mark on a line in another account',
      `update reconciliation_line set line_id = 2 where line_id = 1`,
      /not in its account$/,
    ],
    [
      'a marked line that was reversed',
      `insert into journal_line (company_id, id, transaction_id, line_no, posting_date, account_id, amount_cents, basis,
          description, reverses)
        select company_id, 5000, transaction_id, 9, posting_date, account_id, -amount_cents, basis, description, id
        from journal_line where id = 1`,
      /^line 1 of reconciliation \d+ was reversed$/,
    ],
    [
      'a charge that differs from its posting',
      `update reconciliation set charge_cents = 1100 where charge_cents > 0`,
      / has posted -875 instead of -975 cents of charge and interest$/,
    ],
  ])('verify reports %s', async (_, statement, words) => {
    expect(await faultsAfter(statement)).toContainEqual(expect.stringMatching(words));
  });
});
