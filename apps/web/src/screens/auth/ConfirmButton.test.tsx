// @vitest-environment jsdom
import '../../testing/setup.ts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { show } from '../../testing/show.tsx';
import { ConfirmButton } from './ConfirmButton.tsx';

test('asks with the focus on Cancel; Cancel and Escape lead back to the button, and nothing is done', async () => {
  const onConfirm = vi.fn<() => void>();
  show(<ConfirmButton label="End all others" question="End 3 sessions?" onConfirm={onConfirm} />);
  const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
  for (const answer of [() => press('Cancel'), () => userEvent.keyboard('{Escape}')]) {
    await press('End all others');
    expect(screen.getByRole('group', { name: 'End 3 sessions?' })).toBeTruthy();
    expect(document.activeElement?.textContent).toBe('Cancel');
    await answer();
    expect(document.activeElement?.textContent).toBe('End all others');
  }
  expect(onConfirm).not.toHaveBeenCalled();
  await press('End all others');
  await press('End all others');
  expect(onConfirm).toHaveBeenCalledOnce();
});
