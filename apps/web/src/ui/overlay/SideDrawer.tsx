import '../theme/overlayStyles.ts';
import './overlay.css';
import { ActionIcon, Drawer } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type ReactNode, useLayoutEffect } from 'react';
import { useWide } from '../hooks/media.ts';
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
  /**
   * Whether the drawer moves the page to the left instead of covering it, if the window is wide enough. The page can
   * then still be used.
   */
  pushes?: boolean;
  children: ReactNode;
}

/**
 * A drawer from the right for help and the PDF viewer. It returns the focus, and Escape closes it. If it covers the
 * page, it traps the focus.
 */
export function SideDrawer({ opened, onClose, title, tools, width, pdf, pushes = false, children }: SideDrawerProps) {
  const isBeside = useWide() && pushes;
  usePushed(opened && isBeside ? width : 0);
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
      data-beside={isBeside ? '' : undefined}
      {...(isBeside && { trapFocus: false, lockScroll: false, closeOnClickOutside: false })}
    >
      {!isBeside && <Drawer.Overlay backgroundOpacity={1} color="var(--scrim)" blur={0} />}
      <Drawer.Content {...(isBeside && { 'aria-modal': false })}>
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

/** Leaves this width in px free on the right side of the app frame (frame.css). */
function usePushed(width: number): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    if (width === 0) return undefined;
    style.setProperty('--pushed', `${width}px`);
    return () => void style.removeProperty('--pushed');
  }, [width]);
}
