import { encode } from '@evenkeel/contract/wire';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Side } from '@evenkeel/core/documents/side';
import type * as z from 'zod';
import { queueEvents } from '../../platform/db/events.ts';
import type { Runnable } from '../../platform/db/query.ts';
import type { By, Ctx } from '../../platform/http/context.ts';
import type { NamedDocument } from './reads.sql.ts';
import type { DocumentRow } from './settlement.sql.ts';

/** The format of a settled document in its event. It is the same format as in lists. */
export interface PaidFormat<R> {
  schema: z.ZodType<R>;
  view: (document: NamedDocument, today: IsoDate) => R;
}

/** The documents that a change settled, in their new state, with the names of their customers or vendors. */
interface Paid {
  head: { entityName: string };
  paid: readonly DocumentRow[];
  /** The request that made the change. If undefined, the caller's own request made the change. */
  by?: By | undefined;
}

/**
 * Returns the statement that queues an event for each settled document. Returns an empty list if there are none. Only a
 * side's own documents have such events, not credit memos.
 */
export function tellPaid<R>(
  { today, by: caller }: Pick<Ctx, 'today' | 'by'>,
  { side, paid: { schema, view } }: { side: Side; paid: PaidFormat<R> },
  changes: readonly Paid[],
): Runnable<unknown>[] {
  const { document, paidAct: act } = side;
  const events = changes.flatMap(({ head: { entityName }, paid, by = caller }) =>
    paid
      .filter(({ kind }) => kind === document.source)
      .map((row) => {
        const data = encode(schema, view({ ...row, entityName }, today));
        return { act, kind: row.kind, recordId: row.id, data, by };
      }),
  );
  return events.length === 0 ? [] : [queueEvents(events)];
}
