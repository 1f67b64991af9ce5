import type { ActivityRow, EntityStanding } from '@evenkeel/contract/subledger';
import { billBadge } from '@evenkeel/core/documents/bill';
import { fiscalYearStart, type IsoDate, parseDate } from '@evenkeel/core/dates';
import { notFound } from '@evenkeel/core/failure';
import { invoiceBadge, lateAfter, VOID } from '@evenkeel/core/documents/invoice';
import { type Cents, cents, ZERO } from '@evenkeel/core/money';
import { capital, kindOf, RECEIVABLE, type Side } from '@evenkeel/core/documents/side';
import { notAPage, type PageRequest } from '../../platform/db/page.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { holds } from '../../platform/http/session.ts';
import { companySettings } from '../../books/company-settings.ts';
import {
  type ActivityPlace,
  countActivity,
  type HappenedRow,
  selectActivity,
  selectStanding,
  sumJournals,
} from './home.sql.ts';
import { takenOff } from '../../books/documents/discounts.ts';
import { entityExists } from '../../books/documents/reads.sql.ts';

/** Whether the caller can view ledger entries. */
const seesLedger = (ctx: Ctx): boolean => holds(ctx, 'View Accounting') || holds(ctx, 'View Reports');

/**
 * Returns a customer's or vendor's current balance, overdue part, and unapplied credit. Throws 404 if the customer or
 * vendor does not exist.
 */
export async function entityStanding(ctx: Ctx, side: Side, entityId: number): Promise<EntityStanding> {
  const [{ fyStartMonth }, entity] = await Promise.all([
    companySettings(ctx),
    ctx.tx.row(entityExists(side, entityId)),
  ]);
  if (entity === undefined) throw notFound(capital(side.words.entity));
  const year = { from: fiscalYearStart(ctx.today, fyStartMonth), to: ctx.today };
  const [standing, journals] = await Promise.all([
    ctx.tx.one(selectStanding(side, entityId, year)),
    seesLedger(ctx) ? ctx.tx.row(sumJournals(side, entityId)) : undefined,
  ]);
  const journalAmount = journals && { journalAmount: journals.amount };
  return { ...standing, balance: cents(standing.openAmount - standing.creditAmount), ...journalAmount };
}

/**
 * Returns a customer's or vendor's activity, newest first. Returns all of it, or one page if `limit` is given. Each
 * page starts from the last balance on the previous page, so that only the page's own rows are read. Throws 404 if the
 * customer or vendor does not exist.
 */
export async function entityActivity(ctx: Ctx, side: Side, entityId: number, page: PageRequest) {
  const cursor = cursorOf(page.after);
  const ask = { side, entityId, withJournals: seesLedger(ctx) };
  const { limit } = page;
  const [entity, rows, standing, count] = await Promise.all([
    ctx.tx.row(entityExists(side, entityId)),
    ctx.tx.rows(selectActivity({ ...ask, after: cursor?.place, limit })),
    cursor === undefined ? ctx.tx.one(selectStanding(side, entityId, { from: ctx.today, to: ctx.today })) : undefined,
    cursor === undefined ? ctx.tx.row(countActivity(ask)) : undefined,
  ]);
  if (entity === undefined) throw notFound(capital(side.words.entity));
  const { balance = ZERO, total = 0 } = cursor ?? {
    balance: standing && cents(standing.openAmount - standing.creditAmount),
    total: count?.total,
  };
  const shown = limit === undefined ? rows : rows.slice(0, limit);
  const { items, left } = withBalances(shown, { side, today: ctx.today, balance });
  const last = shown.at(-1);
  if (limit === undefined) return items;
  return { items, next: rows.length > limit && last ? cursorText({ place: last, balance: left, total }) : null, total };
}

interface Counting {
  side: Side;
  today: IsoDate;
  /** The balance after the first row. */
  balance: Cents;
}

/** Returns each row with the balance after it, and the balance before the last row. */
function withBalances(rows: readonly HappenedRow[], { side, today, balance }: Counting) {
  let left = balance;
  const items = rows.map((row) => {
    const shown = activityRow(row, { side, today, balance: left });
    if (row.counts) left = cents(left - row.amount);
    return shown;
  });
  return { items, left };
}

/** The maximum number of documents that are listed for a payment. */
const MOST_APPLIED = 3;

function activityRow(row: HappenedRow, { side, today, balance }: Counting): ActivityRow {
  const { rank: _rank, status: _status, dated: _dated, counts, appliedTo, discountAmount, ...shown } = row;
  return {
    ...shown,
    ...takenOff(discountAmount),
    balance: counts ? balance : null,
    ...badgeOf(row, side, today),
    appliedTo: appliedTo.slice(0, MOST_APPLIED),
    appliedCount: appliedTo.length,
  };
}

/**
 * Returns a document's badge, as shown in the list of that kind of document. Payments and journal entries have none.
 */
function badgeOf(row: HappenedRow, side: Side, today: IsoDate) {
  const { status, openAmount, amount: invoiceAmount, dated: invoiceDate } = row;
  if (status === null) return { badge: '', daysOverdue: 0 };
  const { offer } = kindOf(row.kind);
  if (offer !== undefined)
    return { badge: offer.badge({ status, expirationDate: row.dueDate }, today), daysOverdue: 0 };
  const document = { openAmount, invoiceAmount, dueDate: lateAfter({ ...row, invoiceDate }, today), today };
  return side === RECEIVABLE
    ? invoiceBadge({ ...document, status })
    : billBadge({ ...document, voided: status === VOID });
}

/**
 * The start of a page: the last row of the previous page, the balance before that row, and the total number of rows.
 */
interface Cursor {
  place: ActivityPlace;
  balance: Cents;
  total: number;
}

function cursorText({ place: { date, rank, id }, balance, total }: Cursor): string {
  return Buffer.from([date, rank, id, balance, total].join(' '), 'utf8').toString('base64url');
}

function cursorOf(after: string | undefined): Cursor | undefined {
  if (after === undefined || after === '') return undefined;
  const text = Buffer.from(after, 'base64url').toString('utf8');
  const [day = '', ...figures] = /^([\d-]{10}) (\d) (\d{1,15}) (-?\d{1,15}) (\d{1,15})$/.exec(text)?.slice(1) ?? [];
  const date = parseDate(day);
  if (date === undefined) throw notAPage();
  const [rank = 0, id = 0, balance = 0, total = 0] = figures.map(Number);
  return { place: { date, rank, id }, balance: cents(balance), total };
}
