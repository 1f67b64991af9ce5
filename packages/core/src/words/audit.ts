/** The kinds of records that the audit log names. */

/** A kind of record and its name. */
export interface AuditKind {
  label: string;
  /** The area whose viewers see the history of one; without it only administrators do. */
  area?: AuditArea;
  /** A company has one of them: its name says all. */
  isOnly?: true;
  /** The kind in whose histories it stands too, and its acts in words there: both have the same ids. */
  of?: { kind: string; acts: Readonly<Record<string, string>> };
}

/** Areas of rights (contract/areas). */
type AuditArea = 'Billing' | 'Expenses' | 'Customers' | 'Vendors' | 'Products' | 'Banking' | 'Accounting';

const LINK_ACTS = {
  create: 'Private link created',
  update: 'Private link renewed',
  delete: 'Private link revoked',
};

/** The private links to a document, by the document's id. */
function privateLinkOf(kind: string, words = kind) {
  return { label: `Private link to ${words}`, area: 'Billing', of: { kind, acts: LINK_ACTS } } as const;
}

export const auditKinds = {
  invoice: { label: 'Invoice', area: 'Billing' },
  payment: { label: 'Payment', area: 'Billing' },
  expense: { label: 'Bill', area: 'Expenses' },
  expensepayment: { label: 'Bill payment', area: 'Expenses' },
  workitem: { label: 'Work item', area: 'Billing' },
  journal: { label: 'Journal entry', area: 'Accounting' },
  'journal draft': { label: 'Journal draft', area: 'Accounting' },
  transfer: { label: 'Transfer', area: 'Banking' },
  deposit: { label: 'Deposit', area: 'Banking' },
  reconciliation: { label: 'Reconciliation', area: 'Banking' },
  customer: { label: 'Customer', area: 'Customers' },
  vendor: { label: 'Vendor', area: 'Vendors' },
  product: { label: 'Product', area: 'Products' },
  package: { label: 'Package deal', area: 'Products' },
  discount: { label: 'Discount', area: 'Products' },
  category: { label: 'Product category', area: 'Products' },
  account: { label: 'GL account', area: 'Accounting' },
  'account category': { label: 'Account category', area: 'Accounting' },
  'profit center': { label: 'Profit center', area: 'Accounting' },
  location: { label: 'Location', area: 'Accounting' },
  bankingaccount: { label: 'Bank account', area: 'Banking' },
  'payment type': { label: 'Payment type' },
  bankline: { label: 'Bank line', area: 'Banking' },
  bankstatement: { label: 'Bank statement', area: 'Banking' },
  bankrule: { label: 'Bank rule', area: 'Banking' },
  salestax: { label: 'Sales tax' },
  property: { label: 'Property' },
  revenuetarget: { label: 'Revenue target' },
  user: { label: 'User' },
  role: { label: 'Role' },
  company: { label: 'Company', isOnly: true },
  setting: { label: 'Setting' },
  'scheduled invoice': { label: 'Scheduled invoice', area: 'Billing' },
  'scheduled expense': { label: 'Scheduled bill', area: 'Expenses' },
  'scheduled journal': { label: 'Scheduled journal entry', area: 'Accounting' },
  creditmemo: { label: 'Credit memo', area: 'Billing' },
  writeoff: { label: 'Write-off', area: 'Billing' },
  estimate: { label: 'Estimate', area: 'Billing' },
  'invoice link': privateLinkOf('invoice'),
  'estimate link': privateLinkOf('estimate'),
  'creditmemo link': privateLinkOf('creditmemo', 'credit memo'),
  'sending settings': { label: 'Sending settings', isOnly: true },
  reminders: { label: 'Reminders', isOnly: true },
  'finance charge settings': { label: 'Finance charge settings', isOnly: true },
  'sign-in rules': { label: 'Sign-in rules', isOnly: true },
  'sign-in': { label: 'Sign-in' },
  passkey: { label: 'Passkey' },
  'recovery codes': { label: 'Recovery codes' },
} as const satisfies Record<string, AuditKind>;

export type AuditKindName = keyof typeof auditKinds;

const known: Readonly<Record<string, AuditKind>> = auditKinds;

/** The kind of a name in the log; one that is not known is called by its name. */
export function auditKindOf(name: string): AuditKind {
  return known[name] ?? { label: name };
}

/** The kinds that make up the history of a record of this one. */
export function kindsInHistory(name: string): string[] {
  return [name, ...Object.keys(known).filter((each) => known[each]?.of?.kind === name)];
}
