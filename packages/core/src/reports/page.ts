import { type Cents, fromPlain } from '../money.ts';
import type {
  AddedSection,
  ColumnSummaryItem,
  MadeOf,
  Report,
  ReportBlock,
  ReportCell,
  ReportSection,
  ReportSource,
} from './report.ts';

/** A cell on the printed page: text, or an amount in cents. An empty amount is null. */
export type PageCell =
  | { text: string; isRight?: boolean | undefined; made?: MadeOf | undefined }
  | { amount: Cents | null; source?: ReportSource | undefined };

/** The kind of a row, which determines its font weight, rule, and indent. */
export type RowLook = 'section' | 'heads' | 'block' | 'line' | 'blockTotal' | 'sectionTotal' | 'total' | 'summary';

export interface PageRow {
  key: string;
  look: RowLook;
  cells: PageCell[];
  /** Whether the total must equal the report's summary. If so, the total gets a double rule. */
  isTied?: boolean;
  /** The level of the indent, 0 to 2. */
  depth?: number;
  /** The keys of the rows that this total adds or subtracts. */
  adds?: readonly { key: string; sign: 1 | -1 }[];
}

/**
 * Returns a report's rows from top to bottom, as shown on the screen, in the PDF, and in the spreadsheet. Each section
 * has its title, column headings, blocks with title, lines, and total, and the section total or column totals. The
 * summaries come last.
 */
export function pageRows(report: Report): PageRow[] {
  const tied = new Set(report.reportSummaries.map((summary) => summary.amount));
  const sections = report.reportSections.map((section, index) => sectionRows(section, `${index}`, tied));
  // The last row of a section is its total.
  const ends = new Map(report.reportSections.map(({ title }, index) => [title, sections[index]?.at(-1)?.key]));
  const added = ({ adds }: { adds?: readonly AddedSection[] | undefined }): Pick<PageRow, 'adds'> => {
    if (adds === undefined) return {};
    return { adds: adds.map(({ title, sign }) => ({ key: ends.get(title) ?? '', sign })) };
  };
  return [
    ...sections.flatMap((rows, index) => {
      const own = report.reportSections[index];
      return own?.adds === undefined ? rows : rows.map((row) => ({ ...row, ...added(own) }));
    }),
    ...report.reportSummaries.map((summary, index): PageRow => ({
      key: `summary ${index}`,
      look: 'summary',
      cells: summary.columnTotals?.map(itemCell) ?? [
        { text: summary.description },
        { amount: summary.amount, source: summary.source },
      ],
      isTied: true,
      ...added(summary),
    })),
  ];
}

/** Returns the number of columns on the printed page. */
export function columnCount(rows: readonly { cells: readonly unknown[] }[]): number {
  return rows.reduce((most, { cells }) => Math.max(most, cells.length), 2);
}

function sectionRows(section: ReportSection, key: string, tied: ReadonlySet<Cents>): PageRow[] {
  const isTable = section.hasColumnHeaders && section.hasColumnSummary;
  const isTotalOnly = section.reportBlocks.length === 0 && !isTable;
  const isTied = isTotalOnly && section.displayFooter && tied.has(section.total);
  return [
    ...(section.displayHeader && !isTotalOnly ? [titleRow(`${key} title`, 'section', section.title)] : []),
    ...headRows(section, key),
    ...section.reportBlocks.flatMap((block, index) =>
      blockRows(block, { key: `${key}.${index}`, depth: section.displayHeader ? 1 : 0 }),
    ),
    ...sectionEnd(section, key).map((row) => (isTotalOnly ? { ...row, isTied } : row)),
  ];
}

function titleRow(key: string, look: RowLook, text: string): PageRow {
  return { key, look, cells: [{ text }] };
}

function headRows({ hasColumnHeaders, columnHeaders }: ReportSection, key: string): PageRow[] {
  if (!hasColumnHeaders) return [];
  const cells = columnHeaders.map(({ headerText: text, isCurrency: isRight, made }) => {
    return { text, isRight, ...(made === undefined ? {} : { made }) };
  });
  return [{ key: `${key} heads`, look: 'heads', cells }];
}

function blockRows(block: ReportBlock, { key, depth }: { key: string; depth: number }): PageRow[] {
  const { blockTitle, displayHeader, displayFooter, total, columnTotals, source, reportLines } = block;
  const title = displayHeader && blockTitle !== '' ? [{ ...titleRow(`${key} title`, 'block', blockTitle), depth }] : [];
  const lines = reportLines.map((line, index): PageRow => ({
    key: `${key}.${index}`,
    look: 'line',
    cells: line.lineItems.map((item) => cellOf(item, item.source ?? line.source)),
    depth: depth + title.length,
  }));
  const cells = columnTotals?.map(itemCell) ?? [{ text: `Total ${blockTitle}` }, { amount: total, source }];
  const foot: PageRow[] = displayFooter ? [{ key: `${key} total`, look: 'blockTotal', cells, depth }] : [];
  return [...title, ...lines, ...foot];
}

function sectionEnd(section: ReportSection, key: string): PageRow[] {
  const { reportBlocks, hasColumnHeaders, totalTitle, title, total, source } = section;
  const isLast = hasColumnHeaders || reportBlocks.length === 0;
  if (section.hasColumnSummary) {
    return section.columnSummaryLines.map((line, index) => ({
      key: `${key} summary ${index}`,
      look: isLast ? 'total' : 'sectionTotal',
      cells: line.columnSummaryItems.map(itemCell),
      ...(hasColumnHeaders ? { isTied: true } : {}),
    }));
  }
  if (!section.displayFooter) return [];
  const words = totalTitle === '' ? `Total ${title}` : totalTitle;
  return [
    {
      key: `${key} total`,
      look: isLast ? 'total' : 'sectionTotal',
      cells: [{ text: words }, { amount: total, source }],
    },
  ];
}

function itemCell({ headerText, isCurrency, rightAlign, source }: ColumnSummaryItem): PageCell {
  return cellOf({ itemText: headerText, isCurrency, rightAlign }, source);
}

function cellOf(
  item: Pick<ReportCell, 'itemText' | 'isCurrency' | 'rightAlign'>,
  source: ReportSource | undefined,
): PageCell {
  if (!item.isCurrency)
    return item.rightAlign === true ? { text: item.itemText, isRight: true } : { text: item.itemText };
  return { amount: item.itemText === '' ? null : fromPlain(item.itemText), source };
}
