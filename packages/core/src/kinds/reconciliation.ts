import type { DocumentKind } from './kind.ts';

export const reconciliation = {
  source: 'reconciliation',
  label: 'Reconciliation',
  words: { title: 'Reconciliation', indefinite: 'a reconciliation', many: 'reconciliations' },
  records: null,
  side: null,
  sells: false,
  firstNumber: null,
  path: null,
  area: 'Banking',
  audit: { title: 'reconciliationDate', amount: 'statementBalance' },
} as const satisfies DocumentKind;
