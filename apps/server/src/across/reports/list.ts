import { refuse } from '@evenkeel/core/failure';
import type { IsoDate } from '@evenkeel/core/dates';
import { reportKinds, type ReportName } from '@evenkeel/core/reports/kinds';
import type { Detail, Report, ReportContext, ReportSource } from '@evenkeel/core/reports/report';
import { sourceOf } from '@evenkeel/core/reports/report';
import { tableReport, type TableSpec } from '@evenkeel/core/reports/table';
import type { Runnable } from '../../platform/db/query.ts';
import { inTurns } from '../../platform/http/turns.ts';
import type { Running } from './books.ts';

/** A function that runs a report. */
export type Run = (running: Running) => Promise<Report>;

/** Reports by the names used in core's `reportKinds`. */
export type Runs = Partial<Record<ReportName, Run>>;

/** Returns a list report from the statement that reads its rows and the table that shows them. */
export function list<R>(statement: (running: Running) => Runnable<R>, table: (running: Running) => TableSpec<R>): Run {
  return async (running) => {
    const rows = await running.ctx.tx.rows(statement(running));
    return inTurns(tableReport(table(running), rows, running.context));
  };
}

/**
 * Returns a list report of individual entries, of which there can be any number. The statement reads at most `limit`
 * rows.
 */
export function entryList<R>(
  statement: (running: Running, limit: number) => Runnable<R>,
  table: (running: Running) => TableSpec<R>,
  fewer = SHORTEN_DATE_RANGE,
): Run {
  return async (running) => {
    const rows = atMost(await running.ctx.tx.rows(statement(running, MOST_LINES + 1)), fewer);
    return inTurns(tableReport(table(running), rows, running.context));
  };
}

/** The maximum number of lines in a list. Longer lists would take too long to print, and nobody would read them. */
export const MOST_LINES = 10_000;

/** The advice for shortening a report with too many lines, and the parameter that the advice is about. */
interface Fewer {
  /** The parameter that the error is reported for. */
  param: string;
  way: string;
}

/** The advice for reports over a range of dates. */
export const SHORTEN_DATE_RANGE: Fewer = { param: 'startdate', way: 'Choose a shorter date range.' };

/** Returns the rows. Throws 422 with advice if there are too many rows. */
export function atMost<R>(rows: readonly R[], { param, way }: Fewer): readonly R[] {
  if (rows.length <= MOST_LINES) return rows;
  const message = `The report has more than ${MOST_LINES.toLocaleString('en-US')} lines. ${way}`;
  throw refuse(message, { [param]: message });
}

/**
 * Returns the source of an amount, which is another report for the same dates and for a single customer, vendor, or
 * product.
 */
export function listedBy(
  context: ReportContext,
  report: ReportName,
  { only, columns }: Pick<Detail, 'only' | 'columns'>,
): ReportSource {
  const { from, asOf: to, ageBy, known } = context;
  const detail = {
    reportId: reportKinds[report].id,
    only,
    ...(columns === undefined ? {} : { columns }),
    ...(ageBy === undefined ? {} : { ageBy }),
    ...(known?.at === undefined ? {} : { knownAt: known.at }),
  };
  return { ...sourceOf(context, { accountIds: [], from, to }), detail };
}

/** Returns the transaction that an entry belongs to. */
export function postedWith(
  context: ReportContext,
  { dated, transactionId }: { dated: IsoDate; transactionId: number | null },
): ReportSource | undefined {
  return transactionId === null ? undefined : { ...sourceOf(context, { accountIds: [], to: dated }), transactionId };
}
