import type { Page } from 'playwright-core';
import { sizes } from './journey.ts';

/**
 * Returns the values on the page that can't be read completely. If a dialog is open, returns only values in the dialog.
 */
export async function unreadable(page: Page): Promise<string[]> {
  const [fields, texts, titles] = [await cutFields(page), await cutTexts(page), await cutTitles(page)];
  return [...new Set([...fields, ...texts, ...titles])];
}

/** The minimum width in px of a truncated name or title, even on the narrowest screens. */
const NAME = 160;
const NARROW_NAME = 140;

/** Returns the titles that are truncated because an element next to them takes up their space. */
function cutTitles(page: Page): Promise<string[]> {
  return page.evaluate(
    (least) =>
      [...document.querySelectorAll('h1, h2')].flatMap((title) => {
        const { clientWidth, scrollWidth, textContent } = title;
        // A title for screen readers is 1 px wide.
        const isCut = clientWidth > 1 && clientWidth < least && scrollWidth > clientWidth + 1;
        return isCut ? [`the title “${textContent}” has ${clientWidth} of ${scrollWidth} px`] : [];
      }),
    NAME,
  );
}

/** Returns the fields whose text is wider than the field or is covered by the field's icon. */
function cutFields(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const dialog = [...document.querySelectorAll('[role="dialog"]')].findLast((each) => each.clientWidth > 0);
    const px = (text: string): number => Number.parseFloat(text) || 0;
    // A mirror element measures the text with the browser's fonts, features, and letter spacing. All mirrors are
    // written before the first one is measured, because each change in between would lay out the whole page again.
    const mirrors = document.createElement('div');
    mirrors.style.cssText = 'position:fixed;left:0;top:0;visibility:hidden;white-space:pre';
    const fields = [...(dialog ?? document).querySelectorAll('input')].flatMap((field) => {
      const text = field.value || field.placeholder;
      const box = field.getBoundingClientRect();
      // Long text may scroll in a field, but an amount, a date, a number, or a choice must be readable at a glance.
      if (text === '' || text.length > 36 || box.width === 0 || ['checkbox', 'radio'].includes(field.type)) return [];
      const { font, fontFeatureSettings, letterSpacing, paddingLeft, paddingRight, textAlign } =
        getComputedStyle(field);
      const mirror = document.createElement('span');
      Object.assign(mirror.style, { position: 'absolute', font, fontFeatureSettings, letterSpacing });
      mirror.textContent = text;
      mirrors.append(mirror);
      const [before, after] = [px(paddingLeft), px(paddingRight)];
      const room = field.clientWidth - before - after;
      const glyph = field.parentElement?.querySelector('[data-position="right"] svg')?.getBoundingClientRect();
      return [{ field, text, box, mirror, before, after, room, isRight: textAlign === 'right', glyph }];
    });
    document.body.append(mirrors);
    for (const { field, text, box, mirror, before, after, room, isRight, glyph } of fields) {
      const { width } = mirror.getBoundingClientRect();
      const name = field.getAttribute('aria-label') ?? field.labels?.[0]?.textContent ?? field.id;
      const over = Math.round(width - room);
      if (over > 1) found.push(`${name}: “${text}” is ${over} px wider than its field`);
      const end = isRight ? box.right - after : box.left + before + width;
      if (glyph !== undefined && end > glyph.left + 1) found.push(`${name}: “${text}” runs under its glyph`);
    }
    mirrors.remove();
    return found;
  });
}

/**
 * Returns the text that is covered or truncated, except long names that have an ellipsis and enough space. Also returns
 * the numbers that are wrapped, truncated, or wider than their column.
 */
function cutTexts(page: Page): Promise<string[]> {
  const least = (page.viewportSize()?.width ?? 0) < sizes.phone.width ? NARROW_NAME : NAME;
  return page.evaluate((shortest) => {
    const found: string[] = [];
    const px = (text: string): number => Number.parseFloat(text) || 0;
    const isTitled = (element: Element) => element.closest('[title]:not([title=""])') !== null;
    /** The boxes around an element. Each box is measured only once, because the numbers in a table share them. */
    interface Room {
      box: DOMRect;
      inner: [left: number, right: number];
      isCell: boolean;
      hides: boolean;
      scrolls: boolean;
      snaps: boolean;
      hasEllipsis: boolean;
      isInline: boolean;
    }
    const rooms = new Map<Element, Room>();
    const measured = (element: Element): Room => {
      const style = getComputedStyle(element);
      const box = element.getBoundingClientRect();
      return {
        box,
        inner: [box.left + px(style.paddingLeft), box.right - px(style.paddingRight)],
        isCell: element.matches('td, th'),
        hides: style.overflowX !== 'visible',
        scrolls: style.overflowX === 'auto' || style.overflowX === 'scroll',
        snaps: style.scrollSnapType !== 'none',
        hasEllipsis: style.textOverflow === 'ellipsis',
        isInline: style.display === 'inline',
      };
    };
    const roomOf = (element: Element): Room => {
      const known = rooms.get(element) ?? measured(element);
      rooms.set(element, known);
      return known;
    };
    const dialog = [...document.querySelectorAll('[role="dialog"]')].findLast((each) => each.clientWidth > 0);
    /**
     * Returns whether the element may cover others, as sticky headers and footers, panels, and floating elements do.
     */
    const floats = (element: Element, text: Element): boolean => {
      for (let around: Element | null = element; around !== null; around = around.parentElement) {
        if (around.contains(text)) return false;
        const { position } = getComputedStyle(around);
        if (position === 'sticky' || position === 'fixed' || around.classList.contains('ek-panel')) return true;
      }
      return false;
    };
    /**
     * Returns the element that hides a point in the text. Transparent elements without text, and elements that only
     * enlarge a touch area, don't hide anything.
     */
    const coverAt = (x: number, y: number, text: Element): Element | undefined => {
      const there = document.elementFromPoint(x, y);
      if (there === null || there.contains(text) || text.contains(there) || floats(there, text)) return undefined;
      const { opacity, backgroundColor } = getComputedStyle(there);
      if (opacity === '0' || (there.textContent.trim() === '' && backgroundColor === 'rgba(0, 0, 0, 0)'))
        return undefined;
      const { left, right, top, bottom } = there.getBoundingClientRect();
      return x < left || x > right || y < top || y > bottom ? undefined : there;
    };
    const LABELS = 'thead th, label, legend, [role="tab"], .mantine-Button-root';
    const truncated = new Set<Element>();
    /** Checks a piece of text. Only the first truncated text in an element is listed. */
    const checkText = (range: Range, parent: Element): void => {
      const rects = [...range.getClientRects()].filter((rect) => rect.width > 0);
      const [first, last] = [rects[0], rects.at(-1)];
      if (first === undefined || last === undefined) return;
      const { left, right, top, bottom } = range.getBoundingClientRect();
      const words = `“${range.toString().trim().slice(0, 60)}”`;
      if (top < 0 || bottom > window.innerHeight) return;
      // An element draws an ellipsis only for its own lines, not for the lines of a block inside it.
      let isOwn = true;
      for (let around: Element | null = parent; around !== null; around = around.parentElement) {
        const { box, hides, scrolls, snaps, hasEllipsis, isInline } = roomOf(around);
        const draws = hasEllipsis && isOwn;
        isOwn &&= isInline;
        if (!hides) continue;
        // A row of cards with scroll snapping is meant to be scrolled, and may be covered by its button.
        if (snaps || top < box.top - 1 || bottom > box.bottom + 1) return;
        const lost = Math.max(right - box.right, box.left - left);
        if (lost <= 1) continue;
        if (scrolls) return;
        const isLabel = parent.closest(LABELS) !== null;
        if ((draws && box.width >= shortest && !isLabel) || truncated.has(around)) return;
        truncated.add(around);
        found.push(`${words} is cut by ${Math.round(lost)} px and has ${Math.round(box.width)} px`);
        return;
      }
      // The parenthesis of a negative amount hangs into the space between columns, so that the digits are aligned.
      if (range.toString().trim() === ')') return;
      const cover =
        coverAt(first.left + 1, (first.top + first.bottom) / 2, parent) ??
        coverAt(last.right - 1, (last.top + last.bottom) / 2, parent);
      if (cover !== undefined)
        found.push(`${words} is covered by ${cover.tagName} ${cover.getAttribute('class') ?? ''}`);
    };
    const check = (range: Range, number: string, parent: Element): void => {
      const rects = [...range.getClientRects()].filter((rect) => rect.width > 0);
      const [first] = rects;
      if (first === undefined) return;
      const words = `“${number}” of “${(parent.textContent ?? '').trim().slice(0, 40)}”`;
      if (rects.some((rect) => rect.top - first.top > 4)) found.push(`${words} is wrapped`);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      let isInView = top > 0 && bottom < window.innerHeight;
      for (let around: Element | null = parent; around !== null; around = around.parentElement) {
        const { box, inner, isCell, hides, snaps, hasEllipsis } = roomOf(around);
        const out = isCell && !isTitled(parent) ? Math.max(right - inner[1], inner[0] - left) : 0;
        if (out > 1.5) found.push(`${words} sticks ${Math.round(out)} px out of its column`);
        if (!hides) continue;
        // A row of cards with scroll snapping is meant to be scrolled.
        if (snaps) {
          isInView = false;
          break;
        }
        // An element doesn't draw the lines above or below it.
        if (bottom <= box.top + 1 || top >= box.bottom - 1) return;
        if (top < box.top || bottom > box.bottom) isInView = false;
        const lost = Math.max(right - box.right, box.left - left);
        if (lost <= 1) continue;
        isInView = false;
        const isEllipsis = hasEllipsis && isTitled(parent) && !/\.\d\d$|\//.test(number);
        // The text ends here, so anything beyond this point doesn't matter.
        if (isEllipsis) break;
        found.push(`${words} is cut by ${Math.round(lost)} px`);
      }
      if (!isInView) return;
      const cover = coverAt(left + 1, (top + bottom) / 2, parent) ?? coverAt(right - 1, (top + bottom) / 2, parent);
      if (cover !== undefined)
        found.push(`${words} is covered by ${cover.tagName} ${cover.getAttribute('class') ?? ''}`);
    };
    const walker = document.createTreeWalker(dialog ?? document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent ?? '';
      if (parent === null || text.trim() === '') continue;
      if (parent.closest('[inert], .ek-vh, script, style, svg, [aria-hidden="true"]') !== null) continue;
      if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const whole = document.createRange();
      whole.selectNodeContents(node);
      checkText(whole, parent);
      for (const match of text.matchAll(/\d[\d,./]*/g)) {
        const range = document.createRange();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        check(range, match[0], parent);
      }
    }
    return found;
  }, least);
}

/** Lists the parts of the page that are truncated or cramped at the current width. */
export function cut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const over = document.documentElement.scrollWidth - window.innerWidth;
    if (over > 0) found.push(`the page is ${over} px wider than the window`);
    const scope = [...document.querySelectorAll('[role="dialog"]')].at(-1) ?? document;
    const places =
      '.mantine-Modal-body, .ek-pl-body, .ek-pl-body > div, .ek-panel-body, .ek-page-body, .ek-tw, .ek-foot';
    for (const place of scope.querySelectorAll<HTMLElement>(places)) {
      const wider = place.scrollWidth - place.clientWidth;
      if (wider > 1) found.push(`${place.className} scrolls sideways by ${wider} px`);
    }
    for (const body of scope.querySelectorAll<HTMLElement>('.mantine-Modal-body')) {
      const edge = body.getBoundingClientRect().right - Number.parseInt(getComputedStyle(body).paddingRight, 10);
      for (const field of body.querySelectorAll('.mantine-Input-wrapper, .mantine-SegmentedControl-root')) {
        if (field.getBoundingClientRect().right > edge + 1) found.push('a field stands in the margin of its dialog');
      }
    }
    const buttons = '.mantine-Button-root, .mantine-ActionIcon-root';
    const rows = new Set([...scope.querySelectorAll(buttons)].flatMap(({ parentElement: row }) => row ?? []));
    for (const row of new Set([...rows].flatMap((each) => [each, each.parentElement ?? each]))) {
      const { display, flexDirection } = getComputedStyle(row);
      if (!display.endsWith('flex') || flexDirection !== 'row') continue;
      // On a phone, a row of fields and buttons is a form.
      if (window.innerWidth < 768 && row.querySelector('input') !== null) continue;
      const boxes = [...row.children]
        .filter((child) => child.matches(buttons) || child.querySelector(buttons) !== null)
        .map((child) => child.getBoundingClientRect())
        .filter(({ width }) => width > 0);
      const isWrapped = boxes.some(({ top }) => boxes.some(({ bottom }) => bottom <= top + 1));
      if (isWrapped)
        found.push(`the buttons of ${row.className} “${(row.textContent ?? '').slice(0, 60)}” are wrapped`);
    }
    for (const label of scope.querySelectorAll<HTMLElement>('.mantine-Button-label')) {
      if (label.scrollWidth > label.clientWidth + 1) found.push(`the button ${label.textContent} is cut`);
    }
    return found;
  });
}
