import { negate } from '@evenkeel/core/money';
import { dayCell, type DayCell, dayOf, decideOrder } from './days.ts';
import { amountOf, decideMark } from './figures.ts';
import type {
  Placed,
  ReadFile,
  ReadStatement,
  StatementAnswer,
  StatementLine,
  StatementMapping,
  StatementQuestion,
} from './statement.ts';

type Decided<Name extends 'dateOrder' | 'decimal'> = Required<Pick<StatementMapping, Name>> & {
  isProved: boolean;
  question?: StatementQuestion;
  answer?: StatementAnswer;
};

/**
 * A bank transaction as written in its format, before the whole file has shown how dates and amounts are to be read.
 */
export interface RawLine extends Omit<StatementLine, 'date' | 'amount'> {
  date: Placed;
  amount: Placed;
}

export interface RawStatement extends Omit<ReadStatement, 'lines' | 'opening' | 'closing'> {
  lines: RawLine[];
  opening?: Placed;
  closing?: Placed;
}

/**
 * Reads the dates and amounts of all accounts in a file together. If the dates or amounts are ambiguous, adds a
 * question for the user.
 */
export function settled(raw: readonly RawStatement[], given: StatementMapping = {}): ReadFile {
  const lines = raw.flatMap((statement) => statement.lines);
  const balances = raw.flatMap(({ opening, closing }) => [opening, closing].filter((cell) => cell !== undefined));
  const days = lines.map(({ date }) => dayCell(date));
  const order = orderFor(days, given);
  const figures = [...lines.map(({ amount }) => amount), ...balances];
  const mark = markFor(decideMark(figures), given);
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
  return {
    statements,
    questions: openOf(order, mark),
    answers: answersOf(order, mark),
    mapping: { ...decided(order, mark), ...turnedOf(given) },
  };
}

const turnedOf = ({ turned }: StatementMapping): StatementMapping => (turned === true ? { turned } : {});

/**
 * Returns the order of day, month, and year from the mapping or, if the mapping has none, the order that the file
 * shows.
 */
export function orderFor(days: readonly DayCell[], { dateOrder }: StatementMapping): Decided<'dateOrder'> {
  const found = decideOrder(days);
  if (dateOrder === undefined) return found;
  return { dateOrder, isProved: true, ...saidBy(found, dateOrder) };
}

/** Returns the decimal mark from the mapping or, if the mapping has none, the mark that the file shows. */
export function markFor(found: Decided<'decimal'>, { decimal }: StatementMapping): Decided<'decimal'> {
  return decimal === undefined ? found : { decimal, isProved: true, ...saidBy(found, decimal) };
}

/** Returns the question that a value in the mapping answers, if the file itself leaves the question open. */
function saidBy({ question }: { question?: StatementQuestion }, value: string): { answer?: StatementAnswer } {
  return question === undefined ? {} : { answer: { ...question, value, isProved: false } };
}

/**
 * Returns the decisions that the file proves, and the decisions that the user made. An assumed order is not a decision
 * and is never saved.
 */
export function decided(order: Decided<'dateOrder'>, mark: Decided<'decimal'>): StatementMapping {
  return {
    ...(order.isProved ? { dateOrder: order.dateOrder } : {}),
    ...(mark.isProved ? { decimal: mark.decimal } : {}),
  };
}

/** Returns the open questions. */
export function openOf(...all: readonly { question?: StatementQuestion }[]): StatementQuestion[] {
  return all.flatMap(({ question }) => question ?? []);
}

/** Returns the answered questions. */
export function answersOf(...all: readonly { answer?: StatementAnswer }[]): StatementAnswer[] {
  return all.flatMap(({ answer }) => answer ?? []);
}
