import '../theme/fieldStyles.ts';
import './fields.css';
import { Button, VisuallyHidden } from '@mantine/core';
import { IconPaperclip } from '@tabler/icons-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { isWithin } from '../hooks/within.ts';
import { ICON_SMALL } from '../show/icons.ts';

export interface FilePickerProps {
  /** Called with the dropped or selected files. */
  onFiles: (files: File[]) => void;
  /** The accepted file types, in the format of a file input's `accept` attribute. */
  accept?: string | undefined;
  disabled?: boolean;
  buttonLabel?: string;
  /** Whether only one file can be selected at a time. */
  single?: boolean;
  /** The icon of the button. The default is a paperclip. Null shows no icon. */
  icon?: ReactNode;
  size?: 'xs' | undefined;
  /** Whether the button looks like a link. */
  isLink?: boolean;
  /** Whether the button gets the focus when its dialog opens. */
  autoFocus?: boolean;
}

/** An area that accepts dropped files, with a button for selecting files. */
export function FileDrop({ children, ...picker }: FilePickerProps & { children?: ReactNode }) {
  return (
    <DropArea onFiles={picker.onFiles} disabled={picker.disabled ?? false}>
      {children}
      <FilePicker {...picker} />
    </DropArea>
  );
}

/** A button for selecting files. */
export function FilePicker(props: FilePickerProps) {
  const {
    onFiles,
    accept,
    disabled = false,
    buttonLabel = 'Attach Files',
    single = false,
    size,
    isLink = false,
    autoFocus = false,
  } = props;
  const icon = props.icon === undefined ? <IconPaperclip {...ICON_SMALL} /> : props.icon;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        variant={isLink ? 'subtle' : 'default'}
        {...(isLink && { className: 'ek-btn-link' })}
        {...(autoFocus && { 'data-autofocus': '' })}
        {...(size === undefined ? {} : { size })}
        leftSection={icon}
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        {buttonLabel}
      </Button>
      <VisuallyHidden>
        <input
          ref={input}
          type="file"
          multiple={!single}
          tabIndex={-1}
          aria-label={buttonLabel}
          {...(accept === undefined ? {} : { accept })}
          disabled={disabled}
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])];
            event.currentTarget.value = '';
            if (files.length > 0) onFiles(files);
          }}
        />
      </VisuallyHidden>
    </>
  );
}

export interface DropAreaProps {
  onFiles: (files: File[]) => void;
  disabled?: boolean;
  /** Whether this area contains a screen or pane and fills the available space. */
  fills?: boolean;
  children: ReactNode;
}

/** Accepts files dropped anywhere on its content and shows an overlay while files are dragged over the content. */
export function DropArea({ onFiles, disabled = false, fills = false, children }: DropAreaProps) {
  const { over, handlers } = useDrop(onFiles, disabled);
  return (
    <div className="ek-drop" data-fills={fills ? '' : undefined} {...handlers}>
      {children}
      {over && (
        <div className="ek-drop-over">
          <span>Drop Files Here</span>
        </div>
      )}
    </div>
  );
}

function useDrop(onFiles: (files: File[]) => void, disabled: boolean) {
  const [depth, setDepth] = useState(0);
  // Ignores files dropped on a dialog above this area. `refuseStrayDrops` handles files dropped outside any drop area.
  const hasFiles = (event: DragEvent) => !disabled && event.dataTransfer.types.includes('Files') && isWithin(event);
  const take = (event: DragEvent, step: number) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setDepth((before) => Math.max(0, before + step));
  };
  const handlers = {
    onDragEnter: (event: DragEvent) => take(event, 1),
    onDragLeave: (event: DragEvent) => take(event, -1),
    onDragOver: (event: DragEvent) => take(event, 0),
    onDrop: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setDepth(0);
      const files = [...event.dataTransfer.files];
      if (files.length > 0) onFiles(files);
    },
  };
  return { over: depth > 0, handlers };
}
