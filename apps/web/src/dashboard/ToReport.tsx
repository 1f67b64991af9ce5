import type { IsoDate } from '@evenkeel/core/dates';
import { PERIODS } from '@evenkeel/core/dates';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useMay } from '../session.ts';

/** The reports that cards lead to, by their number (Specification part 2 §2 "Reports screen"). */
export const REPORTS = { balanceSheet: 0, profitAndLoss: 1, customerAging: 7, unpaidBills: 17 } as const;

/** What a card says of its dates. */
export interface Dated {
  from: IsoDate | null;
  to: IsoDate;
  basis: number;
}

/** The address of a report for exactly a card's dates and basis, so that it shows the card's figure. */
export function reportAddress(report: keyof typeof REPORTS, { from, to, basis }: Dated): string {
  return `/reports?report=${[REPORTS[report], PERIODS.indexOf('Custom'), from ?? to, to, basis, 0, 0].join('_')}`;
}

interface ToReportProps {
  report: keyof typeof REPORTS;
  of: Dated;
  children: ReactNode;
  /** It is a figure rather than a name. */
  isFigure?: boolean;
}

/** A link to the report behind a figure; plain text for who may not view reports. */
export function ToReport({ report, of, children, isFigure = false }: ToReportProps) {
  if (!useMay()('View Reports')) return isFigure ? children : null;
  return (
    <Link to={reportAddress(report, of)} className={isFigure ? 'db-figure' : 'db-to'}>
      {children}
    </Link>
  );
}
