import { type GlEntry, ledgerCalls } from '@evenkeel/contract/ledger';
import { settingsCalls } from '@evenkeel/contract/settings';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Cents } from '@evenkeel/core/money';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { call, messageOf, useRead } from '../api.ts';
import { useAlerts } from '../ui/alerts/Alerts.tsx';

/** What the chart of accounts and the reports both read: settings, dimensions, registers, transactions. */

/** Tells a failed load by its specified alert (part 2 §8), once per failure; answers the words for its place. */
export function useLoadAlert(error: Error | null, words: string): string | undefined {
  const alerts = useAlerts();
  useEffect(() => {
    if (error !== null) alerts.error(words);
  }, [alerts, error, words]);
  return error === null ? undefined : messageOf(error);
}

export interface Choice {
  id: number;
  label: string;
}

/** The company's switches and figures that these screens follow (part 2 §3 "Financial settings"). */
export function useBooksSettings() {
  const read = useRead(settingsCalls.getSettings, {});
  const valueOf = (name: string) =>
    read.data?.customerSettingItems.find((item) => item.settingName.toLowerCase() === name.toLowerCase())?.settingValue;
  return {
    isLoaded: read.data !== undefined,
    useProfitCenters: valueOf('useProfitCenters') === 'true',
    useLocations: valueOf('useLocations') === 'true',
    fyStartMonth: Number(valueOf('fyStartMonth') ?? '1') || 1,
    /** 0 accrual, 1 cash. */
    basis: valueOf('reportingAccountingBasis') === '1' ? (1 as const) : (0 as const),
  };
}

export interface Dimensions {
  /** Undefined while the feature is off: its fields are then not shown. */
  profitCenters: Choice[] | undefined;
  locations: Choice[] | undefined;
}

/** Profit centers and locations, each only while its switch is on. */
export function useDimensions(): Dimensions {
  const { useProfitCenters, useLocations } = useBooksSettings();
  const centers = useRead(ledgerCalls.listProfitCenters, {}, { enabled: useProfitCenters });
  const locations = useRead(ledgerCalls.listLocations, {}, { enabled: useLocations });
  useLoadAlert(centers.error, 'Error Loading Pfcs');
  useLoadAlert(locations.error, 'Error Loading locations');
  return {
    profitCenters: useProfitCenters
      ? (centers.data ?? []).map((one) => ({ id: one.profitcenterid, label: one.profitcentername }))
      : undefined,
    locations: useLocations
      ? (locations.data ?? []).map((one) => ({ id: one.locationId, label: one.locationName }))
      : undefined,
  };
}

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
  showReversed?: 'true' | undefined;
}

/** Lines per page: the list below grows by it as one scrolls. */
export const PAGE = 100;

interface Page {
  items: readonly GlEntry[];
  next: string | null;
  total: number;
  opening: Cents | undefined;
}

async function readPage(ask: RegisterAsk, after: string, signal: AbortSignal): Promise<Page> {
  const { accountId, ...query } = ask;
  const input = { params: { customerAccountId: accountId }, query: { ...query, limit: PAGE, after } };
  const reply = await call(ledgerCalls.accountEntries, input, { signal });
  return 'items' in reply ? reply : { items: reply, next: null, total: reply.length, opening: undefined };
}

export interface Register {
  /** Undefined while the first page is read. */
  entries: readonly GlEntry[] | undefined;
  /** All lines that the ask has, read or not. */
  total: number;
  /** The balance before the first line, in natural sign. */
  opening: Cents | undefined;
  isComplete: boolean;
  isReadingMore: boolean;
  error: string | undefined;
  more: () => void;
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
    isComplete: pages !== undefined && !read.hasNextPage,
    isReadingMore: read.isFetchingNextPage,
    error: pages === undefined ? error : undefined,
    more: () => (read.hasNextPage && !read.isFetchingNextPage ? void read.fetchNextPage() : undefined),
    retry: () => void read.refetch(),
  };
}

/** One posted transaction with its lines. */
export function useTransaction(id: number) {
  const read = useRead(ledgerCalls.transactionEntries, { params: { transactionId: id } });
  const error = useLoadAlert(read.error, 'Error Loading GL Transaction');
  return { transaction: read.data, error, retry: () => void read.refetch() };
}

/** After a posting: every answer is stale, those on screen are read again at once. */
export function useBooksChanged(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(() => client.invalidateQueries(), [client]);
}
