import type { Cards } from '@evenkeel/contract/dashboard';
import type { CardKey } from '@evenkeel/core/cards';
import type { IsoDate } from '@evenkeel/core/dates';
import { PERIODS } from '@evenkeel/core/dates';
import { BALANCE_SHEET, CUSTOMER_AGING, PROFIT_AND_LOSS, UNPAID_BILLS } from '@evenkeel/core/reports/names';

/** Which report has a card's figures. */
const REPORT_OF: Readonly<Record<CardKey, { id: number; title: string }>> = {
  incomingMoney: CUSTOMER_AGING,
  outgoingMoney: UNPAID_BILLS,
  revenue: PROFIT_AND_LOSS,
  cashPositions: BALANCE_SHEET,
  expenseBreakdown: PROFIT_AND_LOSS,
  revenueVsExpense: PROFIT_AND_LOSS,
  profitMargin: PROFIT_AND_LOSS,
  currentRatio: BALANCE_SHEET,
  returnOnAssets: PROFIT_AND_LOSS,
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
  const { id, title } = REPORT_OF[card];
  return { to: addressOf(id, of), title };
}

function addressOf(id: number, { from, to, basis }: Dated): string {
  return `/reports?report=${[id, PERIODS.indexOf('Custom'), from ?? to, to, basis, 0, 0].join('_')}`;
}
