import { describe, expect, test } from 'vitest';
import { RETAINED_EARNINGS } from '../books/accounts.ts';
import { isoDate } from '../dates.ts';
import { cents } from '../money.ts';
import { flattenReport } from '../testing/flat-report.ts';
import { reportAccounts } from '../testing/report-accounts.ts';
import { balanceSheet, balanceSheetTotals, comparedBalanceSheet } from './balance-sheet.ts';
import type { AccountBalance, ReportAccount } from './balances.ts';
import { cashFlow } from './cash-flow.ts';
import { alone, type Columns, planColumns } from './compare.ts';
import type { Compare } from './kinds.ts';
import { comparedProfitAndLoss, profitAndLoss, profitAndLossTotals } from './profit-loss.ts';
import type { Report, ReportContext } from './report.ts';
import { trialBalance } from './trial-balance.ts';

const context: ReportContext = {
  title: 'Statement of Everything',
  companyName: 'Green Thumb',
  basis: 'accrual',
  asOf: isoDate('2026-05-26'),
  fiscalYearStart: isoDate('2026-04-01'),
  retainedEarningsAccountId: RETAINED_EARNINGS,
};

function balance(accountId: number, toDate: number, beforeYear = 0): AccountBalance {
  return { accountId, toDate: cents(toDate), beforeYear: cents(beforeYear) };
}

function amount(accountId: number, value: number) {
  return { accountId, amount: cents(value) };
}

function rows(report: Report): string[] {
  return flattenReport(report).map((row) => [row.label, ...row.amounts].join(' | '));
}

/** Earnings of 900.00 in earlier years and 500.00 this year, and 200.00 posted to retained earnings manually. */
const books = [
  balance(101, 250000),
  balance(112, 80000),
  balance(119, -20000),
  balance(123, -30000),
  balance(131, -100000),
  balance(133, -50000),
  balance(135, 10000),
  balance(137, -20000),
  balance(140, -200000, -120000),
  balance(143, 5000, 5000),
  balance(167, 75000, 25000),
];

describe('the heading of a report', () => {
  test('the report heading has the company, title, dates, basis, and filters', () => {
    const range = {
      ...context,
      from: isoDate('2026-05-01'),
      basis: 'cash' as const,
      location: { id: 3, name: 'Harbour' },
    };
    const head = profitAndLoss([], reportAccounts, range).reportHeaderItems.map((each) => each.headerText);
    expect(head).toEqual([
      'Green Thumb',
      'Statement of Everything',
      'May 1, 2026 – May 26, 2026',
      'Cash basis',
      'Location: Harbour',
    ]);
    expect(trialBalance([], reportAccounts, context).reportHeaderItems[2]?.headerText).toBe('As of May 26, 2026');
  });
});

describe('trial balance', () => {
  test("the trial balance shows this year's income and expenses, and earlier years in retained earnings", () => {
    expect(rows(trialBalance(books, reportAccounts, context))).toEqual([
      '1000 - Checking | 2500.00 | ',
      '1510 - Office Equipment | 800.00 | ',
      '1590 - Accumulated Depreciation |  | 200.00',
      '2200 - Sales Tax Payable |  | 300.00',
      '2700 - Long-Term Loans |  | 1000.00',
      "3000 - Owner's Equity / Common Stock |  | 500.00",
      "3200 - Owner's Draws / Dividends | 100.00 | ",
      '3900 - Retained Earnings |  | 1100.00',
      '4000 - Sales |  | 800.00',
      '6700 - Rent & Lease | 500.00 | ',
      'Total | 3900.00 | 3900.00',
    ]);
  });

  test('the trial balance reports a difference of 0.01', () => {
    const report = trialBalance([...books, balance(102, 1)], reportAccounts, context);
    expect(report.reportSummaries).toEqual([{ description: 'Out of balance', amount: 1 }]);
  });

  test('each amount on the trial balance has a source that includes the filter', () => {
    const filtered = { ...context, profitCenter: { id: 5, name: 'North' } };
    const [block] = trialBalance(books, reportAccounts, filtered).reportSections[0]?.reportBlocks ?? [];
    const sources = block?.reportLines.map((line) => line.source);
    const common = { basis: 0, to: '2026-05-26', profitCenterId: 5 };
    expect(sources?.[0]).toMatchObject({ ...common, accountIds: [101], from: null });
    expect(sources?.[7]).toMatchObject({ ...common, accountIds: [137], earningsBefore: '2026-04-01' });
    expect(sources?.[8]).toMatchObject({ ...common, accountIds: [140], from: '2026-04-01' });
  });

  test('the trial balance includes every balance, even one for an unknown account', () => {
    const report = trialBalance([balance(4711, 500), balance(140, -500)], reportAccounts, context);
    expect(rows(report)).toContain('Account 4711 | 5.00 | ');
  });

  test('accounts are sorted by number in natural order, followed by those without a number, by name', () => {
    const account = (id: number, number: string, name: string): ReportAccount => {
      return { id, number, name, type: 'Bank', contra: false, category: '', label: name };
    };
    const accounts = [
      account(1, '', 'Beta'),
      account(2, '10000', 'Ten'),
      account(3, '', 'Alpha'),
      account(4, '9', 'Nine'),
    ];
    const report = trialBalance(
      [1, 2, 3, 4].map((id) => balance(id, 100)),
      accounts,
      context,
    );
    expect(
      rows(report)
        .map((row) => row.split(' ')[0])
        .slice(0, 4),
    ).toEqual(['Nine', 'Ten', 'Alpha', 'Beta']);
  });
});

describe('profit and loss', () => {
  /** The multi-step profit and loss of a shop: sales of 293,500.00 result in a net income of 51,700.00. */
  const shop = [
    amount(140, -300000_00),
    amount(143, 6500_00),
    amount(146, 180000_00),
    amount(167, 30000_00),
    amount(172, 5000_00),
    amount(163, 24050_00),
    amount(176, -750_00),
    amount(179, 3500_00),
    amount(150, 0),
  ];

  test('the profit and loss runs from income through gross profit and net operating income to net income', () => {
    expect(rows(profitAndLoss(shop, reportAccounts, context))).toEqual([
      '4000 - Sales | 300000.00',
      '4800 - Discounts Given | -6500.00',
      'Total Income | 293500.00',
      '5000 - Cost of Goods Sold | 180000.00',
      'Total Cost of Goods Sold | 180000.00',
      'Gross Profit | 113500.00',
      '6600 - Payroll Wages | 24050.00',
      'Total Payroll & Labor | 24050.00',
      '6700 - Rent & Lease | 30000.00',
      '6950 - Utilities | 5000.00',
      'Total Occupancy | 35000.00',
      'Total Expenses | 59050.00',
      'Net Operating Income | 54450.00',
      '7000 - Interest Income | 750.00',
      'Total Other Income | 750.00',
      '8000 - Loss on Sale of Assets | 3500.00',
      'Total Other Expenses | 3500.00',
      'Net Income | 51700.00',
    ]);
  });

  test('the profit and loss totals are the same if they are calculated without the report', () => {
    expect(profitAndLossTotals(shop, reportAccounts)).toMatchObject({
      grossProfit: 113500_00,
      netOperatingIncome: 54450_00,
      netIncome: 51700_00,
    });
  });

  test('the profit and loss excludes balance sheet accounts and starts with the fiscal year by default', () => {
    const report = profitAndLoss([amount(101, 500), amount(140, -500)], reportAccounts, context);
    expect(rows(report)).toContain('Net Income | 5.00');
    expect(rows(report).some((row) => row.includes('Checking'))).toBe(false);
    const line = report.reportSections[0]?.reportBlocks[0]?.reportLines[0];
    expect(line?.source).toMatchObject({ accountIds: [140], from: '2026-04-01', to: '2026-05-26' });
  });

  test('a profit and loss without amounts has a net income of 0.00', () => {
    expect(rows(profitAndLoss([], reportAccounts, context))).toEqual([
      'Gross Profit | 0.00',
      'Net Operating Income | 0.00',
      'Net Income | 0.00',
    ]);
  });

  test('a category without a name is shown as Uncategorized', () => {
    const accounts = reportAccounts.map((account) => ({ ...account, category: '' }));
    const titles = profitAndLoss([amount(167, 500)], accounts, context).reportSections.flatMap((section) =>
      section.reportBlocks.map((block) => block.blockTitle),
    );
    expect(titles).toEqual(['Uncategorized']);
  });
});

describe('balance sheet', () => {
  test('the balance sheet balances, with earlier years in retained earnings and this year as net income', () => {
    expect(rows(balanceSheet(books, reportAccounts, context))).toEqual([
      '1000 - Checking | 2500.00',
      'Total Bank and Cash | 2500.00',
      'Total Current Assets | 2500.00',
      '1510 - Office Equipment | 800.00',
      'Total Property and Equipment | 800.00',
      '1590 - Accumulated Depreciation | -200.00',
      'Total Accumulated Depreciation | -200.00',
      'Net Fixed Assets | 600.00',
      'Total Assets | 3100.00',
      '2200 - Sales Tax Payable | 300.00',
      'Total Sales Tax Payable | 300.00',
      'Total Current Liabilities | 300.00',
      '2700 - Long-Term Loans | 1000.00',
      'Total Long-term Liabilities | 1000.00',
      'Total Liabilities | 1300.00',
      "3000 - Owner's Equity / Common Stock | 500.00",
      "3200 - Owner's Draws / Dividends | -100.00",
      '3900 - Retained Earnings | 1100.00',
      'Net Income | 300.00',
      'Total Equity | 1800.00',
      'Total Liabilities & Equity | 3100.00',
    ]);
  });

  test('the balance sheet shows a difference of 0.01 as out of balance', () => {
    const report = balanceSheet([...books, balance(102, 1)], reportAccounts, context);
    expect(rows(report).at(-1)).toBe('Out of balance | 0.01');
  });

  test('the balance sheet for one profit center is balanced by "Due to/from other", with a note in its heading', () => {
    const filtered = { ...context, profitCenter: { id: 5, name: 'North' } };
    const report = balanceSheet([balance(140, -50000), balance(101, 30000)], reportAccounts, filtered);
    expect(rows(report).slice(-5)).toEqual([
      'Total Liabilities | 0.00',
      'Net Income | 500.00',
      'Total Equity | 500.00',
      'Due to/from other | -200.00',
      'Total Liabilities & Equity | 300.00',
    ]);
    expect(report.reportHeaderItems.map((each) => each.headerText)).toContain(
      'Entries outside the filter are balanced by "Due to/from other"',
    );
  });

  test('the balance sheet shows retained earnings even if nothing was ever posted to the account', () => {
    const report = balanceSheet([balance(101, 500, 500), balance(140, -500, -500)], reportAccounts, context);
    expect(rows(report)).toContain('3900 - Retained Earnings | 5.00');
  });

  test('the source of net income includes every income and expense account', () => {
    const equity = balanceSheet(books, reportAccounts, context).reportSections.find((each) => each.title === 'Equity');
    const line = equity?.reportBlocks[0]?.reportLines.at(-1);
    expect(line?.source).toMatchObject({ accountIds: [140, 143, 167], from: '2026-04-01', to: '2026-05-26' });
  });

  test('the balance sheet totals are the same if they are calculated without the report', () => {
    expect(balanceSheetTotals(books, reportAccounts, RETAINED_EARNINGS)).toEqual({
      assets: 310000,
      liabilities: 130000,
      equity: 180000,
      netIncome: 30000,
      difference: 0,
    });
  });
});

describe('reports with columns', () => {
  const flows = [
    { ...amount(101, 100), ofAssets: cents(0), opening: cents(400), closing: cents(500) },
    ...[amount(106, -30), amount(123, -20), amount(131, -10), amount(140, -70), amount(177, -5), amount(115, 35)].map(
      (flow) => ({ ...flow, ofAssets: cents(0), opening: cents(0), closing: cents(0) }),
    ),
  ];
  const filtered = { ...context, profitCenter: { id: 5, name: 'North' } };
  /** The second column has no amounts, so the first column identifies the rows. */
  const twice = <F>(figures: readonly F[], of: ReportContext): Columns<F> => {
    return { columns: [figures, []].map((each, at) => ({ title: `${at}`, figures: each, context: of })), main: 0 };
  };

  test.each<[string, (columns: 'one' | 'two') => Report]>([
    [
      'cash flows, which begin with net income',
      (columns) => cashFlow(columns === 'one' ? alone(flows, context) : twice(flows, context), reportAccounts, context),
    ],
    [
      'the profit and loss',
      (columns) => {
        const [figures] = [[amount(140, -80000), amount(143, 10), amount(167, 50000), amount(176, -2)]];
        const of = columns === 'one' ? alone(figures, context) : twice(figures, context);
        return comparedProfitAndLoss(of, reportAccounts, context);
      },
    ],
    [
      'the balance sheet, whose equity ends with net income and its balancing line',
      (columns) => {
        const of = columns === 'one' ? alone(books, filtered) : twice(books, filtered);
        return comparedBalanceSheet(of, reportAccounts, filtered);
      },
    ],
  ])('a comparison has the same rows in the same order as the report without a comparison: %s', (_, made) => {
    const labels = (report: Report) =>
      report.reportSections.flatMap(({ reportBlocks }) =>
        reportBlocks.flatMap(({ reportLines }) => reportLines.map(({ lineItems }) => lineItems[0]?.itemText)),
      );
    expect(labels(made('one')).length).toBeGreaterThan(3);
    expect(labels(made('two'))).toEqual(labels(made('one')));
  });

  const titles = (compare: Compare, fyStartMonth: number, from?: string) =>
    planColumns({
      compare,
      context: {
        ...context,
        ...(from !== undefined && { from: isoDate(from) }),
        fiscalYearStart: isoDate(`2026-0${fyStartMonth}-01`),
      },
      fyStartMonth,
      values: [],
    }).columns.map(({ title, context: of }) => `${title}: ${of.from ?? ''} ${of.asOf}`);

  test('a comparison by quarter uses fiscal quarters, with their months if the year is not a calendar year', () => {
    expect(titles('quarter', 1, '2026-02-10')).toEqual([
      'Q1 2026: 2026-02-10 2026-03-31',
      'Q2 2026: 2026-04-01 2026-05-26',
      'Total: 2026-02-10 2026-05-26',
    ]);
    expect(titles('quarter', 2, '2025-12-01')).toEqual([
      'Q4 Nov–Jan 2026: 2025-12-01 2026-01-31',
      'Q1 Feb–Apr 2026: 2026-02-01 2026-04-30',
      'Q2 May–Jul 2026: 2026-05-01 2026-05-26',
      'Total: 2025-12-01 2026-05-26',
    ]);
  });

  test('an as-of comparison by quarter has a column for each quarter end in its fiscal year', () => {
    expect(titles('quarter', 2)).toEqual(['4/30/2026:  2026-04-30', '5/26/2026:  2026-05-26']);
  });
});

describe('the source of a total', () => {
  const behind = (report: Report, title: string): number[] => {
    const sections = report.reportSections.map(({ totalTitle, source }) => ({ name: totalTitle, source }));
    const summaries = report.reportSummaries.map(({ description, source }) => ({ name: description, source }));
    const found = [...sections, ...summaries].find(({ name }) => name === title);
    return (found?.source?.accountIds ?? []).toSorted((a, b) => a - b);
  };

  test("the source of a balance sheet total is its lines' accounts: 3 assets, or all except the assets", () => {
    const report = balanceSheet(books, reportAccounts, context);
    expect(behind(report, 'Total Assets')).toEqual([101, 112, 119]);
    expect(behind(report, 'Total Liabilities & Equity')).toEqual([123, 131, 133, 135, 137, 140, 143, 167]);
  });

  test('the source of Gross Profit is only account 140, and the source of Net Income also includes rent (167)', () => {
    const report = profitAndLoss([amount(140, -80000), amount(167, 50000)], reportAccounts, context);
    expect(behind(report, 'Gross Profit')).toEqual([140]);
    expect(behind(report, 'Net Income')).toEqual([140, 167]);
  });

  test('the source of a trial balance total includes only the accounts in its column', () => {
    const [table] = trialBalance(books, reportAccounts, context).reportSections;
    const items = table?.columnSummaryLines[0]?.columnSummaryItems ?? [];
    const debit = items[1]?.source?.accountIds ?? [];
    expect(debit.toSorted((a, b) => a - b)).toEqual([101, 112, 135, 167]);
  });
});
