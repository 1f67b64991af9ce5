// @vitest-environment jsdom
import '../../testing/setup.ts';
import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { show } from '../../testing/show.tsx';
import { deviceToday, TodayProvider, useToday } from './today.tsx';

afterEach(() => void vi.useRealTimers());

function Today() {
  return <p data-testid="today">{useToday()}</p>;
}

const shown = () => screen.getByTestId('today').textContent;

/** The test device is in Auckland, which is half a day ahead of New York. */
// Promise (browser): Today is the company's date, whatever the device's time zone and clock.
it("today is the company's date in any device time zone, and changes at the company's midnight", () => {
  vi.useFakeTimers({ now: new Date('2026-06-12T03:59:45Z') });
  show(
    <TodayProvider timeZone="America/New_York" now={Date.now}>
      <Today />
    </TodayProvider>,
  );
  expect(deviceToday()).toBe('2026-06-12');
  expect(shown()).toBe('2026-06-11');
  act(() => void vi.advanceTimersByTime(10_000));
  expect(shown()).toBe('2026-06-11');
  act(() => void vi.advanceTimersByTime(10_000));
  expect(shown()).toBe('2026-06-12');
});

it("the device's midnight changes nothing", () => {
  // 11:59:55 PM in Auckland.
  vi.useFakeTimers({ now: new Date('2026-06-12T11:59:55Z') });
  show(
    <TodayProvider timeZone="America/New_York" now={Date.now}>
      <Today />
    </TodayProvider>,
  );
  expect([deviceToday(), shown()]).toEqual(['2026-06-12', '2026-06-12']);
  act(() => void vi.advanceTimersByTime(20_000));
  expect([deviceToday(), shown()]).toEqual(['2026-06-13', '2026-06-12']);
});

it('a device that was asleep at midnight updates the date when the page becomes visible', () => {
  vi.useFakeTimers({ now: new Date('2026-06-12T03:00:00Z') });
  show(
    <TodayProvider timeZone="America/New_York" now={Date.now}>
      <Today />
    </TodayProvider>,
  );
  expect(shown()).toBe('2026-06-11');
  vi.setSystemTime(new Date('2026-06-12T12:00:00Z'));
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(shown()).toBe('2026-06-12');
});

it('a form that is opened with the stored time zone gets its date from the time zone in the response', () => {
  vi.useFakeTimers({ now: new Date('2026-06-12T03:59:00Z') });
  function Dated() {
    const today = useToday();
    const [typed] = useState(today);
    return <p data-testid="today">{typed}</p>;
  }
  const drawn = (timeZone: string) => (
    <TodayProvider timeZone={timeZone} now={Date.now}>
      <Dated />
    </TodayProvider>
  );
  const { rerender } = show(drawn('America/New_York'));
  expect(shown()).toBe('2026-06-11');
  rerender(drawn('Pacific/Auckland'));
  expect(shown()).toBe('2026-06-12');
});
