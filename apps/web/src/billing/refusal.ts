import type { FieldMessages } from '@evenkeel/core/failure';
import { ApiError, messageOf } from '../api.ts';

/** What a failed save says to the form. */
export interface Refusal {
  message: string;
  fields: FieldMessages;
  /** The books are closed on the date: an administrator may give a reason (decisions: "Accounting and banking"). */
  isClosed: boolean;
  /** The record as someone else has saved it, as it came over the wire; undefined unless the edit was stale. */
  current: unknown;
}

export function refusalOf(error: unknown): Refusal {
  const message = messageOf(error);
  if (!(error instanceof ApiError)) return { message, fields: {}, isClosed: false, current: undefined };
  return {
    message,
    fields: error.fields,
    isClosed: message.startsWith('The books are closed'),
    current: error.body.code === 'stale' ? error.body.current : undefined,
  };
}

/** The messages that no field of the form shows, `message` first when no field says it. */
export function unplaced(refusal: Refusal, shownFields: readonly string[]): string[] {
  const entries = Object.entries(refusal.fields);
  const others = entries
    .filter(([name]) => !shownFields.includes(name))
    .map(([name, text]) => `${lineOf(name)}${text}`);
  const isShown = entries.some(([name, text]) => shownFields.includes(name) && text === refusal.message);
  const isSaid = isShown || entries.some(([, text]) => text === refusal.message);
  return isSaid ? others : [refusal.message, ...others];
}

/** `lineItems.1.description` → "Line 2: ". */
export function lineOf(path: string): string {
  const match = /^lineItems\.(\d+)\./.exec(path);
  return match === null ? '' : `Line ${Number(match[1]) + 1}: `;
}
