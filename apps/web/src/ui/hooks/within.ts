import type { SyntheticEvent } from 'react';

/**
 * Returns whether an event's target is inside the element that handles the event. React also passes on events from a
 * dialog that was opened from that element but is elsewhere in the document.
 */
export function isWithin({ currentTarget, target }: SyntheticEvent): boolean {
  return target instanceof Node && currentTarget.contains(target);
}
