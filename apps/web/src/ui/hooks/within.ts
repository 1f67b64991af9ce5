import type { SyntheticEvent } from 'react';

/**
 * Whether an event happened on an element that lies in the one that heard it. React also hands on events of a dialog
 * that was opened from there and lies elsewhere in the document: they are none of its own.
 */
export function isWithin({ currentTarget, target }: SyntheticEvent): boolean {
  return target instanceof Node && currentTarget.contains(target);
}
