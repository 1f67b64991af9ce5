// @vitest-environment jsdom
import { setWidth } from '../../testing/setup.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { AppFrame } from '../../ui/frame/AppFrame.tsx';
import { ChatWidget } from './ChatWidget.tsx';
import { chatWidgetUrl } from './chat.ts';

const ADDRESS = 'https://chat.example/widget.js';

beforeEach(() => {
  document.head.insertAdjacentHTML('beforeend', `<meta name="chat-widget" content="${ADDRESS}">`);
});
afterEach(() => {
  document.querySelector('meta[name="chat-widget"]')?.remove();
  setWidth(1440);
});

const script = () => document.querySelector<HTMLScriptElement>(`script[src="${ADDRESS}"]`);
const frame = () =>
  show(
    <AppFrame company="Cedar" initials="MV" menu={[]} chat={ChatWidget} onLogout={() => undefined}>
      <p>A screen</p>
    </AppFrame>,
  );

it('the chat widget loads with the app frame and removes everything when unmounted', () => {
  expect(chatWidgetUrl()).toBe(ADDRESS);
  const { unmount } = frame();
  expect(script()?.async).toBe(true);
  // Adds an element at the end of the page, as chat widgets do.
  document.body.insertAdjacentHTML('beforeend', '<div id="widget"><iframe title="chat"></iframe></div>');
  unmount();
  expect([script(), document.getElementById('widget')]).toEqual([null, null]);
});

it('below 768 px, the chat widget loads when the drawer opens and unloads when it closes', async () => {
  setWidth(390);
  frame();
  expect(script()).toBeNull();
  const toggle = screen.getByRole('button', { name: 'Toggle menu' });
  fireEvent.click(toggle);
  await waitFor(() => expect(script()).not.toBeNull());
  expect(screen.getByText('A screen')).toBeTruthy();
  fireEvent.keyDown(document.querySelector('.mantine-Drawer-content') ?? document.body, { key: 'Escape' });
  await waitFor(() => expect(script()).toBeNull());
});

it('the chat widget is absent if none is configured', () => {
  document.querySelector('meta[name="chat-widget"]')?.remove();
  frame();
  expect([chatWidgetUrl(), document.querySelector('body > script')]).toEqual([undefined, null]);
});
