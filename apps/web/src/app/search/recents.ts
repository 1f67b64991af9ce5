import { readLocal, writeLocal } from '../../ui/hooks/localState.ts';

/** A user's recent choice in a company. No amounts are stored, because they would become outdated. */
export type Recent =
  | { kind: 'record'; itemType: number; itemId: number; text: string; name: string }
  | { kind: 'command'; id: string };

const KEY = 'recentChoices';
const MOST = 5;

function isRecent(value: unknown): value is Recent {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  if (value.kind === 'command') return 'id' in value && typeof value.id === 'string';
  const isRecord = value.kind === 'record' && 'itemType' in value && typeof value.itemType === 'number';
  if (!isRecord || !('itemId' in value) || typeof value.itemId !== 'number') return false;
  return 'text' in value && typeof value.text === 'string' && 'name' in value && typeof value.name === 'string';
}

/** Returns the signed-in user's recent choices, newest first. */
export function readRecents(): Recent[] {
  try {
    const kept: unknown = JSON.parse(readLocal(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isRecent) : [];
  } catch {
    return [];
  }
}

export const recentId = (recent: Recent): string =>
  recent.kind === 'command' ? recent.id : `record ${recent.itemType} ${recent.itemId}`;

/** Adds a choice at the top of the list. */
export function remember(choice: Recent): void {
  const others = readRecents().filter((each) => recentId(each) !== recentId(choice));
  writeLocal(KEY, JSON.stringify([choice, ...others].slice(0, MOST)));
}
