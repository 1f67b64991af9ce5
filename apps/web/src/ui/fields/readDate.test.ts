import { isoDate } from '@evenkeel/core/dates';
import { describe, expect, it } from 'vitest';
import { readDate, spokenDate } from './readDate.ts';

const TODAY = isoDate('2026-06-12');

describe('dates typed on June 12, 2026', () => {
  it.each([['2/30'], ['13/1'], ['x'], ['2023-02-29'], ['3/14/026'], ['+'], ['3//14']])('rejects %s as a date', (text) =>
    expect(readDate(text, TODAY)).toBeUndefined(),
  );

  it('an empty field is read as null', () => expect(readDate(' ', TODAY)).toBeNull());

  it.each([
    ['t', '2026-06-12'],
    ['T', '2026-06-12'],
    ['+7', '2026-06-19'],
    ['-3', '2026-06-09'],
    ['+20', '2026-07-02'],
    ['3/14', '2026-03-14'],
    ['3/14/25', '2025-03-14'],
    ['03/14/2026', '2026-03-14'],
    ['3-14-26', '2026-03-14'],
    ['2026-03-14', '2026-03-14'],
    ['2/29/24', '2024-02-29'],
  ])('%s is read as %s', (text, date) => expect(readDate(text, TODAY)).toBe(date));

  it('June 25, 2026 is announced as a Thursday in every time zone', () => {
    expect(spokenDate(isoDate('2026-06-25'))).toBe('Thursday, June 25, 2026');
    expect(spokenDate(isoDate('2024-02-29'))).toBe('Thursday, February 29, 2024');
  });
});
