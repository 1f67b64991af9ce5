// @vitest-environment jsdom
import '../../testing/setup.ts';
import { act, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { setWidth } from '../../testing/setup.ts';
import { show } from '../../testing/show.tsx';
import { useNarrow } from './media.ts';

function Layout({ name }: { name: string }) {
  return <p>{`${name} is ${useNarrow() ? 'narrow' : 'wide'}`}</p>;
}

it('a component that renders again keeps its subscription to the window width', () => {
  const subscribed = vi.spyOn(EventTarget.prototype, 'addEventListener');
  const { rerender } = show(<Layout name="The list" />);
  const subscriptions = () => subscribed.mock.calls.filter(([type]) => type === 'change').length;
  const first = subscriptions();
  rerender(<Layout name="The panel" />);
  expect(screen.getByText('The panel is wide')).toBeDefined();
  expect(subscriptions()).toBe(first);
  subscribed.mockRestore();
  act(() => setWidth(700));
  expect(screen.getByText('The panel is narrow')).toBeDefined();
});
