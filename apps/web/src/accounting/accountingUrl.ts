import { type IsoDate, parseDate, PERIODS, periodRange } from '@evenkeel/core/dates';
import type { AccountAsk } from './AccountView.tsx';

/** The open account as the address says it (`?account=138&from=2026-01-01&reversed=1`), or undefined. */
export function readAccountAsk(query: URLSearchParams): AccountAsk | undefined {
  const account = query.get('account') ?? '';
  if (!/^[1-9]\d{0,14}$/.test(account)) return undefined;
  return {
    accountId: Number(account),
    from: parseDate(query.get('from') ?? ''),
    to: parseDate(query.get('to') ?? ''),
    showReversed: query.get('reversed') === '1',
  };
}

const THIS_YEAR = PERIODS.indexOf('This Year');

/** An account as it opens: on the fiscal year, above it what was brought forward. */
export function openedOn(accountId: number, { today, fyStartMonth }: { today: IsoDate; fyStartMonth: number }) {
  return { accountId, ...periodRange(THIS_YEAR, today, fyStartMonth), showReversed: false };
}

/** The query that readAccountAsk reads back; empty for no account. */
export function writeAccountAsk(ask: AccountAsk | undefined): URLSearchParams {
  const query = new URLSearchParams();
  if (ask === undefined) return query;
  query.set('account', String(ask.accountId));
  if (ask.from !== undefined) query.set('from', ask.from);
  if (ask.to !== undefined) query.set('to', ask.to);
  if (ask.showReversed) query.set('reversed', '1');
  return query;
}
