import { MantineProvider } from '@mantine/core';
import { cleanup, configure, render, type RenderResult } from '@testing-library/react';
import type { ReactElement, ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach } from 'vitest';
import { theme } from '../theme/theme.ts';
import { keepFor } from '../hooks/localState.ts';
import { setWidth } from './setup.ts';

// Somebody is signed in: without anybody nothing is kept.
beforeEach(() => {
  keepFor('3.7');
  sessionStorage.setItem('tab', 't');
});
// What is waited for takes as long as the machine is busy.
configure({ asyncUtilTimeout: 10_000 });

afterEach(() => {
  cleanup();
  window.localStorage.clear();
  setWidth(1440);
});

function Frame({ children, path }: { children: ReactNode; path: string }) {
  return (
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <MemoryRouter initialEntries={[path]}>{children}</MemoryRouter>
    </MantineProvider>
  );
}

/** Renders a part inside Mantine (transitions and portals off) and a router standing at `path`. */
export function show(element: ReactElement, path = '/'): RenderResult {
  return render(element, { wrapper: ({ children }) => <Frame path={path}>{children}</Frame> });
}
