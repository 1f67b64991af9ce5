import { encode } from '@evenkeel/contract/wire';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Side } from '@evenkeel/core/documents/side';
import type * as z from 'zod';
import { queueEvents } from '../../platform/db/events.ts';
import type { Runnable } from '../../platform/db/query.ts';
import type { By } from '../../platform/http/context.ts';
import type { NamedDocument } from './reads.sql.ts';

/** The format of a settled document in its event, which is the format of lists. */
export interface PaidFormat<R> {
  schema: z.ZodType<R>;
  view: (document: NamedDocument, today: IsoDate) => R;
}

/** The documents that a change settled, in their new state, with the caller who made the change. */
export interface Paid {
  documents: readonly NamedDocument[];
  by: By;
}

/**
 * Returns the statement that queues an event for each settled document. Returns an empty list if there are none. Only a
 * side's own documents have such events, not credit memos.
 */
export function tellPaid<R>(
  { document: { source: kind }, paidAct: act }: Side,
  { schema, view }: PaidFormat<R>,
  { today, all }: { today: IsoDate; all: readonly Paid[] },
): Runnable<unknown>[] {
  const events = all.flatMap(({ documents, by }) =>
    documents
      .filter((document) => document.kind === kind)
      .map((document) => {
        const data = encode(schema, view(document, today));
        return { act, kind, recordId: document.id, data, by };
      }),
  );
  return events.length === 0 ? [] : [queueEvents(events)];
}
