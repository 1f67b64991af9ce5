import type { Permission } from '@evenkeel/contract/areas';
import { kinds } from '@evenkeel/core/documents/side';
import type { DocumentKind } from '@evenkeel/core/kinds/kind';

/** The document that a transaction belongs to, and the screen that shows it. */
export interface SourceDocument {
  label: string;
  to: string;
  /** The navigation state that opens the document. */
  state: Record<string, number>;
  needs: Permission;
}

const kindOf = (sourceType: string): DocumentKind | undefined => kinds.get(sourceType);

/** Returns the label of a source type, or the type itself if it is unknown. */
export function sourceWord(sourceType: string): string {
  return kindOf(sourceType)?.words.title ?? sourceType;
}

/** Returns the document that a source belongs to, or undefined if no screen shows it. */
export function sourceDocument(sourceType: string, sourceId: number): SourceDocument | undefined {
  const kind = kindOf(sourceType);
  if (kind?.screen === undefined) return undefined;
  const { path: to, state } = kind.screen;
  return { label: `Open ${kind.label}`, to, needs: `View ${kind.area}`, state: { [state]: sourceId } };
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

/** Returns the link target of a document, or undefined if no screen shows it. */
export function documentAddress(
  sourceType: string,
  sourceId: number,
): Pick<SourceDocument, 'to' | 'needs'> | undefined {
  const kind = kindOf(sourceType);
  return kind?.screen && { to: `${kind.screen.path}?${kind.screen.key}=${sourceId}`, needs: `View ${kind.area}` };
}
