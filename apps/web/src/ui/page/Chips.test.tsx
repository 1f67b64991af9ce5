// @vitest-environment jsdom
import '../../testing/setup.ts';
import { cents } from '@evenkeel/core/money';
import { screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { show } from '../../testing/show.tsx';
import { Chips } from './Chips.tsx';

afterEach(() => vi.restoreAllMocks());

const CHIPS = [
  { value: 'all', label: 'All', part: { count: 14, amount: cents(1_999_999_998) } },
  { value: 'overdue', label: 'Overdue', part: { count: 3, amount: cents(250_000) } },
] as const;

it.each([
  [400, 'All 14 19,999,999.98Overdue 3 2,500.00', false],
  [280, 'All 14 19,999,999.98Overdue 3 ', false],
  [180, 'All 14 Overdue 3 ', false],
  [100, 'All 14 Overdue 3 ', true],
])(
  'at %d px, the totals of unpressed chips are hidden first, then all totals, and then the row scrolls',
  (width, text, more) => {
    // A letter is 9 px wide.
    vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(width);
    vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockImplementation(function (this: Element) {
      return Math.max(width, this.textContent.length * 9);
    });
    show(<Chips label="List filters" chips={CHIPS} value="all" onChange={() => undefined} />);
    const row = screen.getByRole('group', { name: 'List filters' });
    expect(row.textContent).toBe(text);
    expect(row.hasAttribute('data-more')).toBe(more);
  },
);
