import type { CardKey } from '@evenkeel/core/cards';
import { cashPositions } from './cashPositions.tsx';
import { currentRatio } from './currentRatio.tsx';
import { expenseBreakdown } from './expenseBreakdown.tsx';
import { incomingMoney } from './incomingMoney.tsx';
import { outgoingMoney } from './outgoingMoney.tsx';
import { profitMargin } from './profitMargin.tsx';
import { returnOnAssets } from './returnOnAssets.tsx';
import { revenue } from './revenue.tsx';
import { revenueVsExpense } from './revenueVsExpense.tsx';
import type { CardKind } from './kind.tsx';

/** All cards. Each card has its own file. */
export const CARD_KINDS: Readonly<Record<CardKey, CardKind>> = {
  incomingMoney,
  outgoingMoney,
  revenue,
  cashPositions,
  expenseBreakdown,
  revenueVsExpense,
  profitMargin,
  currentRatio,
  returnOnAssets,
};
