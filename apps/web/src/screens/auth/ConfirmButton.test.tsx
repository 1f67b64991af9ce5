// @vitest-environment jsdom
import '../../testing/setup.ts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { show } from '../../testing/show.tsx';
import { ConfirmButton } from './ConfirmButton.tsx';

test('the confirmation focuses Cancel, and Cancel or Escape restores the button and runs nothing', async () => {
  const onConfirm = vi.fn<() => void>();
  show(<ConfirmButton label="Sign Out Everywhere Else" question="Sign out of 3 sessions?" onConfirm={onConfirm} />);
  const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
  for (const answer of [() => press('Cancel'), () => userEvent.keyboard('{Escape}')]) {
    await press('Sign Out Everywhere Else');
    expect(screen.getByRole('group', { name: 'Sign out of 3 sessions?' })).toBeTruthy();
    expect(document.activeElement?.textContent).toBe('Cancel');
    await answer();
    expect(document.activeElement?.textContent).toBe('Sign Out Everywhere Else');
  }
  expect(onConfirm).not.toHaveBeenCalled();
  await press('Sign Out Everywhere Else');
  await press('Sign Out Everywhere Else');
  expect(onConfirm).toHaveBeenCalledOnce();
});
