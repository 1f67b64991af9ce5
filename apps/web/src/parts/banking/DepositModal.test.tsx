// @vitest-environment jsdom
import '../../testing/setup.ts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signOut, updateSession } from '../../client/session.ts';
import { showWithData, signedIn } from '../../screens/billing/testing/answers.tsx';
import { anyServer } from '../../testing/server.ts';
import { DepositModal } from './DepositModal.tsx';

beforeEach(() => {
  signedIn();
  updateSession({ permissions: ['Manage Banking'] });
});
afterEach(() => {
  vi.unstubAllGlobals();
  signOut();
});

it('the button for a new deposit shows the number of selected receipts', async () => {
  anyServer();
  showWithData(<DepositModal id={0} onClose={() => undefined} />);
  const checks = await screen.findAllByRole('checkbox');
  expect(screen.getByText('Save')).toBeTruthy();
  await userEvent.click(checks.at(-1) ?? document.body);
  expect(await screen.findByText('Deposit 1', { selector: 'button *' })).toBeTruthy();
  expect(screen.queryByText('Save')).toBeNull();
});
