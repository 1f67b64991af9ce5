import type { GlEntry, ledgerCalls } from '@evenkeel/contract/ledger';
import type { QueryOf, ReplyOf } from '@evenkeel/contract/endpoint';
import { accountLabel, type AccountTypeInfo, accountTypeInfo, isProfitAndLoss } from '@evenkeel/core/accounts';
import { addDays, fiscalYearStart, type IsoDate, parseDate } from '@evenkeel/core/dates';
import { Failure, notFound } from '@evenkeel/core/failure';
import { type Cents, cents, negate } from '@evenkeel/core/money';
import type { Ctx } from '../http/context.ts';
import { type CompanySettings, companySettings } from '../settings/settings.ts';
import { type AccountRow, accountsByIdSql } from './accounts.sql.ts';
import { accountSum } from './balances.sql.ts';
import { hiddenLinesSql, type LineRow, type Place, type RegisterAsk, registerSql, sameDaySql } from './register.sql.ts';

type Query = QueryOf<typeof ledgerCalls.accountEntries>;

/** An account whose register is read, and what the company's settings make of it. */
interface Book {
  label: string;
  info: AccountTypeInfo;
  fyStartMonth: number;
}

/**
 * An account's lines with running balance in its natural sign: the whole list, or with `limit` a keyset page whose
 * opening balance is not summed over all lines before it. Income and expense restart with each fiscal year. 404 for an
 * unknown account (wire: GetAccountEntries; database: Account register).
 */
export async function accountEntries(
  ctx: Ctx,
  accountId: number,
  query: Query,
): Promise<ReplyOf<typeof ledgerCalls.accountEntries>> {
  const cursor = cursorOf(query.after);
  const after = cursor?.place;
  const accountRead = ctx.tx.rows(accountsByIdSql(ctx.companyId, [accountId]));
  const [settings, [account]] = await Promise.all([companySettings(ctx), accountRead]);
  if (account === undefined) throw notFound('Account');
  const book = bookOf(account, settings);
  const ask = { ...askOf(query, settings), companyId: ctx.companyId, accountId, after };
  const { limit } = query;
  const [opening, rows, total] = await Promise.all([
    openingOf(ctx, ask, book),
    ctx.tx.rows(registerSql(ask, limit === undefined ? undefined : limit + 1)),
    limit === undefined ? 0 : (cursor?.total ?? totalOf(ctx, ask)),
  ]);
  const page = limit === undefined ? rows : rows.slice(0, limit);
  const items = withBalances(page, { opening, startsOn: after?.postingDate ?? ask.from, book });
  if (limit === undefined) return items;
  const next = rows.length > limit ? cursorText(page.at(-1), total) : null;
  return { items, next, total, opening: natural(opening, book.info) };
}

function askOf(query: Query, settings: CompanySettings) {
  const chosen = query.basis === undefined ? settings.reportingAccountingBasis : Number(query.basis);
  return {
    basis: chosen === 1 ? ('cash' as const) : ('accrual' as const),
    from: query.from,
    to: query.to,
    profitCenterId: query.profitcenterid || undefined,
    locationId: query.locationid || undefined,
    showReversed: query.showReversed === 'true' || query.showReversed === '1',
  };
}

function bookOf(account: AccountRow, { fyStartMonth, useAccountNumbers }: CompanySettings): Book {
  const info = accountTypeInfo(account.type, account.contra);
  return { label: accountLabel(account, useAccountNumbers), info, fyStartMonth };
}

/** Debit − credit before the first line of the answer; hidden pairs of a day cancel out at the day's end. */
async function openingOf(ctx: Ctx, ask: RegisterAsk, { info, fyStartMonth }: Book): Promise<Cents> {
  const { after } = ask;
  const start = after?.postingDate ?? ask.from;
  if (start === undefined) return cents(0);
  const year = isProfitAndLoss(info) ? fiscalYearStart(start, fyStartMonth) : undefined;
  const [before, sameDay] = await Promise.all([
    year === start ? undefined : ctx.tx.row(accountSum({ ...ask, from: year, to: addDays(start, -1) })),
    after === undefined ? undefined : ctx.tx.row(sameDaySql(ask, after)),
  ]);
  return cents((before?.amount ?? 0) + (sameDay?.amount ?? 0));
}

/** How many lines the register shows from `from` to `to`. */
async function totalOf(ctx: Ctx, ask: RegisterAsk): Promise<number> {
  const [all, hidden] = await Promise.all([
    ctx.tx.row(accountSum(ask)),
    ask.showReversed ? undefined : ctx.tx.row(hiddenLinesSql(ask)),
  ]);
  return (all?.lines ?? 0) - (hidden?.lines ?? 0);
}

function withBalances(
  rows: readonly LineRow[],
  { opening, startsOn, book }: { opening: Cents; startsOn: IsoDate | undefined; book: Book },
): GlEntry[] {
  const yearOf = (date: IsoDate): IsoDate | undefined =>
    isProfitAndLoss(book.info) ? fiscalYearStart(date, book.fyStartMonth) : undefined;
  let year = startsOn === undefined ? undefined : yearOf(startsOn);
  let running = opening;
  return rows.map((row) => {
    if (yearOf(row.postingDate) !== year) {
      year = yearOf(row.postingDate);
      running = cents(0);
    }
    running = cents(running + row.amount);
    return { ...glEntry(row, book.label), balance: natural(running, book.info) };
  });
}

function natural(amount: Cents, info: AccountTypeInfo): Cents {
  return info.normal === 'Debit' ? amount : negate(amount);
}

const WIRE_BASIS = { B: 0, A: 1, C: 2 } as const;

/** A line as the wire shows it, without a running balance. */
export function glEntry(row: LineRow, displayAccountLabel: string): GlEntry {
  return {
    glid: row.id,
    transactionID: row.transactionId,
    postingDate: row.postingDate,
    description: row.description,
    debitAmount: row.amount > 0 ? row.amount : null,
    creditAmount: row.amount < 0 ? negate(row.amount) : null,
    balance: null,
    accountID: row.accountId,
    displayAccountLabel,
    profitcenterid: row.profitCenterId,
    locationid: row.locationId,
    entityId: row.entityId,
    entityName: row.entityName ?? '',
    basis: WIRE_BASIS[row.basis],
    sourceType: row.sourceType,
    sourceId: row.sourceId,
    reverses: row.reverses,
    reversedBy: row.reversedBy,
  };
}

/** Where a page begins, and how many lines the register had when its first page was read: counting is not repeated. */
interface Cursor {
  place: Place;
  total: number;
}

function cursorText(row: LineRow | undefined, total: number): string | null {
  if (row === undefined) return null;
  const text = `${row.postingDate}.${row.transactionId}.${row.lineNo}.${total}`;
  return Buffer.from(text, 'utf8').toString('base64url');
}

/** The place that `after` names. Throws 'malformed' when it is not the `next` of an earlier page. */
function cursorOf(after: string | undefined): Cursor | undefined {
  if (after === undefined || after === '') return undefined;
  const text = Buffer.from(after, 'base64url').toString('utf8');
  const [date, transaction, line, total] =
    /^([\d-]{10})\.(\d{1,15})\.(\d{1,9})\.(\d{1,15})$/.exec(text)?.slice(1) ?? [];
  const postingDate = date === undefined ? undefined : parseDate(date);
  if (postingDate === undefined) {
    throw new Failure('malformed', "after: must be the 'next' of an earlier page", { after: 'is not a page' });
  }
  const place = { postingDate, transactionId: Number(transaction), lineNo: Number(line) };
  return { place, total: Number(total) };
}
