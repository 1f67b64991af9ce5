// @vitest-environment jsdom
import '../../testing/setup.ts';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { Amount } from './Amount.tsx';
import { DateText } from './DateText.tsx';
import { FormErrorSummary } from './FormErrorSummary.tsx';
import { Level } from './Level.tsx';
import { Status } from './Status.tsx';

it('minus 1,234.50 is shown as (1,234.50), with the closing parenthesis outside the column', () => {
  const { container } = show(<Amount value={cents(-123450)} />);
  expect(container.textContent).toBe('(1,234.50)');
  expect(container.querySelector('.ek-hang')?.textContent).toBe(')');
});

it.each([
  [{ value: null }, ''],
  [{ value: cents(0), zero: 'blank' as const }, ''],
  [{ value: cents(0) }, '0.00'],
  [{ value: cents(0), zero: 'dash' as const }, '–0.00'],
  [{ value: cents(220670), sign: true }, '$2,206.70'],
  [{ value: cents(-5), sign: true }, '($0.05)'],
])('an amount with the props %o is shown as %s', (props, text) => {
  const { container } = show(<Amount {...props} />);
  expect(container.querySelector('.ek-amount')?.textContent ?? '').toBe(text);
});

it('a date is shown as M/D/YYYY with an ISO date for machines', () => {
  const { container } = show(<DateText value={isoDate('2026-05-06')} />);
  expect(container.querySelector('time')?.textContent).toBe('5/6/2026');
  expect(container.querySelector('time')?.dateTime).toBe('2026-05-06');
});

it('a status has text and an icon', () => {
  const { container } = show(<Status look="late">Overdue 37 days</Status>);
  expect(container.querySelector('.ek-badge')?.textContent).toBe('Overdue 37 days');
  expect(container.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true');
});

it('the balance indicator says In Balance or Difference and tilts to the larger side', () => {
  const { container, rerender } = show(<Level />);
  expect(container.textContent).toContain('In Balance');
  rerender(<Level heavier="debit" />);
  expect(container.textContent).toContain('Difference');
  expect(container.querySelector('[data-balanced]')).toBeNull();
  expect(container.querySelector('[data-heavier="debit"]')).toBeTruthy();
});

it('the error summary takes the focus and links to the field', async () => {
  const { rerender } = show(<FormErrorSummary problems={[]} />);
  expect(screen.queryByRole('alert')).toBeNull();
  rerender(
    <>
      <FormErrorSummary problems={[{ message: 'Please Select an Account', fieldId: 'account' }]} />
      <input id="account" aria-label="Account" />
    </>,
  );
  expect(document.activeElement).toBe(screen.getByRole('alert'));
  await userEvent.click(screen.getByRole('button', { name: 'Please Select an Account' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Account'));
});
