import { useMemo } from 'react';
import { type To, useLocation, useNavigate } from 'react-router';

/**
 * The URL determines what is open, by one convention: `?customer=12` is the record of that type, `&edit=12` is the form
 * on top of it (0 for a new one), and `&tab=`, `&q=`, and `&period=` determine how the page looks. Opening something
 * adds a history entry, so that Back closes what was opened last before it leaves the page. Typing in a filter adds no
 * entry.
 */
export interface Place {
  query: URLSearchParams;
  /**
   * Changes the latest URL, which may be newer than `query`. Undefined removes a parameter. With `step`, Back undoes
   * the change. However, if the URL already has a parameter in `step`, the change replaces the current entry. An empty
   * `step` always adds an entry. `under` identifies the item below the current dialog that the last step opened.
   * Closing the dialog returns to that item, and only the next close goes back a step. Empty changes, and changes from
   * a page that the user has left, have no effect.
   */
  go: (change: Change | ((newest: URLSearchParams) => Change), how?: How) => void;
  /** Returns the URL with a change applied, for links. */
  to: (change: Change) => To;
}

/** Query parameters with their new values. A list sets several values. Undefined removes a parameter. */
export type Change = Readonly<Record<string, string | number | readonly string[] | undefined>>;

interface How {
  step?: readonly string[];
  under?: string;
}

/** Returns the query with a change applied, starting with `?`, or an empty string. */
function changed(query: URLSearchParams, change: Change): string {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === '' || typeof value === 'object') next.delete(name);
    else next.set(name, String(value));
    if (typeof value === 'object') for (const each of value) next.append(name, each);
  }
  const text = next.toString();
  return text === '' ? '' : `?${text}`;
}

/**
 * Returns the steps on this page that Back undoes. Closing an item that the last step opened goes back instead of
 * adding a history entry.
 */
function stepsOf(state: unknown): readonly string[] {
  if (typeof state !== 'object' || state === null || !('steps' in state) || !Array.isArray(state.steps)) return [];
  return state.steps.filter((name) => typeof name === 'string');
}

/**
 * Returns the browser's current URL with its steps. The router gets the URL later, in a transition, so a change that is
 * based on the router's URL would undo changes made in the meantime.
 */
function newest() {
  const kept: unknown = window.history.state;
  const state: unknown = typeof kept === 'object' && kept !== null && 'usr' in kept ? kept.usr : undefined;
  return { query: new URLSearchParams(window.location.search), steps: stepsOf(state) };
}

/** Returns the latest query with a change applied. */
export function newestWith(change: Change): string {
  return changed(newest().query, change);
}

/**
 * Changes that wait until a step back is complete. The browser navigates later, and the changes apply to the page that
 * the step leads to.
 */
let waiting: (() => void)[] | undefined;
/** The maximum time in ms to wait for a step back that leads nowhere. */
const STEP_MS = 500;

function stepBack(back: () => void): void {
  const writes: (() => void)[] = [];
  const arrived = () => {
    clearTimeout(clock);
    window.removeEventListener('popstate', arrived);
    waiting = undefined;
    for (const write of writes) write();
  };
  const clock = setTimeout(arrived, STEP_MS);
  window.addEventListener('popstate', arrived);
  waiting = writes;
  back();
}

/** Returns the URL of this page and functions to change it. */
export function usePlace(): Place {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  return useMemo(() => {
    const query = new URLSearchParams(search);
    const go: Place['go'] = (asked, how = {}) => {
      if (waiting !== undefined) return void waiting.push(() => go(asked, how));
      if (window.location.pathname !== pathname) return;
      const now = newest();
      const change = typeof asked === 'function' ? asked(now.query) : asked;
      const names = Object.keys(change);
      if (names.length === 0) return;
      const [only] = names;
      const isClosing = names.length === 1 && only !== undefined && change[only] === undefined;
      if (isClosing && now.steps.at(-1) === only) return stepBack(() => void navigate(-1));
      const isStep = how.step?.some((name) => now.query.has(name)) === false;
      const steps = stepsAfter(now.steps, change, { ...how, isStep });
      const state = steps.length === 0 ? null : { steps };
      void navigate({ pathname, search: changed(now.query, change) }, { replace: !isStep, state });
    };
    return { query, go, to: (change) => ({ pathname, search: changed(query, change) }) };
  }, [navigate, pathname, search]);
}

function stepsAfter(steps: readonly string[], change: Change, { isStep, under }: How & { isStep: boolean }) {
  if (isStep) return [...steps, ...Object.keys(change).filter((name) => change[name] !== undefined)];
  return steps
    .map((name, at) => (under !== undefined && at === steps.length - 1 ? under : name))
    .filter((name) => !(name in change && change[name] === undefined));
}

export interface OpenFigure {
  /** The name of the amount that is explained, or undefined if none is open. */
  name: string | undefined;
  /** Opens an amount in place of the amount that is open. */
  open: (name: string) => void;
  close: () => void;
}

/** Returns the amount that the page explains: `?figure=revenue.total`. */
export function useOpenFigure(): OpenFigure {
  const { query, go } = usePlace();
  const name = query.get('figure') ?? undefined;
  return {
    name,
    open: (next) => go({ figure: next }, { step: ['figure'] }),
    close: () => go({ figure: undefined }),
  };
}

const SUB_PAGE = 'subpage';

/** Returns a function that opens a subpage as a step from this page, so that closing the subpage returns here. */
export function useOpenSubPage(): (path: string) => void {
  const navigate = useNavigate();
  return (path) => void navigate(path, { state: { steps: [SUB_PAGE] } });
}

/**
 * Returns a function that closes a subpage. Closing returns to the page that opened the subpage, in its previous state,
 * or to `path` if no page opened it.
 */
export function useCloseSubPage(path: string): () => void {
  const navigate = useNavigate();
  return () => {
    if (newest().steps.at(-1) === SUB_PAGE) stepBack(() => void navigate(-1));
    else void navigate(path);
  };
}
