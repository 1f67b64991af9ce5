import type { ReportRequest } from '@evenkeel/contract/figures';
import { type AgeBy, type Compare, COMPARES, isAgeBy, isCompare, type ReportKind } from '@evenkeel/core/reports/kinds';

/** Parameters of some reports besides dates, basis, profit center and location. */
export interface Taken {
  /** The comparison of its columns. */
  compare?: Compare | undefined;
  /** Whom a statement of account is for. */
  customerId?: number | undefined;
  /** The date from which open amounts age; the due date where nothing is said. */
  ageBy?: AgeBy | undefined;
}

type Sent = ReportRequest['reportParams'][number];

/** One such parameter: its field is the toolbar's, and all else about it stands here. */
interface Parameter {
  /** As the request names it, with its type there. */
  sent: Pick<Sent, 'paramName' | 'paramType'>;
  valueOf: (taken: Taken) => string | number | undefined;
  /** Takes what the address says; nothing where the report has no such parameter or the text means none. */
  read: (text: string, kind: ReportKind | undefined) => Taken;
  /** Beneath the title of its tab. */
  words?: (taken: Taken) => string | undefined;
}

/** In the order of the address, where a new one comes last. */
const PARAMETERS: readonly Parameter[] = [
  {
    sent: { paramType: 3, paramName: 'compare' },
    valueOf: ({ compare }) => compare,
    read: (text, kind) => ({ compare: isCompare(text) && kind?.compares?.includes(text) === true ? text : undefined }),
    words: ({ compare }) => compare && COMPARES[compare].toLowerCase(),
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
];

/** The texts of the address, '' for each that is not asked for. */
export function textsOf(taken: Taken): string[] {
  return PARAMETERS.map(({ valueOf }) => String(valueOf(taken) ?? ''));
}

/** The parameters in such texts, for a kind of report. */
export function takenFrom(texts: readonly string[], kind: ReportKind | undefined): Taken {
  const taken: Taken = {};
  for (const [at, { read }] of PARAMETERS.entries()) Object.assign(taken, read(texts[at] ?? '', kind));
  return taken;
}

/** The part of the request. */
export function sentOf(taken: Taken): Sent[] {
  return PARAMETERS.flatMap(({ sent, valueOf }) => {
    const paramvalue = valueOf(taken);
    return paramvalue === undefined ? [] : [{ ...sent, paramvalue }];
  });
}

/** The words beneath the title of its tab, after dates and basis. */
export function wordsOf(taken: Taken): string {
  return PARAMETERS.flatMap(({ words }) => words?.(taken) ?? [])
    .map((text) => `, ${text}`)
    .join('');
}
