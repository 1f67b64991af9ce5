import type { Area } from '@evenkeel/contract/areas';

/**
 * The kinds of records that files hang on, each with the area whose permissions rule them. Files of the company are
 * for every signed-in user of it, as the company itself is.
 */
export const ownerAreas = {
  company: 'everyone',
  product: 'Products',
  package: 'Products',
  payment: 'Billing',
  expense: 'Expenses',
  expensepayment: 'Expenses',
  journal: 'Accounting',
  transfer: 'Banking',
  deposit: 'Banking',
  bankingaccount: 'Banking',
  bankstatement: 'Banking',
  reconciliation: 'Banking',
  reconciliationprogress: 'Banking',
} as const satisfies Record<string, Area | 'everyone'>;

export type OwnerKind = keyof typeof ownerAreas;

/** A record that files may hang on; id 0 while it is new. */
export interface Owner {
  kind: OwnerKind;
  id: number;
}
