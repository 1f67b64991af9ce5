import type { ComponentType } from 'react';
import type { DocumentEntryProps } from '../documents/entry/DocumentEntry.tsx';
import { DocumentForms } from '../documents/panel/OpenDocument.tsx';
import type { DocumentSide } from '../documents/side.ts';
import type { EntityPlace } from './useEntityPlace.ts';

/** A side's documents as the screen of its customers or vendors needs them. */
export interface EntityDocumentsOf {
  side: DocumentSide;
  /** The form of a new invoice or bill. */
  Entry: ComponentType<DocumentEntryProps<{ id: number }>>;
}

/** Over a list of customers or vendors: a payment, or a new document of one of them. One is then where one was. */
export function EntityDocuments({ side, Entry, place }: EntityDocumentsOf & { place: EntityPlace }) {
  return <DocumentForms side={side} place={place} entityId={place.newFor} Entry={Entry} />;
}
