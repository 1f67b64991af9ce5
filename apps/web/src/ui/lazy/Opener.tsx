import {
  cloneElement,
  type ComponentType,
  type HTMLAttributes,
  type ReactElement,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { alerts } from '../alerts/store.ts';
import { isKey } from '../keys/keys.ts';

/** A button that opens a component. */
export type OpenerButton = ReactElement<HTMLAttributes<HTMLButtonElement> & { ref?: React.Ref<HTMLButtonElement> }>;

export interface OpenerProps<Box extends object> {
  button: OpenerButton;
  popup: 'menu' | 'dialog';
  /**
   * Define this function outside of components. The loaded component also renders the button, and opens immediately
   * (see `useOpenAtOnce`).
   */
  load: () => Promise<ComponentType<Box & { button: OpenerButton }>>;
  box: Box;
}

/** A button whose menu, popover, or drawer loads when it is first opened. */
export function Opener<Box extends object>({ button, popup, load, box }: OpenerProps<Box>) {
  const [Found, setFound] = useState<ComponentType<Box & { button: OpenerButton }>>();
  if (Found !== undefined) return <Found {...box} button={button} />;
  const warm = () => void load().catch(() => undefined);
  const open = () => void load().then((part) => setFound(() => part), cannotLoad);
  return cloneElement(button, {
    'aria-haspopup': popup,
    'aria-expanded': false,
    onClick: open,
    onPointerEnter: warm,
    onFocus: warm,
  });
}

/** Shows an alert that says that a component could not be loaded. Nothing else changes. */
export function cannotLoad(): void {
  alerts.error('This content could not be loaded. Check your connection and try again.');
}

/**
 * Opens a component that an Opener has loaded, from its first render on. Focuses the button first, so that the focus
 * returns to the button when the component closes.
 */
export function useOpenAtOnce(button: OpenerButton) {
  const ref = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    ref.current?.focus({ preventScroll: true });
    setOpened(true);
  }, []);
  return { opened, onChange: setOpened, button: cloneElement(button, { ref }), ref };
}

/**
 * Works like `useOpenAtOnce`, but for a popover. The button toggles the popover (a menu does so itself) and gets the
 * focus when the popover closes.
 */
export function usePopOverAtOnce(given: OpenerButton) {
  const { opened, onChange: change, button, ref } = useOpenAtOnce(given);
  const onChange = (next: boolean) => {
    change(next);
    if (!next) ref.current?.focus({ preventScroll: true });
  };
  // A busy button is disabled and loses the focus, so the popover itself receives no key events.
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isKey(event, 'close') && document.activeElement?.matches('body, :disabled') === true) onChange(false);
  });
  useEffect(() => {
    if (!opened) return undefined;
    const listening = new AbortController();
    window.addEventListener('keydown', (event) => onKey(event), { signal: listening.signal });
    return () => listening.abort();
  }, [opened]);
  return { opened, onChange, button: cloneElement(button, { onClick: () => onChange(!opened) }) };
}
