/** The elements that handle dropped text or files themselves. */
const TAKES_FILES = 'input[type="file"]:not(:disabled)';
const TAKES_WORDS = 'input, textarea, [contenteditable]';

/** Returns whether the browser would open the dropped item and leave the page: a file, or a link outside a field. */
function wouldLeave({ dataTransfer, target }: DragEvent): boolean {
  const place = target instanceof Element ? target : undefined;
  const types = dataTransfer?.types ?? [];
  if (types.includes('Files')) return !(place?.matches(TAKES_FILES) ?? false);
  return types.includes('text/uri-list') && (place?.closest(TAKES_WORDS) ?? null) === null;
}

/**
 * Prevents drops outside drop areas. The browser would otherwise open the file in place of the page, and typed values
 * would be lost. Call this function once. Returns a function that removes the handlers.
 */
export function refuseStrayDrops(): () => void {
  const refuse = (event: DragEvent) => {
    if (event.defaultPrevented || !wouldLeave(event)) return;
    event.preventDefault();
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'none';
  };
  // Runs last, so that every other handler has had a chance to accept the drop.
  for (const name of ['dragover', 'drop'] as const) window.addEventListener(name, refuse);
  return () => {
    for (const name of ['dragover', 'drop'] as const) window.removeEventListener(name, refuse);
  };
}
