// @vitest-environment jsdom
import '../../testing/setup.ts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { QuantityField, readQuantity } from './QuantityField.tsx';

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
  '%s is never a quantity',
  (text) => expect(readQuantity(text, 4)).toBeUndefined(),
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

it.each([['1,5'], ['1.234,50'], ['1x.-5.7']])(
  '%s stays as typed and is refused: no other number comes of it',
  async (text) => {
    const told: (number | null)[] = [];
    show(<Quantity told={told} />);
    const field = screen.getByRole('textbox', { name: 'Quantity' });
    await userEvent.clear(field);
    await userEvent.type(field, text);
    await userEvent.tab();
    expect(field).toHaveProperty('value', text);
    expect(field.hasAttribute('data-unread')).toBe(true);
    expect(told.at(-1)).toBeNull();
    expect(screen.getByText('Please enter a number with at most 4 decimals')).toBeTruthy();
  },
);
