import type { Permission } from '@evenkeel/contract/areas';
import { documentKinds, type SourceType } from '@evenkeel/core/documents/side';
import type { DocumentKind } from '@evenkeel/core/kinds/kind';

/** The document behind a transaction, and the screen that shows it. */
export interface SourceDocument {
  label: string;
  to: string;
  /** Navigation state that opens the document. */
  state: Record<string, number>;
  needs: Permission;
}

/** The screen of a kind of document, and the name under which it takes the id. */
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

/** A kind of document as lists name it; the name of the kind where it is not known. */
export function sourceLabel(sourceType: string): string {
  return kindOf(sourceType)?.label ?? sourceType;
}

/** The screens of customers and vendors, by side. */
export const ENTITY_SCREENS = {
  receivable: { view: 'View Customers', path: '/customers' },
  payable: { view: 'View Vendors', path: '/vendors' },
} as const;

/** The address of the customer or vendor of a document; undefined for a kind that is on neither side. */
export function entityAddress(sourceType: string, id: number): Pick<SourceDocument, 'to' | 'needs'> | undefined {
  const side = kindOf(sourceType)?.side;
  if (side === undefined || side === null) return undefined;
  return { to: `${ENTITY_SCREENS[side].path}/${id}`, needs: ENTITY_SCREENS[side].view };
}

/** The names under which screens have documents in their address. */
const IN_ADDRESS: Readonly<Record<string, string>> = {
  itemId: 'invoice',
  paymentId: 'payment',
  creditId: 'credit',
  writeOffId: 'writtenoff',
  estimateId: 'estimate',
  transferId: 'transfer',
  depositId: 'deposit',
};

/** The address of a document, for real links; undefined when no screen shows it. */
export function documentAddress(
  sourceType: string,
  sourceId: number,
): Pick<SourceDocument, 'to' | 'needs'> | undefined {
  const kind = kindOf(sourceType);
  const screen = kind && SCREENS[kind.source];
  return screen && { to: `${screen.to}?${IN_ADDRESS[screen.name] ?? ''}=${sourceId}`, needs: screen.needs };
}
