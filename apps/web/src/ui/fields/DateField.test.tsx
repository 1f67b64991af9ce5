// @vitest-environment jsdom
import '../../testing/setup.ts';
import { isoDate, type IsoDate } from '@evenkeel/core/dates';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { TodayProvider } from '../hooks/today.tsx';
import { show } from '../../testing/show.tsx';
import { DateField } from './DateField.tsx';

function Due({ told }: { told: (IsoDate | null)[] }) {
  const [value, setValue] = useState<IsoDate | null>(isoDate('2026-06-01'));
  return (
    <TodayProvider timeZone="UTC" now={() => Date.UTC(2026, 5, 12)}>
      <DateField
        label="Due Date"
        value={value}
        onChange={(next) => {
          told.push(next);
          setValue(next);
        }}
      />
    </TodayProvider>
  );
}

it('2/30 stays as typed and shows an error when the user leaves the field', async () => {
  const told: (IsoDate | null)[] = [];
  show(<Due told={told} />);
  const field = screen.getByRole('textbox', { name: 'Due Date' });
  await userEvent.clear(field);
  await userEvent.type(field, '2/30');
  await userEvent.tab();
  expect(told.at(-1)).toBeNull();
  expect(field).toHaveProperty('value', '2/30');
  expect(screen.getByText('Please enter a date')).toBeTruthy();
});

it('+13 on June 12 announces Thursday, June 25, 2026 and becomes 6/25/2026 when the field loses focus', async () => {
  const told: (IsoDate | null)[] = [];
  show(<Due told={told} />);
  const field = screen.getByRole('textbox', { name: 'Due Date' });
  expect(field).toHaveProperty('value', '6/1/2026');
  await userEvent.clear(field);
  await userEvent.type(field, '+13');
  expect(screen.getByText('Thursday, June 25, 2026')).toBeTruthy();
  await userEvent.tab();
  expect(field).toHaveProperty('value', '6/25/2026');
  expect(told.at(-1)).toBe('2026-06-25');
});

it("the calendar opens with the field's date and returns the selected day", async () => {
  const told: (IsoDate | null)[] = [];
  show(<Due told={told} />);
  const button = screen.getByRole('button', { name: 'Calendar for Due Date' });
  await act(async () => userEvent.click(button));
  await userEvent.click(await screen.findByRole('button', { name: '18 June 2026' }));
  expect(told).toEqual(['2026-06-18']);
  expect(screen.getByRole('textbox', { name: 'Due Date' })).toHaveProperty('value', '6/18/2026');
});

it('Tab skips the calendar, Alt+Down in the field opens it, and Escape returns the focus', async () => {
  show(
    <>
      <Due told={[]} />
      <button type="button">Next</button>
    </>,
  );
  const field = screen.getByRole('textbox', { name: 'Due Date' });
  field.focus();
  await userEvent.tab();
  expect(document.activeElement?.textContent).toBe('Next');
  field.focus();
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  const day = await screen.findByRole('button', { name: '18 June 2026' });
  await waitFor(() => expect(day.closest('[role="dialog"]')?.contains(document.activeElement)).toBe(true));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(field));
});
