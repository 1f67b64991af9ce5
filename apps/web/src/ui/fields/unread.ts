/**
 * Goes to the first field inside `place` (an element or a selector) whose text could not be read; false when there is
 * none. An unreadable text counts as empty, so nobody may commit or send it.
 */
export function goToUnread(place: Element | null | string): boolean {
  const field =
    typeof place === 'string'
      ? document.querySelector<HTMLElement>(`${place} [data-unread]`)
      : place?.querySelector<HTMLElement>('[data-unread]');
  if (field === null || field === undefined) return false;
  // Leaving it brings up its message, coming back shows where.
  field.blur();
  field.focus();
  return true;
}
