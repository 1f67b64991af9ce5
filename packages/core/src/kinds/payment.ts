import type { DocumentKind } from './kind.ts';

export const payment = {
  source: 'payment',
  label: 'Payment',
  words: { title: 'Customer payment', indefinite: 'a customer payment', many: 'customer payments' },
  records: 'payment',
  side: 'receivable',
  sells: false,
  firstNumber: 1,
  path: '/billingpayment/{id}',
  area: 'Billing',
  audit: { title: 'paymentNumber', amount: 'paymentAmount' },
  search: {
    number: 6,
    name: 'Payment',
    group: 'Payments',
    icon: 'CashBanknote',
    words: 'payment payments receipt receipts check checks cheque cheques refund refunds',
  },
  mail: {
    kind: 'receipt',
    id: 'paymentId',
    hasLink: false,
    label: 'Receipt',
    placeholders: ['customer', 'contact first name', 'number', 'payment date', 'amount', 'company', 'sender'],
    subject: 'Receipt for your payment to {company}',
    text:
      'Hello {contact first name},\n\nThank you for your payment of {amount} on {payment date}. Your ' +
      'receipt is attached.\n\n{sender}',
  },
  screen: { path: '/billing', key: 'payment', state: 'paymentId' },
} as const satisfies DocumentKind;
