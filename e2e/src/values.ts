import type { Page } from 'playwright-core';

/** Values that cannot be read as the page stands; of an open dialog only its own. */
export async function unreadable(page: Page): Promise<string[]> {
  const [fields, numbers] = [await cutFields(page), await cutNumbers(page)];
  return [...new Set([...fields, ...numbers])];
}

/** Fields whose text is wider than their room, or runs under their glyph. */
function cutFields(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const dialog = [...document.querySelectorAll('[role="dialog"]')].findLast((each) => each.clientWidth > 0);
    const px = (text: string): number => Number.parseFloat(text) || 0;
    // Text written into a mirror measures fonts, features and letter spacing as the browser draws them.
    const mirror = document.createElement('span');
    mirror.style.cssText = 'position:fixed;left:0;top:0;visibility:hidden;white-space:pre';
    document.body.append(mirror);
    for (const field of (dialog ?? document).querySelectorAll('input')) {
      const text = field.value || field.placeholder;
      const box = field.getBoundingClientRect();
      // Long words scroll in a field; an amount, a date, a number or a choice is read at a glance.
      if (text === '' || text.length > 36 || box.width === 0 || ['checkbox', 'radio'].includes(field.type)) continue;
      const style = getComputedStyle(field);
      const [before, after] = [px(style.paddingLeft), px(style.paddingRight)];
      mirror.style.font = style.font;
      mirror.style.fontFeatureSettings = style.fontFeatureSettings;
      mirror.style.letterSpacing = style.letterSpacing;
      mirror.textContent = text;
      const { width } = mirror.getBoundingClientRect();
      const name = field.getAttribute('aria-label') ?? field.labels?.[0]?.textContent ?? field.id;
      const over = Math.round(width - (field.clientWidth - before - after));
      if (over > 1) found.push(`${name}: “${text}” is ${over} px wider than its field`);
      const end = style.textAlign === 'right' ? box.right - after : box.left + before + width;
      const glyph = field.parentElement?.querySelector('[data-position="right"] svg')?.getBoundingClientRect();
      if (glyph !== undefined && end > glyph.left + 1) found.push(`${name}: “${text}” runs under its glyph`);
    }
    mirror.remove();
    return found;
  });
}

/** Numbers in text that are wrapped, cut, covered, or stick out of their column. */
function cutNumbers(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const px = (text: string): number => Number.parseFloat(text) || 0;
    const isTitled = (element: Element) => element.closest('[title]:not([title=""])') !== null;
    const dialog = [...document.querySelectorAll('[role="dialog"]')].findLast((each) => each.clientWidth > 0);
    /** Heads and feet that stay, panels, and what floats lie over other things on purpose. */
    const floats = (element: Element, text: Element): boolean => {
      for (let around: Element | null = element; around !== null; around = around.parentElement) {
        if (around.contains(text)) return false;
        const { position } = getComputedStyle(around);
        if (position === 'sticky' || position === 'fixed' || around.classList.contains('ek-panel')) return true;
      }
      return false;
    };
    /** The element that hides a point of the text; what only takes hold of the room around it hides nothing. */
    const coverAt = (x: number, y: number, text: Element): Element | undefined => {
      const there = document.elementFromPoint(x, y);
      if (there === null || there.contains(text) || text.contains(there) || floats(there, text)) return undefined;
      const { left, right, top, bottom } = there.getBoundingClientRect();
      return x < left || x > right || y < top || y > bottom ? undefined : there;
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
        const style = getComputedStyle(around);
        const room = around.getBoundingClientRect();
        const [before, after] = [room.left + px(style.paddingLeft), room.right - px(style.paddingRight)];
        const out = around.matches('td, th') && !isTitled(parent) ? Math.max(right - after, before - left) : 0;
        if (out > 1.5) found.push(`${words} sticks ${Math.round(out)} px out of its column`);
        if (style.overflowX === 'visible') continue;
        // A row of cards that snaps is there to be pushed along.
        if (style.scrollSnapType !== 'none') {
          isInView = false;
          break;
        }
        if (top < room.top || bottom > room.bottom) isInView = false;
        const lost = Math.max(right - room.right, room.left - left);
        if (lost <= 1) continue;
        isInView = false;
        const isEllipsis = style.textOverflow === 'ellipsis' && isTitled(parent) && !/\.\d\d$|\//.test(number);
        if (!isEllipsis) found.push(`${words} is cut by ${Math.round(lost)} px`);
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
      if (parent === null || !/\d/.test(text)) continue;
      if (parent.closest('[inert], .ek-vh, script, style, svg, [aria-hidden="true"]') !== null) continue;
      if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      for (const match of text.matchAll(/\d[\d,./]*/g)) {
        const range = document.createRange();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        check(range, match[0], parent);
      }
    }
    return found;
  });
}
