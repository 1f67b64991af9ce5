import { negate } from '@evenkeel/core/money';
import { dayCell, dayOf, decideOrder } from './days.ts';
import { amountOf, decideMark } from './figures.ts';
import type { Placed, ReadFile, ReadStatement, StatementLine, StatementMapping } from './statement.ts';

/** A line as its format writes it, before the whole file says how dates and amounts are read. */
export interface RawLine extends Omit<StatementLine, 'date' | 'amount'> {
  date: Placed;
  amount: Placed;
}

export interface RawStatement extends Omit<ReadStatement, 'lines' | 'opening' | 'closing'> {
  lines: RawLine[];
  opening?: Placed;
  closing?: Placed;
}

/** Reads dates and amounts of all accounts of a file together; asks where they may be read two ways. */
export function settled(raw: readonly RawStatement[], given: StatementMapping = {}): ReadFile {
  const lines = raw.flatMap((statement) => statement.lines);
  const balances = raw.flatMap(({ opening, closing }) => [opening, closing].filter((cell) => cell !== undefined));
  const days = lines.map(({ date }) => dayCell(date));
  const order = given.dateOrder === undefined ? decideOrder(days) : { dateOrder: given.dateOrder };
  const figures = [...lines.map(({ amount }) => amount), ...balances];
  const mark = given.decimal === undefined ? decideMark(figures) : { decimal: given.decimal };
  let at = 0;
  const read = (line: RawLine): StatementLine => {
    const amount = amountOf(line.amount, mark.decimal);
    const day = days[at] ?? dayCell(line.date);
    at += 1;
    return { ...line, date: dayOf(day, order.dateOrder), amount: given.turned === true ? negate(amount) : amount };
  };
  const statements = raw.map(({ opening, closing, lines: own, ...facts }): ReadStatement => {
    const statement: ReadStatement = { ...facts, lines: own.map(read) };
    if (opening) statement.opening = amountOf(opening, mark.decimal);
    if (closing) statement.closing = amountOf(closing, mark.decimal);
    return statement;
  });
  const questions = [order, mark].flatMap(({ question }: { question?: ReadFile['questions'][number] }) =>
    question ? [question] : [],
  );
  const turned = given.turned === true ? { turned: true } : {};
  return { statements, questions, mapping: { dateOrder: order.dateOrder, decimal: mark.decimal, ...turned } };
}
