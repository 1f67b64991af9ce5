import { type CardKey, isCardKey } from '@evenkeel/core/cards';
import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { followPress } from './press.ts';

/** So near to the edge of the page a drag scrolls it, in px. */
const EDGE = 56;
const GLIDE = { duration: 180, easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)' };

export interface DragOptions {
  /** The cards that stand there, in their order. */
  keys: readonly CardKey[];
  move: (key: CardKey, to: CardKey) => void;
  /** A drag that was called off: back to this order. */
  restore: (keys: readonly CardKey[]) => void;
}

/**
 * Cards are put in order by a press on their head, held and moved over others, or by the arrow keys on their grip. The
 * elements stay where they are while one is dragged (`order` shows them elsewhere), so that the finger is not lost.
 */
export function useDrag({ keys, move, restore }: DragOptions) {
  const grid = useRef<HTMLDivElement>(null);
  const before = useRef<Map<string, DOMRect>>(undefined);
  const refocus = useRef<CardKey>(undefined);
  const stop = useRef<() => void>(undefined);
  const [drag, setDrag] = useState<{ key: CardKey; from: readonly CardKey[] }>();
  const latest = useRef({ keys, move, restore });
  useLayoutEffect(() => {
    latest.current = { keys, move, restore };
  });
  useEffect(() => () => stop.current?.(), []);

  const shift = (key: CardKey, to: CardKey) => {
    before.current = placesIn(grid.current);
    latest.current.move(key, to);
  };
  const order = keys.join(' ');
  useLayoutEffect(() => {
    glide(grid.current, before.current);
    before.current = undefined;
    const card = refocus.current;
    if (card !== undefined) grid.current?.querySelector<HTMLElement>(`[data-card="${card}"] .db-grip`)?.focus();
    refocus.current = undefined;
  }, [order]);

  const press = (key: CardKey) => (event: PointerEvent) => {
    const from = latest.current.keys;
    let over: CardKey | undefined = key;
    let frame = 0;
    stop.current?.();
    stop.current = followPress(event, '.db-grip', {
      onHold: () => setDrag({ key, from }),
      onMove: (x, y) => {
        const found = cardAt(x, y);
        if (found !== over && found !== undefined && found !== key) shift(key, found);
        over = found;
        cancelAnimationFrame(frame);
        const scroll = () => {
          if (scrollNear(grid.current, y)) frame = requestAnimationFrame(scroll);
        };
        scroll();
      },
      onEscape: () => {
        before.current = placesIn(grid.current);
        latest.current.restore(from);
      },
      onEnd: () => {
        cancelAnimationFrame(frame);
        setDrag(undefined);
      },
    });
  };

  const arrow = (key: CardKey) => (event: KeyboardEvent) => {
    const steps = stepsOf(event.key, columnsOf(grid.current), keys.length);
    if (steps === undefined) return;
    event.preventDefault();
    const at = keys.indexOf(key);
    const to = keys[Math.min(keys.length - 1, Math.max(0, at + steps))];
    if (to === undefined || to === key) return;
    refocus.current = key;
    shift(key, to);
  };

  /** In which order the elements stand, and in which they are shown. */
  const drawn = drag === undefined ? keys : drag.from.filter((key) => keys.includes(key));
  return { grid, drawn, dragged: drag?.key, orderOf: (key: CardKey) => keys.indexOf(key), press, arrow };
}

function stepsOf(key: string, columns: number, count: number): number | undefined {
  return { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, Home: -count, End: count }[key];
}

function columnsOf(grid: HTMLElement | null): number {
  return grid === null ? 1 : Math.max(1, getComputedStyle(grid).gridTemplateColumns.split(' ').length);
}

function cardAt(x: number, y: number): CardKey | undefined {
  const key = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-card]')?.dataset['card'];
  return key !== undefined && isCardKey(key) ? key : undefined;
}

/** True while it scrolls. */
function scrollNear(grid: HTMLElement | null, y: number): boolean {
  const page = grid?.closest('.ek-page-body');
  if (!(page instanceof HTMLElement)) return false;
  const { top, bottom } = page.getBoundingClientRect();
  const by = y < top + EDGE ? -8 : y > bottom - EDGE ? 8 : 0;
  const from = page.scrollTop;
  page.scrollTop += by;
  return page.scrollTop !== from;
}

const cardsIn = (grid: HTMLElement | null): HTMLElement[] => [
  ...(grid?.querySelectorAll<HTMLElement>('[data-card]') ?? []),
];

function placesIn(grid: HTMLElement | null): Map<string, DOMRect> {
  return new Map(cardsIn(grid).map((card) => [card.dataset['card'] ?? '', card.getBoundingClientRect()]));
}

/** Lets cards slide from where they stood. */
function glide(grid: HTMLElement | null, places: Map<string, DOMRect> | undefined): void {
  if (places === undefined || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  for (const card of cardsIn(grid)) {
    const from = places.get(card.dataset['card'] ?? '');
    const to = card.getBoundingClientRect();
    if (from === undefined || (from.left === to.left && from.top === to.top)) continue;
    const start = `translate(${from.left - to.left}px, ${from.top - to.top}px)`;
    card.animate([{ transform: start }, { transform: 'none' }], GLIDE);
  }
}
