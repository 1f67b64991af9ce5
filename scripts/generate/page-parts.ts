/**
 * Sections of docs/performance.md that are measured separately. Each one has markers around it. The benchmark writes
 * the rest of the page and keeps these sections.
 */
const PARTS = ['tasks', 'scale'] as const;
type Part = (typeof PARTS)[number];

const markersOf = (part: Part): [begin: string, end: string] => [`<!-- ${part}: begin -->`, `<!-- ${part}: end -->`];

/** Returns a page's section including its markers, or undefined if the page doesn't have it. */
function partOf(page: string, part: Part): string | undefined {
  const [begin, end] = markersOf(part);
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  return from === -1 || to < from ? undefined : page.slice(from, to + end.length);
}

function replacing(page: string, part: Part, marked: string): string {
  const own = partOf(page, part);
  return own === undefined ? `${page.trimEnd()}\n\n${marked}\n` : page.replace(own, () => marked);
}

/** Returns the page after replacing the section's text, or after adding the section at the end. */
export function withPart(page: string, part: Part, text: string): string {
  const [begin, end] = markersOf(part);
  return replacing(page, part, [begin, '', text, '', end].join('\n'));
}

/** Returns a newly generated page with the sections from the earlier page. */
export function keepingParts(page: string, before: string): string {
  return PARTS.reduce((kept, part) => {
    const marked = partOf(before, part);
    return marked === undefined ? kept : replacing(kept, part, marked);
  }, page);
}
