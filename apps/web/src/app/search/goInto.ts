/** The maximum time in ms to wait for a panel, which opens when its data arrives. */
const PANEL_MS = 5000;

/**
 * Moves the focus to the page that the user opened with the keyboard, and then to its panel. Stops if a dialog, a key,
 * or a click moves the focus elsewhere.
 */
export function goInto(): void {
  const main = document.getElementById('main');
  if (main === null) return;
  main.focus({ preventScroll: true });
  const listening = new AbortController();
  const { signal } = listening;
  const end = () => {
    listening.abort();
    changes.disconnect();
    clearTimeout(clock);
  };
  const look = () => {
    const { activeElement } = document;
    const panel = main.querySelector<HTMLElement>('.ek-panel-body');
    if (activeElement !== main && activeElement !== document.body && !panel?.contains(activeElement)) return end();
    if (activeElement !== panel) panel?.focus({ preventScroll: true });
  };
  const changes = new MutationObserver(look);
  const clock = setTimeout(end, PANEL_MS);
  changes.observe(main, { childList: true, subtree: true });
  for (const name of ['keydown', 'pointerdown'] as const) window.addEventListener(name, end, { signal, capture: true });
}
