import type { Dashboard } from '@evenkeel/contract/dashboard';

export type BillingFigures = NonNullable<Dashboard['billing']>;
export type Cash = NonNullable<Dashboard['cash']>;

/** The overdue part of what is unpaid in percent, 0 to 100, for the length of a bar. */
export function overdueShare({ unpaid, overdue }: Pick<BillingFigures, 'unpaid' | 'overdue'>): number {
  return unpaid <= 0 ? 0 : Math.round(Math.min(1, overdue / unpaid) * 1000) / 10;
}
