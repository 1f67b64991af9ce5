import { type Cents, decimal, sum, toCents } from './money.ts';

/** The kinds of records that the audit log names. */

/** A kind of record: its name, and the fields of the API that call one by its name and say what it comes to. */
export interface AuditKind {
  label: string;
  title?: string;
  amount?: string;
}

export const auditKinds = {
  invoice: { label: 'Invoice', title: 'invoiceNumber', amount: 'invoiceAmount' },
  payment: { label: 'Payment', title: 'paymentNumber', amount: 'paymentAmount' },
  expense: { label: 'Bill', title: 'invoiceNumber', amount: 'invoiceAmount' },
  expensepayment: { label: 'Bill payment', title: 'paymentNumber', amount: 'paymentAmount' },
  workitem: { label: 'Work item', title: 'displayName', amount: 'totalAmount' },
  journal: { label: 'Journal entry', title: 'transactionID' },
  'journal draft': { label: 'Journal draft', title: 'transactionID' },
  transfer: { label: 'Transfer', title: 'transferNumber', amount: 'amount' },
  deposit: { label: 'Deposit', title: 'depositNumber', amount: 'amount' },
  reconciliation: { label: 'Reconciliation', title: 'reconciliationDate', amount: 'statementBalance' },
  customer: { label: 'Customer', title: 'displayname' },
  vendor: { label: 'Vendor', title: 'displayname' },
  product: { label: 'Product', title: 'name' },
  package: { label: 'Package deal', title: 'name' },
  discount: { label: 'Discount', title: 'name' },
  category: { label: 'Product category', title: 'categoryName' },
  account: { label: 'GL account', title: 'accountNameLabel' },
  'account category': { label: 'Account category', title: 'categoryName' },
  'profit center': { label: 'Profit center', title: 'profitcentername' },
  location: { label: 'Location', title: 'locationName' },
  bankingaccount: { label: 'Bank account', title: 'name' },
  'payment type': { label: 'Payment type', title: 'displayName' },
  bankline: { label: 'Bank line', title: 'text', amount: 'amount' },
  bankstatement: { label: 'Bank statement', title: 'fileName', amount: 'sum' },
  bankrule: { label: 'Bank rule', title: 'name' },
  salestax: { label: 'Sales tax', title: 'name' },
  property: { label: 'Property', title: 'displayName' },
  revenuetarget: { label: 'Revenue target', amount: 'amount' },
  user: { label: 'User', title: 'displayName' },
  role: { label: 'Role', title: 'roleName' },
  company: { label: 'Company' },
  setting: { label: 'Setting', title: 'settingName' },
  'sign-in rules': { label: 'Sign-in rules' },
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
