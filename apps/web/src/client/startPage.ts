import { readLocal } from '../ui/hooks/localState.ts';

/** The storage key for a user's start page in a company on this device. */
export const START_PAGE = 'startPage';

/** Returns the URL of the start page. Defaults to the dashboard. */
export function startPage(): string {
  const chosen = readLocal(START_PAGE);
  return chosen !== undefined && /^\/\w+$/.test(chosen) ? chosen : '/';
}
