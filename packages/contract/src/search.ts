import { searchedKinds } from '@evenkeel/core/words/searched';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, maybe, text } from './fields.ts';

/** The kinds of records that a search finds, with their numbers and API names. */
const KINDS = searchedKinds();

const SearchResult = z.object({
  itemId: Id,
  itemType: z
    .number()
    .int()
    .min(0)
    .max(KINDS.length - 1)
    .describe(KINDS.map(({ number, name }) => `${number} ${name}`).join(', ')),
  /** The name of the record, or its kind and number. */
  itemText: z.string(),
  /**
   * Text that identifies the record: a name, a date, and amounts, followed by any other text that contains a search
   * word.
   */
  searchDisplayItems: z.array(z.string()),
  /**
   * True if the record matches only after a typing error is corrected. These records are found only if nothing matches
   * exactly.
   */
  isClosest: z.boolean().optional(),
});
export type SearchResult = z.output<typeof SearchResult>;

const SearchText = text(200);

/**
 * A search for one or two characters finds nothing. Exact numbers come first, followed by matches at the start of a
 * number or name. Open documents come before paid ones, and newer documents before older ones.
 */
export const searchCalls = {
  search: endpoint({
    method: 'POST',
    path: '/search',
    needs: 'signed-in',
    summary: 'Searches the areas that you can view. Returns up to 50 records that match all words, amounts, and dates.',
    body: z.union([SearchText, z.object({ text: maybe(SearchText), searchText: maybe(SearchText) })]),
    reply: z.array(SearchResult),
    reads: true,
  }),
};
