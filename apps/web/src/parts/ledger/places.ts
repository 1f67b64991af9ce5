import { auditKindOf } from '@evenkeel/core/words/audit';
import { documentAddress } from './sources.ts';

/** The paths of records that are not documents. */
const PLACES: Readonly<Record<string, (id: number) => string>> = {
  customer: (id) => `/customers?customer=${id}`,
  vendor: (id) => `/vendors?vendor=${id}`,
  product: (id) => `/products?product=${id}`,
  discount: (id) => `/products?tab=discounts&discount=${id}`,
  package: (id) => `/products?tab=packages&package=${id}`,
  category: (id) => `/products?tab=categories&category=${id}`,
  workitem: (id) => `/billing?tab=work&workitem=${id}`,
  account: (id) => `/accounting?account=${id}`,
  journal: (id) => `/accounting?entry=${id}`,
  'journal draft': (id) => `/accounting?journal=d${id}`,
  'account category': (id) => `/accountcategories?edit=${id}`,
  'profit center': (id) => `/profitcenters?edit=${id}`,
  location: (id) => `/locations?edit=${id}`,
  bankingaccount: (id) => `/banking?tab=accounts&bankaccount=${id}`,
  bankrule: (id) => `/banking?rules=1&rule=${id}`,
  reconciliation: (id) => `/banking?reconciliation=${id}`,
  bankstatement: (id) => `/banking?tab=review&statements=1&statement=${id}`,
  'scheduled invoice': (id) => `/billing?scheduled=${id}`,
  'scheduled journal': (id) => `/accounting?scheduled=${id}`,
  'scheduled expense': (id) => `/expenses?scheduled=${id}`,
  'audit log': (id) => `/audit?change=${id}`,
  taxreturn: (id) => `/taxes?return=${id}`,
  'tax agency': (id) => `/taxes?agency=${id}`,
  '1099 form': (id) => `/taxes?tab=forms&filed=${id}`,
  '1099 settings': () => '/taxes?tab=forms&boxes=1',
  'vendor tax': (id) => `/vendors?vendor=${id}&tax=${id}`,
  'tax ID view': (id) => `/vendors?vendor=${id}&tax=${id}`,
  user: (id) => `/users?user=${id}`,
  role: (id) => `/users?tab=roles&role=${id}`,
  company: () => '/settings?company=1',
  setting: () => '/settings?tab=money',
  salestax: (id) => `/settings?salestax=${id}`,
  'payment type': (id) => `/settings?paymenttype=${id}`,
  'sign-in rules': () => '/settings?tab=security',
  'sending settings': () => '/settings?tab=email',
  reminders: () => '/settings?tab=reminders',
  'finance charge settings': () => '/settings?tab=reminders',
  'online payments': () => '/onlinepayments',
  'online review': () => '/onlinepayments',
};

/** Returns the URL of a record by its type in the audit log, or undefined if no screen shows it. */
export function recordAddress(kind: string, id: number): string | undefined {
  return PLACES[kind]?.(id) ?? documentAddress(auditKindOf(kind).of?.kind ?? kind, id)?.to;
}
