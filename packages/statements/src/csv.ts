import { cents, type Cents, negate } from '@evenkeel/core/money';
import { type Columns, type Frame, frameOf, guessColumns, markOfColumns, optionalAmount, sideOf } from './columns.ts';
import { type DayCell, dayOf, decideOrder, readDay } from './days.ts';
import { isFigure } from './figures.ts';
import { plainHeader } from './headers.ts';
import {
  bankText,
  checkCount,
  type DecimalMark,
  quoted,
  type ReadFile,
  type ReadStatement,
  type StatementLine,
  type StatementMapping,
  type StatementQuestion,
  unreadable,
} from './statement.ts';
import { cellOf, isBlank, type Row, rowsOf } from './table.ts';

const SAMPLE_ROWS = 8;
const BALANCE = /^(opening|beginning|starting|previous|closing|ending|new) (ledger |available )?balance\b/i;
const TOTAL = /^\W*((sub|grand )?totals?|sums?|summe|saldo|count|number of|net change)\b|\bbalance\b/i;

/** A dated row with its money, before its sign is known; a row that tells a balance only has no amount. */
interface Dated {
  row: Row;
  day: DayCell;
  amount: Cents | undefined;
  balance: Cents | undefined;
  text: string;
}

/** Reads the rows of a table whose columns are known. */
class TableReader {
  readonly #frame: Frame;
  readonly #columns: Columns;

  constructor(frame: Frame, columns: Columns) {
    this.#frame = frame;
    this.#columns = columns;
  }

  /** Rows with a date; what else stands in or around them is no money, or is refused. */
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
      // Between dated rows only a row that is called a total has no date.
      if (waiting && found.length > 0 && !isCalledTotal(waiting)) throw this.#noDate(waiting);
      waiting = undefined;
      found.push({ row, day: { ...cell, readings } });
    }
    return found;
  }

  /** A row with money and without a date: one around the table that tells a sum or a balance is left out. */
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

  withMoney({ row, day }: { row: Row; day: DayCell }, decimal: DecimalMark): Dated {
    const { textColumns = [], balanceColumn } = this.#columns;
    const text = bankText(...textColumns.map((column) => row.cells[column]));
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
      throw unreadable({ row: row.row, column: (creditColumn ?? 0) + 1 }, 'The row has money out and money in');
    }
    return debit || (credit ?? cents(0));
  }
}

const isCalledTotal = ({ cells }: Row): boolean =>
  cells.some((cell) => /^\W*(sub|grand )?totals?\W*$|\bbalance\b/i.test(cell.trim()));

/** Signs as the table writes them: by direction, or money out as a negative in its own column. */
function signed(rows: readonly Dated[], columns: Columns): void {
  const { amountColumn = -1, directionColumn = -1, debitColumn = -1, creditColumn = -1 } = columns;
  const amounts = rows.map(({ amount }) => amount ?? 0);
  if (amountColumn >= 0 && directionColumn >= 0 && amounts.every((amount) => amount >= 0)) {
    for (const one of rows) {
      const cell = cellOf(one.row, directionColumn);
      const side = sideOf(cell.text);
      if (side === undefined)
        throw unreadable(cell, `${quoted(cell.text)} does not say whether money came in or went out`);
      if (one.amount !== undefined && side === 'out') one.amount = negate(one.amount);
    }
  }
  if (amountColumn >= 0) return;
  oneSign(rows, debitColumn, -1);
  oneSign(rows, creditColumn, 1);
}

/** Money of a column for one side alone: one whose amounts are all negative shows the same as one where none is. */
function oneSign(rows: readonly Dated[], column: number, sign: 1 | -1): void {
  const own = rows.filter(({ row, amount }) => amount && column >= 0 && /[1-9]/.test(row.cells[column] ?? ''));
  const isNegative = own.every(({ amount }) => (amount ?? 0) < 0);
  if (isNegative === (sign === -1)) return;
  for (const one of own) one.amount = negate(one.amount ?? cents(0));
}

/** −1 where each balance is the one before less the amount, 1 where it is the sum, undefined where neither holds. */
function balanceSign(rows: readonly Dated[]): { sign: 1 | -1; isForward: boolean } | undefined {
  const steps = rows.flatMap(({ amount, balance }) =>
    amount === undefined || balance === undefined ? [] : [{ amount, balance }],
  );
  if (steps.length < rows.filter(({ amount }) => amount !== undefined).length || steps.length < 2) return undefined;
  for (const sign of [1, -1] as const) {
    for (const isForward of [true, false]) {
      const order = isForward ? steps : steps.toReversed();
      const holds = order.every(
        ({ amount, balance }, index) => index === 0 || balance === (order[index - 1]?.balance ?? 0) + sign * amount,
      );
      if (holds) return { sign, isForward };
    }
  }
  return undefined;
}

/** A card's file that writes purchases as positive: the balance tells, or the payments that it thanks for. */
function isTurned(rows: readonly Dated[]): boolean {
  const chain = balanceSign(rows);
  if (chain) return chain.sign === -1;
  const lines = rows.filter(({ amount }) => amount !== undefined && amount !== 0);
  const thanked = lines.filter(({ text }) => /payment.{0,12}thank|autopay|payment received/i.test(text));
  const others = lines.filter((line) => !thanked.includes(line));
  const positive = others.filter(({ amount }) => (amount ?? 0) > 0).length;
  return thanked.length > 0 && thanked.every(({ amount }) => (amount ?? 0) < 0) && positive * 2 > others.length;
}

function linesOf(rows: readonly Dated[], columns: Columns, mapping: StatementMapping): ReadStatement {
  const { checkColumn = -1, bankIdColumn = -1 } = columns;
  const statement: ReadStatement = { format: mapping.separator === '\t' ? 'TSV' : 'CSV', lines: [] };
  for (const { row, day, amount, balance, text } of rows) {
    const isOpening = /^(opening|beginning|starting|previous)/i.test(text);
    if (BALANCE.test(text)) {
      const said = amount ?? balance;
      if (said !== undefined) statement[isOpening ? 'opening' : 'closing'] = said;
      continue;
    }
    if (amount === undefined) continue;
    const date = dayOf(day, mapping.dateOrder ?? 'mdy');
    const line: StatementLine = { row: row.row, date, amount: mapping.turned === true ? negate(amount) : amount, text };
    const [check, id] = [cellOf(row, checkColumn).text, cellOf(row, bankIdColumn).text];
    if (/[1-9]/.test(check)) line.checkNumber = bankText(check);
    if (id !== '') line.bankId = bankText(id);
    checkCount(statement.lines.length + 1, line);
    statement.lines.push(line);
  }
  return statement;
}

/** Opening and closing as the running balance tells them, if it holds from line to line. */
function runningBalances(statement: ReadStatement, rows: readonly Dated[], isTurnedNow: boolean): void {
  const lines = rows.filter(({ amount, text }) => amount !== undefined && !BALANCE.test(text));
  const chain = balanceSign(lines);
  if (!chain || (chain.sign === -1) !== isTurnedNow) return;
  const order = chain.isForward ? lines : lines.toReversed();
  const [first, last] = [order[0], order.at(-1)];
  if (first?.balance === undefined || first.amount === undefined || last?.balance === undefined) return;
  const own = (amount: Cents): Cents => (isTurnedNow ? negate(amount) : amount);
  statement.opening ??= cents(own(first.balance) - own(first.amount));
  statement.closing ??= own(last.balance);
}

/** Asks for the column of amounts where dates stand beside none. */
function columnQuestions(frame: Frame, columns: Columns): StatementQuestion[] {
  const { amountColumn, debitColumn, creditColumn } = columns;
  if ([amountColumn, debitColumn, creditColumn].some((column) => column !== undefined)) return [];
  return [{ name: 'amountColumn', choices: frame.names.map((label, column) => ({ value: String(column), label })) }];
}

/** The account's number in the lines above the table. */
function accountAbove(rows: readonly Row[], skip: number): string | undefined {
  const above = rows.slice(0, skip).map(({ cells }) => cells.join(' '));
  const number = /(?:account (?:number|no\.?|#)|kontonummer|iban)\W{0,4}([A-Z]{0,2}[\dX*][\dX* -]{2,}\d)/i;
  return above.map((text) => number.exec(text)?.[1]).find((found) => found !== undefined);
}

/** Reads a table of bank lines. Whatever the mapping leaves open is guessed, and answered. */
export function readCsv(text: string, given: StatementMapping = {}): ReadFile {
  const { rows, separator } = rowsOf(text, given.separator);
  const frame = frameOf(rows, given);
  if (frame.names.length < 2) throw unreadable({ row: 1 }, 'The file is no bank statement of a known format');
  const columns = guessColumns(frame, given);
  const known = { separator, skip: frame.skip, header: frame.header, ...columns };
  const head = {
    columns: frame.names,
    sample: frame.rows
      .filter((row) => !isBlank(row))
      .slice(0, SAMPLE_ROWS)
      .map(({ cells }) => cells),
    headerKey: frame.header ? frame.names.map(plainHeader).join('|') : `${frame.names.length} columns`,
  };
  if (columns.dateColumn === undefined) throw unreadable({ row: 1 }, 'The file is no bank statement of a known format');
  const open = columnQuestions(frame, columns);
  if (open.length > 0) {
    const format = separator === '\t' ? 'TSV' : 'CSV';
    return { ...head, statements: [{ format, lines: [] }], mapping: known, questions: open };
  }
  const reader = new TableReader(frame, columns);
  const dated = reader.datedRows();
  const order = given.dateOrder ? { dateOrder: given.dateOrder } : decideOrder(dated.map(({ day }) => day));
  const mark = given.decimal
    ? { decimal: given.decimal }
    : markOfColumns(
        dated.map(({ row }) => row),
        columns,
      );
  const money = dated.map((one) => reader.withMoney(one, mark.decimal));
  signed(money, columns);
  const turned = given.turned ?? isTurned(money);
  const mapping = { ...known, dateOrder: order.dateOrder, decimal: mark.decimal, turned };
  const statement = linesOf(money, columns, mapping);
  runningBalances(statement, money, turned);
  const number = accountAbove(rows, frame.skip);
  if (number !== undefined) statement.accountNumber = number;
  const questions = [order, mark].flatMap(({ question }: { question?: StatementQuestion }) =>
    question ? [question] : [],
  );
  return { ...head, statements: [statement], mapping, questions };
}
