/** Elements that take dropped words or files by themselves. */
const TAKES_FILES = 'input[type="file"]:not(:disabled)';
const TAKES_WORDS = 'input, textarea, [contenteditable]';

/** True for what the browser would open in the place of the page: files, and addresses beside a field. */
function wouldLeave({ dataTransfer, target }: DragEvent): boolean {
  const place = target instanceof Element ? target : undefined;
  const types = dataTransfer?.types ?? [];
  if (types.includes('Files')) return !(place?.matches(TAKES_FILES) ?? false);
  return types.includes('text/uri-list') && (place?.closest(TAKES_WORDS) ?? null) === null;
}

/**
 * A file that misses its place is opened by the browser instead of the page, and what was typed there is lost. From
 * now on a drop does nothing where nobody takes it. Call it once; it answers how to end it.
 */
export function refuseStrayDrops(): () => void {
  const refuse = (event: DragEvent) => {
    if (event.defaultPrevented || !wouldLeave(event)) return;
    event.preventDefault();
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'none';
  };
  // Last of all: whoever takes a drop has said so by now.
  for (const name of ['dragover', 'drop'] as const) window.addEventListener(name, refuse);
  return () => {
    for (const name of ['dragover', 'drop'] as const) window.removeEventListener(name, refuse);
  };
}
