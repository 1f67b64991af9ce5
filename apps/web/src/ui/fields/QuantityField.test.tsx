// @vitest-environment jsdom
import '../../testing/setup.ts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { QuantityField, readQuantity } from './QuantityField.tsx';
import { TextField } from './TextField.tsx';

function Quantity({ told }: { told: (number | null)[] }) {
  const [value, setValue] = useState<number | null>(1);
  return (
    <QuantityField
      label="Quantity"
      value={value}
      onChange={(next) => {
        told.push(next);
        setValue(next);
      }}
    />
  );
}

it.each([['1.2.3'], ['-1'], ['1e3'], ['1,5'], ['1.234,50'], ['a'], ['.'], ['1.23456']])(
  '%s is never accepted as a quantity',
  (text) => expect(readQuantity(text, 4)).toBeUndefined(),
);

it.each([
  ['-1', -1],
  ['-.5', -0.5],
  ['2', 2],
  ['-', undefined],
  ['--1', undefined],
])('%j is read as %s if the value can be negative', (text, value) =>
  expect(readQuantity(text, 4, Infinity, true)).toBe(value),
);

it.each([
  ['', null],
  [' ', null],
  ['2', 2],
  ['2.', 2],
  ['.5', 0.5],
  [' 1.2345 ', 1.2345],
  ['\u00a02\u200b', 2],
])('%j is read as %s', (text, value) => expect(readQuantity(text, 4)).toBe(value));

it.each([
  ['1x.-5.7', '1.57', 1.57],
  ['-12', '12', 12],
  ['3e2', '32', 32],
])(
  'typing %s results in %s, because only digits and the first decimal point are accepted',
  async (text, shown, value) => {
    const told: (number | null)[] = [];
    show(<Quantity told={told} />);
    const field = screen.getByRole('textbox', { name: 'Quantity' });
    await userEvent.clear(field);
    await userEvent.type(field, text);
    expect([field, told.at(-1)]).toEqual([expect.objectContaining({ value: shown }), value]);
  },
);

it.each([['1,5'], ['1.234,50'], ['a'], ['-1']])('pasting %s has no effect', async (text) => {
  const told: (number | null)[] = [];
  show(<Quantity told={told} />);
  const field = screen.getByRole('textbox', { name: 'Quantity' });
  await userEvent.click(field);
  await userEvent.paste(text);
  expect([field, told]).toEqual([expect.objectContaining({ value: '1' }), []]);
});

it('extra decimal places stay as typed, and on blur the value is rejected instead of being rounded', async () => {
  const told: (number | null)[] = [];
  show(<Quantity told={told} />);
  const field = screen.getByRole('textbox', { name: 'Quantity' });
  await userEvent.clear(field);
  await userEvent.type(field, '1.23456');
  await userEvent.tab();
  expect(field).toHaveProperty('value', '1.23456');
  expect(field.hasAttribute('data-unread')).toBe(true);
  expect(told.at(-1)).toBeNull();
  expect(screen.getByText('Please enter a number with at most 4 decimal places')).toBeTruthy();
});

it('typing that makes a percentage exceed 100 is ignored', async () => {
  const told: (number | null)[] = [];
  show(<QuantityField label="Percentage" value={null} max={100} onChange={(next) => told.push(next)} />);
  await userEvent.type(screen.getByLabelText('Percentage'), '100.01');
  expect([screen.getByLabelText('Percentage'), told.at(-1)]).toEqual([
    expect.objectContaining({ value: '100.0' }),
    100,
  ]);
  await userEvent.clear(screen.getByLabelText('Percentage'));
  await userEvent.type(screen.getByLabelText('Percentage'), '101');
  expect(told.at(-1)).toBe(10);
});

it('a digits-only field ignores all other characters, even in pasted text', async () => {
  function Field() {
    const [value, setValue] = useState('');
    return <TextField label="Account Number" kind="digits" value={value} onChange={setValue} />;
  }
  show(<Field />);
  const field = screen.getByLabelText('Account Number');
  await userEvent.type(field, '12a-3');
  await userEvent.paste(' 45 67-x8');
  expect(field).toHaveProperty('value', '12345678');
});
