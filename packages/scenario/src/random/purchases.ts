import { addDays, laterOf } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import type { BillEvent, ScenarioBillLine, ScenarioEvent } from '../scenario.ts';
import { randomDate, type Turn, VENDORS } from './turn.ts';

const BOUGHT = [153, 168, 148, 146, 115] as const;

/** Creates a bill. Some bills are vendor credits, which have only credit lines. */
export function newBill(turn: Turn): BillEvent {
  const { dice } = turn;
  const postingDate = randomDate(turn);
  return {
    kind: 'bill',
    edit: false,
    key: `B${turn.turn}`,
    vendor: dice.pick(VENDORS),
    postingDate,
    dueDate: dice.chance(70) ? addDays(postingDate, 30) : null,
    lines: billLines(turn, dice.chance(20)),
  };
}

function billLines({ dice }: Turn, isCredit: boolean): ScenarioBillLine[] {
  return Array.from({ length: dice.between(1, 3) }, (_, at) => ({
    description: 'Bought',
    amount: cents(dice.between(1, 90_000)),
    accountId: dice.pick(BOUGHT),
    creditLine: isCredit || (at > 0 && dice.chance(25)),
  }));
}

/** Creates a vendor credit for some of a bill's lines, in full or in part. */
export function creditBill(turn: Turn): BillEvent | undefined {
  const { dice, books } = turn;
  const key = dice.any(books.billKeys());
  if (key === undefined) return undefined;
  const { event } = books.bill(key);
  const lines = event.lines.flatMap((line): ScenarioBillLine[] => {
    if (line.creditLine || dice.chance(30)) return [];
    const amount = dice.chance(50) ? line.amount : cents(dice.between(1, line.amount));
    return [{ ...line, description: 'Returned', amount, creditLine: true }];
  });
  if (lines.length === 0) return undefined;
  const postingDate = addDays(event.postingDate, dice.between(0, 60));
  return { ...event, edit: false, key: `B${turn.turn}`, postingDate, dueDate: null, lines };
}

/** Edits a bill: adds lines or replaces them, and sometimes changes the date. */
export function editBill(turn: Turn): ScenarioEvent | undefined {
  const { dice, books } = turn;
  const key = dice.any(books.billKeys());
  if (key === undefined) return undefined;
  const { event } = books.bill(key);
  const isCredit = books.billAmounts(key).invoiceAmount < 0;
  const postingDate = dice.chance(25) ? randomDate(turn) : event.postingDate;
  const dueDate = event.dueDate === null ? null : laterOf(event.dueDate, postingDate);
  const lines = billLines(turn, isCredit);
  return { ...event, edit: true, postingDate, dueDate, lines: dice.chance(60) ? [...event.lines, ...lines] : lines };
}
