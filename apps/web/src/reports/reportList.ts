/** The reports that can be run, in the specification's groups (part 2 §2); groups without a report are left out. */
export interface ReportKind {
  id: number;
  title: string;
  /** True: over a range of dates; false: as of the report date. */
  isRanged: boolean;
}

export interface ReportGroup {
  title: string;
  reports: readonly ReportKind[];
}

export const PROFIT_AND_LOSS = 1;

export const reportGroups: readonly ReportGroup[] = [
  {
    title: 'General Financial',
    reports: [
      { id: 0, title: 'Balance Sheet', isRanged: false },
      { id: PROFIT_AND_LOSS, title: 'Profit & Loss Statement', isRanged: true },
      { id: 3, title: 'Trial Balance', isRanged: false },
    ],
  },
  { title: 'Billing', reports: [{ id: 7, title: 'Customer Aging Report', isRanged: false }] },
];

/** The report of this id, or undefined. */
export function reportKind(id: number): ReportKind | undefined {
  return reportGroups.flatMap((group) => group.reports).find((report) => report.id === id);
}
