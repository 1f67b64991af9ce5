import type { DocumentKind } from './kind.ts';

export const invoice = {
  source: 'invoice',
  label: 'Invoice',
  words: { title: 'Invoice', indefinite: 'an invoice', many: 'invoices' },
  records: 'document',
  side: 'receivable',
  sells: true,
  firstNumber: 10_001,
  path: '/billinginvoice/{id}',
  area: 'Billing',
  audit: { title: 'invoiceNumber', amount: 'invoiceAmount' },
  search: { number: 2, name: 'Billing Invoice', group: 'Invoices', icon: 'Receipt', words: 'invoice invoices' },
  mail: {
    kind: 'invoice',
    id: 'invoiceId',
    hasLink: true,
    label: 'Invoice',
    placeholders: [
      'customer',
      'contact first name',
      'number',
      'invoice date',
      'due date',
      'amount',
      'amount due',
      'terms',
      'how to pay',
      'link actions',
      'link',
      'company',
      'sender',
    ],
    subject: 'Invoice {number} from {company}',
    text:
      'Hello {contact first name},\n\nYour invoice {number} for {amount due} is due on {due date}. ' +
      'You can {link actions} it here:\n{link}\n\nThank you for your business.\n\n{sender}\n{company}',
  },
  screen: { path: '/billing', key: 'invoice', state: 'itemId' },
} as const satisfies DocumentKind;
