/** Marks what holds the line in work: its rows, or its sheet. */
export const WORK = '[data-line-work]';
/** The button that adds a line. */
const ADD = '.ek-lines-add';

/** True when the focus is in the line in work, which it would lose with it. */
export function isFocusInWork(place: Element | null): boolean {
  return place?.querySelector(WORK)?.contains(document.activeElement) === true;
}

/** The committed line of this id gets the focus, or the button that adds one where there is no such line. */
export function focusLine(place: Element | null, id: string | undefined): void {
  const lines = [...(place?.querySelectorAll<HTMLElement>('[data-line]') ?? [])];
  const line = lines.find((one) => one.dataset['line'] === id);
  (line ?? place?.querySelector<HTMLElement>(ADD))?.focus();
}

/** The first field of the line in work that is wrong gets the focus. */
export function focusWrong(): void {
  document.querySelector<HTMLElement>(`${WORK} [aria-invalid="true"]`)?.focus();
}

/** The last field of the line in work that Tab reaches. */
export function lastField(work: Element): HTMLElement | undefined {
  return [...work.querySelectorAll<HTMLElement>('input:not(:disabled):not([tabindex="-1"])')].at(-1);
}
