import { sessionUser } from '../session.ts';

/** Where a draft is kept on this device: by company and user, so that nobody finds another's. */
export function draftKey(name: string): string | undefined {
  const user = sessionUser();
  return user === null ? undefined : `draft:${user.companyId}.${user.id}:${name}`;
}

const CLOCK = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });

/** "Draft kept on this device 9:41 AM". */
export function keptWords(savedAt: number | undefined): string | undefined {
  return savedAt === undefined ? undefined : `Draft kept on this device ${CLOCK.format(savedAt)}`;
}
