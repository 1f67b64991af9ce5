/** All of the app's keyboard shortcuts by name. Handlers check this table, and the shortcut sheet shows it. */
export const KEYS = {
  search: ['Mod+K', '/'],
  sheet: ['?'],
  close: ['Escape'],
  save: ['Mod+Enter'],
  effects: ['Mod+Shift+Enter'],
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
  remove: ['Delete'],
  create: ['C'],
  keep: ['K'],
  nextTab: ['Mod+ArrowRight'],
  find: ['/'],
  calendar: ['Alt+ArrowDown'],
  nextField: ['Tab'],
  level: ['='],
  fillDown: ['Mod+D'],
  edit: ['F2'],
  empty: ['Delete', 'Backspace'],
  copy: ['Mod+C'],
  paste: ['Mod+V'],
  formula: ['='],
  undo: ['Mod+Z'],
  saveAll: ['Mod+S'],
  resend: ['R'],
  request: ['R'],
} as const satisfies Record<string, readonly string[]>;

export type KeyName = keyof typeof KEYS;

/** A keyboard event from the browser or from React. */
export type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/**
 * Returns whether an event matches one of a shortcut's keys. `Mod` is Ctrl or ⌘. A shortcut without `Mod` doesn't match
 * while Ctrl, ⌘, or Alt is pressed. Handlers check Shift themselves, because some keyboards need it for `/` and `?`.
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

/** Returns whether the focused element handles typed letters. */
export function isTyped(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select')
  );
}
