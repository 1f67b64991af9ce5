import { isoDate } from '@evenkeel/core/dates';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { describe, expect, it } from 'vitest';
import {
  closeReport,
  describeAsk,
  noteOf,
  openReport,
  type OpenReports,
  presetDates,
  readOpenReports,
  readWhen,
  type ReportAsk,
  requestOf,
  showBoard,
  showReport,
  whenText,
  writeOpenReports,
} from './openReports.ts';
import { takenFrom } from './parameters.ts';

const SHEET: ReportAsk = {
  reportId: 0,
  period: 8,
  basis: 0,
  profitCenterId: 0,
  locationId: 0,
  from: isoDate('2026-01-01'),
  to: isoDate('2026-06-12'),
};
const PROFIT: ReportAsk = { ...SHEET, reportId: 1, period: 1, to: isoDate('2026-12-31'), basis: 1, profitCenterId: 4 };
const TRIAL: ReportAsk = { ...SHEET, reportId: 3 };
/** Returns the open reports as a URL query. */
function queryOf(open: OpenReports): URLSearchParams {
  const { report, active } = writeOpenReports(open);
  const shown = active === undefined ? [] : [['active', String(active)]];
  return new URLSearchParams([...report.map((text) => ['report', text]), ...shown]);
}

const THREE: OpenReports = { reports: [SHEET, PROFIT, TRIAL], active: 1 };

describe('open reports in the URL', () => {
  it('the URL restores three open reports with the second displayed', () => {
    const text = queryOf(THREE).toString();
    expect(text).toBe(
      'report=0_8_2026-01-01_2026-06-12_0_0_0&report=1_1_2026-01-01_2026-12-31_1_4_0' +
        '&report=3_8_2026-01-01_2026-06-12_0_0_0&active=1',
    );
    expect(readOpenReports(new URLSearchParams(text))).toEqual(THREE);
  });

  it("the URL keeps the comparison and the customer, and drops parameters that the report doesn't take", () => {
    const compared: ReportAsk = { ...PROFIT, compare: 'month' };
    const statement: ReportAsk = { ...PROFIT, reportId: 105, customerId: 12 };
    const query = queryOf({ reports: [compared, statement], active: 0 });
    expect(query.getAll('report')[1]).toBe('105_1_2026-01-01_2026-12-31_1_4_0__12');
    expect(readOpenReports(query).reports).toEqual([compared, statement]);
    const [plain] = readOpenReports(new URLSearchParams('report=3_8_2026-01-01_2026-06-12_0_0_0_month_12')).reports;
    expect(plain).toEqual(TRIAL);
    expect(requestOf(compared).reportParams.at(-1)).toEqual({
      paramType: 3,
      paramName: 'compare',
      paramvalue: 'month',
    });
    expect(describeAsk(compared)).toBe('Profit & Loss Statement 1/1/2026 – 12/31/2026, cash, by month');
    expect(noteOf(statement)).toBe('1/1/2026 – 12/31/2026, accrual');
  });

  it('the report list stays open on top of open reports, and closing a report returns to the list', () => {
    const board = showBoard(THREE);
    expect(queryOf(board).get('active')).toBe('board');
    expect(readOpenReports(queryOf(board))).toEqual(board);
    expect(showBoard(board)).toBe(board);
    expect(closeReport(board, 0)).toEqual({ reports: [PROFIT, TRIAL], active: undefined });
    expect(showReport(board, 2)).toEqual({ ...THREE, active: 2 });
  });

  it('the URL keeps the dates selected in the report list: a preset by number, custom dates unchanged', () => {
    const own = { period: 8, from: isoDate('2026-02-01'), to: isoDate('2026-02-28') };
    expect(readWhen(whenText(own))).toEqual(own);
    expect(readWhen(whenText({ ...own, period: 9 }))).toEqual({ period: 9 });
    for (const text of [null, '', '10', '8', '8_2026-02-30_2026-03-01', '-1', '01']) {
      expect([text, readWhen(text)]).toEqual([text, undefined]);
    }
  });

  it('the URL keeps aging by invoice date for an aging report, and drops it for other reports', () => {
    const aged: ReportAsk = { ...SHEET, reportId: 7, ageBy: 'invoicedate' };
    const query = queryOf({ reports: [aged], active: 0 });
    expect(query.get('report')).toBe('7_8_2026-01-01_2026-06-12_0_0_0___invoicedate');
    expect(readOpenReports(query).reports).toEqual([aged]);
    expect(requestOf(aged).reportParams.at(-1)).toMatchObject({ paramName: 'ageby', paramvalue: 'invoicedate' });
    expect(noteOf(aged)).toBe('6/12/2026, accrual, by invoice date');
    const [plain] = readOpenReports(
      new URLSearchParams('report=3_8_2026-01-01_2026-06-12_0_0_0___invoicedate'),
    ).reports;
    expect(plain).toEqual(TRIAL);
  });

  it('no report is shown if the URL has none', () => {
    expect(readOpenReports(new URLSearchParams('active=2'))).toEqual({ reports: [], active: undefined });
  });

  it.each([
    'report=2_8_2026-01-01_2026-06-12_0_0_0',
    'report=0_8_2026-02-30_2026-06-12_0_0_0',
    'report=0_99_2026-01-01_2026-06-12_0_0_0',
    'report=0_8_2026-01-01_2026-06-12_0_x_0',
    'report=0',
  ])('?%s is not read as a report', (text) => {
    expect(readOpenReports(new URLSearchParams(text)).reports).toEqual([]);
  });

  it('with active=9 and two reports, the first report is shown', () => {
    const query = queryOf({ reports: [SHEET, TRIAL], active: 9 });
    expect(readOpenReports(query).active).toBe(0);
  });
});

describe('report tabs', () => {
  it('closing the displayed tab shows the tab to its right or, at the end, the tab to its left', () => {
    expect(closeReport(THREE, 1)).toEqual({ reports: [SHEET, TRIAL], active: 1 });
    expect(closeReport({ ...THREE, active: 2 }, 2)).toEqual({ reports: [SHEET, PROFIT], active: 1 });
  });

  it('closing an earlier tab keeps the displayed tab, and closing the only tab leaves none', () => {
    expect(closeReport(THREE, 0)).toEqual({ reports: [PROFIT, TRIAL], active: 0 });
    expect(closeReport({ reports: [SHEET], active: 0 }, 0)).toEqual({ reports: [], active: undefined });
  });

  it('closing a tab that is already closed closes no other tab, and a missing tab is not displayed', () => {
    const after = closeReport(THREE, 1, THREE);
    expect(closeReport(after, 1, THREE)).toBe(after);
    expect(showReport(after, 2)).toBe(after);
    expect(showReport(after, 0)).toEqual({ ...after, active: 0 });
  });

  it('each run opens a tab, even if the report and its dates are the same', () => {
    expect(openReport(THREE, { ...TRIAL, to: isoDate('2026-03-31') }).reports).toHaveLength(4);
    const again = openReport(THREE, TRIAL);
    expect(again).toEqual({ reports: [SHEET, PROFIT, TRIAL, TRIAL], active: 3 });
    expect(readOpenReports(queryOf(again))).toEqual(again);
  });

  it('tabs show their name, date, and basis', () => {
    expect(describeAsk(SHEET)).toBe('Balance Sheet 6/12/2026, accrual');
    expect(describeAsk(PROFIT)).toBe('Profit & Loss Statement 1/1/2026 – 12/31/2026, cash');
    expect(noteOf(TRIAL)).toBe('6/12/2026, accrual');
  });
});

it('This Year in a fiscal year that starts in July ends on June 30, but an as-of report ends today', () => {
  const when = { today: isoDate('2026-02-10'), fyStartMonth: 7 };
  expect(presetDates(1, { ...when, isRanged: true })).toEqual({ from: '2025-07-01', to: '2026-06-30' });
  expect(presetDates(1, { ...when, isRanged: false }).to).toBe('2026-02-10');
  expect(presetDates(2, { ...when, isRanged: false }).to).toBe('2026-01-31');
});

it('an as-of report sends no start date', () => {
  const names = (ask: ReportAsk) => requestOf(ask).reportParams.map((param) => param.paramName);
  expect(names(SHEET)).toEqual(['reportdate', 'profitcenterid', 'locationid', 'basis']);
  expect(names(PROFIT)).toEqual(['startdate', 'reportdate', 'profitcenterid', 'locationid', 'basis']);
});

it("a report's known-at time is in the URL and the request", () => {
  const known: ReportAsk = { ...PROFIT, compare: 'now', knownAt: '2026-05-15T09:00' };
  const query = queryOf({ reports: [known], active: 0 });
  expect(readOpenReports(query).reports).toEqual([known]);
  expect(requestOf(known).reportParams.at(-1)).toEqual({
    paramType: 3,
    paramName: 'knownat',
    paramvalue: '2026-05-15T09:00',
  });
  expect(describeAsk(known)).toBe('Profit & Loss Statement 1/1/2026 – 12/31/2026, cash, at 5/15/2026 09:00');
  expect(takenFrom(['now'], reportKinds.profitAndLoss).compare).toBeUndefined();
  expect(takenFrom(['', '', '', '2026-05-15'], reportKinds.customerAging).knownAt).toBe('2026-05-15');
  expect(takenFrom(['', '', '', 'yesterday'], reportKinds.customerAging).knownAt).toBeUndefined();
});
