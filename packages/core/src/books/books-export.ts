import { formatDate, type IsoDate } from '../dates.ts';
import type { ReportBasis } from './ledger.ts';

/** The formats of the plain-text books export for other programs. */

export const exportFormats = ['hledger', 'beancount', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The file extensions that the programs expect. */
const ENDINGS: Record<ExportFormat, string> = { hledger: 'journal', beancount: 'beancount', csv: 'csv' };

/** The part of the books to export: one basis and an inclusive range of posting dates. */
export interface ExportAsk {
  format: ExportFormat;
  basis: ReportBasis;
  /** If omitted, the export starts with the first entry. */
  from?: IsoDate | undefined;
  /** If omitted, the export ends with the last entry. */
  to?: IsoDate | undefined;
}

/** Returns text such as "Books accrual 2026-01-01 to 2026-12-31.csv". */
export function exportFileName({ format, basis, from, to }: ExportAsk): string {
  const range = [from === undefined ? [] : [from], to === undefined ? [] : ['to', to]].flat();
  return `${['Books', basis, ...range].join(' ')}.${ENDINGS[format]}`;
}

/** Returns the reason why a date range is empty, or undefined if the range contains at least one day. */
export function rangeFault({ from, to }: Pick<ExportAsk, 'from' | 'to'>): string | undefined {
  if (from === undefined || to === undefined || from <= to) return undefined;
  return `The end date (${formatDate(to)}) is before the start date (${formatDate(from)})`;
}
