import type { Page } from 'playwright-core';

/** The browser's record of a layout shift, which TypeScript does not define. */
interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
}

/** Returns the total of all layout shifts after `since` (in ms from page load), and the elements that moved. */
export function shifts(page: Page, since = 0): Promise<{ sum: number; moved: string[] }> {
  return page.evaluate(async (from) => {
    const entries = await new Promise<PerformanceEntryList>((resolve) => {
      const observer = new PerformanceObserver((list) => resolve(list.getEntries()));
      observer.observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => resolve(observer.takeRecords()), 300);
    });
    const own = (entries as LayoutShift[]).filter((entry) => !entry.hadRecentInput && entry.startTime >= from);
    const name = (node: Node | null) =>
      node instanceof Element ? `${node.tagName}.${node.className}` : node?.nodeName;
    const moved = own.map(({ value, sources }) => {
      const nodes = sources.map((source) => name(source.node) ?? 'what is gone');
      return `${value.toFixed(4)} ${nodes.join(', ')}`;
    });
    return { sum: own.reduce((sum, entry) => sum + entry.value, 0), moved };
  }, since);
}
