import { isKey, type Pressed } from './keys.ts';

/**
 * Returns the index of the tab that a key moves to from `at`. The index can be before the first tab or after the last
 * one.
 */
export function tabByKey(event: Pressed, at: number, count: number): number | undefined {
  if (isKey(event, 'next')) return at + 1;
  if (isKey(event, 'previous')) return at - 1;
  if (isKey(event, 'first')) return 0;
  return isKey(event, 'last') ? count - 1 : undefined;
}
