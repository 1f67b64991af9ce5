import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { signOut } from '../client/session.ts';
import { forgetWrites } from '../client/transport.ts';
import { alerts } from '../ui/alerts/store.ts';
import { keepFor } from '../ui/hooks/localState.ts';
import { setWidth } from './setup.ts';

// Files share a process and its modules (vitest.config.ts), since loading them anew costs more than the tests do. So
// these hooks are set for every file, and each test begins where the others did: somebody signed in (without anybody
// nothing is kept), nothing on the device, nothing told, no page, no address, and nothing in
// the browser's place.
beforeEach(() => {
  keepFor('3.7');
  sessionStorage.setItem('tab', 't');
});

afterEach(async () => {
  cleanup();
  vi.useRealTimers();
  // A step back that the test has asked for last is taken in its own time.
  await new Promise((resolve) => setTimeout(resolve));
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  alerts.forget();
  localStorage.clear();
  sessionStorage.clear();
  // The session's module outlives the file, and would take the next one past a sign-in page.
  signOut();
  // Two tests may send the same write within a moment.
  forgetWrites();
  document.body.replaceChildren();
  window.history.replaceState(null, '', '/');
  setWidth(1440);
});

// A wait takes as long as the machine is busy.
configure({ asyncUtilTimeout: 10_000 });
