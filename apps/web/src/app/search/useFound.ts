import { searchCalls, type SearchResult } from '@evenkeel/contract/search';
import { LEAST_SEARCHED } from '@evenkeel/core/words/search';
import { ask, useRead } from '../../client/api.ts';
import { useSettled } from '../../ui/hooks/settled.ts';

/** The delay in ms between the end of typing and the search. */
const TYPING_MS = 120;

interface Found {
  /**
   * The response to the search text. While a new response loads, this is the previous response. Undefined if the search
   * text is empty.
   */
  results: readonly SearchResult[] | undefined;
  /** Whether the response to the search text has not arrived yet. */
  isBusy: boolean;
  error: string | undefined;
  retry: () => void;
}

/**
 * Searches the records. Each search is sent even if its text was searched before, so that newly saved records are
 * found.
 */
export function useFound(text: string): Found {
  const settled = useSettled(text, TYPING_MS);
  const isLong = (each: string) => Array.from(each).length >= LEAST_SEARCHED;
  const asked = ask(searchCalls.search, { body: settled });
  const { value, error, retry, isStale } = useRead(asked, { enabled: isLong(settled), keep: true, isFresh: true });
  if (!isLong(text)) return { results: undefined, isBusy: false, error: undefined, retry: () => undefined };
  const isAnswered = text === settled && !isStale;
  return {
    results: value,
    isBusy: !isAnswered || (value === undefined && error === undefined),
    error: isAnswered && value === undefined ? error : undefined,
    retry: () => void retry(),
  };
}
