import { expect, test } from 'vitest';
import { daysOfTerms, termsChoices } from './lists.ts';

test('payment terms are read as the number of days until the full amount is due', () => {
  const given = ['Net 30', '2% 10 Net 45', 'n15', 'Due on receipt', 'Due upon receipt', '14 days', 'Prepaid', ''];
  expect(given.map(daysOfTerms)).toEqual([30, 45, 15, 0, 0, 14, undefined, undefined]);
});

test('the choices for payment terms include unusual terms from the source, in order', () => {
  expect(termsChoices([21]).map(({ label }) => label)).toEqual([
    'No terms',
    'Due on receipt',
    'Net 10',
    'Net 15',
    'Net 21',
    'Net 30',
    'Net 45',
    'Net 60',
    'Net 90',
  ]);
});
