import '../theme/overlayStyles.ts';
import { Popover } from '@mantine/core';
import { cloneElement, type ReactNode, useEffect, useRef } from 'react';
import type { OpenerButton } from '../lazy/Opener.tsx';

export interface FieldsPopoverProps {
  label: string;
  opened: boolean;
  onChange: (opened: boolean) => void;
  /** The button that opens the popover. */
  button: OpenerButton;
  children: ReactNode;
}

/** The lists and calendars of the fields in a popover, which are elsewhere in the document. */
const OF_FIELDS = '.mantine-Combobox-dropdown, .mantine-Popover-dropdown';

/**
 * A popover with fields. A click outside closes it after the field has lost the focus, so that a typed value isn't
 * lost. A click in a field's own list or calendar doesn't close it.
 */
export function FieldsPopover({ label, opened, onChange, button, children }: FieldsPopoverProps) {
  const target = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!opened) return undefined;
    const close = ({ target: clicked }: MouseEvent) => {
      const isInside = clicked instanceof Element && clicked.closest(OF_FIELDS) !== null;
      if (!isInside && !(clicked instanceof Node && target.current?.contains(clicked))) onChange(false);
    };
    document.addEventListener('click', close);
    return () => document.removeEventListener('click', close);
  }, [opened, onChange]);
  return (
    <Popover
      opened={opened}
      onChange={onChange}
      closeOnClickOutside={false}
      position="bottom-start"
      trapFocus
      returnFocus
    >
      <Popover.Target>{cloneElement(button, { ref: target, onClick: () => onChange(!opened) })}</Popover.Target>
      <Popover.Dropdown aria-label={label}>{children}</Popover.Dropdown>
    </Popover>
  );
}
