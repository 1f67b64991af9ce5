import { CUSTOMER_AGING } from '@evenkeel/core/reports/names';
import { agingCard } from './aging.tsx';

export const incomingMoney = agingCard({
  name: 'incomingMoney',
  side: 'receivable',
  entity: 'customer',
  nothing: 'No money owed to you',
  report: CUSTOMER_AGING,
  about:
    'What customers owe you on invoices, by days past the due date: 30 means 1 to 30 days, 60 ' +
    'means 31 to 60, and 90+ means 61 or more. Days outstanding is the average age of open ' +
    'invoices.',
});
