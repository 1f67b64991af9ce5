import { useRef, type TouchEvent } from 'react';
import { isWithin } from './within.ts';

/** The minimum length of a swipe in px. */
export const SWIPE_PX = 150;

export interface SwipeHandlers {
  onTouchStart: (event: TouchEvent) => void;
  onTouchEnd: (event: TouchEvent) => void;
}

/**
 * Returns the handlers for a pane that responds to horizontal swipes of at least 150 px. A swipe to the left counts as
 * +1, and a swipe to the right as -1.
 */
export function useSwipe(onSwipe: (step: 1 | -1) => void): SwipeHandlers {
  const start = useRef<{ x: number; y: number } | undefined>(undefined);
  return {
    onTouchStart: (event) => {
      const touch = event.changedTouches[0];
      start.current = touch === undefined || !isWithin(event) ? undefined : { x: touch.clientX, y: touch.clientY };
    },
    onTouchEnd: (event) => {
      const touch = event.changedTouches[0];
      if (start.current === undefined || touch === undefined) return;
      const across = touch.clientX - start.current.x;
      const down = Math.abs(touch.clientY - start.current.y);
      start.current = undefined;
      if (Math.abs(across) >= SWIPE_PX && Math.abs(across) > down) onSwipe(across < 0 ? 1 : -1);
    },
  };
}
