import '../theme/overlayStyles.ts';
import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { type OpenerButton, useOpenAtOnce } from '../lazy/Opener.tsx';

export interface MenuAction {
  label: string;
  onClick: () => void;
  disabled?: boolean;
  /** Instead of the label. */
  content?: ReactNode;
  /** The one that is shown now, e.g. the open tab. */
  current?: boolean;
  /** Takes something away. */
  danger?: boolean;
  /** A line before it. */
  divided?: boolean;
}

export interface MenuBoxProps {
  actions: readonly MenuAction[];
  position?: 'bottom' | 'bottom-end' | 'top-start' | 'top-end';
  /** As wide as its button. */
  wide?: boolean;
}

/** The open part of an ActionMenu, in a chunk of its own. */
export function MenuBox({
  actions,
  position = 'bottom-end',
  wide = false,
  ...props
}: MenuBoxProps & { button: OpenerButton }) {
  const { opened, onChange, button } = useOpenAtOnce(props.button);
  return (
    <Menu position={position} {...(wide ? { width: 'target' } : {})} opened={opened} onChange={onChange}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {actions.flatMap((action) => [
          action.divided === true && <Menu.Divider key={`before ${action.label}`} />,
          <Menu.Item
            key={action.label}
            disabled={action.disabled === true}
            aria-current={action.current === true ? 'true' : undefined}
            {...(action.danger === true ? { color: 'var(--bad-text)' } : {})}
            onClick={action.onClick}
          >
            {action.content ?? action.label}
          </Menu.Item>,
        ])}
      </Menu.Dropdown>
    </Menu>
  );
}
