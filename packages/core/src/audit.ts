import { type Cents, decimal, sum, toCents } from './money.ts';

/** The kinds of records that the audit log names. */

/** A kind of record: its name, and the fields of the API that call one by its name and say what it comes to. */
export interface AuditKind {
  label: string;
  title?: string;
  amount?: string;
  /** The area whose viewers see the history of one; without it only administrators do. */
  area?: AuditArea;
}

/** Areas of rights (contract/areas). */
type AuditArea = 'Billing' | 'Expenses' | 'Customers' | 'Vendors' | 'Products' | 'Banking' | 'Accounting';

export const auditKinds = {
  invoice: { label: 'Invoice', title: 'invoiceNumber', amount: 'invoiceAmount', area: 'Billing' },
  payment: { label: 'Payment', title: 'paymentNumber', amount: 'paymentAmount', area: 'Billing' },
  expense: { label: 'Bill', title: 'invoiceNumber', amount: 'invoiceAmount', area: 'Expenses' },
  expensepayment: { label: 'Bill payment', title: 'paymentNumber', amount: 'paymentAmount', area: 'Expenses' },
  workitem: { label: 'Work item', title: 'displayName', amount: 'totalAmount', area: 'Billing' },
  journal: { label: 'Journal entry', title: 'transactionID', area: 'Accounting' },
  'journal draft': { label: 'Journal draft', title: 'transactionID', area: 'Accounting' },
  transfer: { label: 'Transfer', title: 'transferNumber', amount: 'amount', area: 'Banking' },
  deposit: { label: 'Deposit', title: 'depositNumber', amount: 'amount', area: 'Banking' },
  reconciliation: { label: 'Reconciliation', title: 'reconciliationDate', amount: 'statementBalance', area: 'Banking' },
  customer: { label: 'Customer', title: 'displayname', area: 'Customers' },
  vendor: { label: 'Vendor', title: 'displayname', area: 'Vendors' },
  product: { label: 'Product', title: 'name', area: 'Products' },
  package: { label: 'Package deal', title: 'name', area: 'Products' },
  discount: { label: 'Discount', title: 'name', area: 'Products' },
  category: { label: 'Product category', title: 'categoryName', area: 'Products' },
  account: { label: 'GL account', title: 'accountNameLabel', area: 'Accounting' },
  'account category': { label: 'Account category', title: 'categoryName', area: 'Accounting' },
  'profit center': { label: 'Profit center', title: 'profitcentername', area: 'Accounting' },
  location: { label: 'Location', title: 'locationName', area: 'Accounting' },
  bankingaccount: { label: 'Bank account', title: 'name', area: 'Banking' },
  'payment type': { label: 'Payment type', title: 'displayName' },
  bankline: { label: 'Bank line', title: 'text', amount: 'amount', area: 'Banking' },
  bankstatement: { label: 'Bank statement', title: 'fileName', amount: 'sum', area: 'Banking' },
  bankrule: { label: 'Bank rule', title: 'name', area: 'Banking' },
  salestax: { label: 'Sales tax', title: 'name' },
  property: { label: 'Property', title: 'displayName' },
  revenuetarget: { label: 'Revenue target', amount: 'amount' },
  user: { label: 'User', title: 'displayName' },
  role: { label: 'Role', title: 'roleName' },
  company: { label: 'Company' },
  setting: { label: 'Setting', title: 'settingName' },
  'scheduled invoice': { label: 'Scheduled invoice', title: 'name', area: 'Billing' },
  'scheduled expense': { label: 'Scheduled bill', title: 'name', area: 'Expenses' },
  'scheduled journal': { label: 'Scheduled journal entry', title: 'name', area: 'Accounting' },
  'sending settings': { label: 'Sending settings' },
  'sign-in rules': { label: 'Sign-in rules' },
  passkey: { label: 'Passkey', title: 'name' },
  'recovery codes': { label: 'Recovery codes' },
} as const satisfies Record<string, AuditKind>;

/** The kind of a name in the log; one that is not known is called by its name. */
export function auditKindOf(name: string): AuditKind {
  const known: Readonly<Record<string, AuditKind>> = auditKinds;
  return known[name] ?? { label: name };
}

const MOST_LETTERS = 200;

/** The name and the amount of a record, of what the API shows of it (dollars). */
export function faceOf(kind: string, shown: unknown): { title: string; amount: Cents | null } {
  const { title, amount } = auditKindOf(kind);
  const fields: Readonly<Record<string, unknown>> = typeof shown === 'object' && shown !== null ? { ...shown } : {};
  const named = title === undefined ? '' : fields[title];
  const isName = typeof named === 'string' || typeof named === 'number';
  return {
    title: isName ? String(named).slice(0, MOST_LETTERS) : '',
    amount: amount === undefined ? debitsOf(fields['generalLedgerEntries']) : inCents(fields[amount]),
  };
}

function inCents(dollars: unknown): Cents | null {
  return typeof dollars === 'number' ? toCents(decimal(dollars)) : null;
}

/** The debits of a journal entry; null for what is none. */
function debitsOf(entries: unknown): Cents | null {
  if (!Array.isArray(entries)) return null;
  return sum(entries.flatMap((each: { debitAmount?: unknown }) => inCents(each.debitAmount) ?? []));
}
