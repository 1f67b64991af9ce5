import type { ComponentType } from 'react';
import type { DocumentEntryProps } from '../documents/entry/DocumentEntry.tsx';
import { DocumentForms } from '../documents/panel/OpenDocument.tsx';
import type { DocumentSide } from '../documents/side.ts';
import type { EntityPlace } from './useEntityPlace.ts';

/** The document side and the entry form that the screen of a customer or vendor needs. */
export interface EntityDocumentsOf {
  side: DocumentSide;
  /** The form for a new invoice or bill. */
  Entry: ComponentType<DocumentEntryProps<{ id: number }>>;
}

/**
 * The dialogs on top of a list of customers or vendors: a payment, or a new document. Closing them returns to the list.
 */
export function EntityDocuments({ side, Entry, place }: EntityDocumentsOf & { place: EntityPlace }) {
  return <DocumentForms side={side} place={place} entityId={place.newFor} Entry={Entry} />;
}
