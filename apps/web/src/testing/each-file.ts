import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { signOut } from '../client/session.ts';
import { forgetWrites } from '../client/transport.ts';
import { alerts } from '../ui/alerts/store.ts';
import { keepFor } from '../ui/hooks/localState.ts';
import { setWidth } from './setup.ts';

// Test files share a process and its modules (vitest.config.ts), because loading them again takes longer than the
// tests. These hooks run for every file and give each test the same starting state: a signed-in user (without one,
// nothing is stored), no data on the device, no alerts, an empty page and URL, and no replaced browser features.
beforeEach(() => {
  keepFor('3.7');
  sessionStorage.setItem('tab', 't');
});

afterEach(async () => {
  cleanup();
  vi.useRealTimers();
  // A step back at the end of the test completes asynchronously.
  await new Promise((resolve) => setTimeout(resolve));
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  alerts.forget();
  localStorage.clear();
  sessionStorage.clear();
  // The session module outlives the test file, so the next file would otherwise skip the sign-in page.
  signOut();
  // Two tests may send the same write within a short time.
  forgetWrites();
  document.body.replaceChildren();
  window.history.replaceState(null, '', '/');
  setWidth(1440);
});

// Waits are long because the machine may be busy.
configure({ asyncUtilTimeout: 10_000 });
