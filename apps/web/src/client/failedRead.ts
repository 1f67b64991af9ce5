import type { Endpoint } from '@evenkeel/contract/endpoint';
import { isList } from '@evenkeel/contract/wire';

/** The sign-in page's word after a read that failed, and after a document that did. */
export const LOADING_FAILED = 'Something could not be loaded. Sign in again. Your entries are kept.';
export const DOWNLOAD_FAILED = 'Server Communication Failure';

/** Cards tell their failure in their place, as lists do; so do the companies in the account menu and the palette. */
const IN_PLACE = ['/dashboard', '/account/companies'];
/** These pass by themselves: a gateway without its server, the server without its database. */
const PASSING = [502, 503, 504];
/** The reads that have ended a session in this tab: when one fails again, signing in once more would not help. */
const ENDED_BY = 'endedBy';

function endedBy(): string[] {
  return (sessionStorage.getItem(ENDED_BY) ?? '').split('\n').filter(Boolean);
}

/**
 * A GET that the server failed to answer, with nothing of it on the screen yet, leads to the sign-in page and from
 * there back; drafts stay. Told in place instead, with Retry: lists, reports and cards; what is refused (4xx: signing
 * in does not bring back a deleted record); what passes by itself; and what has ended a session before. `name` is the
 * read's own; the answer is the word for the sign-in page, undefined where the failure is told in place.
 */
export function readFailed({ method, path, needs, reply }: Endpoint, name: string, status: number): string | undefined {
  if (method !== 'GET' || needs === 'public' || IN_PLACE.includes(path)) return undefined;
  if (status < 500 || PASSING.includes(status) || (typeof reply !== 'string' && isList(reply))) return undefined;
  const earlier = endedBy();
  if (earlier.includes(name)) return undefined;
  sessionStorage.setItem(ENDED_BY, [...earlier, name].join('\n'));
  return typeof reply === 'string' ? DOWNLOAD_FAILED : LOADING_FAILED;
}

/** It is well again: its next failure is a new one. */
export function readSucceeded(name: string): void {
  const earlier = endedBy();
  if (earlier.includes(name)) sessionStorage.setItem(ENDED_BY, earlier.filter((each) => each !== name).join('\n'));
}
