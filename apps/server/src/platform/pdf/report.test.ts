import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { formatDate, isoDate } from '@evenkeel/core/dates';
import { cents, formatAmount } from '@evenkeel/core/money';
import type { PageRow } from '@evenkeel/core/reports/page';
import { type ReportPaper, reportPdf } from './report.ts';
import { pagesOf } from './testing/pages.ts';
import { reportWorkbook } from './workbook.ts';

const money = (amount: number | null) => ({ amount: amount === null ? null : cents(amount) });
const line = (key: number, text: string, ...amounts: (number | null)[]): PageRow => ({
  key: String(key),
  look: 'line',
  depth: 1,
  cells: [{ text }, ...amounts.map(money)],
});
const total = (look: PageRow['look'], text: string, ...amounts: number[]): PageRow => ({
  key: text,
  look,
  cells: [{ text }, ...amounts.map(money)],
});
const heads = (...titles: string[]): PageRow => ({
  key: 'heads',
  look: 'heads',
  cells: titles.map((text, at) => ({ text, isRight: at > 0 })),
});
const paper = (rows: PageRow[]): ReportPaper => ({
  title: 'Trial / Balance',
  head: ['Cedar & Stone', 'Trial / Balance', 'As of June 30, 2026', 'Accrual basis'],
  rows,
});

const HOSTILE = ['=1+1', '+SUM(A1)', '-2', '@now', '\tTab', 'O’Hara & <Sons> "Ltd"', '合同会社', '='.repeat(200)];
const BOOK = [
  heads('Account', 'Debit', 'Credit'),
  { key: 'b', look: 'block' as const, cells: [{ text: 'Bank and Cash' }] },
  line(1, '1000 - Checking', 123_456, null),
  line(2, HOSTILE[0] ?? '', -2000, null),
  total('blockTotal', 'Total Bank and Cash', 121_456, 0),
  ...HOSTILE.slice(1).map((text, at) => line(10 + at, text, null, 100 + at)),
  total('total', 'Total', 121_456, 721),
  total('summary', 'Net Income', 99_999, 5),
];

/** The number of lines in a long report: 5,000 in a torture run. */
const LINES = Math.min(5000, Number(process.env['TORTURE_RUNS'] ?? 400));

describe('a printed report', () => {
  it('a long landscape report shows each line once, with headings and page numbers on each page', async () => {
    const lines = Array.from({ length: LINES }, (_, at) => line(at, `Account no ${at}.`, 1_000_000 + at, null));
    const pdf = await reportPdf(paper([heads('Account', 'Debit', 'Credit'), ...lines, total('total', 'Total', 7, 8)]));
    const pages = await pagesOf(pdf);
    const text = pages.join('\n');
    for (let at = 0; at < LINES; at += 1) {
      expect(text.split(`Account no ${at}.`)).toHaveLength(2);
      expect(text.split(formatAmount(cents(1_000_000 + at)))).toHaveLength(2);
    }
    for (const [at, page] of pages.entries()) {
      expect(page).toContain(`${at + 1}/${pages.length}`);
      expect(page).toMatch(/Account\s+Debit\s+Credit/);
    }
    expect(Buffer.from(pdf).toString('latin1')).toMatch(/\/MediaBox \[0 0 792 612\]/);
  });

  it('a report with too many columns continues with the first column repeated, and nothing is cut off', async () => {
    const months = Array.from({ length: 24 }, (_, at) => `Month ${at + 1}.`);
    const figures = months.map((_, at) => 1_234_567_800 + at);
    const pages = await pagesOf(
      await reportPdf(paper([heads('', ...months), line(1, 'Sales of everything', ...figures)])),
    );
    const text = pages.join(' ');
    for (const [at, month] of months.entries()) {
      expect(text.split(month)).toHaveLength(2);
      expect(text).toContain(`12,345,678.${String(at).padStart(2, '0')}`);
    }
    expect(pages.length).toBeGreaterThan(1);
    expect(text.split('Sales of everything')).toHaveLength(pages.length + 1);
  });

  it('a report wraps text in many columns, so that all columns of a row fit next to each other', async () => {
    const titles = ['Date', 'Type', 'No.', 'Name', 'Memo'].map((text) => ({ text }));
    const name = 'Westmoreland Consolidated Groundworks and Irrigation Partners';
    const words = ['12/31/2026', 'Journal entry', 'RECHNUNG-2024-100449', name, name].map((text) => ({ text }));
    const rows = [
      { ...heads(), cells: [...titles, ...['Debit', 'Credit', 'Balance'].map((text) => ({ text, isRight: true }))] },
      { ...line(1, ''), cells: [...words, money(999_999_999), money(null), money(9_999_999_999)] },
    ];
    const pages = await pagesOf(await reportPdf(paper(rows)));
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatch(/Memo\s+Debit\s+Credit\s+Balance/);
    expect(pages[0]).toContain('99,999,999.99');
  });

  it('a report never has a title at the bottom of a page and its first line on the next page', async () => {
    const title = (look: PageRow['look'], text: string): PageRow => ({ key: text, look, cells: [{ text }] });
    const groups = Array.from({ length: 80 }, (_, at) => [
      ...(at % 2 === 0 ? [title('section', `Part ${at}.`)] : []),
      { ...title('block', `Group ${at}.`), depth: 1 },
      ...Array.from({ length: 1 + ((at * 7) % 4) }, (_line, row) => line(at, `Line ${row} of ${at}.`, 100 + row, 1)),
      total('blockTotal', 'Sum', 100, 1),
    ]);
    const pages = await pagesOf(await reportPdf(paper([heads('Account', 'Debit', 'Credit'), ...groups.flat()])));
    expect(pages.length).toBeGreaterThan(7);
    const pageOf = (text: string) => pages.flatMap((page, at) => (page.includes(text) ? [at] : []));
    for (const at of groups.keys()) {
      const first = pageOf(`Line 0 of ${at}.`);
      expect(first).toHaveLength(1);
      expect([at, pageOf(`Group ${at}.`)]).toEqual([at, first]);
      expect([at, pageOf(`Part ${at}.`)]).toEqual([at, at % 2 === 0 ? first : []]);
    }
  });

  it('a report prints users’ text unchanged', async () => {
    const text = (await pagesOf(await reportPdf(paper(BOOK)))).join(' ');
    for (const words of ['O’Hara & <Sons> "Ltd"', '合同会社', '=1+1', '(20.00)', '$999.99']) {
      expect(text).toContain(words);
    }
  });
});

/** Returns the cells of the sheet, keyed by their references. */
function cellsOf(bytes: Uint8Array) {
  const files = unzipSync(bytes);
  const xml = strFromU8(files['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
  const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };
  const found = [
    ...xml.matchAll(
      /<c r="([A-Z]+\d+)" s="(\d+)"[^>]*?>(?:<f>(.*?)<\/f>)?(?:<v>(.*?)<\/v>|<is><t[^>]*>(.*?)<\/t><\/is>)<\/c>/gs,
    ),
  ];
  const cells = new Map(
    found.map(([, place = '', style, formula, number, text]) => [
      place,
      {
        style,
        formula,
        value: number === undefined ? text?.replace(/&\w+;/g, (sign) => entities[sign] ?? '') : Number(number),
      },
    ]),
  );
  return { xml, cells, files };
}

describe('a report workbook', () => {
  const { xml, cells, files } = cellsOf(reportWorkbook(paper(BOOK)));
  const column = (name: string) => [...cells].filter(([place]) => place.startsWith(name)).map(([, cell]) => cell.value);

  it('a workbook stores numbers as numbers, and all text as text, regardless of its first character', () => {
    const words = [
      'Cedar & Stone',
      'Trial / Balance',
      'As of June 30, 2026',
      'Accrual basis',
      'Account',
      'Bank and Cash',
    ];
    const accounts = ['1000 - Checking', '=1+1', 'Total Bank and Cash', '+SUM(A1)', '-2', '@now', 'Tab'];
    const foreign = ['O’Hara & <Sons> "Ltd"', '合同会社', '='.repeat(200), 'Total', 'Net Income'];
    expect(column('A')).toEqual([...words, ...accounts, ...foreign]);
    expect(column('B')).toEqual(['Debit', 1234.56, -20, 1214.56, 1214.56, 999.99]);
    expect([...xml.matchAll(/<f>/g)]).toHaveLength(4);
  });

  it('a workbook has formulas that recalculate the same totals, but none for lines without a total', () => {
    const subtotal = (formula: string): number => {
      const [, name = '', from, to] = /^SUBTOTAL\(9,([A-Z]+)(\d+):[A-Z]+(\d+)\)$/.exec(formula) ?? [];
      let sum = 0;
      for (let row = Number(from); row <= Number(to); row += 1) {
        const cell = cells.get(`${name}${row}`);
        if (cell?.formula === undefined && typeof cell?.value === 'number') sum += Math.round(cell.value * 100);
      }
      return sum / 100;
    };
    const sums = [...cells.values()].filter((cell) => cell.formula !== undefined);
    expect(sums.map(({ formula = '' }) => subtotal(formula))).toEqual(sums.map((cell) => cell.value));
    expect(sums.map((cell) => cell.value)).toEqual([1214.56, 0, 1214.56, 7.21]);
  });

  it('a workbook stores dates as dates in the report format, and stores no other text as a date', () => {
    const written = [formatDate(isoDate('2026-05-06')), formatDate(isoDate('2026-12-31')), '13/1/2026', '5/6'];
    const book = [heads('Date', 'Amount'), ...written.map((text, at) => line(at, text, 100))];
    const dated = cellsOf(reportWorkbook(paper(book))).cells;
    const shown = [7, 8, 9, 10].flatMap((row) => dated.get(`A${row}`) ?? []);
    expect(shown.map(({ style, value }) => [style, value])).toEqual([
      ['2', 46_148],
      ['2', 46_387],
      ['0', '13/1/2026'],
      ['0', '5/6'],
    ]);
  });

  it('a workbook shows complete names: columns grow with their names up to a limit, and longer names wrap', () => {
    const long = 'Westmoreland Consolidated Groundworks and Irrigation Partners';
    const names = ['Checking', '合同会社みどりの園芸と造園', long, '合同会社'.repeat(8)];
    const book = [
      heads('Account', 'Debit'),
      { key: 'b', look: 'block' as const, cells: [{ text: long }] },
      ...names.map((text, at) => line(at, text, 100)),
      total('blockTotal', `Total ${long}`, 400),
    ];
    const sheet = cellsOf(reportWorkbook(paper(book)));
    const styles = strFromU8(sheet.files['xl/styles.xml'] ?? new Uint8Array());
    const formats = /<cellXfs.*?>(.*)<\/cellXfs>/s.exec(styles)?.[1]?.match(/<xf .*?(?:\/>|<\/xf>)/gs) ?? [];
    expect(sheet.xml).toContain('<col min="1" max="1" width="48" customWidth="1"/>');
    const wraps = (place: string) => formats[Number(sheet.cells.get(place)?.style)]?.includes('wrapText="1"');
    // The block's title extends across the empty cells next to it.
    expect(['A7', 'A8', 'A9', 'A10', 'A11', 'A12'].map(wraps)).toEqual([false, false, false, true, true, true]);
    const narrow = cellsOf(reportWorkbook(paper([heads('Account', 'Debit'), line(1, names[1] ?? '', 100)])));
    expect(narrow.xml).toContain('<col min="1" max="1" width="29" customWidth="1"/>');
  });

  it("a workbook keeps its headings visible and has the report's name", () => {
    expect(xml).toContain('<pane ySplit="6" topLeftCell="A7" activePane="bottomLeft" state="frozen"/>');
    expect(strFromU8(files['xl/workbook.xml'] ?? new Uint8Array())).toContain('<sheet name="Trial  Balance"');
  });
});
