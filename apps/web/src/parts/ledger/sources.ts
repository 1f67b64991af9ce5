import type { Permission } from '@evenkeel/contract/areas';
import { kinds } from '@evenkeel/core/documents/side';
import type { DocumentKind } from '@evenkeel/core/kinds/kind';

/** The document behind a transaction, and the screen that shows it. */
export interface SourceDocument {
  label: string;
  to: string;
  /** Navigation state that opens the document. */
  state: Record<string, number>;
  needs: Permission;
}

const kindOf = (sourceType: string): DocumentKind | undefined => kinds.get(sourceType);

/** The word for a source type; the type itself where it is not known. */
export function sourceWord(sourceType: string): string {
  return kindOf(sourceType)?.words.title ?? sourceType;
}

/** The document of a source, or undefined when no screen shows it. */
export function sourceDocument(sourceType: string, sourceId: number): SourceDocument | undefined {
  const kind = kindOf(sourceType);
  if (kind?.screen === undefined) return undefined;
  const { path: to, state } = kind.screen;
  return { label: `Open ${kind.label}`, to, needs: `View ${kind.area}`, state: { [state]: sourceId } };
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

/** The address of a document, for real links; undefined when no screen shows it. */
export function documentAddress(
  sourceType: string,
  sourceId: number,
): Pick<SourceDocument, 'to' | 'needs'> | undefined {
  const kind = kindOf(sourceType);
  return kind?.screen && { to: `${kind.screen.path}?${kind.screen.key}=${sourceId}`, needs: `View ${kind.area}` };
}
