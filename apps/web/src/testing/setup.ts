/** Browser features that Mantine and the tables need and jsdom lacks. Import this before anything else in a test. */
let width = 1440;

function matches(query: string): boolean {
  const max = /max-width:\s*([\d.]+)px/.exec(query);
  const min = /min-width:\s*([\d.]+)px/.exec(query);
  if (max === null && min === null) return false;
  return (max === null || width <= Number(max[1])) && (min === null || width >= Number(min[1]));
}

class FakeMediaList extends EventTarget implements MediaQueryList {
  readonly media: string;
  onchange = null;
  constructor(media: string) {
    super();
    this.media = media;
  }
  get matches(): boolean {
    return matches(this.media);
  }
  addListener(): void {}
  removeListener(): void {}
}

const lists = new Map<string, FakeMediaList>();

/** Sets the window width in px that media queries use. Each test file starts with 1440. */
export function setWidth(px: number): void {
  width = px;
  for (const list of lists.values()) list.dispatchEvent(new Event('change'));
}

/** The CSS properties that an element inherits. */
const inherited = new Set(['visibility', 'pointer-events', 'cursor', 'direction']);
const plainStyle = typeof window === 'undefined' ? undefined : window.getComputedStyle.bind(window);
const plainStyles = new Map<string, CSSStyleDeclaration | undefined>();

/** Returns the browser's default value for an element. jsdom would evaluate a whole style sheet for every property. */
function plainValue({ localName, namespaceURI }: Element, property: string): string {
  if (!plainStyles.has(localName))
    plainStyles.set(localName, plainStyle?.(document.createElementNS(namespaceURI, localName)));
  return plainStyles.get(localName)?.getPropertyValue(property) ?? '';
}

function styleOf(element: Element, property: string): string {
  const own = (element instanceof HTMLElement || element instanceof SVGElement) && element.style;
  const value = own ? own.getPropertyValue(property) : '';
  if (value !== '') return value;
  if (
    property === 'display' &&
    (element.hasAttribute('hidden') || (element instanceof HTMLInputElement && element.type === 'hidden'))
  )
    return 'none';
  if (inherited.has(property) && element.parentElement !== null) return styleOf(element.parentElement, property);
  return plainValue(element, property);
}

/**
 * Replaces jsdom's computed styles. Tests load no style sheets, so only inline styles, inherited values, and browser
 * defaults matter. jsdom recalculated every color on each access, which took two fifths of the test time.
 */
function lightComputedStyle(element: Element): CSSStyleDeclaration {
  const getPropertyValue = (property: string): string => styleOf(element, property);
  return new Proxy(document.createElement('i').style, {
    get: (_, name) =>
      name === 'getPropertyValue'
        ? getPropertyValue
        : getPropertyValue(String(name).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)),
  });
}

if (typeof window !== 'undefined') {
  window.getComputedStyle = lightComputedStyle;
  window.matchMedia = (query) => {
    const list = lists.get(query) ?? new FakeMediaList(query);
    lists.set(query, list);
    return list;
  };
  window.ResizeObserver = class {
    private readonly notify: ResizeObserverCallback;
    constructor(notify: ResizeObserverCallback) {
      this.notify = notify;
    }
    observe(target: Element) {
      const box = [{ inlineSize: 800, blockSize: 600 }];
      const entry = { target, borderBoxSize: box, contentBoxSize: box, devicePixelContentBoxSize: box };
      const rect = target.getBoundingClientRect();
      queueMicrotask(() => this.notify([{ ...entry, contentRect: rect }], this));
    }
    unobserve() {}
    disconnect() {}
  };
  window.HTMLElement.prototype.scrollIntoView = () => undefined;
  window.HTMLElement.prototype.scrollTo = () => undefined;
  window.scrollTo = () => undefined;
  // Fields that grow with their text wait for fonts.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
}

// Implements a browser feature that jsdom lacks.
const readBytes = (blob: Blob): Promise<ArrayBuffer> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () =>
      reader.result instanceof ArrayBuffer ? resolve(reader.result) : reject(new Error('no bytes')),
    );
    reader.readAsArrayBuffer(blob);
  });
Object.assign(Blob.prototype, {
  arrayBuffer(this: Blob) {
    return readBytes(this);
  },
});
