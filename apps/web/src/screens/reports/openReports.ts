import type { ReportRequest } from '@evenkeel/contract/figures';
import {
  type DateRange,
  formatDate,
  type IsoDate,
  isoDate,
  parseDate,
  PERIODS,
  periodRange,
  PRESETS,
} from '@evenkeel/core/dates';
import { reportKind } from '@evenkeel/core/reports/kinds';
import { sentOf, type Taken, takenFrom, textsOf, wordsOf } from './parameters.ts';

/** The parameters of an open report. They are all in the URL, so that the report can be shared and reloaded. */
export interface ReportAsk extends Taken {
  reportId: number;
  /** An index into PERIODS. */
  period: number;
  /** The start date of a report for a date range. */
  from: IsoDate;
  /** The report date. */
  to: IsoDate;
  /** 0 for accrual, 1 for cash. */
  basis: 0 | 1;
  /** The ID of the profit center or location. 0 means all. */
  profitCenterId: number;
  locationId: number;
  /**
   * The only customer or vendor to include, for example `customer 12`. Used for the source of an amount, and never in
   * the URL.
   */
  only?: string;
}

/** The earliest date that the books support. */
export const FIRST_DAY = isoDate('1900-01-01');

export const CUSTOM = PERIODS.indexOf('Custom');
export const THIS_YEAR = PERIODS.indexOf('This Year');

export interface OpenReports {
  reports: readonly ReportAsk[];
  /** The index of the displayed report. Undefined shows the list of all reports. */
  active: number | undefined;
}

const NAME = 'report';
const ACTIVE = 'active';
const BOARD = 'board';

/**
 * Returns the parameters as URL text, such as `1_1_2026-01-01_2026-12-31_0_0_0`: report, period, start date, report
 * date, basis, profit center, and location. Parameters that only some reports have are at the end.
 */
export function textOf(ask: ReportAsk): string {
  const { reportId, period, from, to, basis, profitCenterId, locationId } = ask;
  const parts = [reportId, period, from, to, basis, profitCenterId, locationId, ...textsOf(ask)];
  return parts.join('_').replace(/_+$/, '');
}

function askOf(text: string): ReportAsk[] {
  const [report = '', period = '', start = '', end = '', basis, center = '', place = '', ...more] = text.split('_');
  const [from, to] = [parseDate(start), parseDate(end)];
  const numbers = [report, period, center, place];
  if (from === undefined || to === undefined || !numbers.every((each) => /^\d{1,15}$/.test(each))) return [];
  const kind = reportKind(Number(report));
  if (kind === undefined || Number(period) >= PERIODS.length) return [];
  return [
    {
      reportId: Number(report),
      period: Number(period),
      from,
      to,
      basis: basis === '1' ? 1 : 0,
      profitCenterId: Number(center),
      locationId: Number(place),
      ...takenFrom(more, kind),
    },
  ];
}

/** Reads the open reports from a URL. Omits reports that can't be read. */
export function readOpenReports(query: URLSearchParams): OpenReports {
  const reports = query.getAll(NAME).flatMap(askOf);
  if (reports.length === 0 || query.get(ACTIVE) === BOARD) return { reports, active: undefined };
  const wanted = Number(query.get(ACTIVE) ?? '0');
  const active = Number.isInteger(wanted) && wanted >= 0 && wanted < reports.length ? wanted : 0;
  return { reports, active };
}

/** Returns the URL parameters that readOpenReports reads. */
export function writeOpenReports({ reports, active }: OpenReports) {
  const shown = active === undefined && reports.length > 0 ? BOARD : active;
  return { [NAME]: reports.map(textOf), [ACTIVE]: shown === 0 ? undefined : shown };
}

/** The dates selected while no report is displayed: a preset, or two custom dates. */
export type When = Pick<ReportAsk, 'period'> & Partial<Pick<ReportAsk, 'from' | 'to'>>;

/**
 * Reads the dates of the report list from the URL, for example `9` or `8_2026-01-01_2026-06-12`. Undefined if there are
 * none.
 */
export function readWhen(text: string | null): When | undefined {
  const [period = '', start = '', end = ''] = (text ?? '').split('_');
  if (PRESETS.includes(Number(period)) && /^\d$/.test(period)) return { period: Number(period) };
  const [from, to] = [parseDate(start), parseDate(end)];
  return period !== String(CUSTOM) || from === undefined || to === undefined ? undefined : { period: CUSTOM, from, to };
}

/** Returns the string that readWhen reads. */
export function whenText({ period, from, to }: Pick<ReportAsk, 'period' | 'from' | 'to'>): string {
  return period === CUSTOM ? [period, from, to].join('_') : String(period);
}

/** Opens a report in a new tab. Every run does this, even if the same report is already open. */
export function openReport(open: OpenReports, ask: ReportAsk): OpenReports {
  return { reports: [...open.reports, ask], active: open.reports.length };
}

/** Replaces the displayed tab's report, because a phone has no button to run the report again. */
export function replaceReport({ reports, active }: OpenReports, ask: ReportAsk): OpenReports {
  return { reports: reports.map((each, at) => (at === active ? ask : each)), active };
}

/** Shows the list of reports and keeps the open reports. */
export function showBoard(open: OpenReports): OpenReports {
  return open.active === undefined ? open : { ...open, active: undefined };
}

/** Shows another tab, unless it no longer exists. */
export function showReport(open: OpenReports, index: number): OpenReports {
  return index === open.active || index >= open.reports.length ? open : { ...open, active: index };
}

/**
 * Closes a tab and shows an adjacent one. `seen` contains the tabs that the user saw, so that a second click on a
 * closed tab doesn't close the tab that took its place.
 */
export function closeReport(newest: OpenReports, index: number, seen: OpenReports = newest): OpenReports {
  const { reports, active } = newest;
  const [wanted, there] = [seen.reports[index], reports[index]];
  if (wanted === undefined || there === undefined || textOf(wanted) !== textOf(there)) return newest;
  const rest = reports.filter((_, at) => at !== index);
  if (rest.length === 0 || active === undefined) return { reports: rest, active: undefined };
  const moved = index < active ? active - 1 : active;
  return { reports: rest, active: Math.min(moved, rest.length - 1) };
}

/** Returns the dates of a preset. An as-of report never ends after today. */
export function presetDates(
  period: number,
  { today, fyStartMonth, isRanged }: { today: IsoDate; fyStartMonth: number; isRanged: boolean },
): DateRange {
  const { from, to } = periodRange(period, today, fyStartMonth);
  return { from, to: !isRanged && to > today ? today : to };
}

/** Returns a tab's dates and basis, which appear below its title. */
export function noteOf(ask: ReportAsk): string {
  const { reportId, from, to, basis } = ask;
  const kind = reportKind(reportId);
  const dates = kind?.dates === 'range' ? `${formatDate(from)} – ${formatDate(to)}` : formatDate(to);
  return `${dates}, ${basis === 1 && kind?.isWhole !== true ? 'cash' : 'accrual'}${wordsOf(ask)}`;
}

/** Returns a shorter note for the tab. A calendar year is written as `2026`, and the accrual basis is omitted. */
export function shortNoteOf(ask: ReportAsk): string {
  const { reportId, from, to, basis } = ask;
  const kind = reportKind(reportId);
  const isYear = from.endsWith('-01-01') && to === `${from.slice(0, 4)}-12-31`;
  const dates = isYear ? from.slice(0, 4) : `${formatDate(from)} – ${formatDate(to)}`;
  const cash = basis === 1 && kind?.isWhole !== true ? ', cash' : '';
  return `${kind?.dates === 'range' ? dates : formatDate(to)}${cash}${wordsOf(ask)}`;
}

/** Describes an open report by its name and date. */
export function describeAsk(ask: ReportAsk): string {
  return `${reportKind(ask.reportId)?.title ?? ''} ${noteOf(ask)}`;
}

/** Returns the request for a report. */
export function requestOf(ask: ReportAsk): ReportRequest {
  const isRanged = reportKind(ask.reportId)?.dates === 'range';
  const dates = isRanged ? [{ paramType: 1, paramName: 'startdate', paramvalue: ask.from }] : [];
  return {
    reportParams: [
      ...dates,
      { paramType: 1, paramName: 'reportdate', paramvalue: ask.to },
      { paramType: 0, paramName: 'profitcenterid', paramvalue: ask.profitCenterId },
      { paramType: 0, paramName: 'locationid', paramvalue: ask.locationId },
      { paramType: 3, paramName: 'basis', paramvalue: ask.basis },
      ...sentOf(ask),
      ...(ask.only === undefined ? [] : [{ paramType: 3, paramName: 'only', paramvalue: ask.only }]),
    ],
  };
}
