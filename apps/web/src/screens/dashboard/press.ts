import type { PointerEvent as Press } from 'react';
import { isKey } from '../../ui/keys/keys.ts';

/** A press held this long starts a drag. */
const PRESS_MS = 200;
/** A finger that moves this far before then scrolls, in px. */
const SLOP = 8;

const inside = (target: EventTarget, what: string): boolean =>
  target instanceof Element && target.closest(what) !== null;

export interface HeldPress {
  /** It has been held long enough. */
  onHold: () => void;
  /** Called with its position since then, in px of the window. */
  onMove: (x: number, y: number) => void;
  /** Escape was pressed while it was held; the press has ended. */
  onEscape: () => void;
  /** Let go or called off, held or not. */
  onEnd: () => void;
}

/**
 * Follows a press on the head of something until it ends; answers what ends it. Undefined for another button than the
 * first, and on controls but the `grip` and links that are not dragged themselves. A finger may scroll instead, except
 * on the grip. The time of the events tells how long it was held: a busy page hears of them late.
 */
export function followPress(event: Press, grip: string, held: HeldPress): (() => void) | undefined {
  const { target, pointerId, pointerType, timeStamp: pressedAt, clientX: fromX, clientY: fromY } = event;
  const isOnGrip = inside(target, grip);
  const isOnControl = inside(target, 'button, a:not([draggable="false"]), select, input');
  if (event.button !== 0 || !event.isPrimary || (!isOnGrip && isOnControl)) return undefined;
  let isHeld = false;
  const listening = new AbortController();
  const { signal } = listening;
  const hold = () => {
    if (isHeld) return;
    isHeld = true;
    held.onHold();
  };
  const clock = setTimeout(hold, PRESS_MS);
  const end = () => {
    if (signal.aborted) return;
    clearTimeout(clock);
    listening.abort();
    if (isHeld) keepFromClicking();
    held.onEnd();
  };
  const mayScroll = pointerType !== 'mouse' && !isOnGrip;
  const follow = (move: PointerEvent) => {
    const { clientX, clientY } = move;
    if (move.pointerId !== pointerId) return;
    if (move.timeStamp - pressedAt >= PRESS_MS) hold();
    if (isHeld) held.onMove(clientX, clientY);
    else if (mayScroll && Math.hypot(clientX - fromX, clientY - fromY) > SLOP) end();
  };
  const endOwn = (up: PointerEvent) => {
    if (up.pointerId === pointerId) end();
  };
  const escape = (event: KeyboardEvent) => {
    if (!isKey(event, 'close') || !isHeld) return;
    end();
    held.onEscape();
  };
  // While it is held the page does not scroll under the finger, and nothing is selected.
  const keep = (each: Event) => {
    if (isHeld && each.cancelable) each.preventDefault();
  };
  window.addEventListener('pointermove', follow, { signal });
  window.addEventListener('keydown', escape, { signal });
  for (const name of ['pointerup', 'pointercancel'] as const) window.addEventListener(name, endOwn, { signal });
  window.addEventListener('blur', end, { signal });
  for (const name of ['touchmove', 'selectstart', 'contextmenu']) {
    document.addEventListener(name, keep, { signal, passive: false });
  }
  return end;
}

/** A link is not followed by the release that ends a drag. */
function keepFromClicking(): void {
  const listening = new AbortController();
  const { signal } = listening;
  const stop = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', stop, { signal, capture: true, once: true });
  // The click comes with the release or not at all; the next press is another one.
  window.addEventListener('pointerdown', () => listening.abort(), { signal, capture: true });
  setTimeout(() => listening.abort());
}
