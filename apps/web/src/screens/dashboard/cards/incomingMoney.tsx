import { CUSTOMER_AGING } from '@evenkeel/core/reports/names';
import { agingCard } from './aging.tsx';

export const incomingMoney = agingCard({
  name: 'incomingMoney',
  side: 'receivable',
  entity: 'customer',
  nothing: 'Nobody owes you anything',
  report: CUSTOMER_AGING,
  about:
    'What customers owe you on invoices, by days past the due date: 30 is 1 to 30 days, 60 is 31 to 60, 90+ is 61 ' +
    'and more. Days outstanding is the average age of what is open.',
});
