import { type ComponentType, type ReactNode, Suspense, useEffect } from 'react';
import { type RouteObject, useLocation } from 'react-router';
import { lazyPart } from '../../ui/lazy/lazyPart.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { RouteBoundary } from '../../ui/show/RouteError.tsx';
import type { ScreenNeeds } from './access.ts';
import { Guard } from './Private.tsx';

/** Title and focus of a screen; while it is fetched, its title over an empty page. */
function Screen({ title, Body }: { title: string; Body: ComponentType }) {
  const { pathname } = useLocation();
  useEffect(() => {
    document.title = `${title} · Evenkeel`;
    // After a click in the menu the focus goes to what was opened; a dialog that opened with it keeps its own.
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
  /** In place of the screen for who may not open it. */
  otherwise?: ReactNode;
  load: () => Promise<ComponentType>;
}

/**
 * A private screen: `screen('Products', '/products', { needs: 'View Products', load })`. Fetched when it is drawn; what
 * goes wrong in it is said in its place, inside the frame.
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
