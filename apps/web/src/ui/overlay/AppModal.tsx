import '../theme/overlayStyles.ts';
import './overlay.css';
import { ActionIcon, Modal } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useNarrow } from '../hooks/media.ts';
import { useReturnFocus } from '../hooks/returnFocus.ts';
import { Boundary } from '../lazy/Boundary.tsx';
import { OwnLists } from '../page/OwnLists.tsx';
import { ICON } from '../show/icons.ts';
import { FooterQuestion } from './ConfirmDelete.tsx';
import { goToUnread } from '../fields/unread.ts';
import { FooterBar, type FooterBarProps } from './FooterBar.tsx';
import { isKey } from '../keys/keys.ts';

const SIZES = { sm: 440, narrow: 560, md: 640, mail: 720, lg: 960, xl: 1288 } as const;

export interface AppModalProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** Shown next to the title: a status, or the time when the draft was saved. */
  beside?: ReactNode;
  /** The controls before the close button, for example Walkthrough. */
  tools?: ReactNode;
  size?: keyof typeof SIZES;
  /** Whether the content loads later and may be long. The top edge then keeps its position. */
  grows?: boolean;
  /** Whether there are unsaved changes, so that closing asks first. */
  dirty?: boolean;
  /** The question before closing, if it is not about unsaved changes. */
  leaving?: { question: string; stay: string; go: string };
  /** Called after the user chooses Discard, before onClose, to delete the draft. */
  onDiscard?: (() => void) | undefined;
  footer?: FooterBarProps | undefined;
  /** Shown next to the content, with its own scrolling. The dialog is then as large as the window allows. */
  aside?: ReactNode;
  /** Whether Enter in a field also runs the primary action, for short forms on top of another form. */
  enterSaves?: boolean;
  /**
   * Called before the primary action runs, by click or key. Returning false stops the action. For example: `() =>
   * lines.current?.settle() ?? true`
   */
  settle?: (() => boolean) | undefined;
  /** Handles a key before the dialog's own shortcuts. */
  onKey?: (event: KeyboardEvent) => void;
  children: ReactNode;
}

const DISCARDING = { question: 'Discard your changes?', stay: 'Keep editing', go: 'Discard changes' };

/**
 * A modal that traps and returns the focus. Escape closes it (after asking if there are unsaved changes), and
 * Ctrl+Enter runs the primary action. Below 768 px, it fills the screen with its footer at the bottom.
 */
export function AppModal(props: AppModalProps) {
  const { opened, title, footer, aside, leaving = DISCARDING } = props;
  const narrow = useNarrow();
  const closing = useClosing(props);
  const content = useRef<HTMLDivElement>(null);
  const press = usePrimary(props, content);
  const onKeyDown = useModalKeys(press, closing.request, props.enterSaves === true);
  useReturnFocus(opened);
  return (
    <Modal.Root
      opened={opened}
      onClose={closing.request}
      className="ek-modal"
      onKeyDownCapture={props.onKey}
      onKeyDown={onKeyDown}
      {...roomOf(props)}
      centered={props.grows !== true && props.size !== 'xl'}
      closeOnEscape={false}
      returnFocus={false}
      fullScreen={narrow}
      transitionProps={{ duration: 180, transition: 'fade' }}
    >
      <Modal.Overlay backgroundOpacity={1} color="var(--scrim)" blur={0} />
      <Modal.Content ref={content} radius={narrow ? 0 : 'lg'}>
        <div className="ek-modal-head">
          <Modal.Title component="h2" className="ek-modal-title">
            {title}
          </Modal.Title>
          {props.beside}
          <div className="ek-modal-tools">
            {props.tools}
            <ActionIcon aria-label="Close" onClick={closing.request}>
              <IconX {...ICON} />
            </ActionIcon>
          </div>
        </div>
        <div className="ek-modal-middle" data-beside={aside === undefined ? undefined : ''}>
          <Modal.Body>
            <Boundary>
              <OwnLists>{props.children}</OwnLists>
            </Boundary>
          </Modal.Body>
          {aside}
        </div>
        {closing.asking ? (
          <FooterQuestion
            question={leaving.question}
            stay={{ label: leaving.stay, onClick: closing.cancel }}
            go={{ label: leaving.go, onClick: closing.discard }}
          />
        ) : (
          footer !== undefined && <FooterBar {...withPress(footer, press)} />
        )}
      </Modal.Content>
    </Modal.Root>
  );
}

/** The margin in px around a dialog that fills the window. */
const EDGE = 24;
const WIDEST = 1480;

const roomOf = ({ aside, size = 'md' }: AppModalProps) =>
  aside === undefined ? { size: SIZES[size] } : { size: WIDEST, xOffset: EDGE, yOffset: EDGE };

function useClosing({ dirty, onClose, onDiscard }: AppModalProps) {
  const [asking, setAsking] = useState(false);
  return {
    asking,
    request: () => (dirty === true ? setAsking(true) : onClose()),
    cancel: () => setAsking(false),
    discard: () => {
      setAsking(false);
      onDiscard?.();
      onClose();
    },
  };
}

/**
 * Runs the primary action, unless a field has an unreadable value, which would be sent as empty. Reads the latest
 * footer after `settle` and after the key's other handlers, so that a line committed by the same key or click is saved
 * too.
 */
function usePrimary({ footer, settle }: AppModalProps, content: RefObject<HTMLElement | null>): () => void {
  const latest = useRef(footer);
  useLayoutEffect(() => {
    latest.current = footer;
  });
  return () => {
    if (goToUnread(content.current) || settle?.() === false) return;
    const primary = latest.current?.primary;
    if (primary !== undefined && primary.disabled !== true && primary.busy !== true) primary.onClick();
  };
}

function withPress(footer: FooterBarProps, press: () => void): FooterBarProps {
  const { primary } = footer;
  return primary === undefined ? footer : { ...footer, primary: { ...primary, onClick: press } };
}

/**
 * Handles Escape and Ctrl+Enter. An open component inside (options, an edited line) handles them first and stops the
 * event.
 */
function useModalKeys(press: () => void, onEscape: () => void, enterSaves: boolean) {
  return (event: KeyboardEvent) => {
    const { target, currentTarget } = event;
    // During a walkthrough, keys belong to the walkthrough.
    if (!(target instanceof HTMLElement) || document.body.classList.contains('driver-active')) return;
    // A popover opened from the modal is elsewhere in the document. A line committed by this key is no longer in the
    // document.
    if (target.isConnected && !currentTarget.contains(target)) return;
    if (isKey(event, 'close') && target.dataset['mantineStopPropagation'] !== 'true') {
      event.stopPropagation();
      onEscape();
    }
    // An open list handles Enter first and prevents the default action. During text composition, Enter ends the
    // composition.
    const isFieldEnter =
      enterSaves && target instanceof HTMLInputElement && !event.defaultPrevented && !event.nativeEvent.isComposing;
    if (isKey(event, 'save') || (isFieldEnter && isKey(event, 'open'))) {
      event.preventDefault();
      press();
    }
  };
}
