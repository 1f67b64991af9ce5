import type { Page } from 'playwright-core';

/** Least size of a target for a finger, in px. */
const FINGER = 44;

/**
 * Controls in sight that a finger meets on less than 44 px up and down, or to the sides: found by asking what lies at
 * each pixel around their middle, since a control may take hold of more room than it is drawn on.
 */
export function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate((finger) => {
    const found: string[] = [];
    const scope = [...document.querySelectorAll('[role="dialog"]')].at(-1) ?? document;
    const floats = (element: Element | null) => element?.closest('.ek-fab, .ek-foot, .ek-top, .rv-phone-acts') ?? null;
    for (const control of scope.querySelectorAll<HTMLElement>('button, a[href], input')) {
      const { left, top, width, height } = control.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : [];
      const isIts = (element: Element | null) =>
        element !== null && [control, ...labels].some((one) => one.contains(element));
      if (width === 0 || !isIts(document.elementFromPoint(x, y))) continue;
      const reach = (dx: number, dy: number) => {
        // Most controls are large: a few looks say so, and only another one is measured by the pixel.
        if (
          [4, 8, 12, 16, 20, finger / 2].every((step) => isIts(document.elementFromPoint(x + dx * step, y + dy * step)))
        )
          return finger / 2;
        let steps = 0;
        while (steps < finger / 2 && isIts(document.elementFromPoint(x + dx * (steps + 1), y + dy * (steps + 1)))) {
          steps += 1;
        }
        // A control under a bar or the edge of the window is scrolled into sight first.
        const next = document.elementFromPoint(x + dx * (steps + 1), y + dy * (steps + 1));
        return next === null || (floats(next) !== null && floats(control) === null) ? finger / 2 : steps;
      };
      // A pixel is lost where the middle lies between two.
      const size = { high: reach(0, -1) + reach(0, 1) + 1, wide: reach(-1, 0) + reach(1, 0) + 1 };
      const isLabelled = labels.length > 0;
      if (size.high < finger - 1 || (!isLabelled && size.wide < finger - 1)) {
        const words = control.getAttribute('aria-label') ?? control.textContent;
        found.push(`${control.className} “${words.trim()}” ${size.wide} × ${size.high}`);
      }
    }
    return found;
  }, FINGER);
}
