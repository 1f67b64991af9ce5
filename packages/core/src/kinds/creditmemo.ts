import type { DocumentKind } from './kind.ts';

export const creditmemo = {
  source: 'creditmemo',
  label: 'Credit memo',
  words: { title: 'Credit memo', indefinite: 'a credit memo', many: 'credit memos' },
  records: 'document',
  side: 'receivable',
  sells: true,
  firstNumber: 101,
  prefix: 'CM-',
  path: '/billingcredit/{id}',
  area: 'Billing',
  audit: { title: 'invoiceNumber', amount: 'invoiceAmount' },
  search: {
    number: 10,
    name: 'Credit Memo',
    group: 'Credit Memos',
    icon: 'ReceiptRefund',
    words: 'credit credits memo memos',
  },
  mail: {
    kind: 'creditmemo',
    id: 'creditId',
    hasLink: true,
    label: 'Credit memo',
    placeholders: [
      'customer',
      'contact first name',
      'number',
      'credit date',
      'amount',
      'credit left',
      'link',
      'company',
      'sender',
    ],
    subject: 'Credit memo {number} from {company}',
    text:
      'Hello {contact first name},\n\nHere is credit memo {number} for {amount}. Your ' +
      'remaining credit is {credit left}. To view or download it, open this link:\n{link}\n\n{sender}',
  },
  screen: { path: '/billing', key: 'credit', state: 'creditId' },
} as const satisfies DocumentKind;
