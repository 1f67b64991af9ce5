import './keys.css';

const SHOWN: Readonly<Record<string, string>> = {
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageUp: 'Page Up',
  PageDown: 'Page Down',
};

const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);

const shownAs = (key: string): string => {
  if (key === 'Mod') return isMac() ? '⌘' : 'Ctrl';
  return SHOWN[key] ?? key;
};

/** Shows the keys of a shortcut. `Mod+K` is shown as two keys. */
export function Key({ keys }: { keys: string }) {
  return keys.split('+').map((key) => (
    <kbd key={key} className="ek-key">
      {shownAs(key)}
    </kbd>
  ));
}
