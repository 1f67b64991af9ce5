import type { DocumentKind } from './kind.ts';

export const journal = {
  source: 'journal',
  label: 'Journal entry',
  words: { title: 'Journal entry', indefinite: 'a journal entry', many: 'journal entries' },
  records: null,
  side: null,
  sells: false,
  firstNumber: null,
  path: '/GeneralLedger/GetTransactionEntriesFromID/{transactionId}',
  area: 'Accounting',
  audit: { title: 'transactionID' },
  search: {
    number: 8,
    name: 'Journal Entry',
    group: 'Journal Entries',
    icon: 'Book2',
    words: 'journal entry entries transaction',
  },
} as const satisfies DocumentKind;
