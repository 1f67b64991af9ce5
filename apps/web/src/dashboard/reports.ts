import type { Cards } from '@evenkeel/contract/dashboard';
import type { CardKey } from '@evenkeel/core/cards';
import type { IsoDate } from '@evenkeel/core/dates';
import { PERIODS } from '@evenkeel/core/dates';

/** The reports that cards lead to, by their number (Specification part 2 §2 "Reports screen"). */
const REPORTS = {
  balanceSheet: { id: 0, title: 'Balance Sheet' },
  profitAndLoss: { id: 1, title: 'Profit & Loss Statement' },
  customerAging: { id: 7, title: 'Customer Aging Report' },
  unpaidBills: { id: 17, title: 'Unpaid Bills' },
} as const;

/** Which report has a card's figures. */
const REPORT_OF: Readonly<Record<CardKey, keyof typeof REPORTS>> = {
  incomingMoney: 'customerAging',
  outgoingMoney: 'unpaidBills',
  revenue: 'profitAndLoss',
  cashPositions: 'balanceSheet',
  expenseBreakdown: 'profitAndLoss',
  revenueVsExpense: 'profitAndLoss',
  profitMargin: 'profitAndLoss',
  currentRatio: 'balanceSheet',
  returnOnAssets: 'profitAndLoss',
};

/** What a card says of its dates. */
interface Dated {
  from: IsoDate | null;
  to: IsoDate;
  basis: number;
}

/** The report of exactly a card's dates and basis, so that it shows the card's figures; undefined until these are. */
export function reportOf(card: CardKey, of: Cards[CardKey]): { to: string; title: string } | undefined {
  if (of === undefined) return undefined;
  const { id, title } = REPORTS[REPORT_OF[card]];
  return { to: addressOf(id, of), title };
}

function addressOf(id: number, { from, to, basis }: Dated): string {
  return `/reports?report=${[id, PERIODS.indexOf('Custom'), from ?? to, to, basis, 0, 0].join('_')}`;
}
