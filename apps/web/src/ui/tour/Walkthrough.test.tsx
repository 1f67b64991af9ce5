// @vitest-environment jsdom
import '../../testing/setup.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { startTour, WalkthroughButton } from './Walkthrough.tsx';

const STEPS = [
  { element: '#posting-date', title: 'Posting Date', text: 'The day it counts.' },
  { element: '#profit-center', title: 'Profit Center', text: 'Only where they are used.' },
  { element: '#description', title: 'Description', text: 'What it was.', side: 'top' as const },
];

function Form() {
  return (
    <>
      <WalkthroughButton steps={STEPS} />
      <input id="posting-date" aria-label="Posting Date" />
      <input id="description" aria-label="Description" />
    </>
  );
}

const popover = () => document.querySelector('.driver-popover');

afterEach(() => popover()?.remove());

it("a walkthrough doesn't start if none of its elements are on the screen", async () => {
  show(<p>empty</p>);
  await startTour(STEPS);
  expect(popover()).toBeNull();
});

it("steps whose element isn't on the screen are skipped, and Done after the last step ends the tour", async () => {
  show(<Form />);
  await userEvent.click(screen.getByRole('button', { name: 'Walkthrough' }));
  await waitFor(() => expect(popover()?.textContent).toContain('Posting Date'), { timeout: 10_000 });
  expect(popover()?.textContent).toContain('1 of 2');
  document.querySelector<HTMLElement>('.driver-popover-next-btn')?.click();
  await waitFor(() => expect(popover()?.textContent).toContain('What it was.'));
  document.querySelector<HTMLElement>('.driver-popover-next-btn')?.click();
  await waitFor(() => expect(popover()).toBeNull());
});

it('Back on the first step ends the walkthrough', async () => {
  show(<Form />);
  await userEvent.click(screen.getByRole('button', { name: 'Walkthrough' }));
  await waitFor(() => expect(popover()).not.toBeNull(), { timeout: 10_000 });
  document.querySelector<HTMLElement>('.driver-popover-prev-btn')?.click();
  await waitFor(() => expect(popover()).toBeNull());
});
