import type { DocumentKind } from './kind.ts';

export const expense = {
  source: 'expense',
  label: 'Bill',
  words: { title: 'Bill', indefinite: 'a bill', many: 'bills' },
  records: 'document',
  side: 'payable',
  sells: false,
  firstNumber: null,
  path: '/expenseinvoice/{id}',
  area: 'Expenses',
  audit: { title: 'invoiceNumber', amount: 'invoiceAmount' },
  search: { number: 3, name: 'Expense Item', group: 'Bills', icon: 'CreditCard', words: 'bill bills expense expenses' },
  screen: { path: '/expenses', key: 'invoice', state: 'itemId' },
} as const satisfies DocumentKind;
