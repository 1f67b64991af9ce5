import type { DocumentKind } from './kind.ts';

/** A filed sales tax return: its adjustments and payments. */
export const taxreturn = {
  source: 'taxreturn',
  label: 'Sales tax return',
  words: { title: 'Sales Tax Return', indefinite: 'a sales tax return', many: 'sales tax returns' },
  records: null,
  side: null,
  sells: false,
  firstNumber: null,
  path: null,
  area: 'Accounting',
  audit: { title: 'name', amount: 'netDue' },
} as const satisfies DocumentKind;
