import { addDays } from '@evenkeel/core/dates';
import { closeVirtually } from '@evenkeel/core/reports/balances';
import { generalLedger, type JournalRow, journalReport } from '@evenkeel/core/reports/general-ledger';
import type { Report } from '@evenkeel/core/reports/report';
import { fiscalYearStart } from '@evenkeel/core/dates';
import { balancesAt } from '../../books/ledger/balances.sql.ts';
import { inTurns } from '../../platform/http/turns.ts';
import { type Running, scopeOf } from './books.ts';
import { journalLinesSql } from './lines.sql.ts';
import { atMost, SHORTEN_DATE_RANGE, MOST_LINES } from './list.ts';

async function linesOf({ ctx, context }: Running): Promise<readonly JournalRow[]> {
  const { from = context.fiscalYearStart, asOf: to } = context;
  return atMost(
    await ctx.tx.rows(journalLinesSql({ ...scopeOf(context), from, to }, MOST_LINES + 1)),
    SHORTEN_DATE_RANGE,
  );
}

export async function runJournal(running: Running): Promise<Report> {
  return inTurns(journalReport(await linesOf(running), running.books.accounts, running.context));
}

export async function runGeneralLedger(running: Running): Promise<Report> {
  const { ctx, books, context } = running;
  const { fyStartMonth } = books.settings;
  const { from = context.fiscalYearStart } = context;
  const before = { date: addDays(from, -1), fiscalYearStart: fiscalYearStart(from, fyStartMonth) };
  const [lines, balances] = await Promise.all([
    linesOf(running),
    ctx.tx.rows(balancesAt({ ...scopeOf(context), ...before })),
  ]);
  const { lasting, ofYear } = closeVirtually(balances, books.accounts, context.retainedEarningsAccountId);
  const opening = [...lasting, ...ofYear];
  return inTurns(generalLedger({ opening, lines }, books.accounts, { ...context, fyStartMonth }));
}
