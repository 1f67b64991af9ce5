// @vitest-environment jsdom
import '../../testing/setup.ts';
import type { ReportData } from '@evenkeel/contract/reports';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { show } from '../../testing/show.tsx';
import type { ChosenFigure } from './reportRows.ts';
import { ReportViewer } from './ReportViewer.tsx';

const SOURCE = {
  accountIds: [101],
  from: null,
  to: isoDate('2026-06-12'),
  basis: 0,
  profitCenterId: null,
  locationId: null,
};

const line = (label: string, itemText: string, hasSource = false) => ({
  lineItems: [
    { itemText: label, isCurrency: false },
    { itemText, isCurrency: true },
  ],
  ...(hasSource ? { source: SOURCE } : {}),
});

const section = (title: string, total: number): ReportData['reportSections'][number] => ({
  title,
  totalTitle: '',
  total: cents(total),
  hasColumnHeaders: false,
  columnHeaders: [],
  reportBlocks: [],
  displayHeader: true,
  displayFooter: true,
  hasColumnSummary: false,
  columnSummaryLines: [],
});

const REPORT: ReportData = {
  title: 'Balance Sheet',
  reportHeaderItems: ['Cedar & Stone', 'Balance Sheet', 'As of June 12, 2026'].map((headerText) => ({ headerText })),
  reportSections: [
    {
      ...section('Current Assets', 4_500_000),
      reportBlocks: [
        {
          blockTitle: 'Bank and Cash',
          displayHeader: true,
          displayFooter: true,
          total: cents(4_500_000),
          reportLines: [line('1000 - Checking', '48316.42', true), line('Overdraft', '-3316.42'), line('Till', '0.00')],
        },
      ],
    },
    { ...section('Total Assets', 4_500_000), totalTitle: 'Total Assets', displayHeader: false },
  ],
  reportSummaries: [{ description: 'Total Liabilities & Equity', amount: cents(4_500_000) }],
};

afterEach(() => vi.restoreAllMocks());

const VIEW = { error: undefined, onRetry: () => undefined, isBusy: false, chosen: undefined, onFigure: undefined };
const rows = () => screen.getAllByRole('row').map((row) => row.textContent);

it('the viewer shows Loading data... and, after a failure, Error loading data... with Retry', async () => {
  const { rerender } = show(<ReportViewer {...VIEW} report={undefined} />);
  expect(screen.getByRole('status').textContent).toBe('Loading data...');
  let tries = 0;
  rerender(<ReportViewer {...VIEW} report={undefined} error="Away" onRetry={() => (tries += 1)} />);
  expect(screen.getByRole('alert').textContent).toContain('Error loading data...');
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(tries).toBe(1);
});

it('a report shows header lines, titles, lines, the totals of blocks and sections, and the summary', () => {
  show(<ReportViewer {...VIEW} report={REPORT} />);
  expect(screen.getByRole('heading', { name: 'Balance Sheet' })).toBeTruthy();
  expect(screen.getByText('As of June 12, 2026')).toBeTruthy();
  expect(rows()).toEqual([
    'Current Assets',
    'Bank and Cash',
    '1000 Checking48,316.42',
    'Overdraft(3,316.42)',
    'Till–0.00',
    'Total Bank and Cash45,000.00',
    'Total Current Assets45,000.00',
    'Total Assets$45,000.00',
    'Total Liabilities & Equity$45,000.00',
  ]);
});

it('an amount or total with a source is a button that opens the source', async () => {
  const chosen: ChosenFigure[] = [];
  show(<ReportViewer {...VIEW} report={REPORT} onFigure={(figure) => chosen.push(figure)} />);
  const buttons = screen.getAllByRole('button');
  expect(buttons.map((button) => button.textContent)).toEqual(['48,316.42', '45,000.00', '45,000.00', '$45,000.00']);
  await userEvent.click(screen.getByRole('button', { name: '48,316.42' }));
  expect(chosen[0]).toMatchObject({ label: '1000 - Checking', source: SOURCE });
  const [total] = screen.getAllByRole('button', { name: '45,000.00' });
  if (total !== undefined) await userEvent.click(total);
  const lines = chosen[1]?.lines?.map(({ cells }) => cells.map((cell) => ('amount' in cell ? cell.amount : cell.text)));
  expect(lines).toEqual([
    ['1000 - Checking', 4_831_642],
    ['Overdraft', -331_642],
    ['Till', 0],
  ]);
});

it('without permission to view entries, no amount is a button', () => {
  show(<ReportViewer {...VIEW} report={REPORT} />);
  expect(screen.queryByRole('button')).toBeNull();
});

it('amount headings are right-aligned, and a section ends with column summaries instead of a total', () => {
  const heads = ['Account', 'Debit', 'Credit'].map((headerText, index) => ({ headerText, isCurrency: index > 0 }));
  const summary = ['Total', '10.00', '10.00'].map((headerText, index) => ({
    headerText,
    isCurrency: index > 0,
    rightAlign: index > 0,
  }));
  const report: ReportData = {
    ...REPORT,
    reportSections: [
      {
        ...section('Trial Balance', 0),
        displayHeader: false,
        hasColumnHeaders: true,
        columnHeaders: heads,
        hasColumnSummary: true,
        columnSummaryLines: [{ columnSummaryItems: summary }],
      },
    ],
    reportSummaries: [],
  };
  show(<ReportViewer {...VIEW} report={report} />);
  const right = within(screen.getByRole('table')).getAllByRole('columnheader');
  expect(right.map((head) => head.hasAttribute('data-right'))).toEqual([false, true, true]);
  expect(rows()).toContain('Total$10.00$10.00');
  expect(rows().some((row) => row?.includes('Total Trial Balance'))).toBe(false);
});

it("headings that apply to all rows are the printed table's header, but section headings stay above their rows", () => {
  const list = (title: string): ReportData['reportSections'][number] => ({
    ...section(title, 0),
    displayHeader: false,
    hasColumnHeaders: true,
    columnHeaders: ['Date', 'Amount'].map((headerText, index) => ({ headerText, isCurrency: index > 0 })),
    reportBlocks: [
      {
        blockTitle: '',
        displayHeader: false,
        displayFooter: false,
        total: cents(0),
        reportLines: [line('6/12/2026', '1.00')],
      },
    ],
  });
  const headsOf = (...sections: ReportData['reportSections']) => {
    const { container, unmount } = show(
      <ReportViewer {...VIEW} report={{ ...REPORT, reportSections: sections, reportSummaries: [] }} />,
    );
    const found = [...container.querySelectorAll('[data-look="heads"]')].map((row) => row.parentElement?.tagName);
    unmount();
    return found;
  };
  expect(headsOf(list('Entries'))).toEqual(['THEAD']);
  expect(headsOf(list('Entries'), list('Others'))).toEqual(['TBODY', 'TBODY']);
});

const compared = (made: ReportData['reportSections'][number]['columnHeaders'], cells: string[]): ReportData => ({
  ...REPORT,
  reportSections: [
    { ...section('', 0), displayHeader: false, displayFooter: false, hasColumnHeaders: true, columnHeaders: made },
    {
      ...section('Current Assets', 0),
      reportBlocks: [
        {
          blockTitle: '',
          displayHeader: false,
          displayFooter: false,
          total: cents(0),
          reportLines: [
            {
              lineItems: [
                { itemText: 'Checking', isCurrency: false },
                ...cells.map((itemText, at) => ({
                  itemText,
                  isCurrency: !/%|^–$/.test(itemText),
                  rightAlign: true,
                  ...(at < made.length - 3 ? { source: { ...SOURCE, accountIds: [101 + at] } } : {}),
                })),
              ],
            },
          ],
        },
      ],
      hasColumnSummary: true,
      columnSummaryLines: [
        {
          columnSummaryItems: ['Total Current Assets', ...cells].map((headerText, at) => ({
            headerText,
            isCurrency: at > 0 && !/%|^–$/.test(headerText),
            rightAlign: at > 0,
            ...(at > 0 && at < made.length - 2 ? { source: SOURCE } : {}),
          })),
        },
      ],
    },
  ],
  reportSummaries: [],
});

type Head = ReportData['reportSections'][number]['columnHeaders'][number];
const head = (headerText: string, made?: Head['made']): Head => ({ headerText, isCurrency: true, made });

it('a difference and its percentage open both amounts, but a percentage without a base is plain text', async () => {
  const chosen: ChosenFigure[] = [];
  const heads = [
    head('Account'),
    head('6/12/2026'),
    head('6/12/2025'),
    head('Difference', { as: 'difference', of: 1, by: 2 }),
    head('%', { as: 'percent', of: 3, by: 2 }),
  ];
  const page = (cells: string[]) => (
    <ReportViewer {...VIEW} report={compared(heads, cells)} onFigure={(figure) => chosen.push(figure)} />
  );
  const { rerender } = show(page(['30.00', '40.00', '-10.00', '(25.0%)']));
  for (const figure of screen.getAllByRole('button', { name: /10\.00|25/ })) await userEvent.click(figure);
  const sides = [
    { title: '6/12/2026', amount: 3000, source: { accountIds: [101] } },
    { title: '6/12/2025', amount: 4000, source: { accountIds: [102] } },
  ];
  expect(chosen[0]).toMatchObject({ label: 'Checking', isTotal: false, source: { accountIds: [101, 102] }, sides });
  expect(chosen[0]?.percent).toBeUndefined();
  expect(chosen[1]).toMatchObject({
    isTotal: false,
    sides,
    percent: { text: '(25.0%)', part: { amount: -1000 }, whole: { title: '6/12/2025', amount: 4000 } },
  });
  expect(chosen[2]).toMatchObject({ label: 'Total Current Assets', isTotal: true, column: 3 });
  expect(chosen[2]?.lines?.map(({ column }) => column)).toEqual([3]);
  rerender(page(['30.00', '0.00', '30.00', '–']));
  expect(screen.queryByRole('button', { name: '–' })).toBeNull();
});

it('clicking a share of income opens the entries behind its amount and shows the total', async () => {
  const chosen: ChosenFigure[] = [];
  const heads = [
    head('Account'),
    head('1/1/2026 – 6/12/2026'),
    head('% of Income', { as: 'share', of: 1, whole: cents(12000) }),
  ];
  const report = compared(heads, ['30.00', '25.0%']);
  const line = report.reportSections[1]?.reportBlocks[0]?.reportLines[0];
  if (line !== undefined) line.source = SOURCE;
  show(<ReportViewer {...VIEW} report={report} onFigure={(figure) => chosen.push(figure)} />);
  await userEvent.click(screen.getAllByRole('button', { name: '25.0%' })[0] ?? document.body);
  expect(chosen[0]).toMatchObject({
    label: 'Checking',
    source: { accountIds: [101] },
    percent: { text: '25.0%', part: { amount: 3000 }, whole: { title: 'Total Income', amount: 12000 } },
  });
  expect(chosen[0]?.sides).toBeUndefined();
});

/** Returns a report with lists of the given lengths, each with its own headings and a total. */
function longLists(...lines: number[]): ReportData {
  const list = (count: number, part: number) => ({
    ...section(`List ${part + 1}`, 0),
    displayHeader: false,
    displayFooter: false,
    hasColumnHeaders: true,
    columnHeaders: ['Name', `Amount ${part + 1}`].map((headerText, at) => ({ headerText, isCurrency: at > 0 })),
    reportBlocks: [
      {
        blockTitle: '',
        displayHeader: false,
        displayFooter: false,
        total: cents(0),
        reportLines: Array.from({ length: count }, (_, at) => line(`Line ${at + 1} of ${part + 1}`, '1.00', true)),
      },
    ],
  });
  return { ...REPORT, reportSections: lines.map(list) };
}

const drawnLines = () =>
  screen.queryAllByText(/^Line \d+ of \d$/, { selector: 'tr:not(.rp-ruler) > th' }).map((row) => row.textContent);
/** Makes the pane high enough for 25 lines, because jsdom has no layout. */
const layOut = () => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
};
const inPane = (report: ReportData, chosen?: string) => (
  <div className="rp-scroll">
    <ReportViewer {...VIEW} report={report} chosen={chosen} onFigure={() => undefined} />
  </div>
);

it('only the visible rows of a report with 1,000 lines are rendered, but all of them are printed', async () => {
  layOut();
  show(inPane(longLists(1000)));
  await screen.findByText('Line 1 of 1', { selector: 'th' });
  expect(drawnLines().length).toBeLessThan(100);
  expect(drawnLines()[0]).toBe('Line 1 of 1');
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('1002');
  expect(screen.getByRole('row', { name: /Line 2 of 1/ }).getAttribute('aria-rowindex')).toBe('3');
  act(() => void window.dispatchEvent(new Event('beforeprint')));
  expect(drawnLines()).toHaveLength(1000);
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBeNull();
  act(() => void window.dispatchEvent(new Event('afterprint')));
  expect(drawnLines().length).toBeLessThan(100);
});

it('all rows of a report with 200 rows are rendered', () => {
  show(inPane(longLists(98, 98)));
  expect(drawnLines()).toHaveLength(196);
});

it("scrolling keeps the visible section's headings and the selected and focused amounts rendered", async () => {
  layOut();
  const { container } = show(inPane(longLists(500, 500), '0.0.30/1'));
  const fifth = await screen.findByText('Line 5 of 1', { selector: 'th' });
  fifth.closest('tr')?.querySelector('button')?.focus();
  const pane = container.querySelector('.rp-scroll');
  await act(async () => {
    if (pane !== null) pane.scrollTop = 700 * 24;
    pane?.dispatchEvent(new Event('scroll'));
    await Promise.resolve();
  });
  const drawn = drawnLines();
  expect(drawn.slice(0, 2)).toEqual(['Line 5 of 1', 'Line 31 of 1']);
  expect(drawn.at(-1)).toMatch(/^Line 2\d\d of 2$/);
  expect(drawn.length).toBeLessThan(100);
  const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(heads).toContain('Amount 2');
  expect(heads).not.toContain('Amount 1');
  expect(document.activeElement?.textContent).toBe('1.00');
});
