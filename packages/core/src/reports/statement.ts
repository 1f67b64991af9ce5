import { type AccountType, naturalAmount, type Root, type StatementSection } from '../accounts.ts';
import { type Cents, sum } from '../money.ts';
import type { ReportRow } from './balances.ts';
import { grouped, moneyCell, reportHeader, section, textCell, together } from './report.ts';
import type { Report, ReportBlock, ReportContext, ReportLine, ReportSection, ReportSource } from './report.ts';

/** The accounts of one section of the chart; left out when none of them has an amount. */
export interface SectionSpec {
  section: StatementSection;
  /** "Total" and the section's name when nothing is said. */
  totalTitle?: string;
  /** Framed blocks, by title or one for each account category; without, the accounts stand in the section itself. */
  blocks?: Readonly<Record<string, readonly AccountType[]>> | 'categories';
  /** Stands there also with nothing in it. */
  always?: true;
}

/** What some sections come to. */
export interface TotalSpec {
  title: string;
  of: readonly StatementSection[];
  /** The amount is positive on the side of this root. */
  root: Root;
}

/** What a statement is: its sections and the totals between them, and what it comes to in the end. */
export interface StatementSpec {
  title: string;
  parts: readonly (SectionSpec | TotalSpec)[];
  summary: TotalSpec;
}

/** A report in sections of accounts (accounting: A10); the rows are those to show, in their order. */
export function statement(spec: StatementSpec, rows: readonly ReportRow[], context: ReportContext): Report {
  const { title, parts, summary } = spec;
  const sections = new Map(
    parts.flatMap((part) => ('section' in part ? [[part.section, sectionOf(part, rows)] as const] : [])),
  );
  const behind = ({ of }: TotalSpec): ReportSource | undefined =>
    together(of.flatMap((name) => sourcesIn(sections.get(name) ?? [])));
  return {
    title,
    reportHeaderItems: reportHeader(title, context),
    reportSections: parts.flatMap((part) =>
      'section' in part
        ? (sections.get(part.section) ?? [])
        : [totalLine(part.title, amountOf(part, rows), behind(part))],
    ),
    reportSummaries: [{ description: summary.title, amount: amountOf(summary, rows), source: behind(summary) }],
  };
}

/** The amount of a total, the same with and without the page. */
export function amountOf({ of, root }: Omit<TotalSpec, 'title'>, rows: readonly ReportRow[]): Cents {
  return naturalAmount({ root }, sum(rows.flatMap(({ info, amount }) => (of.includes(info.section) ? amount : []))));
}

/** A section that is one line, such as Gross Profit. */
export function totalLine(title: string, total: Cents, source?: ReportSource): ReportSection {
  return section({ title, totalTitle: title, total, displayHeader: false, source });
}

function sectionOf({ section: title, totalTitle, blocks, always }: SectionSpec, rows: readonly ReportRow[]) {
  const own = rows.filter((row) => row.info.section === title);
  if (own.length === 0 && always !== true) return [];
  const reportBlocks =
    blocks === undefined
      ? [blockOf(title, own, false)]
      : groupsOf(blocks, own).map(([name, group]) => blockOf(name, group, true));
  return [section({ title, ...(totalTitle === undefined ? {} : { totalTitle }), total: totalOf(own), reportBlocks })];
}

/** By type in the order of the specification, by category in the order of each one's first account. */
function groupsOf(blocks: NonNullable<SectionSpec['blocks']>, rows: readonly ReportRow[]): [string, ReportRow[]][] {
  if (blocks === 'categories') return [...grouped(rows, ({ account }) => account.category || 'Uncategorized')];
  return Object.entries(blocks)
    .map(([title, types]): [string, ReportRow[]] => [title, rows.filter(({ info }) => types.includes(info.type))])
    .filter(([, group]) => group.length > 0);
}

function blockOf(blockTitle: string, rows: readonly ReportRow[], framed: boolean): ReportBlock {
  return {
    blockTitle,
    displayHeader: framed,
    displayFooter: framed,
    total: totalOf(rows),
    reportLines: rows.map(lineOf),
    source: together(rows.map((row) => row.source)),
  };
}

function lineOf({ account, info, amount, source }: ReportRow): ReportLine {
  return { lineItems: [textCell(account.label), moneyCell(naturalAmount(info, amount))], source };
}

function totalOf(rows: readonly ReportRow[]): Cents {
  return sum(rows.map(({ info, amount }) => naturalAmount(info, amount)));
}

function sourcesIn(sections: readonly ReportSection[]): (ReportSource | undefined)[] {
  return sections.flatMap((each) => each.reportBlocks.flatMap((block) => block.reportLines.map((line) => line.source)));
}
