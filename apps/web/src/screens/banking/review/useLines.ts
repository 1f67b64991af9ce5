import type { BankLine } from '@evenkeel/contract/statements';
import { useMemo, useState } from 'react';
import { useRead, useReads } from '../../../client/api.ts';
import { useAddressChoice, useAddressText } from '../../../records/openRecord.ts';
import { usePlace } from '../../../records/place.ts';
import { type ListParts, totalOf, wholeList } from '../../../records/reads.ts';
import { bankLines, type LinesQuery } from '../statements/statements.ts';

/** The number of bank transactions per page. */
const PAGE = 100;

/** The tabs of the list: for review, reviewed, and excluded. */
export const LINE_PARTS = ['review', 'settled', 'excluded'] as const;
export type LinePart = (typeof LINE_PARTS)[number];
export const PART_LABELS: Record<LinePart, string> = { review: 'For review', settled: 'Matched', excluded: 'Excluded' };

/** The URL parameters of the list: the tab, the account, the search, and the bank transaction to open first. */
export function useReviewPlace() {
  const { query, go } = usePlace();
  const [part, setPart] = useAddressChoice<LinePart>('part', LINE_PARTS);
  const [q, setQ] = useAddressText('q');
  const of = Number(query.get('of') ?? 0);
  return {
    part,
    setPart,
    q,
    setQ,
    bankAccountId: of > 0 ? of : undefined,
    choose: (bankAccountId: number | undefined) => go({ of: bankAccountId }),
    first: Number(query.get('line') ?? 0) || undefined,
  };
}
export type ReviewPlace = ReturnType<typeof useReviewPlace>;

/** Returns the query for the list that the URL describes. */
export function lineQuery({ part, q, bankAccountId }: Pick<ReviewPlace, 'part' | 'q' | 'bankAccountId'>): LinesQuery {
  return {
    state: part,
    ...(bankAccountId === undefined ? {} : { bankAccountId }),
    ...(q.trim() === '' ? {} : { q }),
  };
}

/**
 * Loads bank transactions, 100 at a time. On the tab for review, the oldest come first. On the other tabs, the newest
 * come first.
 */
export function useLines(query: LinesQuery) {
  const [pages, setPages] = useState(1);
  const order = query.state === 'review' ? {} : { desc: 'true' as const };
  const page = (at: number) => bankLines({ ...query, ...order, limit: PAGE, ...(at === 0 ? {} : { skip: at * PAGE }) });
  const head = useRead(page(0), { keep: true, alert: 'Error Loading Bank Lines' });
  const total = totalOf(head.value) ?? 0;
  const further = Array.from({ length: pages - 1 }, (_, at) => at + 1).filter((at) => at * PAGE < total);
  const rest = useReads(further.map(page));
  const lines = useMemo(() => {
    const read = [head.value, ...rest].flatMap((reply) => wholeList<BankLine>(reply) ?? []);
    // A bank transaction may be on both pages if it moved between the two reads.
    return [...new Map(read.map((line) => [line.id, line])).values()];
  }, [head.value, rest]);
  const parts: ListParts = (head.value !== undefined && 'parts' in head.value && head.value.parts) || {};
  return {
    lines,
    total,
    parts,
    error: head.value === undefined ? head.error : undefined,
    retry: head.retry,
    isLoading: head.value === undefined && head.error === undefined,
    /** Loads the next page, or undefined if everything is loaded. */
    more: lines.length < total ? () => setPages(Math.floor(lines.length / PAGE) + 1) : undefined,
  };
}
export type Lines = ReturnType<typeof useLines>;

/** Returns the number of bank transactions in a tab, or undefined while loading. */
export function countOf(parts: ListParts, part: LinePart): { count: number } | undefined {
  const states = part === 'settled' ? ['matched', 'added', 'transferred'] : [part];
  const known = states.flatMap((state) => parts[state]?.count ?? []);
  return known.length === 0 ? undefined : { count: known.reduce((all, count) => all + count, 0) };
}
