/** The identity of this browser tab: the draft of a new record belongs to one tab at a time. */

const KEY = 'tab';
/** A tab that has not answered by then is closed; milliseconds. */
const ANSWER_MS = 200;

interface Word {
  ask?: string;
  here?: string;
  from: string;
}

/** Tells this document from a copy of the tab, which has the same session storage. */
const self = random();
let channel: BroadcastChannel | undefined;

function random(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(36)).join('');
}

/** The id of this tab; it stays over a reload. */
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

/** Whether a tab of that id, other than this document, is open. */
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

/** Answers other tabs that ask; takes an id of its own when this tab is a copy of an open one. Call at the start. */
export function beThisTab(): void {
  const open = words();
  open?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isWord(data) && data.ask === tabId() && data.from !== self) open.postMessage({ here: data.ask, from: self });
  });
  void isTabOpen(tabId()).then((isCopy) => (isCopy ? sessionStorage.setItem(KEY, random()) : undefined));
}
