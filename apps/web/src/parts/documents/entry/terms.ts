import { useBooksSettings } from '../../choices/booksSettings.ts';
import { type EntitySource, useEntityChoice } from '../../choices/entities.ts';

/** Returns the payment terms in days for a customer or vendor, or the company's default. */
export function useTerms({ entities }: { entities: EntitySource }, entityId: number | null): number {
  const company = useBooksSettings().termsDays;
  return useEntityChoice(entities, entityId)?.termsDays ?? company;
}
