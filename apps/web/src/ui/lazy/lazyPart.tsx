import { type ComponentType, createElement, type ReactNode, use, useEffect, useReducer } from 'react';
import { PartFailed } from './PartFailed.tsx';

/** A component in a separate chunk. `warm` loads it before it is first rendered. */
export interface LazyPart<Props extends object> {
  (props: Props): ReactNode;
  warm: () => void;
}

/**
 * Returns a component that loads when it is first rendered. Wrap it in a Suspense. If the component can't be loaded,
 * for example without a connection, it shows an error in place with Retry, and the surrounding content stays. It
 * retries automatically when the connection is restored.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let found: Promise<ComponentType<Props> | undefined> | undefined;
  const fetched = () => {
    if (found !== undefined) return found;
    const asked = load().catch(() => {
      // The part may not be displayed by then, for example if the user has left the screen.
      window.addEventListener('online', forget, { once: true });
      return undefined;
    });
    const forget = () => {
      if (found === asked) found = undefined;
    };
    return (found = asked);
  };
  function Part(props: Props): ReactNode {
    const [tries, again] = useReducer((count: number) => count + 1, 0);
    const Found = use(fetched());
    const failed = Found === undefined;
    useEffect(() => {
      if (!failed) return undefined;
      // The connection may have been restored since the failure was rendered.
      if (found === undefined) again();
      window.addEventListener('online', again);
      return () => window.removeEventListener('online', again);
    }, [failed, tries]);
    if (Found !== undefined) return createElement(Found, props);
    const onRetry = async () => {
      // A browser may remember that a module failed to load. Reloading the page clears that.
      if (tries > 0 && navigator.onLine) return window.location.reload();
      await mendStyles();
      found = undefined;
      again();
    };
    return <PartFailed onRetry={() => void onRetry()} />;
  }
  return Object.assign(Part, { warm: () => void fetched() });
}

/** Loads failed style sheets again, because the bundler's loader requests each one only once. */
export async function mendStyles(): Promise<void> {
  const missing = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].filter(
    (link) => !link.sheet,
  );
  await Promise.all(
    missing.map(
      (link) =>
        new Promise<void>((done) => {
          const next = document.createElement('link');
          next.rel = 'stylesheet';
          next.href = link.href;
          next.addEventListener('load', () => done());
          next.addEventListener('error', () => done());
          link.replaceWith(next);
        }),
    ),
  );
}
