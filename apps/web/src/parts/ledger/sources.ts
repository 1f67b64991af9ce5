import type { Permission } from '@evenkeel/contract/areas';
import { documentKinds, type SourceType } from '@evenkeel/core/documents/side';
import type { DocumentKind } from '@evenkeel/core/kinds/kind';

/** The document of a transaction, and the screen that shows it. */
export interface SourceDocument {
  label: string;
  to: string;
  /** The navigation state that opens the document. */
  state: Record<string, number>;
  needs: Permission;
}

/** The screen that shows a document type, and the name that it uses for the document ID. */
const SCREENS: Partial<Record<SourceType, { to: string; needs: Permission; name: string }>> = {
  invoice: { to: '/billing', needs: 'View Billing', name: 'itemId' },
  creditmemo: { to: '/billing', needs: 'View Billing', name: 'creditId' },
  writeoff: { to: '/billing', needs: 'View Billing', name: 'writeOffId' },
  estimate: { to: '/billing', needs: 'View Billing', name: 'estimateId' },
  payment: { to: '/billing', needs: 'View Billing', name: 'paymentId' },
  expense: { to: '/expenses', needs: 'View Expenses', name: 'itemId' },
  expensepayment: { to: '/expenses', needs: 'View Expenses', name: 'paymentId' },
  transfer: { to: '/accounting', needs: 'View Banking', name: 'transferId' },
  deposit: { to: '/accounting', needs: 'View Banking', name: 'depositId' },
};

function kindOf(sourceType: string): DocumentKind | undefined {
  return Object.values(documentKinds).find(({ source }) => source === sourceType);
}

/** Returns the label of a source type, or the type itself if it is unknown. */
export function sourceWord(sourceType: string): string {
  return kindOf(sourceType)?.words.title ?? sourceType;
}

/** Returns the document of a source, or undefined if no screen shows it. */
export function sourceDocument(sourceType: string, sourceId: number): SourceDocument | undefined {
  const kind = kindOf(sourceType);
  const screen = kind && SCREENS[kind.source];
  if (kind === undefined || screen === undefined) return undefined;
  const { to, needs, name } = screen;
  return { label: `Open ${kind.label}`, to, needs, state: { [name]: sourceId } };
}

/** Returns the label of a document type in lists, or the type itself if it is unknown. */
export function sourceLabel(sourceType: string): string {
  return kindOf(sourceType)?.label ?? sourceType;
}

/** The customer and vendor screens by side. */
export const ENTITY_SCREENS = {
  receivable: { view: 'View Customers', path: '/customers' },
  payable: { view: 'View Vendors', path: '/vendors' },
} as const;

/** Returns the URL of a document's customer or vendor, or undefined if the type belongs to neither side. */
export function entityAddress(sourceType: string, id: number): Pick<SourceDocument, 'to' | 'needs'> | undefined {
  const side = kindOf(sourceType)?.side;
  if (side === undefined || side === null) return undefined;
  return { to: `${ENTITY_SCREENS[side].path}/${id}`, needs: ENTITY_SCREENS[side].view };
}

/** The URL parameters that the screens use for documents. */
const IN_ADDRESS: Readonly<Record<string, string>> = {
  itemId: 'invoice',
  paymentId: 'payment',
  creditId: 'credit',
  writeOffId: 'writtenoff',
  estimateId: 'estimate',
  transferId: 'transfer',
  depositId: 'deposit',
};

/** Returns the link target of a document, or undefined if no screen shows it. */
export function documentAddress(
  sourceType: string,
  sourceId: number,
): Pick<SourceDocument, 'to' | 'needs'> | undefined {
  const kind = kindOf(sourceType);
  const screen = kind && SCREENS[kind.source];
  return screen && { to: `${screen.to}?${IN_ADDRESS[screen.name] ?? ''}=${sourceId}`, needs: screen.needs };
}
