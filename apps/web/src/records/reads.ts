import type { PageQuery } from '@evenkeel/contract/endpoint';
import { useEffect, useEffectEvent } from 'react';
import type * as z from 'zod';
import { messageOf } from '../client/api.ts';
import { useAlerts } from '../ui/alerts/Alerts.tsx';

/** What is asked of a list that has pages (wire: "Everywhere"). */
export type PageAsk = z.output<typeof PageQuery>;

/** All of a list, or a page of it. */
export type PageReply<Row> =
  readonly Row[] | { items: readonly Row[]; total: number; sums?: Readonly<Record<string, number>> | undefined };

/** The whole list, whichever way it was answered; undefined while it loads. */
export function wholeList<Row>(
  reply: readonly Row[] | { items: readonly Row[] } | undefined,
): readonly Row[] | undefined {
  if (reply === undefined) return undefined;
  return 'items' in reply ? reply.items : reply;
}

/** How many there are, of a page that was asked for with `limit`; undefined while it loads. */
export function totalOf(reply: readonly unknown[] | { total: number } | undefined): number | undefined {
  if (reply === undefined) return undefined;
  return 'total' in reply ? reply.total : reply.length;
}

/**
 * Tells a failed load by its specified alert (part 1 §8), once per failure; the answer is for its own place. With
 * `retry` the alert offers it: where no place of its own tells the failure.
 */
export function useLoadAlert(error: Error | null, words: string, retry?: () => unknown): string | undefined {
  const alerts = useAlerts();
  const tell = useEffectEvent(() => {
    const action = retry === undefined ? {} : { action: { label: 'Retry', run: () => void retry() } };
    alerts.error(words, action);
  });
  useEffect(() => {
    if (error !== null) tell();
  }, [error, words]);
  return error === null ? undefined : messageOf(error);
}
