import { negate } from '@evenkeel/core/money';
import {
  type Columns,
  columnsOf,
  dayColumn,
  type Frame,
  frameOf,
  isGiven,
  markOfColumns,
  moneyColumns,
  otherColumns,
} from './columns.ts';
import { BALANCE, type Dated, OPENING, TableReader } from './dated.ts';
import { dayOf, readDay } from './days.ts';
import { isFigure } from './figures.ts';
import { namesCurrency, plainHeader } from './headers.ts';
import { columnChoices, MoneyGuess } from './money.ts';
import { pendingNote, withoutPending } from './pending.ts';
import { answersOf, decided, markFor, openOf, orderFor } from './settle.ts';
import { answeredTurn, balanceChains, mayHideSide, runningBalances, signed, turnOf } from './signs.ts';
import {
  type AccountKind,
  bankText,
  checkCount,
  type DateOrder,
  type ReadFile,
  type ReadStatement,
  type StatementLine,
  type StatementMapping,
  unreadable,
} from './statement.ts';
import { cellOf, isBlank, type Row, rowsOf } from './table.ts';

const SAMPLE_ROWS = 8;

const formatOf = (separator: string): 'TSV' | 'CSV' => (separator === '\t' ? 'TSV' : 'CSV');

const noStatement = (): Error => unreadable({ row: 1 }, 'The file is not a bank statement in a known format');

/** A parsed table: all rows, the position of the transactions, and the separator. */
interface Table {
  rows: readonly Row[];
  separator: string;
  frame: Frame;
  pending: readonly Row[];
}

/** Reads a table of bank transactions. Columns and signs that can't be determined from the file become questions. */
export function readCsv(text: string, given: StatementMapping = {}, kind?: AccountKind): ReadFile {
  const { rows, separator } = rowsOf(text, given.separator);
  const found = frameOf(rows, given);
  if (found.names.length < 2) throw noStatement();
  const { rows: posted, pending } = withoutPending(found.rows, found.header ? found.names : []);
  const frame = { ...found, rows: posted };
  const said = columnsOf(given);
  const { columns, question } = columnsFound(frame, said, kind);
  const first = found.rows.filter((row) => !isBlank(row)).slice(0, SAMPLE_ROWS);
  const titles = found.header ? rows[found.skip] : undefined;
  const head = {
    columns: frame.names,
    sample: first.map(({ cells }) => cells),
    sampleRows: first.map(({ row }) => row),
    ...(titles === undefined ? {} : { headerRow: titles.row }),
    headerKey: keyOf(frame, columns),
  };
  const table = { rows, separator, frame, pending };
  if (question === undefined) return { ...head, ...readTable(table, columns, { given, kind }) };
  const mapping = { separator, skip: frame.skip, header: frame.header, ...columns, ...decisionsOf(given) };
  const statements = [{ format: formatOf(separator), lines: [] }];
  return { ...head, statements, mapping, questions: [question], ...notesOn(pending, []) };
}

/**
 * Returns the columns that can be determined from the table or that are in the mapping, except the columns of open
 * questions.
 */
function columnsFound(
  frame: Frame,
  said: Columns,
  kind: AccountKind | undefined,
): { columns: Columns; question?: ReadFile['questions'][number] } {
  const day = isGiven(said.dateColumn) ? { dateColumn: said.dateColumn } : dayColumn(frame);
  const { dateColumn } = day;
  if (dateColumn === undefined) {
    const choices = columnChoices(frame, frame.rows, ('asked' in day && day.asked) || columnsOfTable(frame));
    return { columns: said, question: { name: 'dateColumn', choices } };
  }
  const dated = frame.rows.filter(({ cells }) => readDay(cells[dateColumn] ?? '') !== undefined);
  const money = new MoneyGuess({ frame, rows: dated, said: { ...said, dateColumn }, kind }).guess();
  if (money.question !== undefined) return { columns: { ...said, dateColumn }, question: money.question };
  return { columns: otherColumns(frame, { ...said, dateColumn, ...money.columns }) };
}

/** Returns the columns of a table that has no dates. Text without amounts is not a table. */
function columnsOfTable(frame: Frame): number[] {
  const isTable = frame.rows.some(({ cells }) => cells.some((cell) => isFigure(cell)));
  if (!isTable) throw noStatement();
  return frame.names.map((_, column) => column);
}

/** Returns the decisions in a mapping, except for columns. */
function decisionsOf({ dateOrder, decimal, turned, outWord, inWord }: StatementMapping): StatementMapping {
  return {
    ...(dateOrder === undefined ? {} : { dateOrder }),
    ...(decimal === undefined ? {} : { decimal }),
    ...(turned === undefined ? {} : { turned }),
    ...(outWord === undefined ? {} : { outWord }),
    ...(inWord === undefined ? {} : { inWord }),
  };
}

interface Said {
  given: StatementMapping;
  kind: AccountKind | undefined;
}

/** Reads the rows of a table with known columns. */
function readTable({ rows, separator, frame, pending }: Table, columns: Columns, { given, kind }: Said): ReadFile {
  const reader = new TableReader(frame, columns);
  const dated = reader.datedRows();
  const own = dated.map(({ row }) => row);
  const order = orderFor(
    dated.map(({ day }) => day),
    given,
  );
  const mark = markFor(markOfColumns(own, columns), given);
  const money = dated.map((one) => reader.withMoney(one, mark.decimal));
  const known = order.question ? undefined : order.dateOrder;
  const signs = signed(money, columns, given);
  const chains = balanceChains(money, known);
  if (chains.length === 0 && given.amountColumn === undefined) checkCurrency(frame, own, columns);
  const isFirstOpen = mayHideSide(money, columns, chains);
  const found = turnOf(money, { signs, chains: isFirstOpen ? [] : chains, kind });
  const said = signs.question === undefined ? given.turned : undefined;
  const { turned, question } = said === undefined ? found : { turned: said, question: undefined };
  const isAnswered = [question, signs.answer].every((one) => one === undefined) && (columns.amountColumn ?? -1) >= 0;
  const turn = isAnswered ? answeredTurn(money, turned, found) : {};
  const statement = statementOf(money, columns, { separator, dateOrder: order.dateOrder, turned });
  runningBalances(statement, money, { dateOrder: known, turned });
  const number = accountAbove(rows, frame.skip);
  if (number !== undefined) statement.accountNumber = number;
  return {
    statements: [statement],
    mapping: {
      separator,
      skip: frame.skip,
      header: frame.header,
      ...columns,
      ...signs.words,
      ...decided(order, mark),
      ...(question === undefined ? { turned } : {}),
    },
    questions: openOf(order, mark, question === undefined ? {} : { question }),
    answers: answersOf(order, mark, signs, turn),
    ...notesOn(pending, money),
  };
}

/** Throws if one column has amounts in several currencies, because the total would be meaningless. */
function checkCurrency(frame: Frame, rows: readonly Row[], columns: Columns): void {
  const column = frame.header ? frame.names.findIndex((name) => namesCurrency(name)) : -1;
  if (column === -1 || moneyColumns(columns).length > 1) return;
  const first = rows.find(({ cells }) => (cells[column] ?? '').trim() !== '');
  const word = first && cellOf(first, column).text;
  const other = rows.find((row) => ![word, ''].includes(cellOf(row, column).text));
  if (word === undefined || other === undefined) return;
  throw unreadable(
    cellOf(other, column),
    `The file has amounts in ${word} and in ${bankText(cellOf(other, column).text)}. Download a file for one currency`,
  );
}

interface Settled {
  separator: string;
  dateOrder: DateOrder;
  turned: boolean;
}

function statementOf(
  rows: readonly Dated[],
  columns: Columns,
  { separator, dateOrder, turned }: Settled,
): ReadStatement {
  const { checkColumn = -1, bankIdColumn = -1 } = columns;
  const statement: ReadStatement = { format: formatOf(separator), lines: [] };
  for (const { row, day, amount, balance, text } of rows) {
    if (BALANCE.test(text)) {
      const said = amount ?? balance;
      if (said !== undefined) statement[OPENING.test(text) ? 'opening' : 'closing'] = said;
      continue;
    }
    if (amount === undefined) continue;
    const date = dayOf(day, dateOrder);
    const line: StatementLine = { row: row.row, date, amount: turned ? negate(amount) : amount, text };
    const [check, id] = [cellOf(row, checkColumn).text, cellOf(row, bankIdColumn).text];
    if (/[1-9]/.test(check)) line.checkNumber = bankText(check);
    if (id !== '') line.bankId = bankText(id);
    checkCount(statement.lines.length + 1, line);
    statement.lines.push(line);
  }
  return statement;
}

const LONGEST_HEAD = 500;

/** Returns the account number in the lines above the table. */
function accountAbove(rows: readonly Row[], skip: number): string | undefined {
  const above = rows.slice(0, skip).map(({ cells }) => cells.join(' ').slice(0, LONGEST_HEAD));
  const number = /(?:account (?:number|no\.?|#)|kontonummer|iban)\W{0,4}([A-Z]{0,2}[\dX*][\dX* -]{2,}\d)/i;
  return above.map((text) => number.exec(text)?.[1]).find((found) => found !== undefined);
}

/** Returns a key for the layout: its headers or, without headers, the contents of each column. */
function keyOf(frame: Frame, columns: Columns): string {
  if (frame.header) return frame.names.map(plainHeader).join('|');
  const rows = frame.rows.filter((row) => !isBlank(row)).slice(0, SAMPLE_ROWS);
  const kinds = frame.names.map((_, column) => {
    if (column === columns.dateColumn) return 'date';
    if (column === columns.balanceColumn) return 'balance';
    const cells = rows.map(({ cells: all }) => (all[column] ?? '').trim()).filter((cell) => cell !== '');
    return cells.length > 0 && cells.every((cell) => isFigure(cell)) ? 'number' : 'text';
  });
  return kinds.join('|');
}

/** Returns notes for the user about the excluded rows. */
function notesOn(pending: readonly Row[], rows: readonly Dated[]): Pick<ReadFile, 'notes'> {
  const notes: string[] = [];
  if (pending.length > 0) notes.push(pendingNote(pending.length));
  const empty = rows.filter(({ amount, text }) => amount === undefined && !BALANCE.test(text));
  if (empty.length > 0) {
    const places = empty.slice(0, 5).map(({ row }) => row.row);
    const more = empty.length > places.length ? ' and others' : '';
    const have = empty.length === 1 ? '1 row has no amount and is' : `${empty.length} rows have no amount and are`;
    notes.push(`${have} excluded: line${empty.length === 1 ? '' : 's'} ${places.join(', ')}${more}`);
  }
  return notes.length > 0 ? { notes } : {};
}
