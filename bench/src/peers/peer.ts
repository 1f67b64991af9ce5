import type { Cents } from '@evenkeel/core/money';

/** The reports that every program has, at the end of the last month in the books. */
export const reports = ['Trial Balance', 'Profit & Loss Statement', 'Balance Sheet'] as const;
export type ReportName = (typeof reports)[number];

/**
 * A program with the same books. A report returns a figure that must be the same in all programs: the receivables on
 * the trial balance, the net income of the last year, or the total assets on the balance sheet. `repeats` is the number
 * of measurements in a turn, so that a server is not only measured after a pause.
 */
export type Peer =
  | { name: string; report: (which: ReportName) => Promise<Cents>; repeats: number; missing?: never }
  | { name: string; missing: string };

/** The part of the receivable account's name that all programs keep. */
export const RECEIVABLE = 'Receivable';

/** The measurements in a turn of a program that is a server. */
export const SERVER_REPEATS = 10;

/** A program in which invoices are posted. `post` returns the total of the invoice. */
export type Poster =
  | { name: string; post: () => Promise<Cents>; stop: () => Promise<void>; missing?: never }
  | { name: string; missing: string };
