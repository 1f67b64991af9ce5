import { MantineProvider } from '@mantine/core';
import { render, type RenderResult } from '@testing-library/react';
import type { ReactElement, ReactNode } from 'react';
import { BrowserRouter } from 'react-router';
import { theme } from '../ui/theme/theme.ts';
import './setup.ts';

function Frame({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <BrowserRouter>{children}</BrowserRouter>
    </MantineProvider>
  );
}

/** Renders a part in Mantine (transitions and portals off) and the product's router; the window stands at `path`. */
export function show(element: ReactElement, path = '/'): RenderResult {
  window.history.replaceState(null, '', path);
  return render(element, { wrapper: Frame });
}
