import type { Approval } from '@evenkeel/contract/agents';
import { formatUsd } from '@evenkeel/core/money';
import { dateIn, deviceToday } from '../../ui/hooks/today.tsx';

/** The labels and keyboard shortcuts of the Approvals screen. */

export type ApprovalAct = 'up' | 'down' | 'accept' | 'reject' | 'edit' | 'undo';

const KEYS: Readonly<Record<string, ApprovalAct>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  Enter: 'accept',
  x: 'reject',
  e: 'edit',
  u: 'undo',
};

/** Returns the action that a key triggers, as in the review of bank transactions. */
export function approvalKey(key: string): { act: ApprovalAct } | undefined {
  const act = KEYS[key.length === 1 ? key.toLowerCase() : key];
  return act === undefined ? undefined : { act };
}

const TIME = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });
const DATE = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'numeric', day: 'numeric' });

/**
 * Returns the time of day for a timestamp from today, or the date for an earlier timestamp, in the device's time zone.
 */
export function whenWords(at: string, now = new Date()): string {
  const moment = new Date(at);
  return (dateIn(undefined, moment) === deviceToday(now) ? TIME : DATE).format(moment);
}

/** Returns the label of the button, which includes the amount. */
export const approveWords = ({ amount }: Pick<Approval, 'amount'>): string =>
  amount === 0 ? 'Approve' : `Approve ${formatUsd(amount)}`;

/** A field of an operation's input. */
export interface InputRow {
  name: string;
  text: string;
}

/** Returns the fields of an operation's input by their path. Fields without a value are omitted. */
export function inputRows(input: unknown, path = ''): InputRow[] {
  if (input === null || input === undefined || input === '') return [];
  if (typeof input !== 'object')
    return [{ name: path, text: typeof input === 'string' ? input : JSON.stringify(input) }];
  const under = (name: string) => (path === '' || path === 'body' ? name : `${path}.${name}`);
  return Object.entries(input).flatMap(([name, value]) => inputRows(value, under(name)));
}
