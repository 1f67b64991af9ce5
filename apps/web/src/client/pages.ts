import { useInfiniteQuery } from '@tanstack/react-query';
import { type Ask, type Read, type Told, useTold } from './api.ts';

/** A list that is read page by page: the pages so far, and the way to the next one. */
export interface PagesRead<Page> extends Read<readonly Page[]> {
  hasMore: boolean;
  isReadingMore: boolean;
  readMore: () => void;
}

/**
 * Reads page by page. `pageAfter` asks for the page behind a place, the first one behind ''; `next` names the place
 * behind a page, undefined behind the last. After a write the pages so far are read again.
 */
export function usePages<Page>(
  pageAfter: (after: string) => Ask<Page>,
  next: (page: Page, pages: readonly Page[]) => string | undefined,
  told: Told = {},
): PagesRead<Page> {
  const { endpoint, input } = pageAfter('');
  const query = useInfiniteQuery({
    queryKey: [endpoint.path, 'pages', input],
    queryFn: ({ pageParam, signal }) => pageAfter(pageParam).read(signal),
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
