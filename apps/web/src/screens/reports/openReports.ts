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

/** The parameters of an open report, all in the address, so that it can be shared and reloaded. */
export interface ReportAsk extends Taken {
  reportId: number;
  /** An index of PERIODS. */
  period: number;
  /** First day of a report over a range. */
  from: IsoDate;
  /** The report date. */
  to: IsoDate;
  /** 0 accrual, 1 cash. */
  basis: 0 | 1;
  /** 0 is all. */
  profitCenterId: number;
  locationId: number;
  /** The one subject of its lines, as `customer 12`; behind a figure, never in the address. */
  only?: string;
}

/** The first day that the calendar of the books knows. */
export const FIRST_DAY = isoDate('1900-01-01');

export const CUSTOM = PERIODS.indexOf('Custom');
export const THIS_YEAR = PERIODS.indexOf('This Year');

export interface OpenReports {
  reports: readonly ReportAsk[];
  /** Index of the one that is shown; undefined shows the board of all reports. */
  active: number | undefined;
}

const NAME = 'report';
const ACTIVE = 'active';
const BOARD = 'board';

/**
 * The ask as a text of the address, e.g. `1_1_2026-01-01_2026-12-31_0_0_0`: report, period, start date, report date,
 * basis, profit center, location; then the parameters that only some reports have, where there are any.
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

/** The open reports of an address; what cannot be read is left out. */
export function readOpenReports(query: URLSearchParams): OpenReports {
  const reports = query.getAll(NAME).flatMap(askOf);
  if (reports.length === 0 || query.get(ACTIVE) === BOARD) return { reports, active: undefined };
  const wanted = Number(query.get(ACTIVE) ?? '0');
  const active = Number.isInteger(wanted) && wanted >= 0 && wanted < reports.length ? wanted : 0;
  return { reports, active };
}

/** The names of the address that readOpenReports reads back. */
export function writeOpenReports({ reports, active }: OpenReports) {
  const shown = active === undefined && reports.length > 0 ? BOARD : active;
  return { [NAME]: reports.map(textOf), [ACTIVE]: shown === 0 ? undefined : shown };
}

/** The dates that are chosen while no report is shown: a preset, or two dates of its own. */
export type When = Pick<ReportAsk, 'period'> & Partial<Pick<ReportAsk, 'from' | 'to'>>;

/** The dates in the address beside the board, e.g. `9` or `8_2026-01-01_2026-06-12`; undefined where it says none. */
export function readWhen(text: string | null): When | undefined {
  const [period = '', start = '', end = ''] = (text ?? '').split('_');
  if (PRESETS.includes(Number(period)) && /^\d$/.test(period)) return { period: Number(period) };
  const [from, to] = [parseDate(start), parseDate(end)];
  return period !== String(CUSTOM) || from === undefined || to === undefined ? undefined : { period: CUSTOM, from, to };
}

/** The text that readWhen reads back. */
export function whenText({ period, from, to }: Pick<ReportAsk, 'period' | 'from' | 'to'>): string {
  return period === CUSTOM ? [period, from, to].join('_') : String(period);
}

/** Opens a report in a tab of its own: each run does, also of what is open already. */
export function openReport(open: OpenReports, ask: ReportAsk): OpenReports {
  return { reports: [...open.reports, ask], active: open.reports.length };
}

/** The shown tab's report for other dates, in its place: a phone has no button to run it again. */
export function replaceReport({ reports, active }: OpenReports, ask: ReportAsk): OpenReports {
  return { reports: reports.map((each, at) => (at === active ? ask : each)), active };
}

/** Shows the board, with all reports as they are. */
export function showBoard(open: OpenReports): OpenReports {
  return open.active === undefined ? open : { ...open, active: undefined };
}

/** Shows another tab; one that is not there any more is not shown. */
export function showReport(open: OpenReports, index: number): OpenReports {
  return index === open.active || index >= open.reports.length ? open : { ...open, active: index };
}

/**
 * Closes a tab; the neighbouring one is then shown. If `seen` are the tabs that the person saw, a second click on a
 * tab that is closed already does not close the one in its place.
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

/** The dates of a preset; a report as of a date does not look beyond today. */
export function presetDates(
  period: number,
  { today, fyStartMonth, isRanged }: { today: IsoDate; fyStartMonth: number; isRanged: boolean },
): DateRange {
  const { from, to } = periodRange(period, today, fyStartMonth);
  return { from, to: !isRanged && to > today ? today : to };
}

/** The dates and the basis of a tab, beneath its title. */
export function noteOf(ask: ReportAsk): string {
  const { reportId, from, to, basis } = ask;
  const kind = reportKind(reportId);
  const dates = kind?.dates === 'range' ? `${formatDate(from)} – ${formatDate(to)}` : formatDate(to);
  return `${dates}, ${basis === 1 && kind?.isWhole !== true ? 'cash' : 'accrual'}${wordsOf(ask)}`;
}

/** The description of an open report: its name and date. */
export function describeAsk(ask: ReportAsk): string {
  return `${reportKind(ask.reportId)?.title ?? ''} ${noteOf(ask)}`;
}

/** The request of a report. */
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
