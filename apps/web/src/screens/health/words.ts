import { auditKindOf } from '@evenkeel/core/words/audit';

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** `214 MB`, with one decimal below ten. */
export function bytesText(bytes: number): string {
  let [size, unit] = [bytes, 0];
  for (; size >= 1000 && unit < UNITS.length - 1; unit += 1) size /= 1000;
  const maximumFractionDigits = unit > 0 && size < 10 ? 1 : 0;
  return `${size.toLocaleString('en-US', { maximumFractionDigits })} ${UNITS[unit]}`;
}

/** `One check is off.` */
export const offWords = (off: number): string => (off === 1 ? 'One check failed.' : `${off} checks failed.`);

/** Kinds of jobs, as a person calls their work. */
const JOBS: Readonly<Record<string, string>> = {
  letter: 'Email to a user',
  mail: 'Email to a customer',
  reminders: 'Reminders',
  scheduled: 'Scheduled documents',
  health: 'Health check',
  numbers: 'Account number encryption',
  sweep: 'Cleanup',
};

export const jobWord = (kind: string): string => JOBS[kind] ?? kind;

/** `Bill payment` of the kind of a record in the audit log. */
export const recordWord = (kind: string): string => (kind === 'audit log' ? 'Change' : auditKindOf(kind).label);
