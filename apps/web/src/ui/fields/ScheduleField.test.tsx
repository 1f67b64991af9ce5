// @vitest-environment jsdom
import '../../testing/setup.ts';
import { type IsoDate, isoDate } from '@evenkeel/core/dates';
import { type Schedule, scheduleFrom } from '@evenkeel/core/documents/schedule';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { NextDates, ScheduleField } from './ScheduleField.tsx';

/** The schedules that the field reported. */
let heard: Schedule[] = [];

function Field({ start }: { start: string }) {
  const [value, setValue] = useState(() => scheduleFrom(isoDate(start)));
  const hear = (rule: Schedule) => {
    heard.push(rule);
    setValue(rule);
  };
  const [skipped, setSkipped] = useState<IsoDate[]>([]);
  return (
    <>
      <ScheduleField label="Repeats" value={value} onChange={hear} />
      <NextDates label="Next Invoices" value={value} from={isoDate(start)} skipped={skipped} onSkip={setSkipped} />
    </>
  );
}

// A query by role would compute the style of every option, which is slow.
const dates = () => [...document.querySelectorAll('.ek-schedule-date')];
const next = (count = 3) =>
  dates()
    .slice(0, count)
    .map(({ firstChild }) => firstChild?.textContent)
    .join(', ');
const sentence = () =>
  [...document.querySelectorAll('.ek-schedule-part')]
    .map((part) =>
      [
        part.firstChild?.nodeType === Node.TEXT_NODE ? part.firstChild.textContent : '',
        part.querySelector('input')?.value,
      ]
        .join(' ')
        .trim(),
    )
    .join(' ');
const choose = async (label: string, option: string) => {
  await userEvent.click(screen.getByLabelText(label, { selector: 'input' }));
  await userEvent.click(screen.getByText(option, { selector: '[role="option"] *, [role="option"]' }));
};

beforeEach(() => {
  heard = [];
});

async function type(label: string, text: string) {
  const field = screen.getByLabelText(label, { selector: 'input' });
  await userEvent.clear(field);
  await userEvent.paste(text);
  await userEvent.tab();
}

it('a schedule is shown as one sentence', async () => {
  show(<Field start="2190-12-26" />);
  expect(sentence()).toBe('Every 1 month on day 26 from 12/26/2190 ends never');
  await type('Every', '2');
  await choose('Unit', 'weeks');
  expect(sentence()).toBe('Every 2 weeks on Sunday from 12/26/2190 ends never');
});

it('the next six dates are shown with their weekdays, and selecting one skips it or undoes the skip', async () => {
  show(<Field start="2190-12-26" />);
  expect(dates().map(({ textContent }) => textContent)).toEqual([
    '12/26/2190Sunday',
    '1/26/2191Wednesday',
    '2/26/2191Saturday',
    '3/26/2191Saturday',
    '4/26/2191Tuesday',
    '5/26/2191Thursday',
  ]);
  const second = () => dates()[1];
  await userEvent.click(second() ?? document.body);
  expect([second()?.textContent, second()?.getAttribute('aria-pressed')]).toEqual(['1/26/2191Skipped', 'true']);
  await userEvent.click(second() ?? document.body);
  expect([second()?.textContent, second()?.getAttribute('aria-pressed')]).toEqual(['1/26/2191Wednesday', 'false']);
});

it('the next dates are shown: monthly from January 31, and every second month on the last day', async () => {
  show(<Field start="2190-01-31" />);
  expect(next()).toBe('1/31/2190, 2/28/2190, 3/31/2190');
  await type('Every', '2');
  expect(next()).toBe('1/31/2190, 3/31/2190, 5/31/2190');
  await type('Day of Month', 'last');
  await choose('Ends', 'after a number of times');
  await type('Times', '2');
  expect(next()).toBe('1/31/2190, 3/31/2190');
  expect(heard.at(-1)).toEqual({
    unit: 'month',
    every: 2,
    start: '2190-01-31',
    weekday: 0,
    monthDay: 'last',
    end: { kind: 'after', count: 2 },
  });
});

it('the weekday is that of the start date until another weekday is selected', async () => {
  // January 1, 2190, is a Friday.
  show(<Field start="2190-01-01" />);
  await choose('Unit', 'week');
  await type('Starts', '1/3/2190');
  expect([heard.at(-1)?.weekday, next()]).toEqual([0, '1/3/2190, 1/10/2190, 1/17/2190']);
  await type('Weekday', 'Tue');
  await type('Starts', '1/4/2190');
  expect([heard.at(-1)?.weekday, next()]).toEqual([2, '1/5/2190, 1/12/2190, 1/19/2190']);
});

it('an invalid rule shows its error instead of its dates', async () => {
  show(<Field start="2190-01-31" />);
  await userEvent.clear(screen.getByLabelText('Every'));
  expect(screen.getByText('Please enter an interval from 1 to 999')).toBeTruthy();
  expect(next()).toBe('');
  await type('Every', '1');
  await choose('Ends', 'on a date');
  await type('Last Date', '1/30/2190');
  expect(screen.getByText('The end date must be on or after the start date')).toBeTruthy();
});
