import type { DocumentKind } from './kind.ts';

/** The entry that posts a company's opening balances. A company has at most one. */
export const openingbalance = {
  source: 'openingbalance',
  label: 'Opening balances',
  words: { title: 'Opening balances', indefinite: 'the opening balances', many: 'opening balances' },
  records: null,
  side: null,
  sells: false,
  firstNumber: null,
  path: null,
  area: 'Accounting',
  audit: { title: 'date' },
} as const satisfies DocumentKind;
