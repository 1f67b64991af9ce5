import { type MouseEvent, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { type To, useLocation, useNavigate } from 'react-router';
import type { SortBy } from '../ui/table/useRows.ts';
import { type Change, newestWith, usePlace } from './place.ts';

export interface OpenRecord {
  /** The ID of the open record, or 0 for a new one. Undefined if none is open. */
  id: number | undefined;
  open: (id: number) => void;
  close: () => void;
  /** Returns the props for a link to a record, to spread on a NameLink. */
  link: (id: number) => { to: To; onClick: (event: MouseEvent) => void };
}

/** The highest ID that a call accepts. No record has this ID, so the server reports the record as missing. */
const NOWHERE = 999_999_999_999_999;

function readId(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/**
 * Returns the ID in the URL. A value that no record can have (`abc`, `-1`, or 0 where only saved records open) becomes
 * an ID that doesn't exist.
 */
export function idInAddress(text: string, hasNew: boolean): number {
  const id = readId(text) ?? NOWHERE;
  return id === 0 && !hasNew ? NOWHERE : id;
}

interface Opening {
  /**
   * The record types that share the space next to the list with this type. Opening a record of one type closes any open
   * record of another type.
   */
  other?: string | readonly string[];
  /** False if records can only be viewed, so that 0 means that none is open. */
  hasNew?: boolean;
}

/** Returns the open record of a type: `useOpenRecord('edit')`. Opening another record replaces it. */
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
        // The link's own navigation would go to the URL as it was when the link was last rendered.
        onClick: (event) => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          open(next);
        },
      }),
    };
  }, [id, kind, names, place]);
}

/** The browser handles other clicks on a link: a new tab, a new window, or a download. */
function isPlainClick({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !altKey && !ctrlKey && !shiftKey;
}

/** Returns text stored in the URL, for example a filter: `const [filter, setFilter] = useAddressText('q')`. */
export function useAddressText(name: string): [string, (text: string) => void] {
  const { query, go } = usePlace();
  return [query.get(name) ?? '', (text) => go({ [name]: text })];
}

/** Returns one of several choices stored in the URL, for example a tab. The first choice is the default. */
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
 * Returns a list's sort order: `?sort=dueDate` sorts by that column, `?sort=-dueDate` in descending order. For a table,
 * use
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

/** Returns the ID stored under a name in the navigation state, or undefined if none is stored. */
export function idInState(state: unknown, name: string): number | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  const given: unknown = Object.entries(state).find(([key]) => key === name)?.[1];
  return typeof given === 'number' || typeof given === 'string' ? readId(String(given)) || undefined : undefined;
}

/**
 * Returns the name that the search passed for a new record, as long as the form is open. Empty if the search passed no
 * name.
 */
export function useNameAsked(): string {
  const state: unknown = useLocation().state;
  const isNamed = typeof state === 'object' && state !== null && 'name' in state && typeof state.name === 'string';
  const [name] = useState(isNamed ? state.name : '');
  return typeof name === 'string' ? name : '';
}

/**
 * Returns the customer or vendor that the previous page passed for a new document. The value stays the same while the
 * form is open.
 */
export function useEntityAsked(): number | undefined {
  const state: unknown = useLocation().state;
  const [id] = useState(() => idInState(state, 'entityId'));
  return id;
}

/**
 * Moves navigation state (customerId, itemId, fromsearch …) to the URL once and clears it. `read` returns what to open,
 * or undefined to change nothing.
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
