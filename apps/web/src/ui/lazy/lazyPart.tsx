import { type ComponentType, createElement, type ReactNode, use, useEffect, useReducer } from 'react';
import { PartFailed } from './PartFailed.tsx';

/** A component in a chunk of its own; `warm` fetches it ahead of its first drawing. */
export interface LazyPart<Props extends object> {
  (props: Props): ReactNode;
  warm: () => void;
}

/**
 * A part that is fetched when it is first drawn; put a Suspense around it. When it cannot be fetched (no network), it
 * says so in its own place and offers Retry: what stands around it stays. It tries again by itself once there is a
 * network.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let found: Promise<ComponentType<Props> | undefined> | undefined;
  const fetched = () => (found ??= load().catch(() => undefined));
  function Part(props: Props): ReactNode {
    const [tries, again] = useReducer((count: number) => count + 1, 0);
    const Found = use(fetched());
    const failed = Found === undefined;
    useEffect(() => {
      if (!failed) return undefined;
      const retry = () => {
        found = undefined;
        again();
      };
      window.addEventListener('online', retry);
      return () => window.removeEventListener('online', retry);
    }, [failed]);
    if (Found !== undefined) return createElement(Found, props);
    const onRetry = async () => {
      // A browser may remember that a module could not be had; a page that is loaded anew does not.
      if (tries > 0 && navigator.onLine) return window.location.reload();
      await mendStyles();
      found = undefined;
      again();
    };
    return <PartFailed onRetry={() => void onRetry()} />;
  }
  return Object.assign(Part, { warm: () => void fetched() });
}

/** Style sheets that could not be had are asked for again: the builder's loader asks once only. */
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
