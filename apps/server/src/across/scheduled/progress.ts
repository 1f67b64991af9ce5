import type { ScheduleRule, TemplateRow, TemplateState } from '@evenkeel/contract/scheduled';
import type { IsoDate } from '@evenkeel/core/dates';
import { refuse } from '@evenkeel/core/failure';
import {
  checkSchedule,
  dueOccurrences,
  type Occurrence,
  type Schedule,
  SCHEDULE_UNITS,
  scheduledDate,
  scheduledDates,
} from '@evenkeel/core/documents/schedule';
import type * as z from 'zod';
import type { TemplateData } from './templates.sql.ts';

/** A template's dates: settled, upcoming, due, and held dates, with the reason for each hold. */

type Rule = z.output<typeof ScheduleRule>;

/** The maximum number of missed dates whose documents are created without a user's decision. */
const ASK_ABOVE = 12;
/** The maximum number of documents per template and day that are created without a user's decision. */
export const MOST_A_DAY = 5;
/** The maximum number of dates to check at a time. */
const MANY = 1000;

/** Converts a request's rule to core's format. Throws core's message for an invalid rule. */
export function scheduleOf({ end, ...rule }: Rule): Schedule {
  const schedule = { ...rule, end: endOf(end) };
  const wrong = checkSchedule(schedule);
  if (wrong !== undefined) throw refuse(wrong, { schedule: wrong });
  return schedule;
}

function endOf({ kind, on, count }: Rule['end']): Schedule['end'] {
  if (kind === 'on' && on !== undefined && on !== null) return { kind, on };
  if (kind === 'after') return { kind, count: count ?? 0 };
  if (kind === 'never') return { kind };
  throw refuse('Please enter a date', { schedule: 'Please enter a date' });
}

type Stored = Pick<TemplateData, 'unit' | 'every' | 'start' | 'weekday' | 'monthDay' | 'endDate' | 'endCount'>;

/** Returns the stored rule. */
export function storedSchedule(row: Stored): Schedule {
  const { every, start, weekday, monthDay, endDate, endCount } = row;
  const unit = SCHEDULE_UNITS.find((each) => each === row.unit);
  if (unit === undefined) throw new TypeError(`${row.unit} is not a schedule unit`);
  const end: Schedule['end'] =
    endDate !== null
      ? { kind: 'on', on: endDate }
      : endCount !== null
        ? { kind: 'after', count: endCount }
        : { kind: 'never' };
  return { unit, every, start, weekday, monthDay: monthDay === 0 ? 'last' : monthDay, end };
}

/** Returns the stored columns of a rule. */
export function ruleColumns({ unit, every, start, weekday, monthDay, end }: Schedule): Stored {
  return {
    unit,
    every,
    start,
    weekday,
    monthDay: monthDay === 'last' ? 0 : monthDay,
    endDate: end.kind === 'on' ? end.on : null,
    endCount: end.kind === 'after' ? end.count : null,
  };
}

type Dated = Stored & Pick<TemplateData, 'nextN' | 'baseN' | 'occurrences'>;

/** A date with its number in the template, and whether it was skipped in advance. */
export interface Coming extends Occurrence {
  isSkipped: boolean;
}

/** Returns the next dates that have no document yet, including those skipped in advance. */
export function comingDates(row: Dated, count: number): Coming[] {
  const settled = new Map(row.occurrences.map(({ n, state }) => [n, state]));
  const index = row.nextN - row.baseN;
  const dates = scheduledDates(storedSchedule(row), count + settled.size, index);
  return dates
    .map((date, at) => ({ n: row.nextN + at, date, isSkipped: settled.get(row.nextN + at) === 'skipped' }))
    .filter(({ n, isSkipped }) => isSkipped || !settled.has(n))
    .slice(0, count);
}

/** Returns the next date to create. */
export function nextDate(row: Dated): Occurrence | undefined {
  return comingDates(row, row.occurrences.length + 1).find(({ isSkipped }) => !isSkipped);
}

/** Returns the due dates that are not settled, oldest first. */
export function dueDates(row: Dated, today: IsoDate): Occurrence[] {
  const settled = new Set(row.occurrences.map(({ n }) => n));
  return dueOccurrences(storedSchedule(row), { from: row.nextN - row.baseN, today, most: MANY })
    .map(({ n, date }) => ({ n: n + row.baseN, date }))
    .filter(({ n }) => !settled.has(n));
}

type Progress = Dated & Pick<TemplateData, 'paused' | 'failure' | 'releasedN'>;

/** Returns the reason why the next due date needs a user's decision, or undefined if it needs no decision. */
export function heldUpBy(row: Progress, today: IsoDate): 'asks' | 'stopped' | undefined {
  const due = dueDates(row, today);
  const [first] = due;
  if (first === undefined || first.n <= row.releasedN) return undefined;
  if (due.length > ASK_ABOVE) return 'asks';
  const madeToday = row.occurrences.filter(({ madeOn }) => madeOn === today).length;
  return madeToday >= MOST_A_DAY ? 'stopped' : undefined;
}

export function stateOf(row: Progress, today: IsoDate): TemplateState {
  if (row.paused) return 'paused';
  if (row.occurrences.some(({ state }) => state === 'held')) return 'held';
  const heldUp = heldUpBy(row, today);
  if (heldUp !== undefined) return heldUp;
  if (row.failure !== '') return 'failed';
  return nextDate(row) === undefined ? 'ended' : 'active';
}

/**
 * Returns the position at which a changed rule continues: its first date that is today or later and after the settled
 * dates.
 */
export function rebased(
  schedule: Schedule,
  row: Pick<TemplateData, 'occurrences'> | undefined,
  today: IsoDate,
): Pick<TemplateData, 'nextN' | 'baseN'> {
  const settled = row?.occurrences ?? [];
  const after = Math.max(-1, ...settled.map(({ n }) => n)) + 1;
  const last = settled
    .map(({ date }) => date)
    .toSorted()
    .at(-1);
  let index = 0;
  for (let date = scheduledDate(schedule, 0); date !== undefined; date = scheduledDate(schedule, (index += 1))) {
    if (date >= today && (last === undefined || date > last)) break;
  }
  // The numbers of created documents can't be reused. The rule's first date is numbered so that the next date gets a
  // number after them.
  return { nextN: after === 0 ? index : after, baseN: after === 0 ? 0 : after - index };
}

/** Returns whether two rules have the same dates, regardless of when they end. */
export function isSameRule(one: Schedule, other: Schedule): boolean {
  const datesOf = ({ end: _, ...rule }: Schedule) => JSON.stringify(ruleColumns({ ...rule, end: { kind: 'never' } }));
  return datesOf(one) === datesOf(other);
}

/** Returns a template in the list format. */
export function rowView(row: TemplateData, today: IsoDate): TemplateRow {
  const of = (state: string) => row.occurrences.filter((each) => each.state === state).length;
  const schedule = storedSchedule(row);
  const next = nextDate(row);
  return {
    id: row.id,
    name: row.name,
    entityId: row.entityId,
    entityDisplayName: row.entityName,
    schedule,
    makes: row.makesDrafts ? 'draft' : row.sends ? 'sent' : 'posted',
    fixesPrices: row.fixesPrices,
    state: stateOf(row, today),
    failure: row.failure,
    nextDate: next?.date ?? null,
    nextN: next?.n ?? null,
    amount: row.amount,
    made: of('made'),
    held: of('held'),
    due: dueDates(row, today).length,
    rowVersion: row.rowVersion,
  };
}
