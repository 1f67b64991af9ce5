import { readLocal } from '../ui/hooks/localState.ts';

/** The name under which a person keeps the screen to begin with, of one company on this device. */
export const START_PAGE = 'startPage';

/** The address to begin with; the dashboard unless another one was chosen. */
export function startPage(): string {
  const chosen = readLocal(START_PAGE);
  return chosen !== undefined && /^\/\w+$/.test(chosen) ? chosen : '/';
}
