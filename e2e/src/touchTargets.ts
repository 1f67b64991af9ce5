import type { Page } from 'playwright-core';

/** The minimum size of a touch target, in px. */
const FINGER = 44;

/**
 * Returns the visible controls whose touch area is less than 44 px high or wide. The area is measured by hit tests at
 * the pixels around the control's middle, because the area may be larger than the drawn control.
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
        // Most controls are large. A few hit tests confirm this, and only the remaining controls are measured pixel by
        // pixel.
        if (
          [4, 8, 12, 16, 20, finger / 2].every((step) => isIts(document.elementFromPoint(x + dx * step, y + dy * step)))
        )
          return finger / 2;
        let steps = 0;
        while (steps < finger / 2 && isIts(document.elementFromPoint(x + dx * (steps + 1), y + dy * (steps + 1)))) {
          steps += 1;
        }
        // A control under a bar or at the edge of the window is scrolled into view first.
        const next = document.elementFromPoint(x + dx * (steps + 1), y + dy * (steps + 1));
        return next === null || (floats(next) !== null && floats(control) === null) ? finger / 2 : steps;
      };
      // One pixel is lost if the middle is between two pixels.
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
