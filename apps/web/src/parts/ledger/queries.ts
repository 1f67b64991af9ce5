import type { ReplyOf } from '@evenkeel/contract/endpoint';
import { type GlEntry, ledgerCalls } from '@evenkeel/contract/ledger';
import type { IsoDate } from '@evenkeel/core/dates';
import { type Cents, ZERO } from '@evenkeel/core/money';
import { type Ask, ask, askFor, useRead } from '../../client/api.ts';
import { type PagesRead, usePages } from '../../client/pages.ts';

/** Reads that the chart of accounts and the reports share: the chart, registers, transactions. */

/** The chart of accounts; `inactive` also those that were removed, which old entries still name. */
export function useChart(inactive: boolean) {
  const asked = ask(ledgerCalls.chartOfAccounts, { query: inactive ? { inactive: 'true' } : {} });
  return useRead(asked, { alert: 'Error Loading Accounts' });
}

/** The wanted lines of an account. Dates are inclusive; absent is open. */
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
  /** Words that all stand in an entry. */
  q?: string | undefined;
  /** The newest first. */
  desc?: 'true' | undefined;
}

/** Lines per page: the list below grows by it as one scrolls. */
export const PAGE = 100;

type Page = Exclude<ReplyOf<typeof ledgerCalls.accountEntries>, readonly unknown[]>;

function askPage({ accountId, ...query }: RegisterAsk, after: string): Ask<Page> {
  const input = { params: { customerAccountId: accountId }, query: { ...query, limit: PAGE, after } };
  return askFor(ask(ledgerCalls.accountEntries, input), (reply) =>
    'items' in reply ? reply : { items: reply, next: null, total: reply.length, opening: ZERO },
  );
}

export interface Register extends Omit<PagesRead<never>, 'value'> {
  /** Undefined while the first page is read. */
  value: readonly GlEntry[] | undefined;
  /** All lines that the ask has, read or not. */
  total: number;
  /** The balance before the first line, in natural sign. */
  opening: Cents | undefined;
  /** Sums over the range of dates; undefined without a range. */
  period: Page['period'];
  isComplete: boolean;
  /** Reads on to the end, page by page, and says how many lines there are so far. */
  readAll: (onRead: (lines: number) => void) => Promise<GlEntry[]>;
}

/** An account's lines page by page (keyset), never the whole list; the pages of the last ask do not outlive it. */
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

/** ms that one page may take. */
const LONGEST_MS = 30_000;

/** One posted transaction with its lines. */
export function useTransaction(id: number) {
  const asked = ask(ledgerCalls.transactionEntries, { params: { transactionId: id } });
  return useRead(asked, { enabled: id > 0, alert: 'Error Loading GL Transaction' });
}
