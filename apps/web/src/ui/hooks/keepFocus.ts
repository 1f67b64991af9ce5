/**
 * The delay in ms that lets other code move the focus first, for example a dialog that returns the focus to its opener.
 */
const OWN_MOVE_MS = 120;

/** The number of earlier elements that the focus can return to. */
const REMEMBERED = 20;

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled, [type="hidden"]), select:not(:disabled), ' +
  'textarea:not(:disabled), summary, [tabindex]:not([tabindex="-1"])';

/** An ancestor of the focused element, and the index of the child that contains the focused element. */
interface Step {
  place: Element;
  index: number;
}

/**
 * Keeps the focus on the page when the focused element disappears or is disabled, for example after Delete or Accept.
 * The browser would otherwise move it to the body, where keyboard shortcuts and screen readers start over. The focus
 * moves to the same control if it is rendered again, to the control that is now in the same position, to the element
 * that had the focus before, or to the page. A busy button gets the focus back. Call this function once. Returns a
 * function that stops it.
 */
export function keepFocus(): () => void {
  let held: { element: HTMLElement; path: readonly Step[]; face: string } | undefined;
  let earlier: HTMLElement[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return;
    if (held !== undefined) earlier = [held.element, ...earlier.filter((one) => one !== target)].slice(0, REMEMBERED);
    held = { element: target, path: pathOf(target), face: faceOf(target) };
  };
  const check = () => {
    timer = undefined;
    if (held === undefined || !isNowhere()) return;
    const { element, path, face } = held;
    if (isUsable(element)) {
      // The element was busy for a moment, or the user has left it, for example by clicking an empty part of the page.
      if (!returns(element)) held = undefined;
      return;
    }
    if (element.isConnected && element.closest('[data-loading="true"], [aria-busy="true"]') !== null) return;
    nextOf(path, { face, earlier })?.focus({ preventScroll: true });
  };
  const onChange = () => {
    if (held === undefined || timer !== undefined || !isNowhere()) return;
    const { element } = held;
    // A busy button is usable again.
    if (isUsable(element) && returns(element)) return;
    timer = setTimeout(check, OWN_MOVE_MS);
  };
  const wasBusy = new WeakSet<Element>();
  const returns = (element: HTMLElement): boolean => {
    if (!wasBusy.has(element)) return false;
    wasBusy.delete(element);
    element.focus({ preventScroll: true });
    return true;
  };
  const observer = new MutationObserver(() => {
    if (held !== undefined && held.element.isConnected && !isUsable(held.element)) wasBusy.add(held.element);
    onChange();
  });
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled', 'hidden', 'inert'] });
  const onLeave = ({ target }: FocusEvent) => {
    // If the control is usable, the user has left it. If it is disabled, the browser has removed the focus.
    if (target instanceof HTMLElement && isUsable(target)) wasBusy.delete(target);
    onChange();
  };
  document.addEventListener('focusin', onFocus);
  document.addEventListener('focusout', onLeave);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener('focusin', onFocus);
    document.removeEventListener('focusout', onLeave);
  };
}

function isNowhere(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || activeElement.matches(':disabled');
}

function isUsable(element: HTMLElement): boolean {
  if (!element.isConnected || element.matches(':disabled') || element.closest('[inert], [hidden]') !== null)
    return false;
  return typeof element.checkVisibility !== 'function' || element.checkVisibility({ visibilityProperty: true });
}

function pathOf(element: Element): Step[] {
  const path: Step[] = [];
  for (let branch = element; branch.parentElement !== null; branch = branch.parentElement) {
    path.push({ place: branch.parentElement, index: [...branch.parentElement.children].indexOf(branch) });
  }
  return path;
}

/** Returns the element that gets the focus. While a dialog is open, the focus stays in it. */
function nextOf(
  path: readonly Step[],
  { face, earlier }: { face: string; earlier: readonly HTMLElement[] },
): HTMLElement | undefined {
  const dialogs = document.querySelectorAll<HTMLElement>('[role="dialog"]:not([aria-modal="false"])');
  const dialog = [...dialogs].findLast(isUsable);
  const isAllowed = (element: HTMLElement) =>
    isUsable(element) && (dialog === undefined ? true : dialog.contains(element));
  // A part of the page that is rendered again has the same control, for example the selected tab.
  const again = controlsIn(dialog ?? document.body).filter(
    (one) => face !== '' && faceOf(one) === face && isAllowed(one),
  );
  return (
    (again.length === 1 ? again[0] : undefined) ??
    besides(path, isAllowed) ??
    earlier.find(isAllowed) ??
    (dialog === undefined ? undefined : (controlsIn(dialog).find(isAllowed) ?? focusable(dialog))) ??
    focusable(document.getElementById('main') ?? document.querySelector<HTMLElement>('h1'))
  );
}

/**
 * Returns the control at or after the old position, in the closest part of the page that still exists and contains a
 * control.
 */
function besides(path: readonly Step[], isAllowed: (element: HTMLElement) => boolean): HTMLElement | undefined {
  for (const { place, index } of path) {
    if (!place.isConnected) continue;
    // Beyond these elements, a neighbor is unrelated to the old position.
    if (place.matches('body, #root, #main')) return undefined;
    const branches = [...place.children];
    const after = branches.slice(index).flatMap(controlsIn).find(isAllowed);
    const isList = place.matches('tbody, ul, ol, [role="list"], [role="rowgroup"], [role="tablist"]');
    const found = after ?? (isList ? branches.slice(0, index).flatMap(controlsIn).findLast(isAllowed) : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the tag and the visible text that identify a control to the user. Empty for a control without text. */
function faceOf(element: HTMLElement): string {
  const words = `${element.getAttribute('aria-label') ?? ''}${element.textContent}`.trim();
  return words === '' ? '' : `${element.tagName} ${words}`;
}

function controlsIn(place: Element): HTMLElement[] {
  const own = place instanceof HTMLElement && place.matches(FOCUSABLE) ? [place] : [];
  return [...own, ...place.querySelectorAll<HTMLElement>(FOCUSABLE)];
}

/** Returns an element that can take the focus, although it is not in the tab order. */
function focusable(element: HTMLElement | null): HTMLElement | undefined {
  if (element !== null && !element.hasAttribute('tabindex')) element.tabIndex = -1;
  return element ?? undefined;
}
