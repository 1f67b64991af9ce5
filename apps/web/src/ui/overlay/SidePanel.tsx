import './overlay.css';
import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { Boundary } from '../lazy/Boundary.tsx';
import { ICON } from '../show/icons.ts';
import { FooterBar, type FooterBarProps } from './FooterBar.tsx';
import { isKey } from '../keys/keys.ts';

export interface SidePanelProps {
  title: ReactNode;
  /** Muted text below the title. */
  note?: ReactNode;
  /** Shown to the right of the title, for example a status. */
  beside?: ReactNode;
  /** The buttons before Close. */
  tools?: ReactNode;
  /**
   * Whether the record is loading. Its body replaces the loading state, because a long title makes the header taller.
   */
  isWaiting?: boolean;
  /** Whether the panel is a full page, so that the list gets less space. */
  isHome?: boolean;
  onClose: () => void;
  footer?: FooterBarProps | undefined;
  children: ReactNode;
}

/** A read-only panel, shown next to a list or over it. Escape closes it. */
export function SidePanel(props: SidePanelProps) {
  const { title, note, beside, tools, isHome, isWaiting = false, onClose, footer, children } = props;
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isKey(event, 'close') || event.defaultPrevented) return;
    event.stopPropagation();
    onClose();
  };
  return (
    <aside className="ek-panel" data-home={isHome === true ? '' : undefined} aria-labelledby={id} onKeyDown={onKeyDown}>
      <div className="ek-panel-head">
        <div className="ek-grow">
          <h2 id={id}>{title}</h2>
          {note !== undefined && note !== '' && <div className="ek-second ek-small">{note}</div>}
        </div>
        {beside}
        {tools}
        <ActionIcon aria-label="Close" onClick={onClose}>
          <IconX {...ICON} />
        </ActionIcon>
      </div>
      <div key={String(isWaiting)} className="ek-panel-body" tabIndex={0} role="group" aria-labelledby={id}>
        <Boundary>{children}</Boundary>
      </div>
      {footer !== undefined && <FooterBar {...footer} />}
    </aside>
  );
}
