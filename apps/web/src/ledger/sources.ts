import type { Permission } from '@evenkeel/contract/areas';

/** What a transaction was posted for, and where that document is shown. */
export interface SourceDocument {
  label: string;
  to: string;
  /** Navigation state that opens the document (Specification part 1 §2). */
  state: Record<string, number>;
  needs: Permission;
}

const WORDS: Readonly<Record<string, string>> = {
  journal: 'Journal entry',
  invoice: 'Invoice',
  payment: 'Customer payment',
  expense: 'Bill',
  expensepayment: 'Bill payment',
  reconciliation: 'Reconciliation',
};

/** The word for a source type; the type itself where it is not known. */
export function sourceWord(sourceType: string): string {
  return WORDS[sourceType] ?? sourceType;
}

/** The document of a source, or undefined when no screen shows it. */
export function sourceDocument(sourceType: string, sourceId: number): SourceDocument | undefined {
  const shared = { to: '/billing', needs: 'View Billing' as const };
  if (sourceType === 'invoice') return { label: 'Open Invoice', state: { itemId: sourceId }, ...shared };
  if (sourceType === 'payment') return { label: 'Open Payment', state: { paymentId: sourceId }, ...shared };
  return undefined;
}
