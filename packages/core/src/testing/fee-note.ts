import type { SettledKind } from '../documents/side.ts';

/** A kind of document that Evenkeel doesn't have, for tests that add a kind. */
export const FEE_NOTE = {
  source: 'feenote',
  label: 'Fee note',
  words: { title: 'Fee note', indefinite: 'a fee note', many: 'fee notes' },
  records: 'document',
  side: 'receivable',
  sells: false,
  firstNumber: 501,
  path: '/feenote/{id}',
  area: 'Billing',
  audit: { title: 'invoiceNumber', amount: 'invoiceAmount' },
  search: { number: 17, name: 'Fee Note', group: 'Fee Notes', icon: 'Receipt', words: 'fee fees' },
  mail: {
    kind: 'feenote',
    id: 'feeNoteId',
    hasLink: true,
    label: 'Fee note',
    placeholders: ['customer', 'number', 'amount', 'link', 'company', 'sender'],
    subject: 'Fee note {number} from {company}',
    text: 'Here is fee note {number} for {amount}: {link}',
  },
  screen: { path: '/billing', key: 'feenote', state: 'feeNoteId' },
} as const satisfies SettledKind;
