/** Every key that the app hears, by its gesture: handlers ask this table, and the sheet of keys shows it. */
export const KEYS = {
  search: ['Mod+K', '/'],
  sheet: ['?'],
  close: ['Escape'],
  save: ['Mod+Enter'],
  open: ['Enter'],
  openApart: ['Mod+Enter'],
  up: ['ArrowUp'],
  down: ['ArrowDown'],
  pageUp: ['PageUp'],
  pageDown: ['PageDown'],
  first: ['Home'],
  last: ['End'],
  select: ['Space'],
  selectAll: ['Mod+A'],
  print: ['Mod+P'],
  previous: ['ArrowLeft'],
  next: ['ArrowRight'],
  closeTab: ['Delete'],
  calendar: ['Alt+ArrowDown'],
  nextField: ['Tab'],
  level: ['='],
} as const satisfies Record<string, readonly string[]>;

export type KeyName = keyof typeof KEYS;

/** An event of a key, of the browser or of React. */
export type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/**
 * Whether an event is one of the keys of a gesture. `Mod` is Ctrl or ⌘; a key without it is none with it, nor with Alt.
 * Shift is the handler's own matter: on some keyboards `/` and `?` need it.
 */
export function isKey(event: Pressed, name: KeyName): boolean {
  const isOne = (keys: string) => {
    const parts = keys.split('+');
    const key = parts.at(-1) === 'Space' ? ' ' : parts.at(-1)?.toLowerCase();
    const hasMod = event.ctrlKey || event.metaKey;
    return (
      event.key.toLowerCase() === key && parts.includes('Mod') === hasMod && parts.includes('Alt') === event.altKey
    );
  };
  return KEYS[name].some(isOne);
}

/** Whether letters go into what has the focus. */
export function isTyped(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select')
  );
}
