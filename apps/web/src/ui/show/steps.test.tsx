// @vitest-environment jsdom
import '../../testing/setup.ts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { Stepper } from './Stepper.tsx';

it('a stepper names each state, marks the current step, and can return to completed and failed steps', async () => {
  const gone: string[] = [];
  show(
    <Stepper
      label="Set up"
      steps={[
        { id: 'a', label: 'Company', state: 'done' },
        { id: 'b', label: 'Accounts', state: 'failed' },
        { id: 'c', label: 'Opening', state: 'current' },
        { id: 'd', label: 'Users', state: 'next' },
      ]}
      onGo={(id) => gone.push(id)}
    />,
  );
  const items = screen.getAllByRole('listitem');
  expect(items.map((item) => item.textContent)).toEqual([
    'Step 1 of 4, Done: Company',
    'Step 2 of 4, Failed: Accounts',
    '3Step 3 of 4, Current: Opening',
    '4Step 4 of 4, Not started: Users',
  ]);
  expect(items.map((item) => item.getAttribute('aria-current'))).toEqual([null, null, 'step', null]);
  for (const button of screen.getAllByRole('button')) await userEvent.click(button);
  expect(gone).toEqual(['a', 'b']);
});
