import { UNPAID_BILLS } from '@evenkeel/core/reports/names';
import { agingCard } from './aging.tsx';

export const outgoingMoney = agingCard({
  name: 'outgoingMoney',
  side: 'payable',
  entity: 'vendor',
  nothing: 'You owe nothing on bills',
  report: UNPAID_BILLS,
  about:
    'What you owe vendors on bills, by days past the due date: 30 is 1 to 30 days, 60 is 31 to 60, 90+ is 61 and ' +
    'more. Days outstanding is the average age of what is open.',
});
