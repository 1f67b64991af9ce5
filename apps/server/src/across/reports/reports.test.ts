import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { type ReportData, reportCalls } from '@evenkeel/contract/reports';
import { toPlain } from '@evenkeel/core/money';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';
import type { Person, WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany('Printing Plus');
  await keepBooks(company.administrator);
});
afterAll(() => t.close());

type Params = Record<string, string | number | null>;
type Move = [accountID: number, amount: number, more?: Record<string, unknown>];

const sent = (person: Person, reportId: number | string, params: Params) => ({
  token: person.token,
  params: { reportId: String(reportId) },
  body: {
    reportParams: Object.entries(params).map(([paramName, paramvalue]) => ({ paramType: 1, paramName, paramvalue })),
  },
});
const run = (reportId: number, params: Params = {}, person = company.administrator): Promise<ReportData> =>
  t.call(reportCalls.runReport, sent(person, reportId, params));
const refused = (reportId: number, params: Params, person = company.administrator) =>
  t.refused(reportCalls.runReport, sent(person, reportId, params));

async function post(person: Person, postingDate: string, moves: Move[], basis = 0): Promise<void> {
  const generalLedgerEntries = moves.map(([accountID, amount, more]) => {
    return { accountID, debit: amount > 0, amount: Math.abs(amount), description: 'Entry', postingDate, ...more };
  });
  await t.call(ledgerCalls.postTransaction, { token: person.token, body: { generalLedgerEntries, basis } });
}

let north = 0;
let dock = 0;

/**
 * In 2025, the owner pays in 5,000.00, and there is a sale of 400.00. In 2026, there are sales, costs, rent, and
 * accrued depreciation.
 */
async function keepBooks(ada: Person): Promise<void> {
  const insert = (table: 'profit_center' | 'location', name: string) =>
    t.inCompany(company.companyId, (tx) =>
      tx.row(sql<{ id: number }>`
        insert into ${sql.table(table)} (company_id, name) values (${company.companyId}, ${name}) returning id`),
    );
  north = (await insert('profit_center', 'North'))?.id ?? 0;
  dock = (await insert('location', 'Dock'))?.id ?? 0;
  await post(ada, '2025-12-31', [
    [101, 5400],
    [133, -5000],
    [140, -400],
  ]);
  await post(ada, '2026-01-15', [
    [101, 1000],
    [140, -1000, { profitcenterid: north, locationid: dock }],
  ]);
  await post(ada, '2026-01-16', [
    [146, 300],
    [101, -300],
  ]);
  await post(ada, '2026-02-20', [
    [167, 250, { profitcenterid: north }],
    [101, -250],
  ]);
  await post(
    ada,
    '2026-02-28',
    [
      [155, 60],
      [119, -60],
    ],
    1,
  );
}

/** Returns "label: amount …" for every line, then the total lines for sections. */
function lines(report: ReportData): string[] {
  return report.reportSections.flatMap((section) => [
    ...section.reportBlocks.flatMap((block) =>
      block.reportLines.map(({ lineItems }) => lineItems.map((item) => item.itemText || '-').join(' ')),
    ),
    ...(section.displayFooter && !section.hasColumnSummary ? [`${section.totalTitle} ${toPlain(section.total)}`] : []),
  ]);
}
const header = (report: ReportData): string[] => report.reportHeaderItems.map((item) => item.headerText);
const summary = (report: ReportData): string[] =>
  report.reportSummaries.map((item) => `${item.description} ${toPlain(item.amount)}`);

describe('validation of report requests', () => {
  it('rejects an unknown report (404) and a report ID that is not a number (400)', async () => {
    expect((await refused(2, {})).status).toBe(404);
    const answer = await t.refused(reportCalls.runReport, sent(company.administrator, 'profit', {}));
    expect(answer.status).toBe(400);
  });

  it.each<[Params, string]>([
    [{ reportdate: '2026-02-30' }, 'reportdate'],
    [{ startdate: 'yesterday' }, 'startdate'],
    [{ startdate: '2026-03-01', reportdate: '2026-02-01' }, 'startdate'],
    [{ basis: 2 }, 'basis'],
    [{ periodType: 10 }, 'periodtype'],
    [{ ageby: 'weight' }, 'ageby'],
    [{ ageby: 'invoicedate' }, 'ageby'],
    [{ profitcenterid: 'North' }, 'profitcenterid'],
    [{ locationid: -1 }, 'locationid'],
  ])('rejects a report request with %j (400)', async (params, field) => {
    const answer = await refused(1, params);
    expect([answer.status, Object.keys(answer.fields ?? {})]).toEqual([400, [field]]);
  });

  it("rejects another company's profit center (422) and users who can't view reports (403)", async () => {
    const other = t.world.other.administrator;
    expect((await refused(1, { profitcenterid: north }, other)).fields).toEqual({
      profitcenterid: 'Please Select a Profit Center',
    });
    expect((await refused(1, { locationid: dock }, other)).status).toBe(422);
    expect((await refused(1, {}, company.stranger)).status).toBe(403);
  });
});

it('a star applies to one user in one company, and two tabs can star two reports at the same time', async () => {
  const { administrator, superuser } = company;
  const star = (reportId: number, starred: boolean, { token } = administrator) =>
    t.call(reportCalls.starReport, { token, params: { reportId: String(reportId) }, body: { starred } });
  const starred = async ({ token }: Person) =>
    (await t.call(reportCalls.listReportStars, { token })).map(({ reportId }) => reportId);
  expect(await starred(administrator)).toEqual([]);
  await Promise.all([star(7, true), star(0, true), star(7, true), star(103, true, superuser)]);
  expect(await starred(administrator)).toEqual([0, 7]);
  expect(await star(0, false)).toEqual({ reportId: 0, starred: false });
  await star(0, false);
  expect(await starred(administrator)).toEqual([7]);
  expect(await starred(superuser)).toEqual([103]);
  expect(await starred(t.world.other.administrator)).toEqual([]);
  const unknown = { token: administrator.token, params: { reportId: '2' }, body: { starred: true } };
  expect((await t.refused(reportCalls.starReport, unknown)).status).toBe(404);
});

describe('the trial balance (3)', () => {
  it('the 2/28/2026 trial balance has 6,460.00 per side, with 400.00 from 2025 in retained earnings', async () => {
    const report = await run(3, { ReportDate: '2/28/2026' });
    expect(header(report)).toEqual(['Printing Plus', 'Trial Balance', 'As of February 28, 2026', 'Accrual basis']);
    expect(lines(report)).toEqual([
      'Checking 5850.00 -',
      'Accumulated Depreciation - 60.00',
      "Owner's Equity / Common Stock - 5000.00",
      'Retained Earnings - 400.00',
      'Sales - 1000.00',
      'Cost of Goods Sold 300.00 -',
      'Depreciation 60.00 -',
      'Rent & Lease 250.00 -',
    ]);
    const [totals] = report.reportSections[0]?.columnSummaryLines ?? [];
    expect(totals?.columnSummaryItems.map((item) => item.headerText)).toEqual(['Total', '6460.00', '6460.00']);
  });

  it('the trial balances for 1/15/2026 and 1/16/2026 differ by the 300.00 cost of goods sold on the 16th', async () => {
    expect(lines(await run(3, { reportdate: '2026-01-15' }))[0]).toBe('Checking 6400.00 -');
    expect(lines(await run(3, { reportdate: '2026-01-16' }))[0]).toBe('Checking 6100.00 -');
  });

  it('the source of the sales amount has its account, dates, and filters', async () => {
    const report = await run(3, { reportdate: '2026-02-28', profitcenterid: north, locationid: dock });
    const [line] = report.reportSections[0]?.reportBlocks[0]?.reportLines ?? [];
    expect(line?.source).toEqual({
      accountIds: [140],
      from: '2026-01-01',
      to: '2026-02-28',
      basis: 0,
      profitCenterId: north,
      locationId: dock,
    });
    expect(header(report).slice(4)).toEqual(['Profit center: North', 'Location: Dock']);
  });
});

describe('the profit and loss statement (1)', () => {
  it('profit through 2/28/2026 is 390.00 on the accrual basis and 450.00 on the cash basis', async () => {
    const accrual = await run(1, { reportdate: '2026-02-28' });
    expect(header(accrual)).toContain('January 1, 2026 – February 28, 2026');
    expect(lines(accrual)).toEqual([
      'Sales 1000.00',
      'Total Income 1000.00',
      'Cost of Goods Sold 300.00',
      'Total Cost of Goods Sold 300.00',
      'Gross Profit 700.00',
      'Depreciation 60.00',
      'Rent & Lease 250.00',
      'Total Expenses 310.00',
      'Net Operating Income 390.00',
    ]);
    expect(summary(accrual)).toEqual(['Net Income 390.00']);
    const cash = await run(1, { reportdate: '2026-02-28', basis: 1 });
    expect([header(cash).at(-1), summary(cash)]).toEqual(['Cash basis', ['Net Income 450.00']]);
  });

  it('profit and loss from 1/16/2026 to 2/19/2026 has only the cost of goods of 300.00', async () => {
    const report = await run(1, { startdate: '2026-01-16', reportdate: '2026-02-19' });
    expect(summary(report)).toEqual(['Net Income -300.00']);
  });

  it("on 2/20/2026, last month's profit and loss has 700.00, and this month's covers the full month", async () => {
    const last = await run(1, { reportdate: '2026-02-20', periodType: 2 });
    expect([header(last)[2], summary(last)]).toEqual(['January 1, 2026 – January 31, 2026', ['Net Income 700.00']]);
    const current = await run(1, { reportdate: '2026-02-10', periodtype: '0' });
    expect(header(current)[2]).toBe('February 1, 2026 – February 28, 2026');
  });

  it('profit center North has sales of 1,000.00 less rent of 250.00, and 0 selects all profit centers', async () => {
    const filtered = await run(1, { reportdate: '2026-02-28', profitcenterid: String(north) });
    expect(summary(filtered)).toEqual(['Net Income 750.00']);
    expect(summary(await run(1, { reportdate: '2026-02-28', profitcenterid: 0, locationid: null }))).toEqual([
      'Net Income 390.00',
    ]);
  });
});

describe('the balance sheet (0)', () => {
  it('the balance sheet has assets of 5,790.00, equity of 5,000.00, and earnings of 400.00 and 390.00', async () => {
    const report = await run(0, { reportdate: '2026-02-28' });
    expect(lines(report)).toEqual([
      'Checking 5850.00',
      'Total Current Assets 5850.00',
      'Accumulated Depreciation -60.00',
      'Net Fixed Assets -60.00',
      'Total Assets 5790.00',
      'Total Liabilities 0.00',
      "Owner's Equity / Common Stock 5000.00",
      'Retained Earnings 400.00',
      'Net Income 390.00',
      'Total Equity 5790.00',
    ]);
    expect(summary(report)).toEqual(['Total Liabilities & Equity 5790.00']);
  });

  it("the balance sheet uses the company's basis, fiscal year, and account numbers", async () => {
    const other = await t.createCompany('Cash Books');
    const ada = other.administrator;
    await post(ada, '2026-03-31', [
      [101, 80],
      [141, -80],
    ]);
    await post(ada, '2026-04-01', [
      [101, 20],
      [141, -20],
    ]);
    const settings = { fyStartMonth: '4', reportingAccountingBasis: '1', useAccountNumbers: 'true' };
    await t.inCompany(other.companyId, async (tx) => {
      for (const [name, value] of Object.entries(settings)) {
        await tx.rows(sql`
          update setting set setting_value = ${value}
          where company_id = ${other.companyId} and setting_name = ${name}`);
      }
    });
    const report = await run(0, { reportdate: '2026-04-30' }, ada);
    expect(header(report).at(-1)).toBe('Cash basis');
    expect(lines(report)).toEqual([
      '1000 - Checking 100.00',
      'Total Current Assets 100.00',
      'Total Assets 100.00',
      'Total Liabilities 0.00',
      '3900 - Retained Earnings 80.00',
      'Net Income 20.00',
      'Total Equity 100.00',
    ]);
  });

  it('"Due to/from other" balances a location\'s balance sheet, and running reports saves nothing', async () => {
    const before = await countRows(t, company.companyId, 'audit_log');
    const report = await run(0, { reportdate: '2026-02-28', locationid: dock });
    expect(header(report).at(-1)).toBe('Entries outside the filter are balanced by "Due to/from other"');
    expect(lines(report).at(-1)).toBe('Due to/from other -1000.00');
    expect(summary(report)).toEqual(['Total Liabilities & Equity 0.00']);
    expect(await countRows(t, company.companyId, 'audit_log')).toBe(before);
  });
});
