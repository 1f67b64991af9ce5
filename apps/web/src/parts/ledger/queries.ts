import type { ReplyOf } from '@evenkeel/contract/endpoint';
import { type GlEntry, ledgerCalls } from '@evenkeel/contract/ledger';
import type { IsoDate } from '@evenkeel/core/dates';
import { type Cents, ZERO } from '@evenkeel/core/money';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call, useRead } from '../../client/api.ts';
import { useLoadAlert } from '../../records/reads.ts';

/** What the chart of accounts and the reports both read: the chart, registers, transactions. */

/** The chart of accounts; `inactive` also those that were removed, which old entries still name. */
export function useChart(inactive: boolean) {
  const read = useRead(ledgerCalls.chartOfAccounts, { query: inactive ? { inactive: 'true' } : {} });
  const error = useLoadAlert(read.error, 'Error Loading Accounts');
  return { rows: read.data, error, retry: () => void read.refetch() };
}

/** Which lines of an account are asked for. Dates are inclusive; absent is open. */
export interface RegisterAsk {
  accountId: number;
  from?: IsoDate | undefined;
  to?: IsoDate | undefined;
  /** 0 accrual, 1 cash; the company's when absent. */
  basis?: '0' | '1' | undefined;
  profitcenterid?: number | undefined;
  locationid?: number | undefined;
  unassigned?: 'profitcenter' | 'location' | undefined;
  entityid?: number | undefined;
  ofassets?: 'only' | 'without' | undefined;
  journals?: 'only' | 'without' | undefined;
  showReversed?: 'true' | undefined;
}

/** Lines per page: the list below grows by it as one scrolls. */
export const PAGE = 100;

type Page = Exclude<ReplyOf<typeof ledgerCalls.accountEntries>, readonly unknown[]>;

async function readPage(ask: RegisterAsk, after: string, signal: AbortSignal): Promise<Page> {
  const { accountId, ...query } = ask;
  const input = { params: { customerAccountId: accountId }, query: { ...query, limit: PAGE, after } };
  const reply = await call(ledgerCalls.accountEntries, input, { signal });
  return 'items' in reply ? reply : { items: reply, next: null, total: reply.length, opening: ZERO };
}

export interface Register {
  /** Undefined while the first page is read. */
  entries: readonly GlEntry[] | undefined;
  /** All lines that the ask has, read or not. */
  total: number;
  /** The balance before the first line, in natural sign. */
  opening: Cents | undefined;
  /** What the asked range of dates did; undefined without a range. */
  period: Page['period'];
  isComplete: boolean;
  isReadingMore: boolean;
  error: string | undefined;
  more: () => void;
  /** Reads on to the end, page by page, and says how many lines there are so far. */
  readAll: (onRead: (lines: number) => void) => Promise<GlEntry[]>;
  retry: () => void;
}

/** An account's lines page by page (keyset), never the whole list; the pages of the last ask do not outlive it. */
export function useRegister(ask: RegisterAsk): Register {
  const read = useInfiniteQuery({
    queryKey: [ledgerCalls.accountEntries.path, 'pages', ask],
    queryFn: ({ pageParam, signal }) => readPage(ask, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
  });
  const error = useLoadAlert(read.error, 'Error Loading Account Entries');
  const pages = read.data?.pages;
  return {
    entries: pages?.flatMap((page) => page.items),
    total: pages?.[0]?.total ?? 0,
    opening: pages?.[0]?.opening,
    period: pages?.[0]?.period,
    isComplete: pages !== undefined && !read.hasNextPage,
    isReadingMore: read.isFetchingNextPage,
    error: pages === undefined ? error : undefined,
    more: () => (read.hasNextPage && !read.isFetchingNextPage ? void read.fetchNextPage() : undefined),
    readAll: async (onRead) => {
      const all = [...(pages?.flatMap((page) => page.items) ?? [])];
      for (let next = pages?.at(-1)?.next ?? null; next !== null;) {
        const page = await readPage(ask, next, AbortSignal.timeout(LONGEST_MS));
        all.push(...page.items);
        onRead(all.length);
        next = page.next;
      }
      return all;
    },
    retry: () => void read.refetch(),
  };
}

/** ms that one page may take. */
const LONGEST_MS = 30_000;

/** One posted transaction with its lines. */
export function useTransaction(id: number) {
  const read = useRead(ledgerCalls.transactionEntries, { params: { transactionId: id } }, { enabled: id > 0 });
  const error = useLoadAlert(read.error, 'Error Loading GL Transaction');
  return { transaction: read.data, error, retry: () => void read.refetch() };
}
