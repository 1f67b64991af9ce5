/** An opened panel comes with its answer, or not at all; ms. */
const PANEL_MS = 5000;

/**
 * Whoever chose by the keyboard goes on in what was opened: the focus goes to the page, and to its panel once that is
 * there, unless a dialog, a key or a click has taken it elsewhere.
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
