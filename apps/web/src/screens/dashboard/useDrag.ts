import type { CardKey } from '@evenkeel/core/cards';
import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { focusGrip, followCard, glideFrom, neighbourOf } from './dragging.ts';
import { isKey } from '../../ui/keys/keys.ts';

export interface DragOptions {
  /** The displayed cards, in order. */
  keys: readonly CardKey[];
  move: (key: CardKey, to: CardKey) => void;
  /** Restores this order after a canceled drag. */
  restore: (keys: readonly CardKey[]) => void;
}

const ARROWS = ['up', 'down', 'previous', 'next', 'first', 'last'] as const;

/**
 * Lets users reorder cards by holding and dragging a card's heading, or with the arrow keys on its grip. During a drag,
 * the DOM order stays the same so that the touch isn't lost, and only CSS `order` changes.
 */
export function useDrag({ keys, move, restore }: DragOptions) {
  const grid = useRef<HTMLDivElement>(null);
  const afterwards = useRef<() => void>(undefined);
  const stop = useRef<() => void>(undefined);
  const [drag, setDrag] = useState<{ key: CardKey; from: readonly CardKey[] }>();
  const latest = useRef({ keys, move, restore });
  useLayoutEffect(() => {
    latest.current = { keys, move, restore };
  });
  useEffect(() => () => stop.current?.(), []);
  const order = keys.join(' ');
  useLayoutEffect(() => {
    afterwards.current?.();
    afterwards.current = undefined;
  }, [order]);

  /** Changes the order and animates the cards from their previous positions. */
  const shift = (change: () => void, then?: () => void) => {
    const glide = glideFrom(grid.current);
    afterwards.current = () => {
      glide();
      then?.();
    };
    change();
  };
  const press = (key: CardKey) => (event: PointerEvent) => {
    const from = latest.current.keys;
    stop.current?.();
    stop.current = followCard(event, {
      grid,
      key,
      onHold: () => setDrag({ key, from }),
      onOver: (to) => shift(() => latest.current.move(key, to)),
      onEscape: () => shift(() => latest.current.restore(from)),
      onEnd: () => setDrag(undefined),
    });
  };
  const arrow = (key: CardKey) => (event: KeyboardEvent) => {
    if (!ARROWS.some((name) => isKey(event, name))) return;
    event.preventDefault();
    const to = neighbourOf(key, event.key, { grid, keys: latest.current.keys });
    if (to === undefined) return;
    shift(
      () => latest.current.move(key, to),
      () => focusGrip(grid, key),
    );
  };

  /** The DOM order of the cards, as opposed to the displayed order. */
  const drawn = drag === undefined ? keys : drag.from.filter((key) => keys.includes(key));
  return { grid, drawn, dragged: drag?.key, orderOf: (key: CardKey) => keys.indexOf(key), press, arrow };
}
