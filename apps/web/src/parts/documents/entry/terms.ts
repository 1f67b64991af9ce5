import { useBooksSettings } from '../../choices/booksSettings.ts';
import { type EntitySource, useEntityChoice } from '../../choices/entities.ts';

/** Days until a document of a customer or vendor is due: its own terms, else the company's. */
export function useTerms({ entities }: { entities: EntitySource }, entityId: number | null): number {
  const company = useBooksSettings().termsDays;
  return useEntityChoice(entities, entityId)?.termsDays ?? company;
}
