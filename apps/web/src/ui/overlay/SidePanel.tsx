import './overlay.css';
import { ActionIcon } from '@mantine/core';
import { IconPencil, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { useNarrow } from '../hooks/media.ts';
import { Boundary } from '../lazy/Boundary.tsx';
import { OwnLists } from '../page/OwnLists.tsx';
import { ICON } from '../show/icons.ts';
import { type BarActions, BarButtons, BarMenu, useBar } from './ActionBar.tsx';
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
  /** The pencil, which opens the record's form. Its label is its accessible name and tooltip. */
  edit?: { label: string; onClick: () => void } | undefined;
  /**
   * Whether the record is loading. The record's body replaces the loading state, because a long title makes the header
   * taller.
   */
  isWaiting?: boolean;
  /** Whether the panel is a full page, so that the list gets less space. */
  isHome?: boolean;
  onClose: () => void;
  footer?: FooterBarProps | undefined;
  /** The actions of a page. They are in the header, and on a phone in the footer. */
  bar?: BarActions | undefined;
  children: ReactNode;
}

const NO_ACTIONS: BarActions = {};

/** A read-only panel, shown next to a list or on top of it. Escape closes it. */
export function SidePanel(props: SidePanelProps) {
  const { title, note, beside, tools, edit, isHome, isWaiting = false, onClose, children } = props;
  const narrow = useNarrow();
  const { bar, question } = useBar(props.bar ?? NO_ACTIONS);
  const footer = narrow ? (props.footer ?? props.bar) : props.footer;
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isKey(event, 'close') || event.defaultPrevented) return;
    event.stopPropagation();
    onClose();
  };
  return (
    <aside className="ek-panel" data-home={isHome === true ? '' : undefined} aria-labelledby={id} onKeyDown={onKeyDown}>
      <div className="ek-panel-head">
        <div className="ek-panel-title">
          <h2 id={id} title={typeof title === 'string' ? title : undefined}>
            {title}
          </h2>
          {note !== undefined && note !== '' && <div className="ek-second ek-small">{note}</div>}
        </div>
        {beside}
        <span className="ek-panel-space" />
        {tools}
        {!narrow && <BarMenu bar={bar} position="bottom-end" size={36} />}
        {!narrow && <BarButtons bar={bar} />}
        {edit !== undefined && (
          <ActionIcon aria-label={edit.label} title={edit.label} onClick={edit.onClick}>
            <IconPencil {...ICON} />
          </ActionIcon>
        )}
        <ActionIcon aria-label="Close" onClick={onClose}>
          <IconX {...ICON} />
        </ActionIcon>
      </div>
      <div key={String(isWaiting)} className="ek-panel-body" tabIndex={0} role="group" aria-labelledby={id}>
        <Boundary>
          <OwnLists>{children}</OwnLists>
        </Boundary>
      </div>
      {!narrow && question}
      {footer !== undefined && <FooterBar {...footer} />}
    </aside>
  );
}
