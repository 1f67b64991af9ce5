import { type ComponentType, type ReactNode, Suspense, useEffect } from 'react';
import { type RouteObject, useLocation } from 'react-router';
import { lazyPart } from '../../ui/lazy/lazyPart.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { RouteBoundary } from '../../ui/show/RouteError.tsx';
import type { ScreenNeeds } from './access.ts';
import { Guard } from './Private.tsx';

/** Sets the title and focus of a screen. While the screen loads, shows the title above an empty page. */
function Screen({ title, Body }: { title: string; Body: ComponentType }) {
  const { pathname } = useLocation();
  useEffect(() => {
    document.title = `${title} · Evenkeel`;
    // When the user selects a screen in the menu, the focus moves to the screen. A dialog that opens at the same time
    // keeps its own focus.
    if (document.activeElement !== document.body && document.querySelector('[role="dialog"]') === null) {
      document.getElementById('main')?.focus({ preventScroll: true });
    }
  }, [pathname, title]);
  return (
    <Suspense
      fallback={
        <Page title={title}>
          <p className="ek-page-pad ek-muted" role="status">
            Loading...
          </p>
        </Page>
      }
    >
      <Body />
    </Suspense>
  );
}

export interface ScreenOptions {
  needs: ScreenNeeds;
  /** Shown instead of the screen to users who can't open it. */
  otherwise?: ReactNode;
  load: () => Promise<ComponentType>;
}

/**
 * Returns a private screen: `screen('Products', '/products', { needs: 'View Products', load })`. The screen is loaded
 * when it is first rendered. Errors appear in its place within the app frame.
 */
export function screen(title: string, path: string, { load, needs, otherwise }: ScreenOptions): RouteObject {
  const Body = lazyPart(load);
  const element = (
    <RouteBoundary>
      <Screen title={title} Body={Body} />
    </RouteBoundary>
  );
  const place = path === '/' ? { index: true as const } : { path };
  return {
    element: <Guard needs={needs} otherwise={otherwise} />,
    children: [{ ...place, element }],
  };
}
