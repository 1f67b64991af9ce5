import { type CardKey, isCardKey } from '@evenkeel/core/cards';
import type { PointerEvent, RefObject } from 'react';
import { followPress } from './press.ts';

/** The distance in px from the page edge within which a drag scrolls the page. */
const EDGE = 56;
const GLIDE = { duration: 180, easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)' };

type Grid = RefObject<HTMLElement | null>;

export interface FollowedCard {
  grid: Grid;
  key: CardKey;
  onHold: () => void;
  /** Called when the card is held over another card. */
  onOver: (to: CardKey) => void;
  onEscape: () => void;
  onEnd: () => void;
}

/** Tracks a press on a card's heading until the press ends. Returns a function that cancels the press. */
export function followCard(event: PointerEvent, card: FollowedCard): (() => void) | undefined {
  const { grid, key, onHold, onOver, onEscape, onEnd } = card;
  let over: CardKey | undefined = key;
  let frame = 0;
  const look = (x: number, y: number) => {
    const found = cardAt(x, y);
    // Called once for each card, because the other card may still be below the pointer after the move.
    if (found !== over && found !== undefined && found !== key) onOver(found);
    over = found;
  };
  return followPress(event, '.db-grip', {
    onHold,
    onEscape,
    onMove: (x, y) => {
      look(x, y);
      cancelAnimationFrame(frame);
      const scroll = () => {
        if (!scrollNear(grid.current, y)) return;
        // The page keeps scrolling while the pointer is held still.
        look(x, y);
        frame = requestAnimationFrame(scroll);
      };
      scroll();
    },
    onEnd: () => {
      cancelAnimationFrame(frame);
      onEnd();
    },
  });
}

/**
 * Returns the card at the position that a key moves the dragged card to: left or right, one row up or down, first, or
 * last.
 */
export function neighbourOf(
  key: CardKey,
  pressed: string,
  { grid, keys }: { grid: Grid; keys: readonly CardKey[] },
): CardKey | undefined {
  const [columns, count] = [columnsOf(grid.current), keys.length];
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, Home: -count, End: count }[
    pressed
  ];
  const to = keys[Math.min(count - 1, Math.max(0, keys.indexOf(key) + (steps ?? 0)))];
  return to === key ? undefined : to;
}

function columnsOf(grid: HTMLElement | null): number {
  return grid === null ? 1 : Math.max(1, getComputedStyle(grid).gridTemplateColumns.split(' ').length);
}

export function focusGrip(grid: Grid, key: CardKey): void {
  grid.current?.querySelector<HTMLElement>(`[data-card="${key}"] .db-grip`)?.focus();
}

function cardAt(x: number, y: number): CardKey | undefined {
  const key = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-card]')?.dataset['card'];
  return key !== undefined && isCardKey(key) ? key : undefined;
}

/** Scrolls the page if the pointer is near its edge. Returns true while scrolling. */
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

/** Records the positions of the cards. The returned function animates them from there to their new positions. */
export function glideFrom(grid: HTMLElement | null): () => void {
  const places = placesIn(grid);
  return () => {
    if (!window.matchMedia('(prefers-reduced-motion: reduce)').matches) glide(grid, places);
  };
}

function glide(grid: HTMLElement | null, places: Map<string, DOMRect>): void {
  for (const card of cardsIn(grid)) {
    const from = places.get(card.dataset['card'] ?? '');
    const to = card.getBoundingClientRect();
    if (from === undefined || (from.left === to.left && from.top === to.top)) continue;
    const start = `translate(${from.left - to.left}px, ${from.top - to.top}px)`;
    card.animate([{ transform: start }, { transform: 'none' }], GLIDE);
  }
}
