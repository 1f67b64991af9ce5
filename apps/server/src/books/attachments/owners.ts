import type { Area } from '@evenkeel/contract/areas';

/**
 * The kinds of records that can have files, and the area whose permissions apply to each kind. All users of a company
 * can see the files of the company itself, just as they can see the company's record.
 */
export const ownerAreas = {
  company: 'everyone',
  customer: 'Customers',
  vendor: 'Vendors',
  product: 'Products',
  package: 'Products',
  payment: 'Billing',
  mail: 'Billing',
  expense: 'Expenses',
  expensepayment: 'Expenses',
  journal: 'Accounting',
  movein: 'Accounting',
  transfer: 'Banking',
  deposit: 'Banking',
  bankingaccount: 'Banking',
  bankstatement: 'Banking',
  reconciliation: 'Banking',
  reconciliationprogress: 'Banking',
} as const satisfies Record<string, Area | 'everyone'>;

export type OwnerKind = keyof typeof ownerAreas;

/** A record that can have files. The ID is 0 for a new record. */
export interface Owner {
  kind: OwnerKind;
  id: number;
}
