import { type MouseEvent, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { type To, useLocation, useNavigate } from 'react-router';
import type { SortBy } from '../ui/table/useRows.ts';
import { type Change, newestWith, usePlace } from './place.ts';

export interface OpenRecord {
  /** The record that is open, 0 a new one; undefined when none is. */
  id: number | undefined;
  open: (id: number) => void;
  close: () => void;
  /** For a real link to a record: spread it on a NameLink. */
  link: (id: number) => { to: To; onClick: (event: MouseEvent) => void };
}

/** An id that no record has, the last one that a call takes: asked for like every other, it is answered as missing. */
const NOWHERE = 999_999_999_999_999;

function readId(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The id that the address names; what no record can have (`abc`, `-1`, 0 of a saved one) is one that is not there. */
export function idInAddress(text: string, hasNew: boolean): number {
  const id = readId(text) ?? NOWHERE;
  return id === 0 && !hasNew ? NOWHERE : id;
}

interface Opening {
  /** There is room for one beside the list: one of this kind takes the place of these. */
  other?: string | readonly string[];
  /** False where a record is only shown: 0 is none then. */
  hasNew?: boolean;
}

/** The open record of a kind: `useOpenRecord('edit')`. Another one of the kind takes its place. */
export function useOpenRecord(kind: string, { other, hasNew = true }: Opening = {}): OpenRecord {
  const place = usePlace();
  const text = place.query.get(kind);
  const names = other === undefined ? '' : [other].flat().join(' ');
  const id = text === null || text === '' ? undefined : idInAddress(text, hasNew);
  return useMemo(() => {
    const others = names === '' ? [] : names.split(' ');
    const change = (next: number) => ({ ...Object.fromEntries(others.map((name) => [name, undefined])), [kind]: next });
    const open = (next: number) => place.go(change(next), { step: [kind, ...others] });
    return {
      id,
      open,
      close: () => place.go({ [kind]: undefined }),
      link: (next) => ({
        to: place.to(change(next)),
        // Its own way would lead to the address as it was when the link was drawn.
        onClick: (event) => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          open(next);
        },
      }),
    };
  }, [id, kind, names, place]);
}

/** Other clicks on a link are the browser's: a new tab, a new window, a download. */
function isPlainClick({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !altKey && !ctrlKey && !shiftKey;
}

/** A text of the address, e.g. a filter: `const [filter, setFilter] = useAddressText('q')`. */
export function useAddressText(name: string): [string, (text: string) => void] {
  const { query, go } = usePlace();
  return [query.get(name) ?? '', (text) => go({ [name]: text })];
}

/** One of a few words in the address, e.g. a tab; the first one stands for none. */
export function useAddressChoice<Choice extends string>(
  name: string,
  choices: readonly [Choice, ...Choice[]],
): [Choice, (choice: Choice) => void] {
  const { query, go } = usePlace();
  const chosen = choices.find((choice) => choice === query.get(name)) ?? choices[0];
  return [chosen, (choice) => go({ [name]: choice === choices[0] ? undefined : choice })];
}

export interface AddressSort {
  defaultSort: SortBy;
  sort: SortBy;
  onSort: (sort: SortBy) => void;
}

/**
 * The sort of a list: `?sort=dueDate` is that column, `?sort=-dueDate` the last first. For a table:
 * `{...useAddressSort(initial)}`.
 */
export function useAddressSort(initial: SortBy = { id: '' }): AddressSort {
  const { query, go } = usePlace();
  const textOf = ({ id, desc = false }: SortBy) => (desc ? `-${id}` : id);
  const asked = query.get('sort') ?? textOf(initial);
  return {
    defaultSort: initial,
    sort: { id: asked.replace(/^-/, ''), desc: asked.startsWith('-') },
    onSort: (sort) => go({ sort: textOf(sort) === textOf(initial) ? undefined : textOf(sort) }),
  };
}

/** The id in a navigation state under a name; undefined where there is none. */
export function idInState(state: unknown, name: string): number | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  const given: unknown = Object.entries(state).find(([key]) => key === name)?.[1];
  return typeof given === 'number' || typeof given === 'string' ? readId(String(given)) || undefined : undefined;
}

/** The name that a new record begins with, as a search hands it over, for as long as the form is open; '' without. */
export function useNameAsked(): string {
  const state: unknown = useLocation().state;
  const isNamed = typeof state === 'object' && state !== null && 'name' in state && typeof state.name === 'string';
  const [name] = useState(isNamed ? state.name : '');
  return typeof name === 'string' ? name : '';
}

/**
 * Translates navigation state (customerId, itemId, fromsearch …) into the address, once, and clears it. `read` answers
 * what to open; undefined leaves everything.
 */
export function useAskedByState(read: (state: unknown) => Change | undefined, pathname?: string): void {
  const location = useLocation();
  const navigate = useNavigate();
  const asked = read(location.state);
  const translate = useEffectEvent(() => {
    if (asked === undefined) return;
    void navigate(
      { pathname: pathname ?? location.pathname, search: newestWith(asked) },
      { replace: true, state: null },
    );
  });
  const isAsked = asked !== undefined;
  useEffect(() => {
    if (isAsked) translate();
  }, [isAsked, location.key]);
}
