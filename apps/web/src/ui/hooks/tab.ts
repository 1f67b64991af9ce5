/** The storage key for this browser tab's ID. The draft of a new record belongs to one tab at a time. */

const KEY = 'tab';
/** The time in ms that a tab can take to respond before it counts as closed. */
const ANSWER_MS = 200;

interface Word {
  ask?: string;
  here?: string;
  from: string;
}

/** Distinguishes this document from a duplicated tab, which has the same session storage. */
const self = random();
let channel: BroadcastChannel | undefined;

function random(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(36)).join('');
}

/** Returns the ID of this tab, which survives a reload. */
export function tabId(): string {
  const known = sessionStorage.getItem(KEY);
  if (known !== null) return known;
  const id = random();
  sessionStorage.setItem(KEY, id);
  return id;
}

function isWord(value: unknown): value is Word {
  return typeof value === 'object' && value !== null && 'from' in value && typeof value.from === 'string';
}

function words(): BroadcastChannel | undefined {
  if (channel !== undefined || typeof BroadcastChannel === 'undefined') return channel;
  channel = new BroadcastChannel('evenkeel-tabs');
  return channel;
}

/** Resolves to whether a tab with the given ID, other than this document, is open. */
export function isTabOpen(id: string): Promise<boolean> {
  const open = words();
  if (open === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const hear = ({ data }: MessageEvent<unknown>) => {
      if (isWord(data) && data.here === id && data.from !== self) done(true);
    };
    const done = (isOpen: boolean) => {
      clearTimeout(clock);
      open.removeEventListener('message', hear);
      resolve(isOpen);
    };
    const clock = setTimeout(() => done(false), ANSWER_MS);
    open.addEventListener('message', hear);
    open.postMessage({ ask: id, from: self } satisfies Word);
  });
}

/**
 * Responds to other tabs, and takes a new ID if this tab is a copy of an open tab. Call this function when the app
 * starts.
 */
export function beThisTab(): void {
  const open = words();
  open?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isWord(data) && data.ask === tabId() && data.from !== self) open.postMessage({ here: data.ask, from: self });
  });
  void isTabOpen(tabId()).then((isCopy) => (isCopy ? sessionStorage.setItem(KEY, random()) : undefined));
}
