import '../theme/overlayStyles.ts';
import './overlay.css';
import { ActionIcon, Drawer } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Boundary } from '../lazy/Boundary.tsx';
import { OwnLists } from '../page/OwnLists.tsx';
import { ICON } from '../show/icons.ts';
import { isKey } from '../keys/keys.ts';

export interface SideDrawerProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  tools?: ReactNode;
  /** The width in px. */
  width: number;
  /** Whether to use the darker background of the PDF viewer. */
  pdf?: boolean;
  children: ReactNode;
}

/** A drawer from the right for help and the PDF viewer. It traps and returns the focus, and Escape closes it. */
export function SideDrawer({ opened, onClose, title, tools, width, pdf, children }: SideDrawerProps) {
  return (
    <Drawer.Root
      opened={opened}
      onClose={onClose}
      position="right"
      size={width}
      className="ek-side"
      // The drawer handles Escape itself, so that only the upper one of two drawers closes.
      closeOnEscape={false}
      onKeyDown={(event) => {
        if (!isKey(event, 'close') || event.defaultPrevented) return;
        event.stopPropagation();
        onClose();
      }}
      data-pdf={pdf === true ? '' : undefined}
    >
      <Drawer.Overlay backgroundOpacity={1} color="var(--scrim)" blur={0} />
      <Drawer.Content>
        <div className="ek-modal-head">
          <Drawer.Title component="h2" className="ek-modal-title">
            {title}
          </Drawer.Title>
          <div className="ek-modal-tools">
            {tools}
            <ActionIcon aria-label="Close" onClick={onClose}>
              <IconX {...ICON} />
            </ActionIcon>
          </div>
        </div>
        <Drawer.Body tabIndex={0}>
          <Boundary>
            <OwnLists>{children}</OwnLists>
          </Boundary>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
