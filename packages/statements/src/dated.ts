import { type Cents, cents } from '@evenkeel/core/money';
import { type Columns, type Frame, moneyColumns, optionalAmount, otherWords } from './columns.ts';
import { type DayCell, readDay } from './days.ts';
import { isFigure } from './figures.ts';
import { bankText, type DecimalMark, quoted, unreadable, patternOf } from './statement.ts';
import { cellOf, isBlank, type Row } from './table.ts';

/** Matches a dated row that shows the balance before the first transaction. */
export const OPENING = patternOf(
  'i',
  '^(opening|beginning|starting|previous|anfangs|alter|vortrag|solde initial|ancien|',
  'saldo (inicial|anterior|iniziale|poczatkowe|początkowe)|beginsaldo|vorig)|^balance (brought|',
  'b/f)',
);
export const BALANCE = patternOf(
  'i',
  '^(opening|beginning|starting|previous|closing|ending|new) (ledger |available )?balance\\b|',
  '^(anfangs|end|alter |neuer )(konto)?(saldo|stand)\\b|^(solde (initial|final)|(ancien|',
  'nouveau) solde|saldo (inicial|anterior|final|iniziale|finale|poczatkowe|końcowe|koncowe)|',
  '(begin|eind)saldo)\\b|^balance (brought|carried|[bc]/f)',
);
const TOTAL = patternOf(
  'i',
  '^\\W*((sub|grand )?totals?|totaal|totale|sums?|suma|summe|saldo|count|number of|',
  'net change)\\b|\\bbalance\\b|\\bsaldo\\b|\\bsolde\\b',
);

/** A dated row with its amount, before the sign is known. A row with only a balance has no amount. */
export interface Dated {
  row: Row;
  day: DayCell;
  amount: Cents | undefined;
  balance: Cents | undefined;
  text: string;
}

/** Reads the rows of a table with known columns. */
export class TableReader {
  readonly #frame: Frame;
  readonly #columns: Columns;

  constructor(frame: Frame, columns: Columns) {
    this.#frame = frame;
    this.#columns = columns;
  }

  /**
   * Returns the rows with a date. Throws if another row in or around them has an amount, unless that row is a total.
   */
  datedRows(): { row: Row; day: DayCell }[] {
    const found: { row: Row; day: DayCell }[] = [];
    const column = this.#columns.dateColumn ?? -1;
    let waiting: Row | undefined;
    for (const row of this.#frame.rows) {
      if (isBlank(row)) continue;
      const cell = cellOf(row, column);
      const readings = readDay(cell.text);
      if (readings === undefined) {
        if (this.#hasMoney(row)) waiting = this.#undated(row, waiting);
        continue;
      }
      // Between dated rows, a row with an amount but no date is allowed only if it is labeled as a total.
      if (waiting && found.length > 0 && !isCalledTotal(waiting)) throw this.#noDate(waiting);
      waiting = undefined;
      this.#checkWidth(row);
      found.push({ row, day: { ...cell, readings } });
    }
    return found;
  }

  /** Checks a row with an amount but no date. A total or balance row before or after the table is skipped. */
  #undated(row: Row, before: Row | undefined): Row {
    const first = row.cells.find((cell) => cell.trim() !== '' && !isFigure(cell)) ?? '';
    const date = cellOf(row, this.#columns.dateColumn ?? -1).text;
    const isTotal = TOTAL.test(first.trim()) && (date === '' || date === first.trim());
    if (!isTotal) throw this.#noDate(row);
    return before ?? row;
  }

  #noDate(row: Row): Error {
    const cell = cellOf(row, this.#columns.dateColumn ?? 0);
    return unreadable(cell, cell.text === '' ? 'The date is missing' : `${quoted(cell.text)} is not a date`);
  }

  #hasMoney(row: Row): boolean {
    const { amountColumn = -1, debitColumn = -1, creditColumn = -1 } = this.#columns;
    return [amountColumn, debitColumn, creditColumn].some((column) => isFigure(row.cells[column] ?? ''));
  }

  /**
   * Throws for a row with more cells than column names, because a separator inside an amount would shift the cells
   * after it.
   */
  #checkWidth({ cells, row }: Row): void {
    const { header, width } = this.#frame;
    if (!header || cells.length <= width || cells.findLastIndex((cell) => cell.trim() !== '') < width) return;
    const money = moneyColumns(this.#columns);
    const { textColumns = [] } = this.#columns;
    const isMoved = money.some((column) => textColumns.some((text) => text < column));
    const isCut = money.find(
      (column) =>
        /^\W*\d{1,3}$/.test(cells[column]?.trim() ?? '') && /^\d{3}(\D|$)/.test(cells[column + 1]?.trim() ?? ''),
    );
    if (!isMoved && isCut === undefined) return;
    const column = (isCut ?? width) + 1;
    throw unreadable({ row, column }, `The row has more cells than the ${width} column names`);
  }

  /** Throws 422 for a row whose amount cannot be read, or that has neither an amount nor a balance. */
  withMoney({ row, day }: { row: Row; day: DayCell }, decimal: DecimalMark): Dated {
    const { textColumns = [], balanceColumn } = this.#columns;
    const named = bankText(...textColumns.map((column) => row.cells[column]));
    const text = named === '' ? bankText(...otherWords(row, this.#columns)) : named;
    const balance = optionalAmount(row, balanceColumn, decimal);
    const amount = this.#amount(row, decimal);
    if (amount === undefined && balance === undefined && !BALANCE.test(text)) {
      throw unreadable({ row: row.row, column: this.#moneyColumn() + 1 }, 'The amount is missing');
    }
    return { row, day, amount, balance, text };
  }

  #moneyColumn(): number {
    const { amountColumn, debitColumn, creditColumn } = this.#columns;
    return amountColumn ?? debitColumn ?? creditColumn ?? 0;
  }

  #amount(row: Row, decimal: DecimalMark): Cents | undefined {
    const { amountColumn, debitColumn, creditColumn } = this.#columns;
    if (amountColumn !== undefined && amountColumn >= 0) return optionalAmount(row, amountColumn, decimal);
    const debit = optionalAmount(row, debitColumn, decimal);
    const credit = optionalAmount(row, creditColumn, decimal);
    if (debit === undefined && credit === undefined) return undefined;
    if (debit && credit) {
      throw unreadable({ row: row.row, column: (creditColumn ?? 0) + 1 }, 'The row has both money in and money out');
    }
    return debit || (credit ?? cents(0));
  }
}

const isCalledTotal = ({ cells }: Row): boolean =>
  cells.some((cell) => /^\W*(sub|grand )?totals?\W*$|\bbalance\b/i.test(cell.trim()));
