import { type Cents, sum } from '@evenkeel/core/money';

/** Number of categories that have room. */
const MOST_CATEGORIES = 6;
/** The line of what has none of its own. */
export const ALL_OTHER = 'All other';

/** The categories that have room on the card, and those that its last line holds. */
export function categoriesShown<T extends { categoryName: string; total: Cents }>(categories: readonly T[]) {
  if (categories.length <= MOST_CATEGORIES) return { shown: categories, rest: [] };
  const rest = categories.slice(MOST_CATEGORIES - 1);
  const other = { categoryName: ALL_OTHER, total: sum(rest.map(({ total }) => total)) };
  return { shown: [...categories.slice(0, MOST_CATEGORIES - 1), other], rest };
}

/** The name of a category's figure in the address. */
export function categoryFigure(categoryName: string): string {
  return `category-${categoryName}`;
}
