import type { Endpoint } from '@evenkeel/contract/endpoint';
import { isList } from '@evenkeel/contract/wire';

/** The notices on the sign-in page after a read failed or a document could not be loaded. */
export const LOADING_FAILED = 'Some data could not be loaded. Sign in again. Your unsaved changes are kept.';
export const DOWNLOAD_FAILED = 'Server Communication Failure';

/** Cards, lists, the companies in the account menu, and the palette show their failures in place. */
const IN_PLACE = ['/dashboard', '/account/companies'];
/** Temporary failures: a gateway can't reach its server, or the server can't reach its database. */
const PASSING = [502, 503, 504];
/**
 * The storage key for the reads that have ended a session in this tab. If one of them fails again, signing in once more
 * would not help.
 */
const ENDED_BY = 'endedBy';

function endedBy(): string[] {
  return (sessionStorage.getItem(ENDED_BY) ?? '').split('\n').filter(Boolean);
}

/**
 * Handles a GET that failed before any of its data was shown. After such a failure, the user signs in again and returns
 * to the screen, and drafts are kept. Other failures are shown in place with Retry: failures of lists, reports, and
 * cards; rejections (4xx, because signing in doesn't restore a deleted record); temporary failures; and failures of
 * reads that have already ended a session. `name` identifies the read. Returns the notice for the sign-in page, or
 * undefined if the failure is shown in place.
 */
export function readFailed({ method, path, needs, reply }: Endpoint, name: string, status: number): string | undefined {
  if (method !== 'GET' || needs === 'public' || IN_PLACE.includes(path)) return undefined;
  if (status < 500 || PASSING.includes(status) || (typeof reply !== 'string' && isList(reply))) return undefined;
  const earlier = endedBy();
  if (earlier.includes(name)) return undefined;
  sessionStorage.setItem(ENDED_BY, [...earlier, name].join('\n'));
  return typeof reply === 'string' ? DOWNLOAD_FAILED : LOADING_FAILED;
}

/** Records that a read has succeeded, so that its next failure counts as a new failure. */
export function readSucceeded(name: string): void {
  const earlier = endedBy();
  if (earlier.includes(name)) sessionStorage.setItem(ENDED_BY, earlier.filter((each) => each !== name).join('\n'));
}
