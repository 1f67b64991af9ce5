import type { ReportRequest } from '@evenkeel/contract/figures';
import { formatDate, parseDate } from '@evenkeel/core/dates';
import { type AgeBy, type Compare, COMPARES, isAgeBy, isCompare, type ReportKind } from '@evenkeel/core/reports/kinds';

/** The parameters that only some reports have, in addition to dates, basis, profit center, and location. */
export interface Taken {
  /** The comparison shown in the report's columns. */
  compare?: Compare | undefined;
  /** The customer for a statement. */
  customerId?: number | undefined;
  /** The date that determines the age of open amounts. Defaults to the due date. */
  ageBy?: AgeBy | undefined;
  /** The time after which entries are excluded, such as 2026-05-15T09:00 in the company's time zone. */
  knownAt?: string | undefined;
}

type Sent = ReportRequest['reportParams'][number];

/** The definition of one of these parameters, except for its toolbar field. */
interface Parameter {
  /** The name and type of the parameter in the request. */
  sent: Pick<Sent, 'paramName' | 'paramType'>;
  valueOf: (taken: Taken) => string | number | undefined;
  /**
   * Reads the parameter from the URL. Returns nothing if the report doesn't have the parameter or the value is invalid.
   */
  read: (text: string, kind: ReportKind | undefined) => Taken;
  /** Returns the text shown below the tab's title. */
  words?: (taken: Taken) => string | undefined;
}

/** A date, or a date and a time. */
const MOMENT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?)?$/;

/** Returns text such as "5/15/2026 09:00". */
function momentWords(moment: string): string {
  const date = parseDate(moment.slice(0, 10));
  return date === undefined ? moment : `${formatDate(date)} ${moment.slice(11)}`.trim();
}

/** The parameters in URL order. Add new ones at the end. */
const PARAMETERS: readonly Parameter[] = [
  {
    sent: { paramType: 3, paramName: 'compare' },
    valueOf: ({ compare }) => compare,
    read: (text, kind) => ({ compare: isCompare(text) && kind?.compares?.includes(text) === true ? text : undefined }),
    // A comparison with the current amounts needs no text, because the time after which entries are excluded is shown.
    words: ({ compare }) => (compare === undefined || compare === 'now' ? undefined : COMPARES[compare].toLowerCase()),
  },
  {
    sent: { paramType: 0, paramName: 'customerid' },
    valueOf: ({ customerId }) => customerId,
    read: (text, kind) => ({
      customerId: kind?.of === 'customer' && /^\d{1,15}$/.test(text) ? Number(text) : undefined,
    }),
  },
  {
    sent: { paramType: 3, paramName: 'ageby' },
    valueOf: ({ ageBy }) => ageBy,
    read: (text, kind) => ({ ageBy: isAgeBy(text) && kind?.isAged === true ? text : undefined }),
    words: ({ ageBy }) => (ageBy === 'invoicedate' ? 'by invoice date' : undefined),
  },
  {
    sent: { paramType: 3, paramName: 'knownat' },
    valueOf: ({ knownAt }) => knownAt,
    read: (text, kind) => ({ knownAt: kind !== undefined && MOMENT.test(text) ? text : undefined }),
    words: ({ knownAt }) => knownAt && `at ${momentWords(knownAt)}`,
  },
];

/** Returns the URL values, with '' for each unused parameter. */
export function textsOf(taken: Taken): string[] {
  return PARAMETERS.map(({ valueOf }) => String(valueOf(taken) ?? ''));
}

/** Reads a report type's parameters from URL values. */
export function takenFrom(texts: readonly string[], kind: ReportKind | undefined): Taken {
  const taken: Taken = {};
  for (const [at, { read }] of PARAMETERS.entries()) Object.assign(taken, read(texts[at] ?? '', kind));
  // Only a report with a time after which entries are excluded can be compared with the current amounts.
  return taken.compare === 'now' && taken.knownAt === undefined ? { ...taken, compare: undefined } : taken;
}

/** Returns the parameters for the request. */
export function sentOf(taken: Taken): Sent[] {
  return PARAMETERS.flatMap(({ sent, valueOf }) => {
    const paramvalue = valueOf(taken);
    return paramvalue === undefined ? [] : [{ ...sent, paramvalue }];
  });
}

/** Returns the text below the tab's title, after the dates and basis. */
export function wordsOf(taken: Taken): string {
  return PARAMETERS.flatMap(({ words }) => words?.(taken) ?? [])
    .map((text) => `, ${text}`)
    .join('');
}
