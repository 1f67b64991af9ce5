import { auditKindOf } from '@evenkeel/core/words/audit';

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** Formats a size, for example `214 MB`, with one decimal place if the number is below 10. */
export function bytesText(bytes: number): string {
  let [size, unit] = [bytes, 0];
  for (; size >= 1000 && unit < UNITS.length - 1; unit += 1) size /= 1000;
  const maximumFractionDigits = unit > 0 && size < 10 ? 1 : 0;
  return `${size.toLocaleString('en-US', { maximumFractionDigits })} ${UNITS[unit]}`;
}

/** Returns a sentence with the number of failed checks. */
export const offWords = (off: number): string => (off === 1 ? 'One check failed.' : `${off} checks failed.`);

/** The readable names of job types. */
const JOBS: Readonly<Record<string, string>> = {
  letter: 'Email to a user',
  mail: 'Email to a customer',
  reminders: 'Reminders',
  scheduled: 'Scheduled documents',
  'online payments': 'Online payments',
  health: 'Health check',
  numbers: 'Account number encryption',
  sweep: 'Cleanup',
};

export const jobWord = (kind: string): string => JOBS[kind] ?? kind;

/** Returns the readable name of an audit log record type, for example `Bill payment`. */
export const recordWord = (kind: string): string => (kind === 'audit log' ? 'Change' : auditKindOf(kind).label);
