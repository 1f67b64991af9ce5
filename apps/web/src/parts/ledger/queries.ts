import type { ReplyOf } from '@evenkeel/contract/endpoint';
import { type GlEntry, ledgerCalls } from '@evenkeel/contract/ledger';
import type { IsoDate } from '@evenkeel/core/dates';
import { type Cents, ZERO } from '@evenkeel/core/money';
import { type Ask, ask, askFor, useRead } from '../../client/api.ts';
import { type PagesRead, usePages } from '../../client/pages.ts';

/** Ledger queries that the chart of accounts and the reports share: the chart, account registers, and transactions. */

/** Loads the chart of accounts. `inactive` includes inactive accounts, which old entries still refer to. */
export function useChart(inactive: boolean) {
  const asked = ask(ledgerCalls.chartOfAccounts, { query: inactive ? { inactive: 'true' } : {} });
  return useRead(asked, { alert: 'Error Loading Accounts' });
}

/** A request for an account's lines. Dates are inclusive. An omitted date sets no limit. */
export interface RegisterAsk {
  accountId: number;
  from?: IsoDate | undefined;
  to?: IsoDate | undefined;
  /** 0 for accrual, 1 for cash. Defaults to the company's basis. */
  basis?: '0' | '1' | undefined;
  profitcenterid?: number | undefined;
  locationid?: number | undefined;
  unassigned?: 'profitcenter' | 'location' | undefined;
  entityid?: number | undefined;
  ofassets?: 'only' | 'without' | undefined;
  journals?: 'only' | 'without' | undefined;
  showReversed?: 'true' | undefined;
  /** Search words, all of which an entry must contain. */
  q?: string | undefined;
  /** Only the entries that a saved reconciliation contains, or only the other entries. */
  cleared?: 'true' | 'false' | undefined;
  /** Whether the newest entries come first. */
  desc?: 'true' | undefined;
}

/** The number of lines per page. The list loads another page as the user scrolls. */
export const PAGE = 100;

type Page = Exclude<ReplyOf<typeof ledgerCalls.accountEntries>, readonly unknown[]>;

function askPage({ accountId, ...query }: RegisterAsk, after: string): Ask<Page> {
  const input = { params: { customerAccountId: accountId }, query: { ...query, limit: PAGE, after } };
  return askFor(ask(ledgerCalls.accountEntries, input), (reply) =>
    'items' in reply ? reply : { items: reply, next: null, total: reply.length, opening: ZERO },
  );
}

export interface Register extends Omit<PagesRead<never>, 'value'> {
  /** Undefined while the first page loads. */
  value: readonly GlEntry[] | undefined;
  /** The total number of matching lines, whether or not they are loaded. */
  total: number;
  /** The balance before the first line, with its natural sign. */
  opening: Cents | undefined;
  /** The totals for the date range, or undefined without a range. */
  period: Page['period'];
  isComplete: boolean;
  /** Loads all remaining pages and reports the number of lines loaded so far. */
  readAll: (onRead: (lines: number) => void) => Promise<GlEntry[]>;
}

/**
 * Loads an account's lines page by page (keyset), never the whole list. Pages that belong to an earlier query are
 * discarded.
 */
export function useRegister(asked: RegisterAsk): Register {
  const { value: pages, ...read } = usePages(
    (after) => askPage(asked, after),
    (last) => last.next ?? undefined,
    { alert: 'Error Loading Account Entries' },
  );
  return {
    ...read,
    value: pages?.flatMap((page) => page.items),
    total: pages?.[0]?.total ?? 0,
    opening: pages?.[0]?.opening,
    period: pages?.[0]?.period,
    isComplete: pages !== undefined && !read.hasMore,
    error: pages === undefined ? read.error : undefined,
    readAll: async (onRead) => {
      const all = [...(pages?.flatMap((page) => page.items) ?? [])];
      for (let next = pages?.at(-1)?.next ?? null; next !== null;) {
        const page = await askPage(asked, next).read(AbortSignal.timeout(LONGEST_MS));
        all.push(...page.items);
        onRead(all.length);
        next = page.next;
      }
      return all;
    },
  };
}

/** The maximum time in ms to wait for one page. */
const LONGEST_MS = 30_000;

/** Loads one posted transaction with its lines. */
export function useTransaction(id: number) {
  const asked = ask(ledgerCalls.transactionEntries, { params: { transactionId: id } });
  return useRead(asked, { enabled: id > 0, alert: 'Error Loading GL Transaction' });
}
