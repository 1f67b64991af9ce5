// @vitest-environment jsdom
import '../../testing/setup.ts';
import { isoDate } from '@evenkeel/core/dates';
import { type Schedule, scheduleFrom } from '@evenkeel/core/documents/schedule';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { ScheduleField } from './ScheduleField.tsx';

/** The schedules that the field reported. */
let heard: Schedule[] = [];

function Field({ start }: { start: string }) {
  const [value, setValue] = useState(() => scheduleFrom(isoDate(start)));
  const hear = (rule: Schedule) => {
    heard.push(rule);
    setValue(rule);
  };
  return <ScheduleField label="Repeats" value={value} onChange={hear} />;
}

// A query by role would compute the style of every option.
const next = () => document.querySelector('[role="status"]')?.textContent;

beforeEach(() => {
  heard = [];
});

async function type(label: string, text: string) {
  const field = screen.getByLabelText(label, { selector: 'input' });
  await userEvent.clear(field);
  await userEvent.paste(text);
  await userEvent.tab();
}

it('shows the next three dates: monthly from January 31, and every second month on the last day', async () => {
  show(<Field start="2190-01-31" />);
  expect(next()).toBe('Next: 1/31/2190, 2/28/2190, 3/31/2190');
  await type('Every', '2');
  expect(next()).toBe('Next: 1/31/2190, 3/31/2190, 5/31/2190');
  await type('Day of Month', 'Last');
  await userEvent.click(screen.getByText('After'));
  await type('Times', '2');
  expect(next()).toBe('Next: 1/31/2190, 3/31/2190');
  expect(heard.at(-1)).toEqual({
    unit: 'month',
    every: 2,
    start: '2190-01-31',
    weekday: 0,
    monthDay: 'last',
    end: { kind: 'after', count: 2 },
  });
});

it('the weekday follows the start date until another one is selected', async () => {
  // January 1, 2190 is a Friday.
  show(<Field start="2190-01-01" />);
  await userEvent.click(screen.getByText('Weeks'));
  await type('Starts', '1/3/2190');
  expect([heard.at(-1)?.weekday, next()]).toEqual([0, 'Next: 1/3/2190, 1/10/2190, 1/17/2190']);
  await type('Weekday', 'Tue');
  await type('Starts', '1/4/2190');
  expect([heard.at(-1)?.weekday, next()]).toEqual([2, 'Next: 1/5/2190, 1/12/2190, 1/19/2190']);
});

it('shows the error for an invalid rule instead of its dates', async () => {
  show(<Field start="2190-01-31" />);
  await userEvent.clear(screen.getByLabelText('Every'));
  expect(screen.getByText('Please enter an interval from 1 to 999')).toBeTruthy();
  expect(next()).toBeUndefined();
  await type('Every', '1');
  await userEvent.click(screen.getByText('On'));
  await type('Last Date', '1/30/2190');
  expect(screen.getByText('The end date must be on or after the start date')).toBeTruthy();
});
