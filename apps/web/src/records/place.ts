import { useMemo } from 'react';
import { type To, useLocation, useNavigate } from 'react-router';

/**
 * What is open stands in the address, by one convention: `?customer=12` is the record of that kind, `&edit=12` the
 * form over it (0 a new one), `&tab=`, `&q=`, `&period=` how the page looks. Opening makes an entry of the browser's
 * history, so that Back closes what was opened last and then leaves; typing in a filter makes none.
 */
export interface Place {
  query: URLSearchParams;
  /**
   * Changes the address; undefined takes a name out. Opening something new is a step that Back undoes. `under` names
   * what the last step opened instead of what lies over it: that closes to it, and only then a step back.
   */
  go: (change: Readonly<Record<string, string | number | undefined>>, how?: { step?: boolean; under?: string }) => void;
  /** The address with that change, for real links. */
  to: (change: Readonly<Record<string, string | number | undefined>>) => To;
}

/** The query with that change, `?` in front of it; nothing of none. */
export function changed(query: URLSearchParams, change: Readonly<Record<string, string | number | undefined>>): string {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === '') next.delete(name);
    else next.set(name, String(value));
  }
  const text = next.toString();
  return text === '' ? '' : `?${text}`;
}

/** What was opened by a step of this page: closing it goes back instead of making the history longer. */
export function stepsOf(state: unknown): readonly string[] {
  if (typeof state !== 'object' || state === null || !('steps' in state) || !Array.isArray(state.steps)) return [];
  return state.steps.filter((name) => typeof name === 'string');
}

/** The address of this page: what is open, and how to change it. */
export function usePlace(): Place {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  return useMemo(() => {
    const query = new URLSearchParams(search);
    const steps = stepsOf(state);
    return {
      query,
      to: (change) => ({ pathname, search: changed(query, change) }),
      go: (change, { step = false, under } = {}) => {
        const names = Object.keys(change);
        const isClosing = names.length === 1 && change[names[0] ?? ''] === undefined;
        if (isClosing && steps.at(-1) === names[0]) return void navigate(-1);
        const next = step
          ? [...steps, ...names.filter((name) => change[name] !== undefined)]
          : steps
              .map((name, at) => (under !== undefined && at === steps.length - 1 ? under : name))
              .filter((name) => !(name in change && change[name] === undefined));
        const to = { pathname, search: changed(query, change) };
        void navigate(to, { replace: !step, state: next.length === 0 ? null : { steps: next } });
      },
    };
  }, [navigate, pathname, search, state]);
}

export interface OpenFigure {
  /** The figure that is explained; undefined when none is. */
  name: string | undefined;
  /** Another figure takes its place. */
  open: (name: string) => void;
  close: () => void;
}

/** Which figure of the page is explained: `?figure=revenue.total`. */
export function useOpenFigure(): OpenFigure {
  const { query, go } = usePlace();
  const name = query.get('figure') ?? undefined;
  return {
    name,
    open: (next) => go({ figure: next }, { step: name === undefined }),
    close: () => go({ figure: undefined }),
  };
}
