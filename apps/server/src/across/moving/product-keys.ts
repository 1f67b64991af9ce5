import type { SourceItem } from '@evenkeel/imports/books';

/** Returns the lowercase names of the products in a list. Categories and bundles are not products. */
export const productKeys = (items: readonly SourceItem[]): string[] => [
  ...new Set(
    items.flatMap(({ name, kind = '' }) => (/^(category|bundle)$/i.test(kind) ? [] : [name.trim().toLowerCase()])),
  ),
];
