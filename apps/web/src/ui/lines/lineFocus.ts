/** The selector for the container of the edited line, which is its rows or its sheet. */
export const WORK = '[data-line-work]';
/** The selector for the button that adds a line. */
const ADD = '.ek-lines-add';

/** Returns whether the focus is in the edited line, and would be lost when the line closes. */
export function isFocusInWork(place: Element | null): boolean {
  return place?.querySelector(WORK)?.contains(document.activeElement) === true;
}

/** Focuses the committed line with this ID, or the Add button if the line doesn't exist. */
export function focusLine(place: Element | null, id: string | undefined): void {
  const lines = [...(place?.querySelectorAll<HTMLElement>('[data-line]') ?? [])];
  const line = lines.find((one) => one.dataset['line'] === id);
  (line ?? place?.querySelector<HTMLElement>(ADD))?.focus();
}

/** Focuses the first invalid field of the edited line. */
export function focusWrong(): void {
  document.querySelector<HTMLElement>(`${WORK} [aria-invalid="true"]`)?.focus();
}

/** Returns the last field of the edited line that Tab reaches. */
export function lastField(work: Element): HTMLElement | undefined {
  return [...work.querySelectorAll<HTMLElement>('input:not(:disabled):not([tabindex="-1"])')].at(-1);
}
