import type { PointerEvent as Press } from 'react';
import { isKey } from '../../ui/keys/keys.ts';

/** The time in ms after which holding a press starts a drag. */
const PRESS_MS = 200;
/** The distance in px after which a moving finger scrolls the page instead of starting a drag. */
const SLOP = 8;

const inside = (target: EventTarget, what: string): boolean =>
  target instanceof Element && target.closest(what) !== null;

export interface HeldPress {
  /** Called when the press has been held long enough. */
  onHold: () => void;
  /** Called with later positions, in px from the edges of the window. */
  onMove: (x: number, y: number) => void;
  /** Called if Escape is pressed while the press is held. The press has then ended. */
  onEscape: () => void;
  /** Called when the press ends or is canceled, whether it was held or not. */
  onEnd: () => void;
}

/**
 * Tracks a press on an element's heading until the press ends. Returns a function that cancels the press. Returns
 * undefined for other mouse buttons, and for controls other than the `grip` and draggable links. A finger may scroll
 * the page instead, except on the grip. The hold time comes from the event times, because a busy page receives events
 * late.
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
  // While the press is held, the page doesn't scroll and no text is selected.
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

/** Prevents the release at the end of a drag from opening a link. */
function keepFromClicking(): void {
  const listening = new AbortController();
  const { signal } = listening;
  const stop = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', stop, { signal, capture: true, once: true });
  // The click arrives with the release or not at all. The next press must not be affected.
  window.addEventListener('pointerdown', () => listening.abort(), { signal, capture: true });
  setTimeout(() => listening.abort());
}
