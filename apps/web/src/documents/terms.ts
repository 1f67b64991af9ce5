import { useAsk } from '../api.ts';
import { useBooksSettings } from '../choices/booksSettings.ts';
import { wholeList } from '../records/reads.ts';
import type { DocumentSide } from './side.ts';

/** Days until a document of a customer or vendor is due: its own terms, else the company's. */
export function useTerms({ entities }: Pick<DocumentSide, 'entities'>): (entityId: number | null) => number {
  const company = useBooksSettings().termsDays;
  const rows = wholeList(useAsk(entities.list()).data);
  return (entityId) => rows?.find((row) => row.id === entityId)?.termsDays ?? company;
}
