import { describe, expect, test } from 'vitest';
import { isoDate } from '../dates.ts';
import { checkMail } from './mailtext.ts';
import {
  BY_HAND,
  checkSteps,
  isByHand,
  REMINDER_BY_HAND,
  stepDue,
  stepNumber,
  stepWords,
  wordingByHand,
} from './reminders.ts';

const steps = [{ days: 7 }, { days: -3 }, { days: 21 }];
const due = (today: string, sent: readonly number[] = []) =>
  stepDue(steps, {
    dueDate: isoDate('2026-05-10'),
    today: isoDate(today),
    sent: sent.map((days) => stepNumber({ days })),
  })?.days;

describe('the due reminder step', () => {
  test.each([
    ['2026-05-06', undefined],
    ['2026-05-07', -3],
    ['2026-05-13', -3],
    ['2026-05-14', undefined],
    ['2026-05-17', 7],
    ['2026-05-31', 21],
    ['2026-06-07', undefined],
  ])('on %s, the due reminder step is %s', (today, days) => expect(due(today)).toBe(days));

  test('a reminder step is sent only once, and not after a later step has been sent', () => {
    expect(due('2026-05-18', [7])).toBeUndefined();
    expect(due('2026-05-18', [21])).toBeUndefined();
    expect(due('2026-05-31', [-3, 7])).toBe(21);
  });
});

test('reminder steps are described in words, and invalid steps are rejected', () => {
  expect([-1, 0, 14].map(stepWords)).toEqual([
    '1 day before the due date',
    'On the due date',
    '14 days after the due date',
  ]);
  const texts = { subject: 'Reminder', text: '{days overdue}' };
  expect(checkSteps([{ days: 7, ...texts }])).toEqual({});
  expect(
    checkSteps([
      { days: 7, ...texts },
      { days: 7, ...texts },
      { days: 400, subject: '', text: '{x}' },
    ]),
  ).toEqual({
    'steps.1.days': "Two reminders can't be sent on the same day",
    'steps.2.days': 'Please enter a number of days from -60 to 365',
    'steps.2.subject': 'Please enter a subject',
    'steps.2.text': '{x} is not a valid placeholder. Select one from the list.',
  });
});

test('a manual reminder has the wording of the last step after the due date, or its own wording', () => {
  const steps = [-3, 7, 30].map((days) => ({ days, subject: `${days}`, text: 'Pay' }));
  expect([6, 7, 29, 68].map((days) => wordingByHand(steps, days).subject)).toEqual([
    REMINDER_BY_HAND.subject,
    '7',
    '7',
    '30',
  ]);
  expect(checkMail('reminder', REMINDER_BY_HAND)).toEqual({});
  expect([stepNumber({ days: 365 }), BY_HAND, BY_HAND + 1].map(isByHand)).toEqual([false, false, true]);
});
