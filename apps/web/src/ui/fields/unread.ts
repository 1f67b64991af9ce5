/**
 * Goes to the first field inside `place` (a selector) whose text could not be read; false when there is none. What
 * cannot be read counts as empty, so nobody may commit or send it.
 */
export function goToUnread(place: string): boolean {
  const field = document.querySelector<HTMLElement>(`${place} [data-unread]`);
  if (field === null) return false;
  // Leaving it brings up its message, coming back shows where.
  field.blur();
  field.focus();
  return true;
}
