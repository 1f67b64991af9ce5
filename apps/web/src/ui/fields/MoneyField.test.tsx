// @vitest-environment jsdom
import '../../testing/setup.ts';
import { type Cents, cents } from '@evenkeel/core/money';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { MoneyField } from './MoneyField.tsx';

function Price({ first, told }: { first: Cents | null; told: (Cents | null)[] }) {
  const [value, setValue] = useState(first);
  return (
    <MoneyField
      label="Price"
      value={value}
      onChange={(next) => {
        told.push(next);
        setValue(next);
      }}
    />
  );
}

it('an invalid amount is reported as null, stays as typed, and shows an error when the field loses focus', async () => {
  const told: (Cents | null)[] = [];
  show(<Price first={cents(500)} told={told} />);
  const field = screen.getByRole('textbox', { name: 'Price' });
  await userEvent.clear(field);
  await userEvent.type(field, '12*');
  expect(told.at(-1)).toBeNull();
  expect(field.getAttribute('aria-invalid')).toBeNull();
  await userEvent.tab();
  expect(field).toHaveProperty('value', '12*');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText('Please enter an amount')).toBeTruthy();
});

it.each(['1.234,50', '1,23,4.5'])('%s is rejected with a message and stays as typed', async (text) => {
  const told: (Cents | null)[] = [];
  show(<Price first={null} told={told} />);
  const field = screen.getByRole('textbox', { name: 'Price' });
  await userEvent.type(field, text);
  expect(told.at(-1)).toBeNull();
  await userEvent.tab();
  expect(field).toHaveProperty('value', text);
  expect(screen.getByText('Please enter an amount')).toBeTruthy();
});

it('12*3.5 shows = 42.00 while typing and becomes 42.00 when the field loses focus', async () => {
  const told: (Cents | null)[] = [];
  show(<Price first={null} told={told} />);
  const field = screen.getByRole('textbox', { name: 'Price' });
  await userEvent.type(field, '12*3.5');
  expect(screen.getByText('= 42.00')).toBeTruthy();
  expect(told.at(-1)).toBe(4200);
  await userEvent.tab();
  expect(field).toHaveProperty('value', '42.00');
  expect(screen.queryByText('= 42.00')).toBeNull();
});

it('$1,234.5 becomes 1,234.50, -3 becomes (3.00), and an empty field is null', async () => {
  const told: (Cents | null)[] = [];
  show(<Price first={null} told={told} />);
  const field = screen.getByRole('textbox', { name: 'Price' });
  await userEvent.type(field, '$1,234.5');
  await userEvent.tab();
  expect(field).toHaveProperty('value', '1,234.50');
  await userEvent.clear(field);
  await userEvent.type(field, '-3');
  await userEvent.tab();
  expect(field).toHaveProperty('value', '(3.00)');
  await userEvent.clear(field);
  expect(told.at(-1)).toBeNull();
});
