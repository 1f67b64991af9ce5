import { ActionIcon } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ComponentType, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNarrow } from '../../ui/hooks/media.ts';
import { useLocalChoice } from '../../ui/hooks/localState.ts';
import { Key } from '../../ui/keys/Key.tsx';
import { isKey, isTyped } from '../../ui/keys/keys.ts';
import { cannotLoad } from '../../ui/lazy/Opener.tsx';
import { ICON, ICON_SMALL } from '../../ui/show/icons.ts';
import type { Command } from './commands.ts';

const loadPalette = async () => (await import('./Palette.tsx')).Palette;
const loadSheet = async () => (await import('./KeySheet.tsx')).KeySheet;

export interface SearchBoxProps {
  /** Actions in the app frame: changing the password, and signing out. */
  actions: readonly Omit<Command, 'kind'>[];
  /** Also opens the shortcut sheet. */
  sheet: { isOpen: boolean; set: (isOpen: boolean) => void };
  /** Opens help at a topic. */
  onHelp: (topic: string) => void;
}

/**
 * The search box in the top bar, with its shortcuts. The palette and the sheet are loaded when they are first opened.
 */
export function SearchBox({ actions, sheet, onHelp }: SearchBoxProps) {
  const narrow = useNarrow();
  const [isOpen, setOpen] = useState(false);
  const palette = usePart(loadPalette, isOpen, () => setOpen(false));
  const keySheet = usePart(loadSheet, sheet.isOpen, () => sheet.set(false));
  const [single, setSingle] = useLocalChoice('singleKeys', ['on', 'off'], 'on');
  const early = useEarlyLetters();
  const opener = useRef<Element | null>(null);
  const open = () => {
    if (isOpen) return;
    opener.current = document.activeElement;
    early.begin();
    sheet.set(false);
    setOpen(true);
  };
  const close = () => {
    early.take();
    setOpen(false);
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
  };
  useSearchKeys(single === 'on', { onSearch: () => (isOpen ? close() : open()), onSheet: () => sheet.set(true) });
  return (
    <>
      {narrow ? (
        <ActionIcon aria-label="Search" aria-haspopup="dialog" onClick={open}>
          <IconSearch {...ICON} />
        </ActionIcon>
      ) : (
        <button
          type="button"
          className="ek-search"
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+K /"
          onClick={open}
        >
          <IconSearch {...ICON_SMALL} />
          <span>Search...</span>
          <span aria-hidden="true">
            <Key keys={single === 'on' ? '/' : 'Mod+K'} />
          </span>
        </button>
      )}
      {isOpen && palette.Part !== undefined && (
        <palette.Part
          own={actions.map((action) => ({ ...action, kind: 'action' }))}
          onHelp={onHelp}
          takeEarly={early.take}
          onClose={close}
        />
      )}
      {sheet.isOpen && keySheet.Part !== undefined && (
        <keySheet.Part single={single} onSingle={setSingle} onClose={() => sheet.set(false)} />
      )}
    </>
  );
}

/** Loads a component when it is needed. Returns the component after it has loaded. A failed load isn't retried. */
function usePart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  isWanted: boolean,
  onFailed: () => void,
): { Part: ComponentType<Props> | undefined } {
  const [Part, setPart] = useState<ComponentType<Props>>();
  const isMissing = isWanted && Part === undefined;
  const failed = useEffectEvent(() => {
    cannotLoad();
    onFailed();
  });
  useEffect(() => {
    if (!isMissing) return undefined;
    let isGone = false;
    load().then(
      (part) => (isGone ? undefined : setPart(() => part)),
      () => (isGone ? undefined : failed()),
    );
    return () => {
      isGone = true;
    };
  }, [isMissing, load]);
  return { Part };
}

/** Collects letters that are typed while the palette loads. They become the palette's initial text. */
function useEarlyLetters() {
  const letters = useRef('');
  const listening = useRef<AbortController>(undefined);
  const take = () => {
    listening.current?.abort();
    const taken = letters.current;
    letters.current = '';
    return taken;
  };
  const begin = () => {
    take();
    const begun = new AbortController();
    listening.current = begun;
    const hear = (event: KeyboardEvent) => {
      if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      letters.current += event.key;
    };
    window.addEventListener('keydown', hear, { capture: true, signal: begun.signal });
  };
  useEffect(() => () => listening.current?.abort(), []);
  return { begin, take };
}

interface Heard {
  onSearch: () => void;
  onSheet: () => void;
}

/** Handles Ctrl+K everywhere. Outside of fields, also handles `/` and `?` if these shortcuts are turned on. */
function useSearchKeys(isSingle: boolean, { onSearch, onSheet }: Heard): void {
  const hear = useEffectEvent((event: KeyboardEvent) => {
    // During a walkthrough, keys control the walkthrough.
    if (event.defaultPrevented || document.body.classList.contains('driver-active')) return;
    const isPlain = !event.ctrlKey && !event.metaKey;
    if (isPlain && (!isSingle || isTyped(event.target))) return;
    if (isKey(event, 'search')) onSearch();
    else if (isKey(event, 'sheet')) onSheet();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listening = new AbortController();
    window.addEventListener('keydown', (event) => hear(event), { signal: listening.signal });
    return () => listening.abort();
  }, []);
}
