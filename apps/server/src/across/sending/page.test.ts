import { cents, ZERO } from '@evenkeel/core/money';
import { expect, test } from 'vitest';
import { totalsOf } from './page.ts';

test('the totals of a private page omit taxes of 0.00', () => {
  const taxes = [
    { label: 'Ohio', amount: cents(575) },
    { label: 'Ashby County', amount: ZERO },
  ];
  const [subtotal, total] = [cents(10_000), cents(10_575)];
  const html = totalsOf({ subtotal, taxes, total, paid: ZERO, balanceDue: total, asks: 'payment' });
  expect(html).toContain('<dt>Ohio</dt><dd>5.75</dd>');
  expect(html).not.toContain('Ashby County');
});
