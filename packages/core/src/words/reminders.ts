import { addDays, daysBetween, type IsoDate } from '../dates.ts';
import type { FieldMessages } from '../failure.ts';
import { checkMail } from './mailtext.ts';

/** Reminders of invoices: steps some days before or after the due date, each with its own words. */
export interface ReminderStep {
  /** Days after the due date; below zero before it. */
  days: number;
  subject: string;
  text: string;
}

export const MOST_STEPS = 10;
const EARLIEST = -60;
const LATEST = 365;
/** A day on which nothing could be sent is made up for within so many days. */
const GRACE_DAYS = 7;

/** The number under which an e-mail of a step is kept: the same days are the same step, however often it is edited. */
export const stepNumber = ({ days }: Pick<ReminderStep, 'days'>): number => days - EARLIEST + 1;

/** The days of a step by its number. */
export const daysOfStep = (number: number): number => number + EARLIEST - 1;

/**
 * The step whose turn it is: the latest whose day has come, unless it went out already or its day is longer past than
 * a week. Earlier ones that never went out are let go, so nobody gets two at once when reminders are turned on.
 */
export function stepDue<S extends Pick<ReminderStep, 'days'>>(
  steps: readonly S[],
  { dueDate, today, sent }: { dueDate: IsoDate; today: IsoDate; sent: readonly number[] },
): S | undefined {
  const late = daysBetween(dueDate, today);
  const [last] = steps.filter(({ days }) => days <= late).toSorted((a, b) => b.days - a.days);
  if (last === undefined || sent.some((number) => number >= stepNumber(last))) return undefined;
  return daysBetween(addDays(dueDate, last.days), today) < GRACE_DAYS ? last : undefined;
}

/** "3 days before the due date". */
export function stepWords(days: number): string {
  if (days === 0) return 'On the due date';
  const count = Math.abs(days);
  return `${count} ${count === 1 ? 'day' : 'days'} ${days < 0 ? 'before' : 'after'} the due date`;
}

/** Messages for wrong steps by field path ("steps.1.days"); empty when all is well. */
export function checkSteps(steps: readonly ReminderStep[]): FieldMessages {
  if (steps.length > MOST_STEPS) return { steps: `You can have at most ${MOST_STEPS} reminders` };
  const faults = steps.flatMap(({ days, ...texts }, index): [string, string][] => [
    ...(Number.isInteger(days) && days >= EARLIEST && days <= LATEST
      ? []
      : [
          [`steps.${index}.days`, `Please enter a number of days from ${EARLIEST} to ${LATEST}`] satisfies [
            string,
            string,
          ],
        ]),
    ...(steps.findIndex((one) => one.days === days) < index
      ? [[`steps.${index}.days`, "Two reminders can't be on the same day"] satisfies [string, string]]
      : []),
    ...Object.entries(checkMail('reminder', texts)).map(([field, message]): [string, string] => [
      `steps.${index}.${field}`,
      message,
    ]),
  ]);
  return Object.fromEntries(faults);
}
