import { ACCEPTED, ESTIMATE_DRAFT, ESTIMATE_SENT, ESTIMATE_VOID, estimateBadge } from '../documents/estimate.ts';
import type { DocumentKind } from './kind.ts';

export const estimate = {
  source: 'estimate',
  label: 'Estimate',
  words: { title: 'Estimate', indefinite: 'an estimate', many: 'estimates' },
  records: 'document',
  side: 'receivable',
  sells: true,
  firstNumber: 101,
  prefix: 'E-',
  offer: {
    draft: ESTIMATE_DRAFT,
    void: ESTIMATE_VOID,
    asked: ESTIMATE_SENT,
    pending: [ESTIMATE_DRAFT, ESTIMATE_SENT, ACCEPTED],
    badge: estimateBadge,
  },
  path: '/billingestimate/{id}',
  area: 'Billing',
  audit: { title: 'invoiceNumber', amount: 'invoiceAmount' },
  search: {
    number: 11,
    name: 'Estimate',
    group: 'Estimates',
    icon: 'Receipt',
    words: 'estimate estimates quote quotes',
  },
  mail: {
    kind: 'estimate',
    id: 'estimateId',
    hasLink: true,
    label: 'Estimate',
    placeholders: [
      'customer',
      'contact first name',
      'number',
      'estimate date',
      'expiration date',
      'amount',
      'link',
      'company',
      'sender',
    ],
    subject: 'Estimate {number} from {company}',
    text:
      'Hello {contact first name},\n\nHere is estimate {number} for {amount}. To view, accept, or ' +
      'decline it, open this link:\n{link}\n\nThank you for considering us.\n\n{sender}',
  },
  screen: { path: '/billing', key: 'estimate', state: 'estimateId' },
  health: [
    {
      name: 'estimates',
      title: 'Estimates are invoiced only once',
      says: 'No line is invoiced for more than its estimated amount',
    },
  ],
} as const satisfies DocumentKind;
