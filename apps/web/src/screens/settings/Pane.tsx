import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { isKey } from '../../ui/keys/keys.ts';
import { SaveBar, SaveBarForms, useEditedForms } from './SaveBar.tsx';

export interface PaneProps {
  label: string;
  /** Whether the pane takes the focus, because the control that opened it has disappeared. */
  takesFocus?: boolean;
  children: ReactNode;
}

/** A scrolling column with one category of settings, and the save bar for its forms. */
export function Pane({ label, takesFocus = false, children }: PaneProps) {
  const column = useRef<HTMLDivElement>(null);
  const { edited, register } = useEditedForms();
  useEffect(() => {
    if (takesFocus) column.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  const onKeyDown = (event: KeyboardEvent) => {
    // React also reports keys that are pressed in dialogs, which save their own forms.
    const isOwn = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (edited.length === 0 || !isOwn || !isKey(event, 'save')) return;
    for (const form of edited) form.save();
  };
  return (
    <div className="st-main" role="presentation" onKeyDown={onKeyDown}>
      <div className="st-scroll" ref={column} role="region" aria-label={label} tabIndex={0}>
        <SaveBarForms value={register}>
          <div className="st-column">{children}</div>
        </SaveBarForms>
      </div>
      <SaveBar edited={edited} />
    </div>
  );
}
