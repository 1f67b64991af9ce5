import type { Permission } from '@evenkeel/contract/areas';
import { type DocumentKind, documentKinds, type SourceType } from '@evenkeel/core/side';

/** What a transaction was posted for, and where that document is shown. */
export interface SourceDocument {
  label: string;
  to: string;
  /** Navigation state that opens the document (Specification part 1 §2). */
  state: Record<string, number>;
  needs: Permission;
}

/** Where a kind of document is shown, and the name under which its screen takes the id. */
const SCREENS: Partial<Record<SourceType, { to: string; needs: Permission; name: string }>> = {
  invoice: { to: '/billing', needs: 'View Billing', name: 'itemId' },
  payment: { to: '/billing', needs: 'View Billing', name: 'paymentId' },
  expense: { to: '/expenses', needs: 'View Expenses', name: 'itemId' },
  expensepayment: { to: '/expenses', needs: 'View Expenses', name: 'paymentId' },
};

function kindOf(sourceType: string): DocumentKind | undefined {
  return Object.values(documentKinds).find(({ source }) => source === sourceType);
}

/** The word for a source type; the type itself where it is not known. */
export function sourceWord(sourceType: string): string {
  return kindOf(sourceType)?.words.title ?? sourceType;
}

/** The document of a source, or undefined when no screen shows it. */
export function sourceDocument(sourceType: string, sourceId: number): SourceDocument | undefined {
  const kind = kindOf(sourceType);
  const screen = kind && SCREENS[kind.source];
  if (kind === undefined || screen === undefined) return undefined;
  const { to, needs, name } = screen;
  return { label: `Open ${kind.label}`, to, needs, state: { [name]: sourceId } };
}

/** The names under which screens have documents in their address. */
const IN_ADDRESS: Readonly<Record<string, string>> = { itemId: 'invoice', paymentId: 'payment' };

/** The address of a document, for real links; undefined when no screen shows it. */
export function documentAddress(
  sourceType: string,
  sourceId: number,
): Pick<SourceDocument, 'to' | 'needs'> | undefined {
  const kind = kindOf(sourceType);
  const screen = kind && SCREENS[kind.source];
  return screen && { to: `${screen.to}?${IN_ADDRESS[screen.name] ?? ''}=${sourceId}`, needs: screen.needs };
}
