import type { EntriesAsk, OpenItem, OpenItemsAsk, OwingAsk } from '@evenkeel/contract/explain';
import type { ledgerCalls } from '@evenkeel/contract/ledger';
import type { ReplyOf } from '@evenkeel/contract/endpoint';
import { accountLabel } from '@evenkeel/core/books/accounts';
import { daysBetween, type IsoDate, LAST_DAY } from '@evenkeel/core/dates';
import { malformed } from '@evenkeel/contract/sentences';
import { cents, sum, ZERO } from '@evenkeel/core/money';
import { PAYABLE, RECEIVABLE, type Side } from '@evenkeel/core/documents/side';
import { holds, requireOneOf } from '../../platform/http/session.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { companySettings } from '../../books/company-settings.ts';
import { selectOpenItemsPart, selectOwing, type SummedItemRow } from '../../books/documents/aging.sql.ts';
import { accountsByIdSql } from '../../books/ledger/accounts.sql.ts';
import { cursorOf, cursorText, glEntry } from '../../books/ledger/register.ts';
import { movedSql, registerSql } from '../../books/ledger/register.sql.ts';

/** The number of entries per page. */
const PAGE = 100;

/**
 * Returns the entries that make up a total for several accounts, newest first, and their sum (debits − credits). A line
 * that was reversed on its own date is excluded together with its reversal, because they add up to zero.
 */
export async function figureEntries(ctx: Ctx, asked: EntriesAsk): Promise<ReplyOf<typeof ledgerCalls.figureEntries>> {
  const { accountIds, from, to, after } = asked;
  const cursor = cursorOf(after);
  const ask = {
    basis: asked.basis === 1 ? ('cash' as const) : ('accrual' as const),
    accountId: accountIds,
    from: from ?? undefined,
    to: to ?? undefined,
    after: cursor?.place,
    desc: true,
    showReversed: false,
  };
  const [settings, accounts, lines, moved] = await Promise.all([
    companySettings(ctx),
    ctx.tx.rows(accountsByIdSql(accountIds)),
    ctx.tx.rows(registerSql(ask, PAGE + 1)),
    ctx.tx.row(movedSql({ ...ask, after: undefined })),
  ]);
  const labelOf = new Map(accounts.map((one) => [one.id, accountLabel(one, settings.useAccountNumbers)]));
  const page = lines.toReversed().slice(0, PAGE);
  return {
    items: page.map((line) => glEntry(line, labelOf.get(line.accountId) ?? '')),
    next: lines.length > PAGE ? cursorText(page.at(-1), 0) : null,
    amount: cents((moved?.debits ?? 0) - (moved?.credits ?? 0)),
  };
}

/** The maximum number of open items in a response. */
const MOST = 200;

/**
 * Throws 403 if the user can't see the open documents on a side. For the documents of one customer or vendor,
 * permission to view customers or vendors is enough.
 */
function requireSide(ctx: Ctx, side: Side, entityId: number | undefined): void {
  const [documents, entities] =
    side === RECEIVABLE ? ['View Billing', 'View Customers'] : ['View Expenses', 'View Vendors'];
  if (entityId !== undefined && holds(ctx, entities)) return;
  requireOneOf(ctx, [documents, 'View Reports', 'View Accounting']);
}

/**
 * Returns the open documents on a side and their total. With a date, these documents make up one or all columns of the
 * aging report. Without a date, they make up a balance in a list. Throws 400 for a bucket without a date.
 */
export async function openItems(ctx: Ctx, asked: OpenItemsAsk): Promise<ReplyOf<typeof ledgerCalls.openItems>> {
  const { date, bucket, overdue, entityId, documentsOnly, kind, drafts, after } = asked;
  const side = asked.side === 'receivable' ? RECEIVABLE : PAYABLE;
  requireSide(ctx, side, entityId);
  if ((bucket !== undefined || overdue === true) && date === undefined) {
    throw malformed({ bucket: "'bucket' and 'overdue' require 'date'" });
  }
  const ask = {
    side,
    asOf: date ?? LAST_DAY,
    bucket,
    isOverdue: overdue,
    entityId,
    kind: documentsOnly === true ? ('document' as const) : kind,
    hasDrafts: drafts,
  };
  const rows = await ctx.tx.rows(selectOpenItemsPart(ask, { limit: MOST, offset: after ?? 0 }));
  const [first] = rows;
  return {
    items: rows.map((row) => openItem(row, date)),
    count: first?.all ?? 0,
    total: first?.allTotal ?? ZERO,
    openAmount: first?.allAmount ?? ZERO,
    age: date === undefined || first === undefined ? null : ageOf(first),
  };
}

/** Returns the average age in days, as shown on the card. */
function ageOf({ age, allWeight, allDays }: SummedItemRow) {
  return { days: age, weight: allWeight, dollarDays: allDays };
}

/** The maximum number of customers or vendors in a response. */
const MOST_OWING = 100;

/**
 * Returns the customers or vendors with a balance on a date, as in the aging report. The most overdue customers or
 * vendors come first.
 */
export async function owing(ctx: Ctx, asked: OwingAsk): Promise<ReplyOf<typeof ledgerCalls.owing>> {
  const side = asked.side === 'receivable' ? RECEIVABLE : PAYABLE;
  requireSide(ctx, side, undefined);
  const rows = await ctx.tx.rows(selectOwing(side, asked.date, { limit: MOST_OWING, offset: asked.after ?? 0 }));
  const items = rows.map(({ entityId, name: entityName, current, thirty, sixty, ninety, late: daysPastDue }) => ({
    entityId,
    entityName,
    currentAmount: current,
    thirtyAmount: thirty,
    sixtyAmount: sixty,
    ninetyAmount: ninety,
    openAmount: sum([current, thirty, sixty, ninety]),
    daysPastDue,
  }));
  return { items, count: rows[0]?.all ?? 0, openAmount: rows[0]?.allAmount ?? ZERO };
}

function openItem(row: SummedItemRow, on: IsoDate | undefined): OpenItem {
  const { sourceType, isDocument, id, number, name, dated, dueDate, late, total, amount } = row;
  const daysPastDue = on !== undefined && late > 0 ? late : null;
  const days = on !== undefined && isDocument ? daysBetween(dated, on) : null;
  const item = { sourceType, sourceId: id, number, entityName: name, dated, dueDate, daysPastDue, days };
  return { ...item, total, openAmount: amount };
}
