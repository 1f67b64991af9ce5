import { useQueryClient } from '@tanstack/react-query';
import { type Ask, asKey, askRow, GONE, type Read, send, useRead, useStale } from '../client/api.ts';
import type { SendPlace } from '../ui/hooks/draft.ts';
import type { Rows, Sums } from '../ui/table/rows.ts';
import { PAGE, useLongList } from './longList.ts';
import type { Words } from '../ui/show/words.ts';
import { type ListParts, type PageAsk, type PageReply, totalOf, wholeList } from './reads.ts';

/** The name of a kind of record, and its alerts for failed reads. */
export interface RecordWords extends Words {
  loadAll: string;
  loadOne: string;
  /** Told when a save fails, before the error; with a colon at its end the error follows in the same alert. */
  create?: string;
  update?: string;
}

export interface RecordsSpec<Row, One, Body> {
  words: RecordWords;
  idOf: (one: Row | One) => number;
  /** `inactive` adds those that were deactivated; `page` goes into the query of a call that has pages. */
  list: (inactive: boolean, page: PageAsk) => Ask<PageReply<Row>>;
  get: (id: number) => Ask<One>;
  create: (body: Body) => Ask<One>;
  update: (id: number, body: Body) => Ask<One>;
  /** `reason` is an administrator's for changing closed books, empty without one. */
  remove: (id: number, reason: string) => Ask<unknown>;
}

/** A list with what all of it comes to by the server, whatever of it is searched or here. */
export interface ListRead<Row> extends Read<Rows<Row>> {
  sums: Sums | undefined;
  /** The parts that the list can be narrowed to, by their names. */
  parts: ListParts | undefined;
}

/** One of a list that is read whole; it fails as a missing record does. */
export function oneOf<T>(list: Read<readonly T[]>, isIt: (one: T) => boolean): Read<T> {
  const value = list.value?.find(isIt);
  const missing = list.value !== undefined && value === undefined ? GONE : undefined;
  return { ...list, value, error: list.error ?? missing };
}

/** Declares a kind of record by its calls; the hooks below do the rest, with its alerts. */
export function records<Row, One, Body>(spec: RecordsSpec<Row, One, Body>): RecordsSpec<Row, One, Body> {
  return spec;
}

/** Records of a short list that has no call for one: the one is found in the list. */
export function listedRecords<Row, Body>(spec: Omit<RecordsSpec<Row, Row, Body>, 'get'>): RecordsSpec<Row, Row, Body> {
  return { ...spec, get: (id) => askRow(spec.list(true, {}), id, spec.idOf) };
}

/** Lists of up to so many rows are read whole: searching and sorting them asks nobody. */
const WHOLE = 500;

/**
 * All of a kind; `inactive` adds those that were deactivated. A list of more than 500 rows whose call has pages comes
 * as a long one; whether it has them shows in what it answers.
 */
export function useList<Row>(
  { list, words }: Pick<RecordsSpec<Row, never, never>, 'list'> & { words: { loadAll: string } },
  inactive = false,
): ListRead<Row> {
  const told = { keep: true, alert: words.loadAll };
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

/** One of a kind; nothing is asked for a new one (id 0). */
export function useOne<One>(kind: { get: (id: number) => Ask<One>; words: RecordWords }, id: number): Read<One> {
  return useRead(kind.get(id), { enabled: id > 0, alert: kind.words.loadOne });
}

/** Creates (id 0) or saves; `place` keeps the key of a create beside its draft. */
export function useSave<One, Body>(kind: Omit<RecordsSpec<One, One, Body>, 'list'>) {
  const client = useQueryClient();
  const stale = useStale();
  return async (id: number, body: Body, place?: SendPlace): Promise<One> => {
    const saved = await send(id > 0 ? kind.update(id, body) : kind.create(body), place);
    // The answer of a save is the record as it is now; all else that was read is stale.
    client.setQueryData(asKey(kind.get(kind.idOf(saved))), saved);
    stale();
    return saved;
  };
}

/** Deletes; what is used is deactivated by the server. */
export function useRemove(kind: {
  get: (id: number) => Ask<unknown>;
  remove: (id: number, reason: string) => Ask<unknown>;
}) {
  const client = useQueryClient();
  const stale = useStale();
  return async (id: number, reason = ''): Promise<true> => {
    const queryKey = asKey(kind.get(id));
    // A reading under way may come to the server behind the deletion: nothing is there, and that would be told.
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
