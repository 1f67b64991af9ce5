import { useInfiniteQuery } from '@tanstack/react-query';
import { type Ask, inThisSession, type Read, type Told, useTold } from './api.ts';

/** A list that is loaded page by page: the pages loaded so far, and a function to load the next one. */
export interface PagesRead<Page> extends Read<readonly Page[]> {
  hasMore: boolean;
  isReadingMore: boolean;
  readMore: () => void;
}

/**
 * Loads a list page by page. `pageAfter` returns the call for the page after a cursor ('' for the first page).
 * `next` returns the cursor after a page, or undefined after the last page. After a write, the pages that were loaded
 * are loaded again.
 */
export function usePages<Page>(
  pageAfter: (after: string) => Ask<Page>,
  next: (page: Page, pages: readonly Page[]) => string | undefined,
  told: Told = {},
): PagesRead<Page> {
  const { endpoint, input } = pageAfter('');
  const query = useInfiniteQuery({
    queryKey: [endpoint.path, 'pages', input],
    queryFn: inThisSession(endpoint, ({ pageParam, signal }: { pageParam: string; signal: AbortSignal }) =>
      pageAfter(pageParam).read(signal),
    ),
    initialPageParam: '',
    getNextPageParam: next,
  });
  const { value, ...read } = useTold(query, told);
  return {
    ...read,
    value: value?.pages,
    hasMore: query.hasNextPage,
    isReadingMore: query.isFetchingNextPage,
    readMore: () => {
      if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
    },
  };
}
