import { strFromU8, unzipSync } from 'fflate';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entityCalls } from '@evenkeel/contract/entities';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { type ReportData, reportCalls } from '@evenkeel/contract/reports';
import { addDays, addMonths, formatDate, formatLongDate, isoDate } from '@evenkeel/core/dates';
import { type Cents, formatAmount, formatUsd, fromPlain, toPlain, ZERO } from '@evenkeel/core/money';
import { type ReportKind, reportKinds } from '@evenkeel/core/reports/kinds';
import { pageRows } from '@evenkeel/core/reports/page';
import { findTool } from '../../../../../scripts/test/tools.ts';
import { todayIn } from '../../platform/clock.ts';
import { pagesOf } from '../../platform/pdf/testing/pages.ts';
import { recalculated } from '../../platform/pdf/testing/recalculated.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
let north = 0;
let customer = 0;
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany('Printing Plus');
  await keepBooks();
});
afterAll(() => t.close());

type Params = Record<string, string | number>;
const asked = (reportId: number, params: Params) => ({
  token: company.administrator.token,
  params: { reportId: String(reportId) },
  body: {
    reportParams: Object.entries(params).map(([paramName, paramvalue]) => ({ paramType: 3, paramName, paramvalue })),
  },
});
const run = (reportId: number, params: Params = {}) => t.call(reportCalls.runReport, asked(reportId, params));

async function post(postingDate: string, moves: [number, number, object?][]): Promise<void> {
  const generalLedgerEntries = moves.map(([accountID, amount, more]) => {
    return { accountID, debit: amount > 0, amount: Math.abs(amount), description: 'Entry', postingDate, ...more };
  });
  await t.call(ledgerCalls.postTransaction, { token: company.administrator.token, body: { generalLedgerEntries } });
}

/**
 * A van bought for 100.00, depreciated by 60.00, and sold for 50.00. Depreciation of 20.00 on a machine. Sales, rent,
 * and a loan.
 */
async function keepBooks(): Promise<void> {
  const row = await t.inCompany(company.companyId, (tx) =>
    tx.row(sql<{ id: number }>`
      insert into profit_center (company_id, name) values (${company.companyId}, 'North') returning id`),
  );
  north = row?.id ?? 0;
  await post('2025-03-01', [
    [101, 1000],
    [133, -1000],
  ]);
  await post('2025-03-02', [
    [115, 300],
    [101, -300],
  ]);
  await post('2025-12-31', [
    [155, 60],
    [119, -60],
  ]);
  await post('2025-12-31', [
    [101, 500],
    [140, -500, { profitcenterid: north }],
  ]);
  await post('2026-02-10', [
    [101, 50],
    [119, 60],
    [115, -100],
    [177, -10],
  ]);
  await post('2026-02-28', [
    [155, 20],
    [119, -20],
  ]);
  await post('2026-03-05', [
    [101, 400],
    [140, -400, { profitcenterid: north }],
  ]);
  await post('2026-04-01', [
    [167, 150],
    [101, -150],
  ]);
  await post('2026-05-01', [
    [101, 700],
    [132, -700],
  ]);
  const factory = factoryFor(t, company);
  const lane = {
    addressType: 2,
    address1: '12 Mill Lane',
    city: 'Akron',
    countryId: 341,
    stateId: 36,
    zipCode: '44313',
  };
  const orchard = { name: 'Orchard Row', emailAddress: 'books@orchard.example', addresses: [lane] };
  ({ id: customer } = await t.call(entityCalls.createCustomer, { token: factory.token, body: orchard }));
  const dates = { invoiceDate: '2026-03-01', dueDate: '2026-03-31' };
  await factory.invoice({ customerId: customer, amount: 120, ...dates });
  await factory.invoice({ customerId: customer, amount: 80, invoiceDate: '2026-05-20', dueDate: '2026-06-19' });
  await factory.payment({ customerId: customer, paymentAmount: 30, paymentDate: '2026-05-02' });
}

/** Returns "label: amount …" for every line, then the totals for blocks, sections, and the report. */
function lines(report: ReportData): string[] {
  const words = (items: readonly { headerText: string }[]) => items.map((item) => item.headerText || '-').join(' ');
  return [
    ...report.reportSections.flatMap((section) => [
      ...section.reportBlocks.flatMap((block) => [
        ...block.reportLines.map(({ lineItems }) => lineItems.map((item) => item.itemText || '-').join(' ')),
        ...(block.columnTotals === undefined
          ? block.displayFooter
            ? [`Total ${block.blockTitle} ${toPlain(block.total)}`]
            : []
          : [words(block.columnTotals)]),
      ]),
      ...(section.hasColumnSummary
        ? section.columnSummaryLines.map((line) => words(line.columnSummaryItems))
        : section.displayFooter
          ? [`${section.totalTitle} ${toPlain(section.total)}`]
          : []),
    ]),
    ...report.reportSummaries.map(({ description, amount, columnTotals }) =>
      columnTotals === undefined ? `${description} ${toPlain(amount)}` : words(columnTotals),
    ),
  ];
}

type Source = NonNullable<ReportData['reportSections'][number]['source']>;

/** Returns the absolute total of an amount's source: account entries, a transaction, or the lines in a list. */
async function behind(source: Source | undefined, amount: number): Promise<number | undefined> {
  if (source === undefined) return undefined;
  const { token } = company.administrator;
  const { transactionId, detail, accountIds, from, to, basis, entityId, ofAssets, earningsBefore } = source;
  if (transactionId !== undefined) {
    const params = { transactionId };
    const { generalLedgerEntries } = await t.call(ledgerCalls.transactionEntries, { token, params });
    return generalLedgerEntries.length > 0 ? Math.abs(amount) : undefined;
  }
  if (detail !== undefined) {
    const { reportId, only, columns } = detail;
    const params = { ...SPRING, ...(from === null ? {} : { startdate: from }), only: `${only.by} ${only.id}` };
    const report = await run(reportId, params);
    const [section] = report.reportSections;
    const wanted = columns ?? [section?.columnHeaders.at(-1)?.headerText ?? ''];
    const items = section?.columnSummaryLines[0]?.columnSummaryItems ?? [];
    const sums = section?.columnHeaders.map(({ headerText }, at) =>
      wanted.includes(headerText) ? fromPlain(items[at]?.headerText ?? '') : 0,
    );
    return Math.abs((sums ?? []).reduce<number>((all, each) => all + each, 0));
  }
  let all = 0;
  const range = { ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) };
  const query = {
    ...range,
    basis: basis === 1 ? ('1' as const) : ('0' as const),
    ...(entityId === undefined ? {} : { entityid: entityId }),
    ...(ofAssets === undefined ? {} : { ofassets: ofAssets }),
  };
  for (const customerAccountId of accountIds) {
    const entries = await t.call(ledgerCalls.accountEntries, { token, params: { customerAccountId }, query });
    if (!Array.isArray(entries)) throw new Error('expected the full list, not a page');
    for (const { debitAmount, creditAmount } of entries) all += (debitAmount ?? 0) - (creditAmount ?? 0);
  }
  if (earningsBefore !== undefined) {
    const earned = await run(1, { startdate: '1900-01-01', reportdate: addDays(earningsBefore, -1), basis });
    all -= earned.reportSummaries[0]?.amount ?? 0;
  }
  return Math.abs(all);
}

/** Returns the cells in a workbook that contain formulas. */
function formulas(workbook: Uint8Array = new Uint8Array()): Set<string> {
  const sheet = strFromU8(unzipSync(workbook)['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
  return new Set([...sheet.matchAll(/<c r="(\w+)"[^>]*><f>/g)].map(([, place = '']) => place));
}

const SPRING = { startdate: '2026-01-01', reportdate: '2026-05-31', basis: 0 };

describe('the statement of cash flows (100)', () => {
  it('the sale of an asset appears as proceeds under investing and not under operating', async () => {
    expect(lines(await run(100, { startdate: '2026-02-01', reportdate: '2026-02-15' }))).toEqual([
      'Net Income 10.00',
      'Gain on Sale of Assets -10.00',
      'Net Cash from Operating Activities 0.00',
      'Machinery & Equipment 100.00',
      'Accumulated Depreciation -60.00',
      'Gain on Sale of Assets 10.00',
      'Net Cash from Investing Activities 50.00',
      'Net Change in Cash 50.00',
      'Checking 1200.00',
      'Cash at Beginning of Period 1200.00',
      'Cash at End of Period 1250.00',
    ]);
  });

  it('cash flows over five months equal the ledger on the accrual basis, whichever basis is requested', async () => {
    const report = await run(100, { ...SPRING, basis: 1 });
    expect(report.reportHeaderItems.map((item) => item.headerText)).toContain('Accrual basis');
    const all = lines(report);
    expect(all.filter((line) => /Net Cash|Change|Cash at|Depreciation/.test(line))).toEqual([
      'Accumulated Depreciation 20.00',
      'Net Cash from Operating Activities 280.00',
      'Accumulated Depreciation -60.00',
      'Net Cash from Investing Activities 50.00',
      'Net Cash from Financing Activities 700.00',
      'Net Change in Cash 1030.00',
      'Cash at Beginning of Period 1200.00',
      'Cash at End of Period 2230.00',
    ]);
  });
});

describe('report columns', () => {
  it('columns by profit center add up to the profit and loss total, including unassigned amounts', async () => {
    const report = await run(1, { ...SPRING, compare: 'profitcenter' });
    expect(report.reportSections[0]?.columnHeaders.map((head) => head.headerText)).toEqual([
      'Account',
      'North',
      'Unassigned',
      'Total',
    ]);
    expect(lines(report)).toEqual([
      'Sales 400.00 200.00 600.00',
      'Total Income 400.00 200.00 600.00',
      'Gross Profit 400.00 200.00 600.00',
      'Depreciation 0.00 20.00 20.00',
      'Total Depreciation 0.00 20.00 20.00',
      'Rent & Lease 0.00 150.00 150.00',
      'Total Occupancy 0.00 150.00 150.00',
      'Total Expenses 0.00 170.00 170.00',
      'Net Operating Income 400.00 30.00 430.00',
      'Gain on Sale of Assets 0.00 10.00 10.00',
      'Total Other Income 0.00 10.00 10.00',
      'Net Income 400.00 40.00 440.00',
    ]);
    const [line] = report.reportSections[1]?.reportBlocks[0]?.reportLines ?? [];
    expect(line?.lineItems.map((item) => item.source?.profitCenterId)).toEqual([undefined, north, 0, null]);
    const unassigned = await t.call(ledgerCalls.accountEntries, {
      token: company.administrator.token,
      params: { customerAccountId: 140 },
      query: { unassigned: 'profitcenter' as const },
    });
    expect(Array.isArray(unassigned) && unassigned.map((entry) => entry.creditAmount)).toEqual([12000, 8000]);
  });

  it('columns by month cover the range and have a total', async () => {
    const report = await run(1, { startdate: '2026-02-15', reportdate: '2026-04-10', compare: 'month' });
    expect(report.reportSections[0]?.columnHeaders.map((head) => head.headerText)).toEqual([
      'Account',
      'Feb 2026',
      'Mar 2026',
      'Apr 2026',
      'Total',
    ]);
    expect(lines(report).at(-1)).toBe('Net Income -20.00 520.00 -150.00 350.00');
  });

  it('columns for the previous year show the difference in dollars and as a percentage', async () => {
    const report = await run(0, { reportdate: '2026-03-31', compare: 'previousyear' });
    expect(report.reportSections[0]?.columnHeaders.map((head) => head.headerText)).toEqual([
      'Account',
      '3/31/2026',
      '3/31/2025',
      'Difference',
      '%',
    ]);
    expect(
      lines(report).filter((line) => /^(Checking|Accounts Rec|Total Assets|Total Liabilities &)/.test(line)),
    ).toEqual([
      'Checking 1650.00 700.00 950.00 135.7%',
      'Accounts Receivable 120.00 0.00 120.00 –',
      'Total Assets 1950.00 1000.00 950.00 95.0%',
      'Total Liabilities & Equity 1950.00 1000.00 950.00 95.0%',
    ]);
  });

  it('the columns by month and for last year equal the statements for those dates', async () => {
    const report = await run(1, { startdate: '2026-03-01', reportdate: '2026-04-10', compare: 'monthyear' });
    expect(report.reportSections[0]?.columnHeaders.map((head) => head.headerText)).toEqual([
      'Account',
      'Mar 2026',
      'Mar 2025',
      'Apr 2026',
      'Apr 2025',
      'Total',
      'Total last year',
    ]);
    const days = [
      ['2026-03-01', '2026-03-31'],
      ['2025-03-01', '2025-03-31'],
      ['2026-04-01', '2026-04-10'],
      ['2025-04-01', '2025-04-10'],
      ['2026-03-01', '2026-04-10'],
      ['2025-03-01', '2025-04-10'],
    ];
    const alone = await Promise.all(days.map(([startdate = '', reportdate = '']) => run(1, { startdate, reportdate })));
    const expected = alone.map(({ reportSummaries: [net] }) => toPlain(net?.amount ?? ZERO));
    expect(lines(report).at(-1)).toBe(['Net Income', ...expected].join(' '));
    expect(report.reportSummaries[0]?.amount).toBe(alone[4]?.reportSummaries[0]?.amount);
  });

  it('a comparison with the same dates last year ends today, as the heading says', async () => {
    const today = todayIn('America/New_York');
    const startdate = addDays(today, -40);
    const report = await run(1, { startdate, reportdate: addDays(today, 40), compare: 'samedays' });
    const range = (months: number) =>
      `${formatDate(addMonths(startdate, months))} – ${formatDate(addMonths(today, months))}`;
    const heads = report.reportSections[0]?.columnHeaders.map((head) => head.headerText);
    expect(heads).toEqual(['Account', range(0), range(-12), 'Difference', '%']);
    expect(report.reportHeaderItems[2]?.headerText).toBe(`${formatLongDate(startdate)} – ${formatLongDate(today)}`);
    const ahead = { startdate: addDays(today, 1), reportdate: addDays(today, 40), compare: 'samedays' };
    const { reportHeaderItems } = await run(1, ahead);
    expect(reportHeaderItems[2]?.headerText).toContain(formatLongDate(addDays(today, 40)));
  });

  it('the heading names the compared columns, and negative amounts are in parentheses', async () => {
    const report = await run(0, { reportdate: '2026-04-01', compare: 'previousperiod' });
    const [, now, before, difference, percent] = report.reportSections[0]?.columnHeaders ?? [];
    expect([now?.made, before?.made]).toEqual([undefined, undefined]);
    expect(difference?.made).toEqual({ as: 'difference', of: 1, by: 2 });
    expect(percent?.made).toEqual({ as: 'percent', of: 3, by: 2 });
    expect(report.reportHeaderItems.at(-1)?.headerText).toBe('Changes and percentages are relative to 3/1/2026');
    expect(lines(report)).toContain('Accumulated Depreciation -20.00 -20.00 0.00 0.0%');
    const later = await run(0, { reportdate: '2026-03-31', compare: 'previousyear' });
    expect(lines(later)).toContain('Machinery & Equipment 200.00 300.00 -100.00 (33.3%)');
  });

  it('percentage-of-income columns show shares of Total Income on both bases', async () => {
    const accrual = await run(1, { startdate: '2026-02-11', reportdate: '2026-04-30', basis: 0, compare: 'income' });
    const heads = accrual.reportSections[0]?.columnHeaders ?? [];
    expect(heads.map((head) => head.headerText)).toEqual(['Account', '2/11/2026 – 4/30/2026', '% of Income']);
    expect(heads[2]?.made).toEqual({ as: 'share', of: 1, whole: 52000 });
    expect(lines(accrual)).toEqual([
      'Sales 520.00 100.0%',
      'Total Income 520.00 100.0%',
      'Gross Profit 520.00 100.0%',
      'Depreciation 20.00 3.8%',
      'Total Depreciation 20.00 3.8%',
      'Rent & Lease 150.00 28.8%',
      'Total Occupancy 150.00 28.8%',
      'Total Expenses 170.00 32.7%',
      'Net Operating Income 350.00 67.3%',
      'Net Income 350.00 67.3%',
    ]);
    const cash = await run(1, { startdate: '2026-04-01', reportdate: '2026-04-30', basis: 1, compare: 'income' });
    // There was no income, so there are no percentages.
    expect(lines(cash).at(-1)).toBe('Net Income -150.00 –');
  });

  it.each([
    [3, 'month', 400],
    [0, 'income', 400],
    [0, 'profitcenter', 400],
    [1, 'sideways', 400],
  ])('report %i rejects comparison columns by %s (%i)', async (id, compare, status) => {
    const answer = await t.refused(reportCalls.runReport, asked(id, { ...SPRING, compare }));
    expect([answer.status, Object.keys(answer.fields ?? {})]).toEqual([status, ['compare']]);
  });

  it('columns by month for more than three years are rejected with a message', async () => {
    const answer = await t.refused(
      reportCalls.runReport,
      asked(1, { startdate: '2020-01-01', reportdate: '2026-01-31', compare: 'month' }),
    );
    expect([answer.status, answer.message]).toEqual([
      422,
      'The report has more than 37 columns. Choose a shorter date range.',
    ]);
  });
});

describe('the general ledger (101)', () => {
  it('the general ledger across a new year shows the closing to retained earnings', async () => {
    const all = lines(await run(101, { startdate: '2025-12-01', reportdate: '2026-04-30', basis: 0 }));
    expect(all.filter((line) => /Retained|Closed|Net income for/.test(line) || line.startsWith('Total '))).toEqual([
      'Total Checking - - - - 950.00 150.00 1500.00',
      'Total Accounts Receivable - - - - 120.00 0.00 120.00',
      'Total Machinery & Equipment - - - - 0.00 100.00 200.00',
      'Total Accumulated Depreciation - - - - 60.00 80.00 -20.00',
      "Total Owner's Equity / Common Stock - - - - 0.00 0.00 1000.00",
      '1/1/2026 - - - Net income for the prior year - 440.00 440.00',
      'Total Retained Earnings - - - - 0.00 440.00 440.00',
      '1/1/2026 - - - Closed to Retained Earnings 500.00 - 0.00',
      'Total Sales - - - - 500.00 1020.00 520.00',
      '1/1/2026 - - - Closed to Retained Earnings - 60.00 0.00',
      'Total Depreciation - - - - 80.00 60.00 20.00',
      'Total Rent & Lease - - - - 150.00 0.00 150.00',
      'Total Gain on Sale of Assets - - - - 0.00 10.00 10.00',
      'Total - - - - 1860.00 1860.00 -',
    ]);
  });

  it("the general ledger shows each line's transaction", async () => {
    const report = await run(101, { startdate: '2026-03-05', reportdate: '2026-03-05' });
    const found = report.reportSections[0]?.reportBlocks.flatMap((block) =>
      block.reportLines.flatMap((line) => line.source?.transactionId ?? []),
    );
    expect(new Set(found).size).toBe(1);
  });
});

it('the journal (102) has a block with equal debits and credits for each document', async () => {
  const report = await run(102, { startdate: '2026-05-01', reportdate: '2026-05-31', basis: 0 });
  const blocks = report.reportSections[0]?.reportBlocks ?? [];
  expect(blocks.map((block) => [block.blockTitle.replace(/\d+$/, '#'), toPlain(block.total)])).toEqual([
    ['5/1/2026 Journal entry #', '0.00'],
    ['5/2/2026 Payment #', '0.00'],
    ['5/20/2026 Invoice #', '0.00'],
  ]);
  expect(lines(report).at(-1)).toBe('Total - - 810.00 810.00');
});

describe('customer balances and sales', () => {
  it('customer balances by document equal the aging report', async () => {
    const day = { reportdate: '2026-05-31' };
    expect(lines(await run(103, day))).toEqual([
      '3/1/2026 Invoice 10001 3/31/2026 - - - 90.00 - 90.00',
      '5/20/2026 Invoice 10002 6/19/2026 80.00 - - - - 80.00',
      'Total Orchard Row - - - 80.00 0.00 0.00 90.00 0.00 170.00',
      'Total - - - 80.00 0.00 0.00 90.00 0.00 170.00',
    ]);
    expect(lines(await run(7, day)).at(-1)).toBe('Total 80.00 0.00 0.00 90.00 170.00');
    expect(lines(await run(104, day))).toEqual(['Orchard Row 170.00', 'Total 170.00']);
  });

  it('a statement of account starts with the opening balance', async () => {
    const report = await run(105, { startdate: '2026-05-01', reportdate: '2026-05-31', customerid: customer });
    expect(report.reportHeaderItems.at(-1)?.headerText).toBe('Orchard Row');
    expect(lines(report)).toEqual([
      '5/1/2026 Opening balance - - - 120.00',
      '5/2/2026 Payment 1 - -30.00 90.00',
      '5/20/2026 Invoice 10002 6/19/2026 80.00 170.00',
      'Total - - - 50.00 -',
      'Open 80.00 0.00 0.00 90.00 170.00',
      'Total 80.00 0.00 0.00 90.00 170.00',
      'Balance 170.00',
    ]);
    expect((await t.refused(reportCalls.runReport, asked(105, {}))).status).toBe(422);
    expect((await t.refused(reportCalls.runReport, asked(105, { customerid: 999_999 }))).status).toBe(404);
  });

  it('sales are reported by customer and by product', async () => {
    expect(lines(await run(106, SPRING))).toEqual(['Orchard Row 2 200.00', 'Total - 200.00']);
    expect(lines(await run(107, SPRING))).toEqual(['No product 2 2 200.00', 'Total - - 200.00']);
    expect(lines(await run(112, { ...SPRING, only: `customer ${customer}` }))).toEqual([
      '3/1/2026 Invoice 10001 Orchard Row Work 120.00',
      '5/20/2026 Invoice 10002 Orchard Row Work 80.00',
      'Total No product - - - - 200.00',
      'Total - - - - 200.00',
    ]);
  });

  it('sales are reported in proportion to their payments on the cash basis', async () => {
    const cash = { ...SPRING, basis: 1 };
    expect(lines(await run(106, cash))).toEqual(['Orchard Row 1 30.00', 'Total - 30.00']);
    expect(lines(await run(107, cash))).toEqual(['No product 1 30.00', 'Total - 30.00']);
    expect(lines(await run(111, { ...cash, only: 'product 0' }))).toEqual([
      '5/2/2026 Payment 1 No product Invoice 10001: Work 30.00',
      'Total Orchard Row - - - - 30.00',
      'Total - - - - 30.00',
    ]);
    const nothing = { only: 'discounts 0' };
    expect(lines(await run(111, { ...cash, ...nothing }))).toEqual(['Total - - - - 0.00']);
    expect((await t.refused(reportCalls.runReport, asked(111, { only: 'all' }))).status).toBe(400);
  });

  it.each([108, 109, 110])('report %i for vendors is empty without bills', async (id) => {
    expect((await run(id)).reportSections[0]?.reportBlocks.flatMap((block) => block.reportLines)).toEqual([]);
  });
});

describe('printed reports and workbooks', () => {
  beforeAll(async () => {
    const factory = factoryFor(t, company);
    const vendorId = await factory.vendor();
    await factory.bill({ vendorId, amount: 45.5, invoiceDate: '2026-02-03' });
    await factory.bill({ vendorId, amount: 300, invoiceDate: '2026-05-11' });
    await factory.bill({ vendorId: await factory.vendor('Beacon Fuel'), amount: 12.25, invoiceDate: '2026-04-30' });
    await factory.billPayment({ vendorId, paymentAmount: 100, paymentDate: '2026-05-12' });
    await factory.tax();
    const taxed = { description: 'Taxed', itemPrice: 20, quantity: 3, accountId: 141, taxable: true };
    const other = await factory.customer('=Fairlawn, "Heights"');
    await factory.invoice({ customerId: other, invoiceDate: '2026-04-02', lineItems: [taxed] });
    await factory.payment({ customerId: other, paymentAmount: 200, paymentDate: '2026-05-03' });
  });

  const file = (reportId: number, as: 'pdf' | 'excel', params: Params = {}) =>
    t.request({
      method: 'POST',
      url: `/api/reports/${reportId}/${as}`,
      token: company.administrator.token,
      body: asked(reportId, { ...SPRING, customerid: customer, ...params }).body,
    });

  it.each(Object.values(reportKinds))('$title is printed completely and under its own name', async ({ id, title }) => {
    const report = await run(id, { ...SPRING, customerid: customer });
    const [pdf, excel] = await Promise.all([file(id, 'pdf'), file(id, 'excel')]);
    const words = (await pagesOf(pdf.bytes)).join(' ').replace(/\s+/g, '');
    for (const row of pageRows(report)) {
      for (const cell of row.cells) {
        const isTotal = row.look === 'summary' || row.isTied === true;
        const format = (amount: Cents) => (amount === 0 ? '–' : isTotal ? formatUsd(amount) : formatAmount(amount));
        const text = 'text' in cell ? cell.text : cell.amount === null ? '' : format(cell.amount);
        expect(words).toContain(text.replace(/\s+/g, ''));
      }
    }
    expect(pdf.headers['content-disposition']).toBe(`inline; filename="${title}.pdf"`);
    expect([excel.status, excel.headers['content-disposition']]).toEqual([200, `inline; filename="${title}.xlsx"`]);
    expect(excel.bytes.subarray(0, 2).toString()).toBe('PK');
  });

  it('reports with columns for last year or aging by invoice date can also be printed', async () => {
    const ink = async (reportId: number, params: Params) =>
      (await pagesOf((await file(reportId, 'pdf', params)).bytes)).join(' ');
    const compared = await ink(1, { compare: 'monthyear' });
    for (const words of ['May 2026', 'May 2025', 'Total last year']) expect(compared).toContain(words);
    expect(await ink(7, { ageby: 'invoicedate' })).toContain('Aged by invoice date');
  });

  // Promise (books): Every line of every report leads to the entries or documents in its amount. Changes to Closed
  // Books has no amounts, and the bridge's changes are differences. [all reports with amounts]
  const isChange = (id: number, column: number, columns: number) =>
    id === reportKinds.cashToAccrual.id && column > 1 && column < columns - 1;
  it.each(Object.values(reportKinds).filter(({ id }) => id !== reportKinds.closedChanges.id))(
    'every line in $title links to entries or documents that add up to its amount',
    async ({ id }) => {
      const report = await run(id, { ...SPRING, customerid: customer });
      const figures = pageRows(report).flatMap(({ key, look, cells }) =>
        cells.flatMap((cell, column) =>
          look === 'line' &&
          'amount' in cell &&
          cell.amount !== null &&
          cell.amount !== 0 &&
          !isChange(id, column, cells.length)
            ? [{ where: `${key}/${column}`, amount: cell.amount, source: cell.source }]
            : [],
        ),
      );
      expect(figures.length).toBeGreaterThan(0);
      for (const { where, amount, source } of figures) {
        expect([where, await behind(source, amount)]).toEqual([where, Math.abs(amount)]);
      }
    },
  );

  // Promise (books): Every total in a workbook is a formula, and LibreOffice calculates the same result. [all
  // reports with each option, over 400 totals]
  it('every total in a workbook is a formula, and LibreOffice calculates the same amounts', async ({ skip }) => {
    const { path, missing } = findTool('soffice');
    if (path === undefined) return skip(missing);
    const wanted = Object.values<ReportKind>(reportKinds).flatMap(
      ({ id, isWhole, isAged, compares = [] }): [number, Params][] =>
        [
          {},
          ...(isWhole === true ? [] : [{ basis: 1 }]),
          ...(isAged === true ? [{ ageby: 'invoicedate' }] : []),
          ...compares.map((compare) => (compare === 'now' ? { compare, knownat: '2026-12-31' } : { compare })),
        ].map((params) => [id, params]),
    );
    const files: Awaited<ReturnType<typeof file>>[] = [];
    for (const [id, params] of wanted) files.push(await file(id, 'excel', params));
    expect(new Set(files.map(({ status }) => status))).toEqual(new Set([200]));
    const sheets = await recalculated(
      path,
      files.map(({ bytes }) => bytes),
    );
    let [totals, percentages] = [0, 0];
    for (const [at, [id, params]] of wanted.entries()) {
      const report = await run(id, { ...SPRING, customerid: customer, ...params });
      const first = report.reportHeaderItems.length + 1;
      for (const [index, { key, look, cells }] of pageRows(report).entries()) {
        for (const [column, cell] of cells.entries()) {
          if ('text' in cell && /^\(?[\d.]+%\)?$/.test(cell.text)) {
            const percent = Number(cell.text.replace(/[(%)]/g, '')) * (cell.text.startsWith('(') ? -1 : 1);
            const said = sheets[at]?.[first + index]?.[column] ?? '';
            expect([said.at(-1), Number.parseFloat(said)]).toEqual(['%', percent]);
            percentages += 1;
          }
          if (!('amount' in cell) || cell.amount === null) continue;
          const where = { id, params, row: key, column };
          const place = `${String.fromCodePoint(65 + column)}${first + index + 1}`;
          expect({ ...where, is: Number(sheets[at]?.[first + index]?.[column]) }).toEqual({
            ...where,
            is: Number(toPlain(cell.amount)),
          });
          if (look === 'line' || cell.amount === 0) continue;
          expect({ ...where, hasFormula: formulas(files[at]?.bytes).has(place) }).toEqual({
            ...where,
            hasFormula: true,
          });
          totals += 1;
        }
      }
    }
    expect(totals).toBeGreaterThan(400);
    expect(percentages).toBeGreaterThan(60);
  });

  it('the month end package has each report on separate pages, for the month up to the date', async () => {
    const { bookkeeper, stranger } = company;
    const query = { date: isoDate('2026-05-31') };
    const pages = await pagesOf(await t.call(reportCalls.monthEndPackage, { token: bookkeeper.token, query }));
    const titles = [
      'Profit & Loss Statement',
      'Balance Sheet',
      'Statement of Cash Flows',
      'Trial Balance',
      'Customer Aging Report',
      'Vendor Aging Report',
    ];
    const starts = titles.map((title) => pages.findIndex((page) => page.startsWith(`Printing Plus  ${title}`)));
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect([starts[0], new Set(starts).size]).toEqual([0, titles.length]);
    for (const [at, page] of pages.entries()) {
      const title = titles[starts.findLastIndex((start) => start <= at)];
      expect(page).toContain(`Printing Plus · ${title}`);
      expect(page).toContain(`${at + 1}/${pages.length}`);
    }
    expect((await t.refused(reportCalls.monthEndPackage, { token: stranger.token, query })).status).toBe(403);
  });

  it("a customer's statement is a PDF that requires billing permission, not reports permission", async () => {
    const sent = { params: { customerId: customer }, query: { reportdate: isoDate('2026-05-31') } };
    const { bookkeeper, stranger } = company;
    const pdf = await t.call(reportCalls.customerStatement, { token: bookkeeper.token, ...sent });
    const text = (await pagesOf(pdf)).join(' ');
    expect(text).toMatch(/Printing Plus.*Statement of Account.*To.*Orchard Row.*12 Mill Lane.*Amount due\s+\$170\.00/);
    expect(text).toMatch(
      /Invoice\s+10001\s.*120\.00\s+120\.00.*Payment\s+1\s+\(30\.00\)\s+90\.00.*Balance\s+\$170\.00/,
    );
    expect(text).toMatch(
      /Days past due\s+Current\s+30\s+60\s+90\+\s+Total\s+80\.00\s+0\.00\s+0\.00\s+90\.00\s+170\.00/,
    );
    expect(Buffer.from(pdf).toString('latin1')).toMatch(/\/MediaBox \[0 0 612 792\]/);
    expect((await t.refused(reportCalls.customerStatement, { token: stranger.token, ...sent })).status).toBe(403);
    const several = (token: string, ...customerIds: number[]) => ({ token, body: { customerIds, ...sent.query } });
    const both = await t.call(reportCalls.customerStatements, several(bookkeeper.token, customer, customer));
    expect((await pagesOf(both)).join(' ').match(/Balance\s+\$170\.00/g)).toHaveLength(2);
    const refused = [several(stranger.token, customer), several(bookkeeper.token, customer, 999_999)];
    const answers = refused.map((asked) => t.refused(reportCalls.customerStatements, asked));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([403, 404]);
  });
});
