import '../../ui/theme/overlayStyles.ts';
import './palette.css';
import { ActionIcon, Modal } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useLayoutEffect, useRef } from 'react';
import { serverNow } from '../../client/transport.ts';
import { readLocal } from '../../ui/hooks/localState.ts';
import { useNarrow } from '../../ui/hooks/media.ts';
import { TodayProvider } from '../../ui/hooks/today.tsx';
import { Key } from '../../ui/keys/Key.tsx';
import { isKey } from '../../ui/keys/keys.ts';
import { ICON } from '../../ui/show/icons.ts';
import { PaletteRows, rowId, saidOf } from './PaletteRows.tsx';
import { type PaletteProps, type PaletteState, usePalette } from './usePalette.ts';

/** The palette's distance from the top of the window, and its width, in px. */
const TOP = 88;
const WIDTH = 660;
/** The maximum length of the search text. */
const LONGEST = 200;

const deviceZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A keyboard search for records, screens, reports, and actions. On a phone, it fills the screen. */
export function Palette(props: PaletteProps) {
  const timeZone = readLocal('timeZone') ?? deviceZone();
  const narrow = useNarrow();
  return (
    <Modal.Root
      opened
      onClose={props.onClose}
      className="ek-palette"
      size={WIDTH}
      yOffset={TOP}
      fullScreen={narrow}
      closeOnEscape={false}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay backgroundOpacity={1} color="var(--scrim)" blur={0} />
      <Modal.Content radius={narrow ? 0 : 'lg'} aria-label="Search">
        <TodayProvider timeZone={timeZone} now={serverNow}>
          <Search {...props} isNarrow={narrow} />
        </TodayProvider>
      </Modal.Content>
    </Modal.Root>
  );
}

function Search({ isNarrow, takeEarly, ...props }: PaletteProps & { isNarrow: boolean }) {
  const palette = usePalette(props);
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    input.current?.focus({ preventScroll: true });
    const early = takeEarly();
    if (early !== '') palette.type(early);
    // Uses only the text typed before the palette loaded.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const { active, groups, text } = palette;
  return (
    <div className="ek-pl" role="presentation" onKeyDown={usePaletteKeys(palette, props.onClose)}>
      <div className="ek-pl-top">
        <ActionIcon aria-label="Search" onClick={palette.ask}>
          <IconSearch {...ICON} />
        </ActionIcon>
        <input
          ref={input}
          className="ek-pl-text"
          data-autofocus
          role="combobox"
          aria-label="Search or run a command"
          aria-autocomplete="list"
          aria-expanded={groups.length > 0}
          aria-controls={groups.length > 0 ? listId : undefined}
          aria-activedescendant={active === undefined ? undefined : rowId(listId, active)}
          placeholder="Search or run a command..."
          autoComplete="off"
          spellCheck={false}
          maxLength={LONGEST}
          value={text}
          onChange={(event) => palette.type(event.currentTarget.value)}
        />
        <p className="ek-pl-said" role="status">
          {saidOf(palette)}
        </p>
        {isNarrow ? (
          <ActionIcon aria-label="Close" onClick={props.onClose}>
            <IconX {...ICON} />
          </ActionIcon>
        ) : (
          <Key keys="Escape" />
        )}
      </div>
      <PaletteRows palette={palette} listId={listId} />
      {!isNarrow && <Foot />}
    </div>
  );
}

/** Handles the arrow keys, Enter (Ctrl+Enter opens a new tab), and Escape, which first clears the text. */
function usePaletteKeys(palette: PaletteState, onClose: () => void) {
  return (event: KeyboardEvent) => {
    // During text composition, keystrokes belong to the input method.
    if (event.nativeEvent.isComposing) return;
    const isButton = event.target instanceof HTMLButtonElement;
    if (isKey(event, 'down')) palette.move(1);
    else if (isKey(event, 'up')) palette.move(-1);
    else if (isKey(event, 'openApart')) palette.enter(true);
    else if (isKey(event, 'open') && !isButton) palette.enter(false);
    else if (isKey(event, 'close') && palette.text !== '') palette.type('');
    else if (isKey(event, 'close')) onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

function Foot() {
  return (
    <div className="ek-pl-foot">
      <span>
        <Key keys="ArrowUp" />
        <Key keys="ArrowDown" />
        move
      </span>
      <span>
        <Key keys="Enter" />
        open
      </span>
      <span>
        <Key keys="Mod+Enter" />
        new tab
      </span>
      <span className="ek-pl-last">
        <Key keys="Escape" />
        clear, then close
      </span>
    </div>
  );
}
