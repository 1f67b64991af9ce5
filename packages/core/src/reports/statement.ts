import { type AccountType, type AccountTypeInfo, naturalAmount, type Root } from '../books/accounts.ts';
import { budgetEffect } from '../books/budgets.ts';
import { type Cents, cents, percentOf, sum, ZERO } from '../money.ts';
import { NOTHING } from '../nothing.ts';
import { inAccountOrder, type ReportAccount } from './balances.ts';
import type { Columns } from './compare.ts';
import { grouped, moneyCell, reportHeader, section, textCell, together } from './report.ts';
import type { AddedSection, ColumnSummaryItem, Report, ReportBlock, ReportCell, ReportContext } from './report.ts';
import type { ReportColumn, ReportLine, ReportSection, ReportSource } from './report.ts';

/** An account with its amount in a statement section. Amounts are debit − credit in cents. */
export interface StatementRow {
  account: ReportAccount;
  info: Pick<AccountTypeInfo, 'root' | 'type'> & { section: string };
  amount: Cents;
  source?: ReportSource | undefined;
  /**
   * Whether the row comes before the accounts in its section. Other rows without an account come after the accounts.
   */
  isFirst?: true;
}

/** The accounts in one section of the statement. The section is omitted if no account has an amount. */
export interface SectionSpec {
  section: string;
  /** The label of the section's total. Defaults to "Total" and the section's name. */
  totalTitle?: string;
  /** Titled blocks, or one block for each account category. If omitted, the section contains the accounts directly. */
  blocks?: Readonly<Record<string, readonly AccountType[]>> | 'categories';
  /** Whether the section is shown even if it is empty. */
  always?: true;
}

/** A total of several sections. */
export interface TotalSpec {
  title: string;
  of: readonly string[];
  /** The amount is positive on the side of this root. */
  root: Root;
}

/** A statement: its sections, the totals between them, and the summary at the end. */
export interface StatementSpec {
  parts: readonly (SectionSpec | TotalSpec)[];
  summary: TotalSpec;
}

/**
 * Returns the statement with a column for each set of rows. An account is included if it has an amount in any column.
 */
export function comparedStatement(spec: StatementSpec, of: Columns<StatementRow>, context: ReportContext): Report {
  const { parts, summary } = spec;
  const page = new Page(of, parts);
  const summed = page.total(summary);
  return {
    title: context.title,
    reportHeaderItems: [...reportHeader(context), ...page.notes()],
    reportSections: [
      ...page.heads(),
      ...parts.flatMap((part) => ('section' in part ? page.section(part) : [page.totalLine(part)])),
    ],
    reportSummaries: [
      {
        description: summary.title,
        amount: page.main(summed.amounts) ?? ZERO,
        ...page.columnTotals(summary.title, summed),
        adds: page.adds(summary),
        source: page.main(summed.sources),
      },
    ],
  };
}

/** Returns the amount of a total, which is the same as on the printed page. */
export function amountOf({ of, root }: Omit<TotalSpec, 'title'>, rows: readonly StatementRow[]): Cents {
  return naturalAmount({ root }, sum(rows.flatMap(({ info, amount }) => (of.includes(info.section) ? amount : []))));
}

/** Amounts by column, with the source of each amount. */
interface Summed {
  amounts: readonly Cents[];
  sources: readonly (ReportSource | undefined)[];
  /** Whether a column has any row, even with an amount of zero. */
  has: readonly boolean[];
  /** The amounts are positive on the side of this root. */
  root: Root;
}

/** An account's rows by column. Undefined for a column without a row. */
interface Across {
  first: StatementRow;
  rows: readonly (StatementRow | undefined)[];
}

/**
 * Builds the parts of a statement with one column or several. A single column without a title has no column headings.
 */
class Page {
  readonly #of: Columns<StatementRow>;
  readonly #parts: StatementSpec['parts'];
  readonly #isCompared: boolean;

  constructor(of: Columns<StatementRow>, parts: StatementSpec['parts']) {
    this.#of = of;
    this.#parts = parts;
    this.#isCompared = of.columns.length > 1 || of.columns.some(({ title }) => title !== '');
  }

  /** Returns the value in the statement's main column. */
  main<T>(values: readonly T[]): T | undefined {
    return values[this.#of.main];
  }

  /** Returns a section that contains only the column headings. */
  heads(): ReportSection[] {
    if (!this.#isCompared) return [];
    if (this.#of.more === 'budget') return [section(headsOf(budgetHeads(this.#of)))];
    const titles = ['Account', ...this.#of.columns.map(({ title }) => title)];
    const columnHeaders = [
      ...titles.map((headerText, at) => ({ headerText, isCurrency: at > 0 })),
      ...this.#madeHeads(),
    ];
    return [section(headsOf(columnHeaders))];
  }

  /**
   * Returns a note for the heading that says what the percentages are based on, because printed documents have no
   * tooltips.
   */
  notes(): Report['reportHeaderItems'] {
    const { columns, more } = this.#of;
    if (more === 'share') return [{ headerText: 'Percentages are based on total income' }];
    if (more === 'budget') {
      const notes = ['Parentheses show income below budget or costs above budget'];
      if (this.#hasUnbudgeted()) notes.push('Totals include accounts without a budget');
      return notes.map((headerText) => ({ headerText }));
    }
    if (more === 'change')
      return [{ headerText: `Changes and percentages are relative to ${columns[1]?.title ?? ''}` }];
    return [];
  }

  /** Returns whether an account has an actual amount without a budget in the same period. */
  #hasUnbudgeted(): boolean {
    const { columns } = this.#of;
    return columns.some(({ figures }, at) => {
      const budgeted = new Set(columns[at + 1]?.figures.map(keyOf));
      return at % 2 === 0 && figures.some((row) => row.amount !== 0 && !budgeted.has(keyOf(row)));
    });
  }

  #madeHeads(): ReportColumn[] {
    const { more } = this.#of;
    if (more === 'share') {
      return [{ headerText: '% of Income', isCurrency: true, made: { as: 'share', of: 1, whole: this.#income() } }];
    }
    if (more !== 'change') return [];
    return [
      { headerText: 'Difference', isCurrency: true, made: { as: 'difference', of: 1, by: 2 } },
      { headerText: '%', isCurrency: true, made: { as: 'percent', of: 3, by: 2 } },
    ];
  }

  /** Returns the total income in the first column, calculated like the statement's own total. */
  #income(): Cents {
    return amountOf({ of: ['Income'], root: 'Income' }, this.#of.columns[0]?.figures ?? []);
  }

  /** Returns the total of several sections in each column. */
  total(spec: Omit<TotalSpec, 'title'>): Summed {
    const own = spec.of.flatMap((name) => {
      const part = this.#parts.find((each) => 'section' in each && each.section === name);
      return part === undefined || !('section' in part) ? [] : this.#groups(part).flatMap(([, group]) => group);
    });
    return {
      amounts: this.#of.columns.map(({ figures }) => amountOf(spec, figures)),
      sources: this.#of.columns.map((_, at) => together(own.map(({ rows }) => rows[at]?.source))),
      has: this.#has(own),
      root: spec.root,
    };
  }

  /** Returns the visible sections that a total adds and subtracts. */
  adds({ title: own, of, root }: TotalSpec): AddedSection[] {
    return of.flatMap((title): AddedSection[] => {
      const [first] = this.#rowsOf(title);
      if (first === undefined || title === own) return [];
      const isSame = naturalAmount(first.first.info, cents(1)) === naturalAmount({ root }, cents(1));
      return [{ title, sign: isSame ? 1 : -1 }];
    });
  }

  /** Returns a section with one line, such as Gross Profit. */
  totalLine(spec: TotalSpec): ReportSection {
    const { title } = spec;
    const summed = this.total(spec);
    const { amounts, sources } = summed;
    const total = this.main(amounts) ?? ZERO;
    const line = { title, totalTitle: title, total, displayHeader: false, source: this.main(sources) };
    return section({ ...line, adds: this.adds(spec), ...this.#summary(title, summed) });
  }

  section(spec: SectionSpec): ReportSection[] {
    const { section: title, totalTitle = `Total ${title}`, blocks, always } = spec;
    const groups = this.#groups(spec);
    const own = groups.flatMap(([, group]) => group);
    if (own.length === 0 && always !== true) return [];
    const reportBlocks = groups.map(([name, group]) => this.#block(name, group, blocks !== undefined));
    const summed = this.#sum(own);
    const total = this.main(summed.amounts) ?? ZERO;
    return [section({ title, totalTitle, total, reportBlocks, ...this.#summary(totalTitle, summed) })];
  }

  /** Returns the totals of several columns, or an empty object for a single column. */
  columnTotals(words: string, summed: Summed): { columnTotals?: ColumnSummaryItem[] } {
    if (!this.#isCompared) return {};
    const first = { headerText: words, isCurrency: false, rightAlign: false };
    return { columnTotals: [first, ...this.#cells(summed).map(item)] };
  }

  #summary(words: string, summed: Summed): Partial<ReportSection> {
    const { columnTotals } = this.columnTotals(words, summed);
    return columnTotals === undefined
      ? {}
      : { hasColumnSummary: true, columnSummaryLines: [{ columnSummaryItems: columnTotals }] };
  }

  #groups({ section: title, blocks }: SectionSpec): [string, Across[]][] {
    const own = this.#rowsOf(title);
    return blocks === undefined ? [[title, own]] : groupsOf(blocks, own);
  }

  /** Returns the accounts in a section, in report order. */
  #rowsOf(name: string): Across[] {
    const columns = this.#of.columns.map(({ figures }) => figures.filter(({ info }) => info.section === name));
    const [only] = columns;
    if (columns.length === 1 && only !== undefined) return only.map((row) => ({ first: row, rows: [row] }));
    const firsts = new Map(columns.flat().map((row) => [keyOf(row), row]));
    const found = columns.map((rows) => new Map(rows.map((row) => [keyOf(row), row])));
    return [...firsts.values()]
      .toSorted(inReportOrder)
      .map((first) => ({ first, rows: found.map((rows) => rows.get(keyOf(first))) }));
  }

  #sum(own: readonly Across[]): Summed {
    return {
      amounts: this.#of.columns.map((_, at) => sum(own.map(({ rows }) => natural(rows[at])))),
      sources: this.#of.columns.map((_, at) => together(own.map(({ rows }) => rows[at]?.source))),
      has: this.#has(own),
      root: own[0]?.first.info.root ?? 'Expense',
    };
  }

  #has(own: readonly Across[]): boolean[] {
    return this.#of.columns.map((_, at) => own.some(({ rows }) => rows[at] !== undefined));
  }

  #block(blockTitle: string, own: readonly Across[], framed: boolean): ReportBlock {
    const summed = this.#sum(own);
    return {
      blockTitle,
      displayHeader: framed,
      displayFooter: framed,
      total: this.main(summed.amounts) ?? ZERO,
      ...(framed ? this.columnTotals(`Total ${blockTitle}`, summed) : {}),
      reportLines: own.map((across) => this.#line(across)),
      source: this.main(summed.sources),
    };
  }

  #line({ first, rows }: Across): ReportLine {
    const label = textCell(first.account.label);
    if (!this.#isCompared) return { lineItems: [label, moneyCell(natural(rows[0]))], source: first.source };
    const [amounts, sources] = [rows.map(natural), rows.map((row) => row?.source)];
    const has = rows.map((row) => row !== undefined);
    return { lineItems: [label, ...this.#cells({ amounts, sources, has, root: first.info.root })] };
  }

  /** Returns the amounts of a row with the calculated cells. */
  #cells(summed: Summed): ReportCell[] {
    const { amounts, sources } = summed;
    if (this.#of.more === 'budget') return amounts.flatMap((_, at) => (at % 2 === 0 ? budgetCells(summed, at) : []));
    return [...amounts.map((amount, at) => ({ ...moneyCell(amount), source: sources[at] })), ...this.#made(amounts)];
  }

  /**
   * Returns the calculated cells in a row: either a share, or the difference between the first two amounts, both in
   * dollars and as a percentage.
   */
  #made([now = ZERO, before = ZERO]: readonly Cents[]): ReportCell[] {
    const { more } = this.#of;
    if (more === 'share') return [percentCell(now, this.#income())];
    if (more !== 'change') return [];
    const difference = cents(now - before);
    return [moneyCell(difference), percentCell(difference, cents(Math.abs(before)))];
  }
}

const headsOf = (columnHeaders: ReportColumn[]) => {
  return { title: '', hasColumnHeaders: true, columnHeaders, displayHeader: false, displayFooter: false };
};

/** Returns the headings of a budget report: each period has the actual amount, the budget, and the difference. */
function budgetHeads({ columns }: Columns<StatementRow>): ReportColumn[] {
  const head = (headerText: string) => ({ headerText, isCurrency: true });
  const pairs = columns.flatMap(({ title }, at) => {
    if (at % 2 === 1) return [];
    const period = title.replace(/ Actual$/, '');
    const made = { as: 'effect', of: at * 2 + 1, by: at * 2 + 2 } as const;
    const [actual, budget] = [head(title), head(columns[at + 1]?.title ?? '')];
    return [actual, budget, { ...head(`${period} Difference`), made }, head(`${period} %`)];
  });
  return [{ headerText: 'Account', isCurrency: false }, ...pairs];
}

/**
 * Returns the cells of a period in a budget report: actual amount, budget, and the effect of the difference on net
 * income. Without a budget, there is nothing to compare with.
 */
function budgetCells({ amounts, sources, has, root }: Summed, at: number): ReportCell[] {
  const [actual = ZERO, budget = ZERO] = amounts.slice(at);
  const cell = { ...moneyCell(actual), source: sources[at] };
  if (has[at + 1] !== true) return [cell, nothingCell(), nothingCell(), nothingCell()];
  const effect = budgetEffect(root === 'Income' ? 'Income' : 'Expense', actual, budget);
  return [cell, moneyCell(budget), moneyCell(effect), effectCell(effect, budget)];
}

const nothingCell = (): ReportCell => ({ ...textCell(NOTHING), rightAlign: true });

/** Returns a difference as a percentage of the budget, with the same sign as the amount even if it is rounded to 0. */
function effectCell(effect: Cents, budget: Cents): ReportCell {
  if (effect === 0 || budget === 0) return nothingCell();
  const percent = `${percentOf(cents(Math.abs(effect)), cents(Math.abs(budget)))}%`;
  return { ...nothingCell(), itemText: effect < 0 ? `(${percent})` : percent };
}

/** Returns a cell such as "12.5%", with negative values in parentheses. The cell is empty if the base is zero. */
function percentCell(part: Cents, whole: Cents): ReportCell {
  const percent = whole > 0 ? percentOf(cents(Math.abs(part)), whole) : undefined;
  const isLess = part < 0 && Number(percent) !== 0;
  const itemText = percent === undefined ? NOTHING : isLess ? `(${percent}%)` : `${percent}%`;
  return { ...textCell(itemText), rightAlign: true };
}

const natural = (row: StatementRow | undefined): Cents =>
  row === undefined ? ZERO : naturalAmount(row.info, row.amount);

/** A row without an account, such as net income, uses its name as the key. */
const keyOf = ({ account: { id, name } }: StatementRow): string => (id === 0 ? name : String(id));

/** Compares rows so that rows without an account come either before or after all accounts. */
function inReportOrder(a: StatementRow, b: StatementRow): number {
  return placeOf(a) - placeOf(b) || inAccountOrder(a, b);
}

const placeOf = ({ isFirst, account: { id } }: StatementRow): number => (isFirst === true ? 0 : id === 0 ? 2 : 1);

function item({ itemText, isCurrency, source }: ReportCell): ColumnSummaryItem {
  return { headerText: itemText, isCurrency, rightAlign: true, source };
}

/** Groups rows by type in the order of `blocks`, or by category in the order of each category's first account. */
function groupsOf(blocks: NonNullable<SectionSpec['blocks']>, rows: readonly Across[]): [string, Across[]][] {
  if (blocks === 'categories') return [...grouped(rows, ({ first }) => first.account.category || 'Uncategorized')];
  return Object.entries(blocks)
    .map(([title, types]): [string, Across[]] => [title, rows.filter(({ first }) => types.includes(first.info.type))])
    .filter(([, group]) => group.length > 0);
}
