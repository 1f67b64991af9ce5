import { UNPAID_BILLS } from '@evenkeel/core/reports/names';
import { agingCard } from './aging.tsx';

export const outgoingMoney = agingCard({
  name: 'outgoingMoney',
  side: 'payable',
  entity: 'vendor',
  nothing: 'You have no open bills',
  report: UNPAID_BILLS,
  about:
    'What you owe vendors on bills, by days past the due date: 30 means 1 to 30 days, 60 means ' +
    '31 to 60, and 90+ means 61 or more. Days outstanding is the average age of open bills.',
});
