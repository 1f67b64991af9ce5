import { type Cents, cents } from '@evenkeel/core/money';
import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { refusalAt, type SourceLine, type SourceTransaction } from './books.ts';
import { shown } from './cells.ts';
import { FILTERED } from './entries.ts';
import { grouped } from './grouped.ts';

/** A line in a report that is sorted by account, before the lines are combined into transactions. */
export interface LooseLine {
  date: IsoDate;
  type: string;
  number: string;
  party: string;
  memo: string;
  account: string;
  amount: Cents;
  row: number;
}

/** Combinations of values that the lines of a transaction share, from the narrowest to the widest. */
const LEVELS: readonly ((line: LooseLine) => string)[] = [
  ({ date, type, number, party }) => `${date}|${type}|${number}|${party}`,
  ({ date, type, number }) => `${date}|${type}|${number}`,
  ({ date, type }) => `${date}|${type}`,
  ({ date }) => date,
];

/**
 * Combines lines into transactions. Lines with the same date, type, number, and name become one transaction if they
 * balance. The remaining lines are combined by fewer of these values. Throws a Refusal if lines remain that don't form
 * a transaction on their day.
 */
export function regrouped(file: string, lines: readonly LooseLine[]): SourceTransaction[] {
  const found: SourceTransaction[] = [];
  let left = lines;
  for (const keyOf of LEVELS) {
    const groups = grouped(left, keyOf);
    const open: LooseLine[] = [];
    for (const group of groups.values()) {
      if (sumOf(group) === 0) found.push(transactionOf(file, group));
      else open.push(...group);
    }
    left = open;
  }
  const [first] = left.toSorted((a, b) => a.row - b.row);
  if (first !== undefined) {
    const group = left.filter(({ date }) => date === first.date);
    throw refusalAt(
      { file, row: first.row },
      `The entries on ${formatDate(first.date)} are out of balance by ${shown(cents(Math.abs(sumOf(group))))}. ` +
        FILTERED,
      group.map(({ row }) => row),
    );
  }
  return found.toSorted((a, b) => (a.date === b.date ? a.place.row - b.place.row : a.date < b.date ? -1 : 1));
}

const sumOf = (lines: readonly LooseLine[]): number => lines.reduce((sum, { amount }) => sum + amount, 0);

function transactionOf(file: string, group: readonly LooseLine[]): SourceTransaction {
  const [first] = group;
  const { date, type, number } = first ?? { date: undefined, type: '', number: '' };
  if (date === undefined) throw new Error('a group has no lines');
  const party = group.find((line) => line.party !== '')?.party;
  const memo = group.find((line) => line.memo !== '')?.memo;
  const lines = group.map((line): SourceLine => {
    return {
      account: line.account,
      amount: line.amount,
      ...(line.party === '' ? {} : { party: line.party }),
      ...(line.memo === '' || line.memo === memo ? {} : { memo: line.memo }),
      place: { file, row: line.row },
    };
  });
  const row = Math.min(...group.map((line) => line.row));
  return {
    date,
    type,
    ...(number === '' ? {} : { number }),
    ...(party === undefined ? {} : { party }),
    ...(memo === undefined ? {} : { memo }),
    lines,
    place: { file, row },
  };
}
