import type { DocumentKind } from './kind.ts';

export const deposit = {
  source: 'deposit',
  label: 'Deposit',
  words: { title: 'Deposit', indefinite: 'a deposit', many: 'deposits' },
  records: 'bank_document',
  side: null,
  sells: false,
  firstNumber: 1,
  path: '/deposit/{id}',
  area: 'Banking',
  audit: { title: 'depositNumber', amount: 'amount' },
  screen: { path: '/accounting', key: 'deposit', state: 'depositId' },
} as const satisfies DocumentKind;
