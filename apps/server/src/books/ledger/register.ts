import { type GlEntry, type ledgerCalls, MOST_FOUND } from '@evenkeel/contract/ledger';
import type { QueryOf, ReplyOf } from '@evenkeel/contract/endpoint';
import {
  accountLabel,
  type AccountTypeInfo,
  accountTypeInfo,
  isProfitAndLoss,
  naturalAmount,
} from '@evenkeel/core/books/accounts';
import { addDays, fiscalYearStart, type IsoDate, parseDate } from '@evenkeel/core/dates';
import { malformed } from '@evenkeel/contract/sentences';
import { notFound } from '@evenkeel/core/failure';
import { type Cents, cents, negate } from '@evenkeel/core/money';
import { UNASSIGNED } from '@evenkeel/core/reports/compare';
import { notAPage, wordsOf } from '../../platform/db/page.ts';
import { sides } from '@evenkeel/core/documents/side';
import { searchNumberOf } from '@evenkeel/core/words/searched';
import { narrowedTo } from '../../platform/db/search.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { type CompanySettings, companySettings } from '../company-settings.ts';
import { type AccountRow, accountsByIdSql, accountsSql } from './accounts.sql.ts';
import type { Sources } from './source.sql.ts';
import { accountSum, assetTransactions, type OfAssets } from './balances.sql.ts';
import {
  balancesBehindSql,
  foundLinesSql,
  hiddenLinesSql,
  type LineRow,
  movedSql,
  type Place,
  type RegisterAsk,
  registerSql,
  sameDaySql,
} from './register.sql.ts';

type Query = QueryOf<typeof ledgerCalls.accountEntries>;

/** An account whose register is read, with the company settings that affect the register. */
interface Book {
  label: string;
  info: AccountTypeInfo;
  fyStartMonth: number;
}

type Reply = ReplyOf<typeof ledgerCalls.accountEntries>;
type Page = Exclude<Reply, readonly unknown[]>;

/**
 * Returns an account's lines with a running balance that has the account's natural sign (negative for contra accounts).
 * Without `limit`, returns the whole list. With `limit`, returns a keyset page from either end, whose opening balance
 * is computed without reading all earlier lines. With `q` or `cleared`, returns only the matching lines, and their
 * balances still include all lines. Income and expense accounts restart in each fiscal year. Throws 404 for an unknown
 * account.
 */
export async function accountEntries(ctx: Ctx, accountId: number, query: Query): Promise<Reply> {
  const cursor = cursorOf(query.after);
  const accountRead = ctx.tx.rows(accountsByIdSql([accountId]));
  const [settings, [account]] = await Promise.all([companySettings(ctx), accountRead]);
  if (account === undefined) throw notFound('Account');
  const book = bookOf(account, settings);
  const scope = askOf(query, settings);
  const ofAssets = await assetsOf(ctx, { which: query.ofassets, from: query.from, to: query.to }, scope);
  const ask = { ...scope, accountId, after: cursor?.place, ofAssets };
  const { read, range } = await (isSearch(ask) ? searched : listed)(ctx, ask, { book, limit: query.limit });
  const items = ask.desc ? read.items.toReversed() : read.items;
  if (query.limit === undefined) return items;
  const total = cursor?.total ?? range?.total ?? 0;
  const next = read.isLast ? null : cursorText(ask.desc ? read.rows[0] : read.rows.at(-1), total);
  const period = range?.period === undefined ? {} : { period: range.period };
  return { items, next, total, opening: naturalAmount(book.info, read.opening), ...period };
}

interface Paging {
  book: Book;
  limit: number | undefined;
}

const isFirstPage = ({ after }: RegisterAsk, { limit }: Paging): boolean => limit !== undefined && after === undefined;

/** Reads consecutive entries, and the totals for the whole range. */
async function listed(ctx: Ctx, ask: RegisterAsk, paging: Paging) {
  const whole = isFirstPage(ask, paging) ? rangeOf(ctx, ask, paging.book) : undefined;
  const [read, range] = await Promise.all([readEntries(ctx, ask, paging), whole]);
  return { read, range };
}

/** Reads the entries that match a search, and their number. */
async function searched(ctx: Ctx, ask: RegisterAsk, paging: Paging): Promise<Awaited<ReturnType<typeof listed>>> {
  const narrowed = { ...ask, sources: await sourcesOf(ctx, ask.q) };
  const read = await findEntries(ctx, narrowed, paging);
  return { read, range: isFirstPage(ask, paging) ? await foundOf(ctx, narrowed, read) : undefined };
}

/** Returns the documents and payments that contain each rare search word. */
async function sourcesOf({ tx }: Ctx, q: string | undefined): Promise<Map<string, Sources>> {
  const read = wordsOf(q).map(async (word): Promise<[string, Sources][]> => {
    const [documents, payments] = await Promise.all([
      narrowedTo(
        tx,
        sides.map(({ document }) => searchNumberOf(document)),
        word,
      ),
      narrowedTo(
        tx,
        sides.map(({ payment }) => searchNumberOf(payment)),
        word,
      ),
    ]);
    return documents === undefined || payments === undefined ? [] : [[word, { documents, payments }]];
  });
  return new Map((await Promise.all(read)).flat());
}

const isSearch = ({ q, reconciled }: RegisterAsk): boolean => (q ?? '').trim() !== '' || reconciled !== undefined;

function placeBefore(lines: readonly LineRow[], limit: number | undefined): Place | undefined {
  return limit !== undefined && lines.length > limit ? lines[0] : undefined;
}

/** Reads the requested entries, earliest first, and the balance before them. */
async function readEntries(ctx: Ctx, ask: RegisterAsk, { book, limit }: Paging) {
  const found = ctx.tx.rows(registerSql(ask, limit === undefined ? undefined : limit + 1));
  // When reading backward, the extra line is the position before the page.
  const start = ask.desc ? placeBefore(await found, limit) : ask.after;
  const [lines, opening] = await Promise.all([found, openingOf(ctx, { ...ask, after: start }, book)]);
  const isLast = limit === undefined || lines.length <= limit;
  const rows = isLast ? lines : ask.desc ? lines.slice(1) : lines.slice(0, limit);
  const items = withBalances(rows, { opening, startsOn: start?.postingDate ?? ask.from, book });
  return { rows, items, opening, isLast };
}

/**
 * Reads the entries that match a search, each with the account's balance after it. The balances include the lines in
 * between.
 */
async function findEntries(ctx: Ctx, ask: RegisterAsk, { book, limit }: Paging) {
  const lines = await ctx.tx.rows(registerSql(ask, limit === undefined ? undefined : limit + 1));
  const isLast = limit === undefined || lines.length <= limit;
  const rows = isLast ? lines : ask.desc ? lines.slice(1) : lines.slice(0, limit);
  const since = (date: IsoDate) => (isProfitAndLoss(book.info) ? fiscalYearStart(date, book.fyStartMonth) : null);
  const places = rows.map((row) => ({ ...row, since: since(row.postingDate) }));
  const read = rows.length === 0 ? [] : await ctx.tx.rows(balancesBehindSql(ask, places));
  const balances = new Map(read.map(({ id, amount }) => [id, amount]));
  const items = rows.map((row) => {
    return { ...glEntry(row, book.label), balance: naturalAmount(book.info, balances.get(row.id) ?? cents(0)) };
  });
  const [first] = rows;
  const opening = first === undefined ? cents(0) : cents((balances.get(first.id) ?? 0) - first.amount);
  return { rows, items, opening, isLast };
}

/**
 * Returns the number of entries that match a search. Counts them only if the first page doesn't contain all of them.
 */
async function foundOf(ctx: Ctx, ask: RegisterAsk, { rows, isLast }: { rows: readonly unknown[]; isLast: boolean }) {
  if (isLast) return { total: rows.length };
  return { total: (await ctx.tx.row(foundLinesSql(ask, MOST_FOUND)))?.lines ?? 0 };
}

/**
 * Returns the transactions that buy or sell an asset, if the query asks for only these transactions or for all others.
 */
export async function assetsOf(
  ctx: Ctx,
  { which, from, to }: { which: OfAssets['which'] | undefined; from?: IsoDate | undefined; to?: IsoDate | undefined },
  scope: Parameters<typeof assetTransactions>[0],
): Promise<OfAssets | undefined> {
  if (which === undefined) return undefined;
  if (from === undefined || to === undefined) throw malformed({ ofassets: "'ofassets' requires 'from' and 'to'" });
  const accounts = await ctx.tx.rows(accountsSql('every', true));
  const assets = accounts.filter(({ type, contra }) => accountTypeInfo(type, contra).cashFlow === 'Investing');
  const found = await ctx.tx.rows(assetTransactions(scope, { assetIds: assets.map(({ id }) => id), from, to }));
  return { which, transactionIds: found.map(({ id }) => id) };
}

const isOn = (flag: Query['desc']): boolean => flag === 'true' || flag === '1';

function askOf(query: Query, settings: CompanySettings) {
  const isPartial = (query.entityid ?? query.ofassets ?? query.journals) !== undefined;
  const words = "can't be combined with 'entityid', 'ofassets', or 'journals'";
  if (isPartial && (query.q ?? '') !== '') throw malformed({ q: `A search ${words}` });
  if (isPartial && query.cleared !== undefined) throw malformed({ cleared: `'cleared' ${words}` });
  const chosen = query.basis === undefined ? settings.reportingAccountingBasis : Number(query.basis);
  return {
    basis: chosen === 1 ? ('cash' as const) : ('accrual' as const),
    from: query.from,
    to: query.to,
    profitCenterId: query.unassigned === 'profitcenter' ? UNASSIGNED : query.profitcenterid || undefined,
    locationId: query.unassigned === 'location' ? UNASSIGNED : query.locationid || undefined,
    entityId: query.entityid || undefined,
    journals: query.journals,
    q: query.q,
    reconciled: query.cleared && (query.cleared === 'true' ? ('any' as const) : { notThrough: null }),
    desc: isOn(query.desc),
    showReversed: isOn(query.showReversed),
  };
}

function bookOf(account: AccountRow, { fyStartMonth, useAccountNumbers }: CompanySettings): Book {
  const info = accountTypeInfo(account.type, account.contra);
  return { label: accountLabel(account, useAccountNumbers), info, fyStartMonth };
}

/**
 * Returns debits − credits before the first line in the response. Hidden pairs of lines cancel out by the end of their
 * day.
 */
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

/**
 * Returns the number of lines that the register shows from `from` to `to`, and their totals if one of these dates is
 * set.
 */
async function rangeOf(ctx: Ctx, ask: RegisterAsk, book: Book): Promise<Pick<Page, 'total' | 'period'>> {
  const whole = { ...ask, after: undefined };
  const isRange = ask.from !== undefined || ask.to !== undefined;
  const [all, hidden, forward, moved] = await Promise.all([
    ctx.tx.row(accountSum(whole)),
    ask.showReversed ? undefined : ctx.tx.row(hiddenLinesSql(whole)),
    isRange ? openingOf(ctx, whole, book) : undefined,
    isRange ? ctx.tx.row(movedSql(whole)) : undefined,
  ]);
  const total = (all?.lines ?? 0) - (hidden?.lines ?? 0);
  if (moved === undefined || forward === undefined) return { total };
  const ends = ask.to ?? moved.last;
  const closing = ends === null ? forward : await closingOf(ctx, { ...whole, ends }, book);
  const both = hidden?.amount ?? 0;
  const period = {
    broughtForward: naturalAmount(book.info, forward),
    debits: cents(moved.debits - both),
    credits: cents(moved.credits - both),
    closing: naturalAmount(book.info, closing),
  };
  return { total, period };
}

/**
 * Returns debits − credits at the end of a range. For income and expense accounts, the range starts with the fiscal
 * year that contains `ends`.
 */
async function closingOf(ctx: Ctx, { ends, ...ask }: RegisterAsk & { ends: IsoDate }, book: Book): Promise<Cents> {
  const from = isProfitAndLoss(book.info) ? fiscalYearStart(ends, book.fyStartMonth) : undefined;
  const sum = await ctx.tx.row(accountSum({ ...ask, from }));
  return cents(sum?.amount ?? 0);
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
    return { ...glEntry(row, book.label), balance: naturalAmount(book.info, running) };
  });
}

const WIRE_BASIS = { B: 0, A: 1, C: 2 } as const;

/** Returns a line in the API format, without a running balance. */
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
    reconciliationId: row.reconciliationId,
    ...(row.number === undefined ? {} : { number: row.number }),
  };
}

/** The start of a page, and the number of lines as counted for the first page, so that they aren't counted again. */
interface Cursor {
  place: Place;
  total: number;
}

/** Returns the cursor for the page after a line. */
export function cursorText(row: LineRow | undefined, total: number): string | null {
  if (row === undefined) return null;
  const text = `${row.postingDate}.${row.transactionId}.${row.lineNo}.${total}`;
  return Buffer.from(text, 'utf8').toString('base64url');
}

/**
 * Returns the position that the cursor `after` represents. Throws 'malformed' if it isn't the `next` value from an
 * earlier page.
 */
export function cursorOf(after: string | undefined): Cursor | undefined {
  if (after === undefined || after === '') return undefined;
  const text = Buffer.from(after, 'base64url').toString('utf8');
  const [date, transaction, line, total] =
    /^([\d-]{10})\.(\d{1,15})\.(\d{1,9})\.(\d{1,15})$/.exec(text)?.slice(1) ?? [];
  const postingDate = date === undefined ? undefined : parseDate(date);
  if (postingDate === undefined) {
    throw notAPage();
  }
  const place = { postingDate, transactionId: Number(transaction), lineNo: Number(line) };
  return { place, total: Number(total) };
}
