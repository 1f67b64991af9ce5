import { cleanup, configure } from '@testing-library/react';
import * as React from 'react';
import { afterEach, beforeEach, vi } from 'vitest';
import { alerts } from '../ui/alerts/store.ts';
import { keepFor } from '../ui/hooks/localState.ts';
import { setWidth } from './setup.ts';

const told = console.error;
/** React may lose a part that is fetched within an act that nobody waits for: at times the test then fails. */
const LOST = 'A component suspended inside an `act` scope';
let lost = 0;

/**
 * React in development keeps a stack of calls for each element, of 10,000 in a second, to tell where in a warning: a
 * tenth of the tests' time. So it believes that it has kept as many already.
 */
const internals: unknown = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE');
if (typeof internals === 'object' && internals !== null) {
  const kept = { get: () => 10_000, set: () => undefined, configurable: true };
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', kept);
}

// Files share a process and its modules (vitest.config.ts), since loading them anew costs more than the tests do. So
// these hooks are set for every file, and each test begins where the others did: somebody signed in (without anybody
// nothing is kept), nothing on the device, nothing told, no page, no address, and nothing in
// the browser's place.
beforeEach(() => {
  lost = 0;
  console.error = (...words: unknown[]) => {
    if (String(words[0]).startsWith(LOST)) lost += 1;
    told(...words);
  };
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
  document.body.replaceChildren();
  window.history.replaceState(null, '', '/');
  setWidth(1440);
  console.error = told;
  if (lost > 0) throw new Error('a click that fetches a part is not awaited: await act(async () => …)');
});

// A wait takes as long as the machine is busy.
configure({ asyncUtilTimeout: 10_000 });
