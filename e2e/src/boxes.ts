import type { Locator } from 'playwright-core';

const BOXES = 'input:not([type]), input[type=text], input[type=email], input[type=tel], input[type=url], textarea';

interface Box {
  /** The mark that identifies the box, even after the page around it is redrawn. */
  mark: string;
  name: string;
  word: string;
  /** Whether a row above has the same box, as in a table with a box for each account. */
  isRepeated: boolean;
}

/**
 * Returns the visible text boxes that can be edited, each with suitable text: digits, a date, or as many letters as the
 * box allows.
 */
export function boxesIn(scope: Locator, words: string): Promise<Box[]> {
  return scope.locator(BOXES).evaluateAll(
    (all, letters) =>
      all.flatMap((each, at) => {
        if (!(each instanceof HTMLInputElement || each instanceof HTMLTextAreaElement)) return [];
        if (!each.checkVisibility() || each.readOnly || each.disabled) return [];
        // A text area measures its lines in a hidden text area.
        if (each.closest('[inert], [aria-hidden="true"]') !== null) return [];
        each.dataset['box'] = String(at);
        const label = each.getAttribute('aria-label') ?? each.labels?.[0]?.textContent ?? each.placeholder;
        // A percentage field ignores keys that would raise its value above 100.
        const digits = /%|percent/i.test(label) ? '12' : '12345';
        const figures = ['decimal', 'numeric'].includes(each.inputMode) ? digits : letters;
        const word = each.closest('.ek-date') === null ? figures : '12/24/26';
        const fits = each.maxLength < 0 ? word : word.slice(0, each.maxLength);
        const cell = each.closest<HTMLElement>('[data-line] [data-cell]')?.dataset['cell'];
        const first = each.closest('table')?.querySelector(`[data-line] [data-cell="${cell}"] input`);
        const isRepeated = cell !== undefined && first !== null && first !== each;
        return [
          { mark: String(at), name: `${each.getAttribute('role') ?? each.type} ${label}`, word: fits, isRepeated },
        ];
      }),
    words,
  );
}
