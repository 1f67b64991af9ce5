import { daysBetween, type IsoDate } from '@evenkeel/core/dates';
import { checkSchedule, type Schedule, scheduledDate } from '@evenkeel/core/documents/schedule';
import { type Cents, formatAmount } from '@evenkeel/core/money';
import { scheduleWords } from '@evenkeel/core/words/schedule';
import type { ScheduleForm } from './templates.ts';

export interface ScheduleOutcomeProps {
  schedule: Schedule | undefined;
  /** The name of the document with an article, for example `an invoice`. */
  noun: string;
  amount: Cents | undefined;
  makes: ScheduleForm['makes'];
  /** The due date of the first document, or the number of days until a document is due. */
  due?: IsoDate | number | undefined;
  /** The address that receives the documents. */
  email?: string | undefined;
}

/** One sentence that says what the schedule will do. */
export function ScheduleOutcome({ schedule, noun, amount, makes, due, email = '' }: ScheduleOutcomeProps) {
  const first = schedule && checkSchedule(schedule) === undefined ? scheduledDate(schedule, 0) : undefined;
  if (schedule === undefined || first === undefined) return null;
  const days = typeof due === 'string' ? daysBetween(first, due) : due;
  const what = makes === 'draft' ? noun.replace(/^an? /, 'a draft ') : noun;
  return (
    <p className="sc-outcome" role="status">
      Creates {what}{' '}
      {amount !== undefined && (
        <>
          for <b className="ek-num">{formatAmount(amount)}</b>{' '}
        </>
      )}
      {scheduleWords(schedule)}
      {days !== undefined && `, ${dueWords(days)}`}
      {makes === 'sent' && `, and emails it to ${email === '' ? 'the customer' : email}`}.
    </p>
  );
}

function dueWords(days: number): string {
  if (days === 0) return 'due on the same day';
  return `due ${Math.abs(days)} ${Math.abs(days) === 1 ? 'day' : 'days'} ${days < 0 ? 'earlier' : 'later'}`;
}
