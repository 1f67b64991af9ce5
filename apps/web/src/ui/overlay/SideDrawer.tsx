import '../theme/overlayStyles.ts';
import './overlay.css';
import { ActionIcon, Drawer } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Boundary } from '../lazy/Boundary.tsx';
import { ICON } from '../show/icons.ts';
import { isKey } from '../keys/keys.ts';

export interface SideDrawerProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  tools?: ReactNode;
  /** px. */
  width: number;
  /** The sunken ground of a PDF. */
  pdf?: boolean;
  children: ReactNode;
}

/** A drawer from the right: help and the PDF viewer. Focus is trapped and returned; Escape closes. */
export function SideDrawer({ opened, onClose, title, tools, width, pdf, children }: SideDrawerProps) {
  return (
    <Drawer.Root
      opened={opened}
      onClose={onClose}
      position="right"
      size={width}
      className="ek-side"
      // By the drawer itself: of two over one another Escape closes the upper one alone.
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
          <Boundary>{children}</Boundary>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
