// @vitest-environment jsdom
import '../../testing/setup.ts';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useRailTip } from './RailTip.tsx';

function Icon() {
  const { handlers, tip } = useRailTip('Billing', true);
  return (
    <button type="button" {...handlers}>
      icon
      {tip}
    </button>
  );
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('a tooltip appears 250 ms after the pointer enters and disappears 400 ms after it leaves', () => {
  render(<Icon />);
  const icon = screen.getByText('icon');
  const after = (ms: number) => {
    act(() => void vi.advanceTimersByTime(ms));
    return document.querySelector('.ek-rail-tip')?.textContent;
  };
  fireEvent.pointerEnter(icon);
  expect(after(249)).toBeUndefined();
  expect(after(1)).toBe('Billing');
  fireEvent.pointerLeave(icon);
  expect(after(399)).toBe('Billing');
  expect(after(1)).toBeUndefined();
});
