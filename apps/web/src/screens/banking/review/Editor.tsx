import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { goToUnread } from '../../../ui/fields/unread.ts';
import { useNarrow } from '../../../ui/hooks/media.ts';
import { AppModal } from '../../../ui/overlay/AppModal.tsx';
import { FooterQuestion } from '../../../ui/overlay/ConfirmDelete.tsx';
import { ICON_SMALL } from '../../../ui/show/icons.ts';

export interface EditorProps {
  title: string;
  /** A sentence that says what the action does. */
  detail: string;
  /** The label of the action's button. */
  word: string;
  isOff: boolean;
  isBusy: boolean;
  /** Whether the user has entered something. If so, closing asks for confirmation first. */
  isTyped: boolean;
  onDo: () => void;
  onClose: () => void;
  /** Discards the input. */
  onDiscard?: () => void;
  children: ReactNode;
}

/**
 * The fields for a bank transaction, which are below its heading and next to the bank’s text. On a phone, they are in a
 * sheet.
 */
export function Editor(props: EditorProps) {
  const { title, detail, word, isOff, isBusy, isTyped, onDo, onClose, onDiscard, children } = props;
  const narrow = useNarrow();
  if (narrow) {
    return (
      <AppModal
        opened
        title={title}
        dirty={isTyped}
        onClose={onClose}
        onDiscard={onDiscard}
        footer={{ primary: { label: word, onClick: onDo, disabled: isOff, busy: isBusy } }}
      >
        <div className="rv-editor">
          <p className="ek-muted ek-small">{detail}</p>
          {children}
        </div>
      </AppModal>
    );
  }
  return <Inline {...props} />;
}

function Inline({ title, detail, word, isOff, isBusy, isTyped, onDo, onClose, onDiscard, children }: EditorProps) {
  const [isAsking, setAsking] = useState(false);
  const close = () => (isTyped ? setAsking(true) : onClose());
  const discard = () => {
    onDiscard?.();
    onClose();
  };
  const press = (place: HTMLElement) => {
    if (!goToUnread(place) && !isOff && !isBusy) onDo();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      press(event.currentTarget);
    }
    if (event.key === 'Escape' && !event.defaultPrevented) {
      event.stopPropagation();
      close();
    }
  };
  return (
    <section className="rv-editor" aria-label={title} onKeyDown={onKeyDown}>
      <div className="rv-editor-head">
        <div className="ek-grow">
          <div className="ek-medium">{title}</div>
          <div className="ek-muted ek-small">{detail}</div>
        </div>
        <ActionIcon aria-label="Close" onClick={close}>
          <IconX {...ICON_SMALL} />
        </ActionIcon>
      </div>
      {children}
      {isAsking ? (
        <FooterQuestion
          question="Discard your changes?"
          stay={{ label: 'Keep editing', onClick: () => setAsking(false) }}
          go={{ label: 'Discard changes', onClick: discard }}
        />
      ) : (
        <div className="rv-editor-foot">
          <Button variant="subtle" onClick={close}>
            Cancel
          </Button>
          <Button
            disabled={isOff}
            loading={isBusy}
            onClick={(event) => {
              const place = event.currentTarget.closest('section');
              if (place !== null) press(place);
            }}
          >
            {word}
          </Button>
        </div>
      )}
    </section>
  );
}
