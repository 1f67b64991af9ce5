import { MantineProvider } from '@mantine/core';
import { render, type RenderResult } from '@testing-library/react';
import type { ReactElement, ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { theme } from '../theme/theme.ts';
import './setup.ts';

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
