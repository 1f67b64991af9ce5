import { isKey, type Pressed } from './keys.ts';

/** The tab that a key goes to from the one at `at`, which may lie before the first or behind the last. */
export function tabByKey(event: Pressed, at: number, count: number): number | undefined {
  if (isKey(event, 'next')) return at + 1;
  if (isKey(event, 'previous')) return at - 1;
  if (isKey(event, 'first')) return 0;
  return isKey(event, 'last') ? count - 1 : undefined;
}
