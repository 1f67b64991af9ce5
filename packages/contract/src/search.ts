import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, maybe, text } from './fields.ts';

/** Kinds of records that a search finds. The first six are fixed by the API; others follow. */
export const SEARCH_KINDS = [
  'Customer',
  'Vendor',
  'Billing Invoice',
  'Expense Item',
  'Product',
  'Package Deal',
  'Payment',
  'Bill Payment',
  'Journal Entry',
  'Account',
  'Credit Memo',
  'Estimate',
  'Work Item',
  'Scheduled Invoice',
  'Scheduled Bill',
  'Scheduled Journal Entry',
  'Write-Off',
] as const;

/** A record that a search found; `itemType` is its place in SEARCH_KINDS. */
const SearchResult = z.object({
  itemId: Id,
  itemType: z
    .number()
    .int()
    .min(0)
    .max(SEARCH_KINDS.length - 1)
    .describe(SEARCH_KINDS.map((name, kind) => `${kind} ${name}`).join(', ')),
  /** Its name, or its kind and number. */
  itemText: z.string(),
  /** Lines to tell it by: a name, a date, amounts; behind them whatever else the search found the text in. */
  searchDisplayItems: z.array(z.string()),
  /** True where nothing holds the text, and this does but for a typing error. */
  isClosest: z.boolean().optional(),
});
export type SearchResult = z.output<typeof SearchResult>;

const SearchText = text(200);

/**
 * A text of at most 2 characters finds nothing. An exact number comes first, then what begins with the text, open
 * before paid, newest first.
 */
export const searchCalls = {
  search: endpoint({
    method: 'POST',
    path: '/search',
    needs: 'signed-in',
    summary: 'Searches the areas you may view. Returns up to 50 records that match all words, amounts, and dates.',
    body: z.union([SearchText, z.object({ text: maybe(SearchText), searchText: maybe(SearchText) })]),
    reply: z.array(SearchResult),
    reads: true,
  }),
};
