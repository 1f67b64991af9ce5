import type { CardKey } from '@evenkeel/core/cards';
import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { cannotLoad } from '../ui/lazy/Opener.tsx';

export interface DragOptions {
  /** The cards that stand there, in their order. */
  keys: readonly CardKey[];
  move: (key: CardKey, to: CardKey) => void;
  /** A drag that was called off: back to this order. */
  restore: (keys: readonly CardKey[]) => void;
}

/** What moves cards is fetched when a pointer or the focus first comes to them. */
const load = () => import('./dragging.ts');
type Dragging = Awaited<ReturnType<typeof load>>;

const ARROWS = /^(Arrow|Home$|End$)/;

/**
 * Cards are put in order by a press on their head, held and moved over others, or by the arrow keys on their grip. The
 * elements stay where they are while one is dragged (`order` shows them elsewhere), so that the finger is not lost.
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

  /** Changes the order; the cards slide from where they stood. */
  const shift = ({ glideFrom }: Dragging, change: () => void, then?: () => void) => {
    const glide = glideFrom(grid.current);
    afterwards.current = () => {
      glide();
      then?.();
    };
    change();
  };
  const press = (key: CardKey) => (event: PointerEvent) => {
    const from = latest.current.keys;
    let isOver = false;
    const over = () => (isOver = true);
    window.addEventListener('pointerup', over, { once: true });
    stop.current?.();
    const begin = (dragging: Dragging): void => {
      window.removeEventListener('pointerup', over);
      if (isOver) return;
      stop.current = dragging.followCard(event, {
        grid,
        key,
        onHold: () => setDrag({ key, from }),
        onOver: (to) => shift(dragging, () => latest.current.move(key, to)),
        onEscape: () => shift(dragging, () => latest.current.restore(from)),
        onEnd: () => setDrag(undefined),
      });
    };
    void load().then(begin, cannotLoad);
  };
  const arrow = (key: CardKey) => (event: KeyboardEvent) => {
    if (!ARROWS.test(event.key)) return;
    event.preventDefault();
    const pressed = event.key;
    const begin = (dragging: Dragging): void => {
      const to = dragging.neighbourOf(key, pressed, { grid, keys: latest.current.keys });
      if (to === undefined) return;
      const focus = () => dragging.focusGrip(grid, key);
      shift(dragging, () => latest.current.move(key, to), focus);
    };
    void load().then(begin, cannotLoad);
  };

  /** In which order the elements stand, and in which they are shown. */
  const drawn = drag === undefined ? keys : drag.from.filter((key) => keys.includes(key));
  const warm = () => void load().catch(() => undefined);
  return { grid, drawn, dragged: drag?.key, orderOf: (key: CardKey) => keys.indexOf(key), press, arrow, warm };
}
