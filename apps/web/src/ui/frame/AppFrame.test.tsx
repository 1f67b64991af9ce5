// @vitest-environment jsdom
import '../../testing/setup.ts';
import { IconReceipt, IconUser } from '@tabler/icons-react';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { setWidth } from '../../testing/setup.ts';
import { show } from '../../testing/show.tsx';
import { AppFrame } from './AppFrame.tsx';

const MENU = [
  {
    label: 'Money in',
    items: [
      { to: '/billing', label: 'Billing', icon: IconReceipt },
      { to: '/customers', label: 'Customers', icon: IconUser },
    ],
  },
];

function frame(logout: () => void = () => undefined) {
  return (
    <AppFrame company="Cedar & Stone" initials="MV" menu={MENU} onLogout={logout} onHelp={() => undefined}>
      <p>content</p>
    </AppFrame>
  );
}

it('the current page is marked in the menu', () => {
  show(frame(), '/billing');
  expect(screen.getByRole('link', { name: 'Billing' }).getAttribute('aria-current')).toBe('page');
  expect(screen.getByRole('link', { name: 'Customers' }).getAttribute('aria-current')).toBeNull();
});

it('the menu is open at first, and stays closed on the next visit if the user has closed it', async () => {
  const { unmount } = show(frame(), '/billing');
  const toggle = screen.getByRole('button', { name: 'Toggle menu' });
  expect(toggle.getAttribute('aria-expanded')).toBe('true');
  await userEvent.click(toggle);
  expect(screen.queryByRole('link', { name: 'Billing' })).toBeNull();
  unmount();
  show(frame(), '/billing');
  expect(screen.queryByRole('link', { name: 'Billing' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Toggle menu' }).getAttribute('aria-expanded')).toBe('false');
});

it('below 768 px, the menu is a drawer that is closed at first and closes on navigation', async () => {
  setWidth(767);
  show(frame(), '/billing');
  expect(screen.queryByRole('link', { name: 'Customers' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Toggle menu' }));
  expect(await screen.findByRole('dialog', { name: 'Menu' })).toBeTruthy();
  await userEvent.click(screen.getByRole('link', { name: 'Customers' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Menu' })).toBeNull());
});

it('selecting the initials opens Account Settings with Dark Mode and Logout', async () => {
  let out = 0;
  show(
    frame(() => (out += 1)),
    '/billing',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Account Settings, MV' }));
  const dark = await screen.findByRole('switch', { name: 'Dark Mode' });
  await userEvent.click(dark);
  expect(document.documentElement.getAttribute('data-mantine-color-scheme')).toBe('dark');
  await userEvent.click(dark);
  expect(document.documentElement.getAttribute('data-mantine-color-scheme')).toBe('light');
  await userEvent.click(screen.getByRole('button', { name: 'Logout' }));
  expect(out).toBe(1);
});

it('the popover takes the focus, and Escape returns the focus to the button', async () => {
  show(frame(), '/billing');
  await userEvent.click(screen.getByRole('button', { name: 'Account Settings, MV' }));
  const dark = await screen.findByRole('switch', { name: 'Dark Mode' });
  await waitFor(() => expect(dark.closest('[role="dialog"]')?.contains(document.activeElement)).toBe(true));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Account Settings, MV'));
});

it('on a phone, Help is in the account popover and closes the popover', async () => {
  setWidth(390);
  let asked = 0;
  const props = { company: 'Cedar', initials: 'MV', menu: MENU, onLogout: () => undefined };
  show(
    <AppFrame {...props} onHelp={() => (asked += 1)}>
      content
    </AppFrame>,
  );
  await userEvent.click(screen.getByRole('button', { name: /^Account Settings/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Help' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Help' })).toBeNull());
  expect(asked).toBe(1);
});
