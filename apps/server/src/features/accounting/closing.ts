import { ClosingDate, type ClosingChecklist, type closingCalls } from '@evenkeel/contract/closing';
import type { BodyOf, ReplyOf } from '@evenkeel/contract/endpoint';
import { DateField } from '@evenkeel/contract/fields';
import {
  accountLabel,
  accountTypeInfo,
  isProfitAndLoss,
  naturalAmount,
  OPENING_BALANCE_EQUITY,
  type StatementSection,
  UNCATEGORIZED_EXPENSE,
  UNDEPOSITED,
} from '@evenkeel/core/books/accounts';
import { closedMonths, closingFaults, isReopening, openItems, reviewedReports } from '@evenkeel/core/books/closing';
import { addDays, fiscalYearStart, type IsoDate, startOfMonth } from '@evenkeel/core/dates';
import { present, refuseFields } from '@evenkeel/core/failure';
import { type Cents, cents, negate, sum, ZERO } from '@evenkeel/core/money';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { periodName, periodsBetween } from '@evenkeel/core/taxes/due';
import { documentKinds, PAYABLE, RECEIVABLE } from '@evenkeel/core/documents/side';
import { sql } from 'kysely';
import * as z from 'zod';
import { record, type Subject } from '../../platform/db/audit.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { requireFresh } from '../../platform/http/fresh.ts';
import { closingDateSql, closings, closingVersionSql, moveClosingDate } from '../../books/closing-date.ts';
import { companySettings } from '../../books/company-settings.ts';
import { amountsBetween, balancesAt } from '../../books/ledger/balances.sql.ts';
import {
  certificatesSql,
  type ClosingAccount,
  closingAccountsSql,
  closingReviews,
  controlSql,
  draftsSql,
  type DraftsRow,
  type FiledRow,
  filedSql,
  heldSql,
  lockNextPostingSql,
  type ReviewedRow,
  reviewSql,
  reviewsSql,
  scheduledSql,
  unreconciledSql,
  vendorTaxesSql,
} from './closing.sql.ts';
import { onlineTroublesSql, troubleView } from '../../books/online-troubles.ts';
import { lastSignOffs } from './sign-offs.ts';

/** The clearing accounts that every company has. */
const CLEARING = [UNDEPOSITED, OPENING_BALANCE_EQUITY, UNCATEGORIZED_EXPENSE];

const titles = new Map<string, string>(Object.values(documentKinds).map(({ source, words }) => [source, words.title]));

const labeled = (row: DraftsRow) => ({ ...row, label: titles.get(row.kind) ?? row.kind });

/**
 * Returns the open items on a date, for an administrator who is closing the books through that date. Balances use the
 * company's basis, like its reports. Income and expenses cover the fiscal year that contains the date. Open items never
 * prevent closing.
 */
export async function closingChecklist(ctx: Ctx, date: IsoDate): Promise<ClosingChecklist> {
  const { tx } = ctx;
  const settings = await companySettings(ctx);
  const basis = settings.reportingAccountingBasis === 1 ? 'cash' : 'accrual';
  const [
    filed,
    vendorTaxes,
    onlinePayments,
    certificates,
    bankAccounts,
    review,
    drafts,
    scheduled,
    held,
    accounts,
    balances,
    inMonth,
    reviews,
    signOffs,
    ...controls
  ] = await Promise.all([
    tx.rows(filedSql()),
    tx.rows(vendorTaxesSql(date)),
    tx.rows(onlineTroublesSql()),
    tx.rows(certificatesSql(date)),
    tx.rows(unreconciledSql(date)),
    tx.rows(reviewSql(date)),
    tx.rows(draftsSql(date)),
    tx.rows(scheduledSql(date)),
    tx.rows(heldSql(date)),
    tx.rows(closingAccountsSql(CLEARING)),
    tx.rows(balancesAt({ basis, date, fiscalYearStart: fiscalYearStart(date, settings.fyStartMonth) })),
    tx.rows(amountsBetween({ basis, from: startOfMonth(date), to: date })),
    tx.rows(reviewsSql(date)),
    lastSignOffs(ctx, date, settings),
    tx.row(controlSql(RECEIVABLE, date)),
    tx.row(controlSql(PAYABLE, date)),
  ]);
  const [receivables, payables] = controls;
  const byAccount = new Map(balances.map((balance) => [balance.accountId, balance]));
  const open = (some: readonly ClosingAccount[]) =>
    some.flatMap((account) => {
      const info = accountTypeInfo(account.type, account.contra);
      const { toDate = 0, beforeYear = 0 } = byAccount.get(account.id) ?? {};
      const amount = naturalAmount(info, cents(isProfitAndLoss(info) ? toDate - beforeYear : toDate));
      const label = accountLabel(account, settings.useAccountNumbers);
      return amount === 0 ? [] : [{ accountId: account.id, label, amount }];
    });
  return {
    date,
    bankAccounts,
    review,
    drafts: drafts.map(labeled),
    scheduled: scheduled.map(labeled),
    held,
    certificates,
    returns: returnsDue(filed, date),
    vendorTaxes,
    onlinePayments: onlinePayments.map(troubleView),
    clearingAccounts: open(accounts.filter(({ isTax, isClearing }) => isClearing && !isTax)),
    negativeAccounts: open(
      accounts.filter((account) => !account.isTax && !account.isClearing && isOwned(account)),
    ).filter(({ amount }) => amount < 0),
    receivables: present(receivables, 'the receivables'),
    payables: present(payables, 'the payables'),
    salesTax: open(accounts.filter(({ isTax }) => isTax)),
    reviews: reviewedReports.map((report) =>
      reviewOf(
        report,
        reviews.find((row) => row.report === report),
      ),
    ),
    signOffs,
    figures: figuresOf(accounts, {
      inMonth,
      toDate: balances.map(({ accountId, toDate: amount }) => ({ accountId, amount })),
    }),
  };
}

/** Returns whether an account holds an asset or a liability, whose balance normally isn't negative. */
const isOwned = ({ type, contra }: ClosingAccount): boolean => !contra && OWNED.has(accountTypeInfo(type).section);

const OWNED = new Set<StatementSection>([
  'Current Assets',
  'Fixed Assets',
  'Other Assets',
  'Current Liabilities',
  'Long-term Liabilities',
]);

/** Returns the tax agencies for which periods that ended on or before a date are still unfiled. */
function returnsDue(agencies: readonly FiledRow[], date: IsoDate): ClosingChecklist['returns'] {
  return agencies.flatMap(({ agencyId, name, startDate, filedThrough, ...terms }) => {
    const from = filedThrough === null ? startDate : addDays(filedThrough, 1);
    const ended = from > date ? [] : periodsBetween(terms, from, date).filter(({ to }) => to <= date);
    const [first] = ended;
    return first === undefined ? [] : [{ agencyId, name, periods: ended.length, first: periodName(first) }];
  });
}

type Review = ClosingChecklist['reviews'][number];

function reviewOf(report: Review['report'], row: ReviewedRow | undefined): Review {
  if (row === undefined) return { report, signedBy: null, signedAt: null, outdated: false };
  return { report, signedBy: row.person, signedAt: row.at.toISOString(), outdated: row.outdated };
}

type Amounts = readonly { accountId: number; amount: Cents }[];

/**
 * Returns the month's income, costs, and net income, and the assets on the last day of the month. Amounts are debits
 * less credits.
 */
function figuresOf(
  accounts: readonly ClosingAccount[],
  amounts: Record<'inMonth' | 'toDate', Amounts>,
): ClosingChecklist['figures'] {
  const infos = new Map(accounts.map(({ id, type, contra }) => [id, accountTypeInfo(type, contra)]));
  const total = (field: 'inMonth' | 'toDate', sections: readonly StatementSection[]): Cents =>
    sum(
      amounts[field].map(({ accountId, amount }) => {
        const info = infos.get(accountId);
        return info !== undefined && sections.includes(info.section) ? naturalAmount(info, amount) : ZERO;
      }),
    );
  const income = total('inMonth', ['Income', 'Other Income']);
  const costOfGoodsSold = total('inMonth', ['Cost of Goods Sold']);
  const expenses = total('inMonth', ['Expenses', 'Other Expenses']);
  return {
    income,
    costOfGoodsSold,
    expenses,
    netIncome: sum([income, negate(costOfGoodsSold), negate(expenses)]),
    assets: total('toDate', ['Current Assets', 'Fixed Assets', 'Other Assets']),
  };
}

/** The maximum number of closed months that are listed. */
const LISTED_MONTHS = 24;

/** Returns the closing date and the closed months. */
export function closingDate(ctx: Ctx): Promise<ClosingDate> {
  return readClosing(ctx, false);
}

/** Returns the closing date and the number of items that are still open on today's checklist. */
export async function closingLine(ctx: Ctx): Promise<ReplyOf<typeof closingCalls.getClosingLine>> {
  const through = ctx.today;
  const head = await ctx.tx.row(closingDateSql());
  const closingDate = head?.closingDate ?? null;
  const isClosed = closingDate !== null && closingDate >= through;
  return { closingDate, through, openCount: isClosed ? 0 : openItems(await closingChecklist(ctx, through)) };
}

/** Reads the closing date. With `lock`, it can't change until the commit. */
async function readClosing({ tx }: Pick<Ctx, 'tx'>, lock: boolean): Promise<ClosingDate> {
  // The lock is taken first, so that no change to the closing date is added after the changes are read.
  const [[head], [last], moves] = await tx.inOrder([
    closingDateSql(lock),
    closingVersionSql(),
    closings.find({}, { orderBy: sql`id` }),
  ]);
  const noted = moves.map((move) => ({ ...move, at: move.at.toISOString() }));
  const months = closedMonths(noted, LISTED_MONTHS).map(({ date, closed, notes }) => ({
    date,
    closedBy: closed.person,
    closedAt: closed.at,
    notes: notes.map((move) => ({ person: move.person, at: move.at, note: move.note, reopening: isReopening(move) })),
  }));
  return { closingDate: head?.closingDate ?? null, rowVersion: last?.version ?? 0, months };
}

/**
 * Closes the books through a date, or reopens them. Throws 422 if the note or the reason is missing, and 409 'stale'
 * for an outdated version. A date that is already set changes nothing, so that a repeated request is not an error.
 */
export async function setClosingDate(
  ctx: Ctx,
  input: BodyOf<typeof closingCalls.setClosingDate>,
): Promise<ClosingDate> {
  const state = await readClosing(ctx, true);
  const [from, to] = [state.closingDate, input.closingDate];
  if (from === to) return state;
  requireFresh(ClosingDate, state, input.rowVersion);
  const note = (input.note ?? '').trim();
  const isOpening = isReopening({ from, to });
  const openCount = isOpening || to === null ? 0 : openItems(await closingChecklist(ctx, to));
  refuseFields(closingFaults({ from, to, note, openCount }));
  moveClosingDate(ctx, { from, to, note, version: state.rowVersion });
  return closingDate(ctx);
}

/** A sign-off, as shown in the audit log. */
const AuditedReview = z.object({ report: z.string(), date: DateField, signed: z.boolean() });
const reviewSubject: Subject<typeof AuditedReview> = { name: 'closing review', schema: AuditedReview, idOf: () => 0 };

/**
 * Signs off on a report for the period that ends on a date, or removes the sign-off. A new sign-off replaces the
 * earlier one.
 */
export async function signOff(ctx: Ctx, input: BodyOf<typeof closingCalls.signOff>): Promise<Review> {
  const { tx, userId, by } = ctx;
  const { date, report, signed } = input;
  const where = { date, report };
  const [[head], before] = await tx.inOrder([lockNextPostingSql(), reviewsSql(date)]);
  const earlier = before.find((row) => row.report === report);
  if (!signed && earlier === undefined) return reviewOf(report, undefined);
  const row = { ...where, nextPostingNo: present(head, 'the ledger head').next, createdBy: userId, person: by.person };
  const write = [closingReviews.delete(where), ...(signed ? [closingReviews.insert(row)] : [])];
  const audited = { report: reportKinds[report].title, date };
  record(ctx, reviewSubject, {
    before: { ...audited, signed: earlier !== undefined },
    after: { ...audited, signed },
    write,
  });
  const after = await tx.rows(reviewsSql(date));
  return reviewOf(
    report,
    after.find((one) => one.report === report),
  );
}
