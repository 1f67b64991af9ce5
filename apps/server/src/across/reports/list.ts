import { refuse } from '@evenkeel/core/failure';
import type { IsoDate } from '@evenkeel/core/dates';
import { reportKinds, type ReportName } from '@evenkeel/core/reports/kinds';
import type { Detail, Report, ReportContext, ReportSource } from '@evenkeel/core/reports/report';
import { sourceOf } from '@evenkeel/core/reports/report';
import { tableReport, type TableSpec } from '@evenkeel/core/reports/table';
import type { Runnable } from '../../platform/db/query.ts';
import { inTurns } from '../../platform/http/turns.ts';
import type { Running } from './books.ts';

/** The function that makes a report. */
export type Run = (running: Running) => Promise<Report>;

/** Reports by their names in core's `reportKinds`. */
export type Runs = Partial<Record<ReportName, Run>>;

/** A list report: the statement that reads its rows, and what they are on the page. */
export function list<R>(statement: (running: Running) => Runnable<R>, table: (running: Running) => TableSpec<R>): Run {
  return async (running) => {
    const rows = await running.ctx.tx.rows(statement(running));
    return inTurns(tableReport(table(running), rows, running.context));
  };
}

/** A list of single entries, of which there can be any number; the statement reads at most `limit` of them. */
export function entryList<R>(
  statement: (running: Running, limit: number) => Runnable<R>,
  table: (running: Running) => TableSpec<R>,
  fewer = FEWER_DATES,
): Run {
  return async (running) => {
    const rows = atMost(await running.ctx.tx.rows(statement(running, MOST_LINES + 1)), fewer);
    return inTurns(tableReport(table(running), rows, running.context));
  };
}

/** More lines would be neither read by anyone nor drawn in time. */
export const MOST_LINES = 10_000;

/** The way to fewer lines, for a request of too many. */
interface Fewer {
  /** The parameter beside which the refusal stands. */
  param: string;
  way: string;
}

/** For reports over a range. */
export const FEWER_DATES: Fewer = { param: 'startdate', way: 'Choose a shorter date range.' };

/** The rows, unless there are too many; then 422, with the way to fewer of them. */
export function atMost<R>(rows: readonly R[], { param, way }: Fewer): readonly R[] {
  if (rows.length <= MOST_LINES) return rows;
  const message = `The report has more than ${MOST_LINES.toLocaleString('en-US')} lines. ${way}`;
  throw refuse(message, { [param]: message });
}

/** The list behind a figure: another report of the same dates, for one subject alone. */
export function listedBy(
  context: ReportContext,
  report: ReportName,
  { only, columns }: Pick<Detail, 'only' | 'columns'>,
): ReportSource {
  const { from, asOf: to, ageBy } = context;
  const detail = {
    reportId: reportKinds[report].id,
    only,
    ...(columns === undefined ? {} : { columns }),
    ...(ageBy === undefined ? {} : { ageBy }),
  };
  return { ...sourceOf(context, { accountIds: [], from, to }), detail };
}

/** The transaction that an entry was posted with. */
export function postedWith(
  context: ReportContext,
  { dated, transactionId }: { dated: IsoDate; transactionId: number | null },
): ReportSource | undefined {
  return transactionId === null ? undefined : { ...sourceOf(context, { accountIds: [], to: dated }), transactionId };
}
