import type { ReportData } from '@evenkeel/contract/reports';
import { type Cents, fromPlain } from '@evenkeel/core/money';

export type Section = ReportData['reportSections'][number];
export type Block = Section['reportBlocks'][number];
export type Source = NonNullable<Block['source']>;

/** A cell of the printed page: words, or an amount in cents; null is an empty amount. */
export type PageCell = { text: string } | { amount: Cents | null; source?: Source | undefined };

/** What a row of the page is: its weight, its rule and its indent follow from it. */
export type RowLook = 'section' | 'heads' | 'block' | 'line' | 'blockTotal' | 'sectionTotal' | 'total' | 'summary';

export interface PageRow {
  key: string;
  look: RowLook;
  cells: PageCell[];
  /** Right-aligned columns of a `heads` row. */
  right?: boolean[];
  /** A total that the report's summary ties to: it gets the double rule. */
  isTied?: boolean;
  /** How far it is indented: 0 to 2. */
  depth?: number;
}

/**
 * The rows of a report, top to bottom, as the viewer prints them: section title, column heads, blocks with title, lines
 * and total, then the section's total or its column summary lines; the summaries end the page (part 2 §2).
 */
export function pageRows(report: ReportData): PageRow[] {
  const tied = new Set(report.reportSummaries.map((summary) => summary.amount));
  return [
    ...report.reportSections.flatMap((section, index) => sectionRows(section, `${index}`, tied)),
    ...report.reportSummaries.map((summary, index): PageRow => ({
      key: `summary ${index}`,
      look: 'summary',
      cells: [{ text: summary.description }, { amount: summary.amount, source: summary.source }],
      isTied: true,
    })),
  ];
}

/** How many columns the page has. */
export function columnCount(rows: readonly PageRow[]): number {
  return Math.max(2, ...rows.map((row) => row.cells.length));
}

function sectionRows(section: Section, key: string, tied: ReadonlySet<Cents>): PageRow[] {
  const isTotalOnly = section.reportBlocks.length === 0 && !section.hasColumnSummary;
  return [
    ...(section.displayHeader && !isTotalOnly ? [titleRow(`${key} title`, 'section', section.title)] : []),
    ...headRows(section, key),
    ...section.reportBlocks.flatMap((block, index) =>
      blockRows(block, { key: `${key}.${index}`, depth: section.displayHeader ? 1 : 0 }),
    ),
    ...sectionEnd(section, key).map((row) => (isTotalOnly ? { ...row, isTied: tied.has(section.total) } : row)),
  ];
}

function titleRow(key: string, look: RowLook, text: string): PageRow {
  return { key, look, cells: [{ text }] };
}

function headRows({ hasColumnHeaders, columnHeaders }: Section, key: string): PageRow[] {
  if (!hasColumnHeaders) return [];
  const cells = columnHeaders.map((head) => ({ text: head.headerText }));
  return [{ key: `${key} heads`, look: 'heads', cells, right: columnHeaders.map((head) => head.isCurrency) }];
}

function blockRows(block: Block, { key, depth }: { key: string; depth: number }): PageRow[] {
  const { blockTitle, displayHeader, displayFooter, total, source, reportLines } = block;
  const title = displayHeader && blockTitle !== '' ? [{ ...titleRow(`${key} title`, 'block', blockTitle), depth }] : [];
  const lines = reportLines.map((line, index): PageRow => ({
    key: `${key}.${index}`,
    look: 'line',
    cells: line.lineItems.map((item) => cellOf(item, item.source ?? line.source)),
    depth: depth + title.length,
  }));
  const cells = [{ text: `Total ${blockTitle}` }, { amount: total, source }];
  const foot: PageRow[] = displayFooter ? [{ key: `${key} total`, look: 'blockTotal', cells, depth }] : [];
  return [...title, ...lines, ...foot];
}

function sectionEnd(section: Section, key: string): PageRow[] {
  if (section.hasColumnSummary) {
    return section.columnSummaryLines.map((line, index): PageRow => ({
      key: `${key} summary ${index}`,
      look: 'total',
      cells: line.columnSummaryItems.map((item) =>
        cellOf({ itemText: item.headerText, isCurrency: item.isCurrency }, item.source),
      ),
      isTied: true,
    }));
  }
  if (!section.displayFooter) return [];
  const title = section.totalTitle === '' ? `Total ${section.title}` : section.totalTitle;
  const look = section.reportBlocks.length === 0 ? 'total' : 'sectionTotal';
  return [{ key: `${key} total`, look, cells: [{ text: title }, { amount: section.total, source: section.source }] }];
}

function cellOf(item: { itemText: string; isCurrency: boolean }, source: Source | undefined): PageCell {
  if (!item.isCurrency) return { text: item.itemText };
  return { amount: item.itemText === '' ? null : fromPlain(item.itemText), source };
}

/** "1000 - Checking" → its number and its name; a label without a number is all name. */
export function splitLabel(label: string): { number: string; name: string } {
  const match = /^(\S+) - (.+)$/.exec(label);
  return { number: match?.[1] ?? '', name: match?.[2] ?? label };
}

/** The lines that a total adds up: those whose accounts are among its own. */
export function linesBehind(report: ReportData, source: Source): PageRow[] {
  const accounts = new Set(source.accountIds);
  return pageRows(report).filter((row) => {
    const behind = row.cells.flatMap((cell) => ('amount' in cell && cell.amount !== null ? [cell.source] : []));
    return row.look === 'line' && behind.some((each) => each?.accountIds.every((id) => accounts.has(id)) === true);
  });
}
