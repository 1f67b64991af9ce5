import type { ReportRequest } from '@evenkeel/contract/figures';
import { malformed } from '@evenkeel/contract/sentences';
import { type IsoDate, parseDate, parseWireDate, PERIODS, periodRange } from '@evenkeel/core/dates';
import type { FieldMessages } from '@evenkeel/core/failure';
import { AGE_BY, type AgeBy, type Compare, COMPARES, isAgeBy, isCompare } from '@evenkeel/core/reports/kinds';
import { SUBJECTS, type Subject } from '@evenkeel/core/reports/report';

/** The given parameters for a report. Omitted parameters are undefined. */
export interface ReportAsk {
  reportDate: IsoDate | undefined;
  startDate: IsoDate | undefined;
  /** Undefined means all profit centers. */
  profitCenterId: number | undefined;
  /** Undefined means all locations. */
  locationId: number | undefined;
  /** 0 for accrual, 1 for cash. Undefined uses the company's basis. */
  basis: 0 | 1 | undefined;
  /** A preset from PERIODS. Undefined for a custom range, which is given by its dates. */
  period: number | undefined;
  /** The kind of profit margin: 0 for gross, 1 for net. */
  plType: 0 | 1 | undefined;
  compare: Compare | undefined;
  ageBy: AgeBy | undefined;
  /** The date, or date and time, after which entries are excluded. */
  knownAt: string | undefined;
  /** The customer on a statement of account. */
  customerId: number | undefined;
  /** The only customer, vendor, or product that the list includes. */
  only: Subject | undefined;
}

type Value = ReportRequest['reportParams'][number]['paramvalue'];

/**
 * Reads report parameters by name, ignoring case. Unknown names are ignored, like other unknown keys. Throws 400
 * 'malformed' with a message per parameter.
 */
export function readReportParams({ reportParams }: ReportRequest): ReportAsk {
  const values = new Map(reportParams.map((each) => [each.paramName.toLowerCase(), each.paramvalue]));
  const fields: FieldMessages = {};
  const read = <T>(name: string, parse: (text: string) => T | undefined, message: string): T | undefined => {
    const text = textOf(values.get(name));
    const value = text === '' ? undefined : parse(text);
    if (text !== '' && value === undefined) fields[name] = message;
    return value;
  };
  const date = 'Please enter a valid date';
  const ask: ReportAsk = {
    reportDate: read('reportdate', parseWireDate, date),
    startDate: read('startdate', parseWireDate, date),
    profitCenterId: read('profitcenterid', identifier, 'The profit center must be a whole number') || undefined,
    locationId: read('locationid', identifier, 'The location must be a whole number') || undefined,
    basis: read('basis', basisOf, 'The basis must be 0 (accrual) or 1 (cash)'),
    period: presetOf(read('periodtype', periodOf, `The period type must be a number from 0 to ${PERIODS.length - 1}`)),
    plType: read('pltype', basisOf, 'The profit margin type must be 0 (gross) or 1 (net)'),
    compare: read('compare', compareOf, `The comparison must be one of ${Object.keys(COMPARES).join(', ')}`),
    ageBy: read('ageby', ageByOf, `The aging date must be one of ${Object.keys(AGE_BY).join(', ')}`),
    knownAt: read('knownat', momentOf, 'Enter a date, or a date and time such as 2026-05-15T09:00'),
    customerId: read('customerid', identifier, 'The customer must be a whole number') || undefined,
    only: read('only', subjectOf, `The filter must be one of ${SUBJECTS.join(', ')}, followed by a whole number`),
  };
  if (Object.keys(fields).length > 0) throw malformed(fields);
  return ask;
}

function textOf(value: Value): string {
  return value === undefined || value === null ? '' : String(value).trim();
}

function identifier(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function subjectOf(text: string): Subject | undefined {
  const [, name, id] = /^([a-z]+) (\d{1,15})$/.exec(text) ?? [];
  const by = SUBJECTS.find((each) => each === name);
  return by === undefined ? undefined : { by, id: Number(id) };
}

function basisOf(text: string): 0 | 1 | undefined {
  if (text === '0') return 0;
  return text === '1' ? 1 : undefined;
}

function compareOf(text: string): Compare | undefined {
  const name = text.toLowerCase();
  return isCompare(name) ? name : undefined;
}

/** Reads a date, or a date and time. The time is in the company's time zone, unless it ends with Z for UTC. */
function momentOf(text: string): string | undefined {
  const pattern = /^(\d{4}-\d\d-\d\d)(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?Z?)?$/;
  const [, date = '', time = ''] = pattern.exec(text) ?? [];
  return parseDate(date) === undefined ? undefined : `${date}${time}`;
}

function ageByOf(text: string): AgeBy | undefined {
  const name = text.toLowerCase();
  return isAgeBy(name) ? name : undefined;
}

function periodOf(text: string): number | undefined {
  const period = identifier(text);
  return period !== undefined && period < PERIODS.length ? period : undefined;
}

function presetOf(period: number | undefined): number | undefined {
  return period === PERIODS.indexOf('Custom') ? undefined : period;
}

/**
 * Returns the range of a report: a preset's range around the report date, or otherwise the range from startdate (which
 * may be undefined) to the report date.
 */
export function rangeOf(
  ask: Pick<ReportAsk, 'reportDate' | 'startDate'> & { period?: number | undefined },
  { today, fyStartMonth }: { today: IsoDate; fyStartMonth: number },
): { from: IsoDate | undefined; to: IsoDate } {
  const to = ask.reportDate ?? today;
  if (ask.period !== undefined) return periodRange(ask.period, to, fyStartMonth);
  if (ask.startDate !== undefined && ask.startDate > to) {
    throw malformed({ startdate: 'The start date must not be after the report date' });
  }
  return { from: ask.startDate, to };
}
