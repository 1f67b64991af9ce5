import type { DocumentKind } from './kind.ts';

export const transfer = {
  source: 'transfer',
  label: 'Transfer',
  words: { title: 'Transfer', indefinite: 'a transfer', many: 'transfers' },
  records: 'bank_document',
  side: null,
  sells: false,
  firstNumber: 1,
  path: '/transfer/{id}',
  area: 'Banking',
  audit: { title: 'transferNumber', amount: 'amount' },
  screen: { path: '/accounting', key: 'transfer', state: 'transferId' },
} as const satisfies DocumentKind;
