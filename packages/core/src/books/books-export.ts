import { formatDate, type IsoDate } from '../dates.ts';
import type { ReportBasis } from './ledger.ts';

/** The books as plain text for other programs: the formats, and the names of the files. */

export const exportFormats = ['hledger', 'beancount', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The ends of the files' names, as their programs know them. */
const ENDINGS: Record<ExportFormat, string> = { hledger: 'journal', beancount: 'beancount', csv: 'csv' };

/** The part of the books that a file has: one view, and posting dates from one day through another. */
export interface ExportAsk {
  format: ExportFormat;
  basis: ReportBasis;
  /** Without it since the first entry. */
  from?: IsoDate | undefined;
  /** Without it through the last entry. */
  to?: IsoDate | undefined;
}

/** "Books accrual 2026-01-01 to 2026-12-31.csv". */
export function exportFileName({ format, basis, from, to }: ExportAsk): string {
  const range = [from === undefined ? [] : [from], to === undefined ? [] : ['to', to]].flat();
  return `${['Books', basis, ...range].join(' ')}.${ENDINGS[format]}`;
}

/** Why a range has no days; undefined where it has. */
export function rangeFault({ from, to }: Pick<ExportAsk, 'from' | 'to'>): string | undefined {
  if (from === undefined || to === undefined || from <= to) return undefined;
  return `The last day (${formatDate(to)}) is before the first day (${formatDate(from)})`;
}
