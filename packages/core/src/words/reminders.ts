import { addDays, daysBetween, type IsoDate } from '../dates.ts';
import type { FieldMessages } from '../failure.ts';
import { checkMail } from './mailtext.ts';

/** A step in the invoice reminders: a number of days before or after the due date, with its own wording. */
export interface ReminderStep {
  /** The number of days after the due date. Negative for days before the due date. */
  days: number;
  subject: string;
  text: string;
}

export const MOST_STEPS = 10;
const EARLIEST = -60;
const LATEST = 365;
/** The number of days within which a missed reminder is still sent. */
const GRACE_DAYS = 7;

/**
 * Returns the number that identifies a step in stored emails. A step with the same number of days is the same step,
 * even after it is edited.
 */
export const stepNumber = ({ days }: Pick<ReminderStep, 'days'>): number => days - EARLIEST + 1;

/** Returns the days for a step by its number. */
export const daysOfStep = (number: number): number => number + EARLIEST - 1;

/** Reminders that users send manually have numbers above this number. */
export const BY_HAND = 1000;

/** Returns whether a user sent the reminder with this number manually. */
export const isByHand = (number: number): boolean => number > BY_HAND;

/** The wording that a reminder sent manually has if the company has no reminder after the due date. */
export const REMINDER_BY_HAND = {
  subject: 'Reminder: invoice {number} is overdue',
  text:
    'Hello {contact first name},\n\nYour invoice {number} for {amount due} was due on {due date} and is now ' +
    '{time overdue} overdue. You can {link actions} it here:\n{link}\n\nIf you have already paid, please disregard ' +
    'this message. Thank you for your business.\n\n{sender}\n{company}',
};

/**
 * Returns the wording of a reminder sent manually: the wording of the company's latest reminder step that has been
 * reached, counted from the due date, or else REMINDER_BY_HAND.
 */
export function wordingByHand(steps: readonly ReminderStep[], daysOverdue: number) {
  const due = steps.filter(({ days }) => days >= 0 && days <= daysOverdue);
  const { subject, text } = due.toSorted((a, b) => b.days - a.days)[0] ?? REMINDER_BY_HAND;
  return { subject, text };
}

/**
 * Returns the step that is due: the latest one whose day has come, unless that step was already sent or its day was
 * more than a week ago. Earlier steps that were never sent are skipped, so that customers don't receive two reminders
 * at the same time when a company turns reminders on.
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

/** Returns text such as "3 days before the due date". */
export function stepWords(days: number): string {
  if (days === 0) return 'On the due date';
  const count = Math.abs(days);
  return `${count} ${count === 1 ? 'day' : 'days'} ${days < 0 ? 'before' : 'after'} the due date`;
}

/** Returns the validation messages for steps by field path ("steps.1.days"), or an empty object if they are valid. */
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
      ? [[`steps.${index}.days`, "Two reminders can't be sent on the same day"] satisfies [string, string]]
      : []),
    ...Object.entries(checkMail('reminder', texts)).map(([field, message]): [string, string] => [
      `steps.${index}.${field}`,
      message,
    ]),
  ]);
  return Object.fromEntries(faults);
}
