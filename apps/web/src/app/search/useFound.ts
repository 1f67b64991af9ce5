import { searchCalls, type SearchResult } from '@evenkeel/contract/search';
import { LEAST_SEARCHED } from '@evenkeel/core/words/search';
import { ask, useRead } from '../../client/api.ts';
import { useSettled } from '../../ui/hooks/settled.ts';

/** ms that the typing rests before the server is asked. */
const TYPING_MS = 120;

interface Found {
  /** The answer to the text; that of the text before while it is on its way. Undefined where none is asked for. */
  results: readonly SearchResult[] | undefined;
  /** There is no answer to the text yet. */
  isBusy: boolean;
  error: string | undefined;
  retry: () => void;
}

/** Records that hold a text. Each text is asked for anew: what was saved a moment ago, here or elsewhere, is found. */
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
