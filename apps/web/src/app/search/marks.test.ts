import { isoDate } from '@evenkeel/core/dates';
import { expect, it } from 'vitest';
import { markerOf } from './marks.ts';

/** Returns the text with its highlighted parts in brackets. */
const marked = (search: string, text: string, isClosest = false): string =>
  markerOf(search, isoDate('2026-06-12'))(text, isClosest)
    .map((piece) => (piece.isMarked ? `[${piece.text}]` : piece.text))
    .join('');

it.each([
  ['fair', 'Fairlawn Heights', '[Fair]lawn Heights'],
  ['heig fair', 'Fairlawn Heights', '[Fair]lawn [Heig]hts'],
  ['awn law', 'Fairlawn', 'Fair[law][n]'],
  ['societe', 'Société Générale', '[Société] Générale'],
  ['strasse', 'Große Straße 4', 'Große [Straße] 4'],
  ['1,250', '1,250.00', '[1,250.00]'],
  ['>1000', '$1,250.00', '[$1,250.00]'],
  ['<1000', '1,250.00', '1,250.00'],
  ['march 2026', '3/14/2026', '[3/14/2026]'],
  ['march 2026', '4/14/2026', '4/14/2026'],
  ['today', '6/12/2026', '[6/12/2026]'],
  ['554', '10554 · Oak', '10[554] · Oak'],
  ['', 'Oak', 'Oak'],
])('a search for %s highlights %s as %s', (search, text, wanted) => {
  expect(marked(search, text)).toBe(wanted);
});

it('the probable match for a word with a typing error is highlighted if no exact match exists', () => {
  expect(marked('fairlwn', 'Fairlawn Heights', true)).toBe('[Fairlawn] Heights');
  expect(marked('fairlwn', 'Fairlawn Heights')).toBe('Fairlawn Heights');
});
