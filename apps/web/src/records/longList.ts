import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Ask, type Read, useRead, useReadNow, useReads } from '../client/api.ts';
import type { LongList } from '../ui/table/rows.ts';
import { usePlace } from './place.ts';
import { type PageAsk, type PageReply, totalOf, wholeList } from './reads.ts';

/** The number of rows per page. */
export const PAGE = 100;
/** The maximum number of rows in one response from the server. */
const MOST = 500;
/** The number of rows that are loaded beyond the visible rows. */
const AHEAD = 40;
/** The delay in ms between the end of scrolling and the request to the server. */
const SCROLL_MS = 40;

/** Loads a list that the server searches and sorts as the URL specifies. Only the pages in view are loaded. */
export function useLongList<Row>(
  ask: (page: PageAsk) => Ask<PageReply<Row>>,
  { enabled, alert }: { enabled: boolean; alert: string },
): Read<LongList<Row>> {
  const { query } = usePlace();
  const q = query.get('q') ?? '';
  const sort = query.get('sort') ?? '';
  const page = {
    limit: PAGE,
    ...(q.trim() === '' ? {} : { q }),
    ...(sort === '' ? {} : { sort: sort.replace(/^-/, '') }),
    ...(sort.startsWith('-') ? { desc: 'true' as const } : {}),
  };
  const head = useRead(ask(page), { enabled, keep: true, alert });
  const { pages, show } = usePagesInView();
  const further = pages.filter((one) => one > 0 && enabled && one * PAGE < (totalOf(head.value) ?? 0));
  const rest = useReads(further.map((one) => ask({ ...page, skip: one * PAGE })));
  const places = further.join();
  const readNow = useReadNow();
  const all = async (onRead: (rows: number) => void): Promise<readonly Row[]> => {
    const rows: Row[] = [];
    for (let total = Infinity; rows.length < total;) {
      const reply = await readNow(ask({ ...page, limit: MOST, skip: rows.length }));
      const read = wholeList(reply) ?? [];
      rows.push(...read);
      onRead(rows.length);
      total = read.length === 0 ? 0 : (totalOf(reply) ?? 0);
    }
    return rows;
  };
  const value = useMemo((): LongList<Row> | undefined => {
    if (head.value === undefined) return undefined;
    const sums = 'sums' in head.value ? (head.value.sums ?? {}) : {};
    const starts = [0, ...places.split(',').map(Number)];
    const parts = [head.value, ...rest].flatMap((reply, at) => {
      const rows = wholeList(reply);
      return rows === undefined ? [] : [{ at: (starts[at] ?? 0) * PAGE, rows }];
    });
    return { total: totalOf(head.value) ?? 0, sums, parts, show };
  }, [head.value, rest, places, show]);
  return { ...head, value: value === undefined ? undefined : { ...value, all } };
}

/** Returns the numbers of the visible pages after scrolling stops. */
function usePagesInView() {
  const [[from, to], setPages] = useState<readonly [number, number]>([0, 0]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = useCallback((first: number, last: number) => {
    const wanted = [Math.floor(Math.max(0, first - AHEAD) / PAGE), Math.floor((last + AHEAD) / PAGE)] as const;
    clearTimeout(timer.current);
    const isSame = (before: readonly number[]) => before[0] === wanted[0] && before[1] === wanted[1];
    timer.current = setTimeout(() => setPages((before) => (isSame(before) ? before : wanted)), SCROLL_MS);
  }, []);
  return { pages: Array.from({ length: to - from + 1 }, (_, index) => from + index), show };
}
