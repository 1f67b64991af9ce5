/**
 * Moves the focus to the first field inside `place` (an element or a selector) that has unreadable input. Returns false
 * if there is none. Unreadable input counts as empty, so it must not be committed or sent.
 */
export function goToUnread(place: Element | null | string): boolean {
  const field =
    typeof place === 'string'
      ? document.querySelector<HTMLElement>(`${place} [data-unread]`)
      : place?.querySelector<HTMLElement>('[data-unread]');
  if (field === null || field === undefined) return false;
  // Blurring the field shows its message, and focusing it again shows which field it is.
  field.blur();
  field.focus();
  return true;
}
