// @vitest-environment jsdom
import '../../testing/setup.ts';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { lazyPart } from './lazyPart.tsx';

const Screen = () => <h1>Customers</h1>;

function place(Part: ReturnType<typeof lazyPart<object>>) {
  return (
    <>
      <nav>Menu</nav>
      <Suspense fallback={null}>
        <Part />
      </Suspense>
    </>
  );
}

it("if a screen can't be loaded, the frame stays and shows an error, and Retry loads the screen", async () => {
  let network = false;
  const Part = lazyPart<object>(() => (network ? Promise.resolve(Screen) : Promise.reject(new TypeError('offline'))));
  await act(async () => show(place(Part)));
  expect(screen.getByRole('alert').textContent).toContain('This content could not be loaded');
  expect(screen.getByText('Menu')).toBeTruthy();
  network = true;
  await act(async () => userEvent.click(screen.getByRole('button', { name: 'Retry' })));
  expect(await screen.findByRole('heading', { name: 'Customers' })).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

it('the screen loads automatically when the connection is restored', async () => {
  let network = false;
  const Part = lazyPart<object>(() => (network ? Promise.resolve(Screen) : Promise.reject(new TypeError('offline'))));
  await act(async () => show(place(Part)));
  network = true;
  await act(async () => void window.dispatchEvent(new Event('online')));
  expect(await screen.findByRole('heading', { name: 'Customers' })).toBeTruthy();
});

it('if the connection is restored while the error is not displayed, the next display loads the screen', async () => {
  let network = false;
  const Part = lazyPart<object>(() => (network ? Promise.resolve(Screen) : Promise.reject(new TypeError('offline'))));
  const { unmount } = await act(async () => show(place(Part)));
  expect(screen.getByRole('alert').textContent).toContain('This content could not be loaded');
  unmount();
  network = true;
  window.dispatchEvent(new Event('online'));
  await act(async () => show(place(Part)));
  expect(await screen.findByRole('heading', { name: 'Customers' })).toBeTruthy();
});
