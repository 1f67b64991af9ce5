import { useQueryClient } from '@tanstack/react-query';
import { type Ask, asKey, askRow, GONE, type Read, send, useRead, useStale } from '../client/api.ts';
import type { SendPlace } from '../ui/hooks/draft.ts';
import type { Rows, Sums } from '../ui/table/rows.ts';
import { PAGE, useLongList } from './longList.ts';
import type { Words } from '../ui/show/words.ts';
import { type ListParts, type PageAsk, type PageReply, totalOf, wholeList } from './reads.ts';

/** The name of a record type, and its alerts for failed reads. */
export interface RecordWords extends Words {
  loadAll: string;
  loadOne: string;
  /**
   * The alert for a failed save, which is shown before the error. If the alert ends with a colon, the error follows in
   * the same alert.
   */
  create?: string;
  update?: string;
}

export interface RecordsSpec<Row, One, Body> {
  words: RecordWords;
  idOf: (one: Row | One) => number;
  /** `inactive` includes inactive records. For a call with pages, `page` is added to the query. */
  list: (inactive: boolean, page: PageAsk) => Ask<PageReply<Row>>;
  get: (id: number) => Ask<One>;
  create: (body: Body) => Ask<One>;
  update: (id: number, body: Body) => Ask<One>;
  /** `reason` is an administrator's reason for changing a closed period. Empty if there is none. */
  remove: (id: number, reason: string) => Ask<unknown>;
}

/** A list with the server's totals for all of its rows, regardless of the search and page. */
export interface ListRead<Row> extends Read<Rows<Row>> {
  sums: Sums | undefined;
  /** The list's filters, by name. */
  parts: ListParts | undefined;
}

/** Returns one item of a list that is loaded completely. Throws the missing-record error if the item is missing. */
export function oneOf<T>(list: Read<readonly T[]>, isIt: (one: T) => boolean): Read<T> {
  const value = list.value?.find(isIt);
  const missing = list.value !== undefined && value === undefined ? GONE : undefined;
  return { ...list, value, error: list.error ?? missing };
}

/** Defines a record type by its calls. The hooks below use these calls and their alerts. */
export function records<Row, One, Body>(spec: RecordsSpec<Row, One, Body>): RecordsSpec<Row, One, Body> {
  return spec;
}

/**
 * Defines a record type that has a short list and no call for single records, which are therefore found in the list.
 */
export function listedRecords<Row, Body>(spec: Omit<RecordsSpec<Row, Row, Body>, 'get'>): RecordsSpec<Row, Row, Body> {
  return { ...spec, get: (id) => askRow(spec.list(true, {}), id, spec.idOf) };
}

/** The maximum number of rows in a list that is loaded completely, so that searching and sorting need no request. */
const WHOLE = 500;

/**
 * Loads all records of a type. `inactive` includes inactive ones. If a list has more than 500 rows and its call
 * supports pages, the list becomes a long list. The response shows whether this is the case. `everyMs` is the polling
 * interval.
 */
export function useList<Row>(
  {
    list,
    words,
    everyMs,
  }: Pick<RecordsSpec<Row, never, never>, 'list'> & { words: { loadAll: string }; everyMs?: number },
  inactive = false,
): ListRead<Row> {
  const told = { keep: true, alert: words.loadAll, ...(everyMs === undefined ? {} : { everyMs }) };
  const first = useRead(list(inactive, { limit: PAGE }), told);
  const total = totalOf(first.value) ?? 0;
  const isComplete = total === wholeList(first.value)?.length;
  const isLong = !isComplete && total > WHOLE;
  const isWhole = first.value !== undefined && !isComplete && !isLong;
  const whole = useRead(list(inactive, {}), { ...told, enabled: isWhole });
  const long = useLongList((page) => list(inactive, page), { ...told, enabled: isLong });
  const reads = [first, whole, long];
  return {
    ...first,
    value: isLong ? long.value : wholeList(isComplete ? first.value : whole.value),
    sums: first.value !== undefined && 'sums' in first.value ? first.value.sums : undefined,
    parts: first.value !== undefined && 'parts' in first.value ? first.value.parts : undefined,
    error: reads.find(({ error }) => error !== undefined)?.error,
    retry: async () => void (await Promise.all(reads.map((read) => read.retry()))),
  };
}

/** Loads one record of a type. A new record (ID 0) isn't requested. */
export function useOne<One>(kind: { get: (id: number) => Ask<One>; words: RecordWords }, id: number): Read<One> {
  return useRead(kind.get(id), { enabled: id > 0, alert: kind.words.loadOne });
}

/** Creates (ID 0) or updates a record. `place` stores the idempotency key of a new record with its draft. */
export function useSave<One, Body>(kind: Omit<RecordsSpec<One, One, Body>, 'list'>) {
  const client = useQueryClient();
  const stale = useStale();
  return async (id: number, body: Body, place?: SendPlace): Promise<One> => {
    const saved = await send(id > 0 ? kind.update(id, body) : kind.create(body), place);
    // The response to a save is the current record. All other reads are outdated.
    client.setQueryData(asKey(kind.get(kind.idOf(saved))), saved);
    stale();
    return saved;
  };
}

/** Deletes a record. If the record is in use, the server makes it inactive. */
export function useRemove(kind: {
  get: (id: number) => Ask<unknown>;
  remove: (id: number, reason: string) => Ask<unknown>;
}) {
  const client = useQueryClient();
  const stale = useStale();
  return async (id: number, reason = ''): Promise<true> => {
    const queryKey = asKey(kind.get(id));
    // A read in progress may reach the server after the deletion and report the record as missing.
    await client.cancelQueries({ queryKey, exact: true });
    try {
      await send(kind.remove(id, reason));
    } catch (error) {
      void client.invalidateQueries({ queryKey, exact: true });
      throw error;
    }
    stale(kind.get(id));
    return true;
  };
}
