import { documentKinds, documentLabel, itemLabel, kinds, type OwnKind } from '../documents/side.ts';
import type { AuditFields, DocumentKind, RecordArea } from '../kinds/kind.ts';
import type { SettingName } from '../settings.ts';

/** The kinds of records in the audit log. Kinds of documents are derived from the document kinds. */

/** A kind of record and its name. */
export interface AuditKind extends AuditFields {
  label: string;
  /**
   * The area that users must be able to view to see a record's history. Without an area, only administrators can see
   * it.
   */
  area?: RecordArea;
  /** Whether a company has only one record of this kind, so that the kind's name is sufficient. */
  isOnly?: true;
  /**
   * The kind of record whose history also includes this kind, and the names of this kind's actions in that history.
   * Both kinds share their IDs.
   */
  of?: { kind: string; acts: Readonly<Record<string, string>> };
}

const LINK_ACTS = {
  create: 'Private link created',
  update: 'Private link renewed',
  delete: 'Private link revoked',
};

/** Returns the kind for private links to a document, by the document's ID. */
function privateLinkOf({ source, label, area }: DocumentKind): AuditKind {
  return {
    label: `Private link to ${label.toLowerCase()}`,
    area,
    title: 'documentNumber',
    of: { kind: source, acts: LINK_ACTS },
  };
}

/** The audit log's name for links to the customer portal, by the customer's ID. */
export const PORTAL_LINK = 'customer link';

/** Returns the audit log's name for private links to one kind of document. */
export const linkNameOf = (source: string): string => `${source} link`;

const otherKinds = {
  workitem: { label: 'Work item', area: 'Billing', title: 'displayName', amount: 'totalAmount' },
  'journal draft': { label: 'Journal draft', area: 'Accounting', title: 'transactionID' },
  customer: { label: 'Customer', area: 'Customers', title: 'displayname' },
  [PORTAL_LINK]: {
    label: 'Portal link',
    area: 'Customers',
    title: 'customerName',
    of: {
      kind: 'customer',
      acts: { create: 'Portal link created', update: 'Portal link renewed', delete: 'Portal link revoked' },
    },
  },
  vendor: { label: 'Vendor', area: 'Vendors', title: 'displayname' },
  product: { label: 'Product', area: 'Products', title: 'name' },
  package: { label: 'Package deal', area: 'Products', title: 'name' },
  discount: { label: 'Discount', area: 'Products', title: 'name' },
  category: { label: 'Product category', area: 'Products', title: 'categoryName' },
  account: { label: 'GL account', area: 'Accounting', title: 'accountNameLabel' },
  'account category': { label: 'Account category', area: 'Accounting', title: 'categoryName' },
  'profit center': { label: 'Profit center', area: 'Accounting', title: 'profitcentername' },
  location: { label: 'Location', area: 'Accounting', title: 'locationName' },
  bankingaccount: { label: 'Bank account', area: 'Banking', title: 'name' },
  'payment type': { label: 'Payment type', title: 'displayName' },
  bankline: { label: 'Bank transaction', area: 'Banking', title: 'text', amount: 'amount' },
  bankstatement: { label: 'Bank statement', area: 'Banking', title: 'fileName', amount: 'sum' },
  bankrule: { label: 'Bank rule', area: 'Banking', title: 'name' },
  salestax: { label: 'Sales tax', title: 'name' },
  'tax rule': { label: 'Tax rule', title: 'state' },
  'tax agency': { label: 'Tax agency', area: 'Accounting', title: 'name' },
  'tax payment': { label: 'Sales tax payment', area: 'Accounting', title: 'name', amount: 'amount' },
  'vendor tax': { label: '1099 information', area: 'Vendors', title: 'vendorName' },
  'tax ID view': { label: 'Tax ID viewed', area: 'Vendors', title: 'vendorName' },
  '1099 settings': { label: '1099 settings', area: 'Accounting', isOnly: true },
  'form consent': { label: 'Consent to electronic 1099 forms', area: 'Vendors', title: 'vendorName' },
  'form copy': { label: 'Electronic 1099 copy', area: 'Accounting', title: 'name' },
  'form link': { label: 'Private link to 1099 forms', area: 'Vendors', title: 'vendorName' },
  '1099 form': { label: '1099 form', area: 'Accounting', title: 'name', amount: 'reported' },
  property: { label: 'Property', title: 'displayName' },
  revenuetarget: { label: 'Revenue target', amount: 'amount' },
  user: { label: 'User', title: 'displayName' },
  role: { label: 'Role', title: 'roleName' },
  company: { label: 'Company', isOnly: true },
  setting: { label: 'Setting', title: 'settingName' },
  budget: { label: 'Budget', area: 'Accounting', title: 'budget' },
  movein: { label: 'Import of books', title: 'system' },
  'closing review': { label: 'Month-end sign-off', title: 'report' },
  'account sign-off': { label: 'Account sign-off', area: 'Accounting', title: 'label', amount: 'balance' },
  'scheduled invoice': { label: 'Scheduled invoice', area: 'Billing', title: 'name' },
  'scheduled expense': { label: 'Scheduled bill', area: 'Expenses', title: 'name' },
  'scheduled journal': { label: 'Scheduled journal entry', area: 'Accounting', title: 'name' },
  'sending settings': { label: 'Email settings', isOnly: true },
  reminders: { label: 'Reminders', isOnly: true },
  'finance charge settings': { label: 'Finance charge settings', isOnly: true },
  'sign-in rules': { label: 'Sign-in settings', isOnly: true },
  'sign-in': { label: 'Sign-in', title: 'method' },
  passkey: { label: 'Passkey', title: 'name' },
  apikey: { label: 'API key', title: 'name' },
  agents: { label: 'Agents', isOnly: true },
  approval: { label: 'Approval', title: 'title', amount: 'amount' },
  'agent policy': { label: 'Agent policy', title: 'name' },
  webhook: { label: 'Webhook', title: 'name' },
  'online payments': { label: 'Online payments', isOnly: true },
  'online review': { label: 'Online payment for review', area: 'Billing', title: 'invoiceNumber', amount: 'amount' },
  'recovery codes': { label: 'Recovery codes' },
} as const satisfies Record<string, AuditKind>;

export type AuditKindName = OwnKind | keyof typeof otherKinds;

const auditedAs = ({ label, area, audit }: DocumentKind): AuditKind => ({ label, area, ...audit });

/** All kinds by name. */
export const auditKinds: Readonly<Record<string, AuditKind>> = Object.fromEntries([
  ...Object.values(documentKinds).map((kind: DocumentKind) => [kind.source, auditedAs(kind)]),
  ...Object.values(documentKinds)
    .filter((kind: DocumentKind) => kind.mail?.hasLink)
    .map((kind) => [linkNameOf(kind.source), privateLinkOf(kind)]),
  ...Object.entries(otherKinds),
]);

/** Returns the kind with this name in the log. An unknown kind is shown by its name. */
export function auditKindOf(name: string): AuditKind {
  const document = kinds.get(name.replace(/ link$/, ''));
  if (document === undefined) return auditKinds[name] ?? { label: name };
  return document.source === name ? auditedAs(document) : privateLinkOf(document);
}

/** Returns the kinds that make up the history of a record of this kind. */
export function kindsInHistory(name: string): string[] {
  if (name === 'customer') return [name, PORTAL_LINK];
  return kinds.get(name)?.mail?.hasLink === true ? [name, linkNameOf(name)] : [name];
}

/**
 * Returns the label for a record by its kind and amount. A negative payment is a refund, and a negative bill is a
 * vendor credit.
 */
export function auditLabelOf({ kind, amount }: { kind: string; amount: number | null }): string {
  const document = kinds.get(kind);
  if (document === undefined || amount === null) return auditKindOf(kind).label;
  return document.records === 'payment' ? itemLabel(kind, -amount) : documentLabel(kind, amount);
}

/** The labels of the settings, as shown on the Settings screen. */
export const SETTING_LABELS: Readonly<Record<SettingName, string>> = {
  useAccountNumbers: 'Use Account Numbers',
  useProfitCenters: 'Use Profit Centers',
  useLocations: 'Use Locations',
  defaultARAccountId: 'Default A/R Account',
  defaultAPAccountId: 'Default A/P Account',
  defaultREAccountId: 'Default Retained Earnings Account',
  fyStartMonth: 'Fiscal Year Start Month',
  reportingAccountingBasis: 'Reporting Basis',
  closingDate: 'Closing Date',
  termsDays: 'Payment Terms (Days)',
  discountsGivenAccountId: 'Discounts Given Account',
  purchaseDiscountsAccountId: 'Purchase Discounts Account',
};

const ACTS: Readonly<Record<string, string>> = {
  create: 'Created',
  update: 'Changed',
  delete: 'Deleted',
  post: 'Posted',
  reverse: 'Reversed',
};

/** Returns the name of an action in the log. */
export const actWord = (action: string): string => ACTS[action] ?? action;
