import type { DocumentKind } from './kind.ts';

export const expensepayment = {
  source: 'expensepayment',
  label: 'Bill payment',
  words: { title: 'Bill payment', indefinite: 'a bill payment', many: 'bill payments' },
  records: 'payment',
  side: 'payable',
  sells: false,
  firstNumber: 1,
  path: '/expensepayment/{id}',
  area: 'Expenses',
  audit: { title: 'paymentNumber', amount: 'paymentAmount' },
  search: { number: 7, name: 'Bill Payment', group: 'Bill Payments', icon: 'CashBanknote', words: '' },
  screen: { path: '/expenses', key: 'payment', state: 'paymentId' },
} as const satisfies DocumentKind;
