import { useMemo } from 'react';
import { type To, useLocation, useNavigate } from 'react-router';

/**
 * The address says what is open, by one convention: `?customer=12` is the record of that kind, `&edit=12` the
 * form over it (0 a new one), `&tab=`, `&q=`, `&period=` how the page looks. Opening makes an entry of the browser's
 * history, so that Back closes what was opened last and then leaves; typing in a filter makes none.
 */
export interface Place {
  query: URLSearchParams;
  /**
   * Changes the newest address, which may be ahead of `query`; undefined takes a name out. With `step` Back undoes it,
   * unless one of `step` is open already: the change then takes its place. An empty `step` is always one. `under` names
   * what the last step opened instead of what lies over it: that closes to it, and only then a step back. A page that
   * was left changes nothing, and neither does an empty change.
   */
  go: (change: Change | ((newest: URLSearchParams) => Change), how?: How) => void;
  /** The address with that change, for real links. */
  to: (change: Change) => To;
}

/** Names of the query and their next values, several of a list; undefined takes a name out. */
export type Change = Readonly<Record<string, string | number | readonly string[] | undefined>>;

interface How {
  step?: readonly string[];
  under?: string;
}

/** The query with that change, `?` in front of it; nothing of none. */
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

/** The steps of this page that Back undoes: closing the last one goes back instead of making the history longer. */
function stepsOf(state: unknown): readonly string[] {
  if (typeof state !== 'object' || state === null || !('steps' in state) || !Array.isArray(state.steps)) return [];
  return state.steps.filter((name) => typeof name === 'string');
}

/**
 * The address as the browser has it, with its steps. The router's own comes in a transition, later than the next key
 * or click: a write on top of that one would undo what was written meanwhile.
 */
function newest() {
  const kept: unknown = window.history.state;
  const state: unknown = typeof kept === 'object' && kept !== null && 'usr' in kept ? kept.usr : undefined;
  return { query: new URLSearchParams(window.location.search), steps: stepsOf(state) };
}

/** The newest query with that change. */
export function newestWith(change: Change): string {
  return changed(newest().query, change);
}

/** Writes that wait for the end of a step back: the browser takes the step later, and they belong where it leads. */
let waiting: (() => void)[] | undefined;
/** A step back that leads nowhere is not waited for any longer; milliseconds. */
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

/** The address of this page: what is open, and how to change it. */
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
  /** The figure that is explained; undefined when none is. */
  name: string | undefined;
  /** Another figure takes its place. */
  open: (name: string) => void;
  close: () => void;
}

/** The explained figure of the page: `?figure=revenue.total`. */
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

/** Opens a page as a step of this one, so that its close button comes back here. */
export function useOpenSubPage(): (path: string) => void {
  const navigate = useNavigate();
  return (path) => void navigate(path, { state: { steps: [SUB_PAGE] } });
}

/** Closes a sub-page: back to the page that opened it, as it was left; to `path` where no page did. */
export function useCloseSubPage(path: string): () => void {
  const navigate = useNavigate();
  return () => {
    if (newest().steps.at(-1) === SUB_PAGE) stepBack(() => void navigate(-1));
    else void navigate(path);
  };
}
