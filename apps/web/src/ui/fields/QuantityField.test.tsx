// @vitest-environment jsdom
import '../testing/setup.ts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { show } from '../testing/show.tsx';
import { isQuantityText, QuantityField } from './QuantityField.tsx';

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

it.each([['1.2.3'], ['-1'], ['1e3'], ['1,5'], ['a'], ['1.23456']])('%s is never a quantity', (text) =>
  expect(isQuantityText(text, 4)).toBe(false),
);

it('letters, signs and a second point are ignored: 1x.-5.7 gives 1.57', async () => {
  const told: (number | null)[] = [];
  show(<Quantity told={told} />);
  const field = screen.getByRole('textbox', { name: 'Quantity' });
  await userEvent.clear(field);
  expect(told.at(-1)).toBeNull();
  await userEvent.type(field, '1x.-5.7');
  expect(field).toHaveProperty('value', '1.57');
  expect(told.at(-1)).toBe(1.57);
});
