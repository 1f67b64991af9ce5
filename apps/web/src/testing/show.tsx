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

/** Renders a component in Mantine (without transitions and portals) and the app's router, at the URL `path`. */
export function show(element: ReactElement, path = '/'): RenderResult {
  window.history.replaceState(null, '', path);
  return render(element, { wrapper: Frame });
}
