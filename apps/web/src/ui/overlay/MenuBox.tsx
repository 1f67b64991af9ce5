import '../theme/overlayStyles.ts';
import { Menu } from '@mantine/core';
import type { KeyboardEvent, ReactNode } from 'react';
import { isKey } from '../keys/keys.ts';
import { type OpenerButton, useOpenAtOnce } from '../lazy/Opener.tsx';

export interface MenuAction {
  label: string;
  onClick: () => void;
  disabled?: boolean;
  /** Shown instead of the label. */
  content?: ReactNode;
  /** The icon before the label. */
  icon?: ReactNode;
  /** Whether the item is the current one, for example the open tab. */
  current?: boolean;
  /** Whether the action is destructive. */
  danger?: boolean;
  /** Whether a divider comes before the item. */
  divided?: boolean;
  /** The letter that selects the item while the menu is open. It is shown at the end of the item. */
  letter?: string;
}

export interface MenuBoxProps {
  actions: readonly MenuAction[];
  position?: 'bottom' | 'bottom-end' | 'top-start' | 'top-end';
  /** Whether the menu is as wide as its button. */
  wide?: boolean;
}

/** The content of an ActionMenu, loaded as a separate chunk. */
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
      <Menu.Dropdown
        onKeyDown={(event) => {
          // Escape has closed the menu, and must not also close the panel around it.
          if (isKey(event, 'close')) event.stopPropagation();
          selectByLetter(event, actions, () => onChange(false));
        }}
      >
        {actions.flatMap((action) => [
          action.divided === true && <Menu.Divider key={`before ${action.label}`} />,
          <Menu.Item
            key={action.label}
            disabled={action.disabled === true}
            leftSection={action.icon}
            aria-current={action.current === true ? 'true' : undefined}
            {...(action.danger === true ? { color: 'var(--bad-text)' } : {})}
            {...(action.letter === undefined
              ? {}
              : { 'aria-keyshortcuts': action.letter, rightSection: <Letter text={action.letter} /> })}
            onClick={action.onClick}
          >
            {action.content ?? action.label}
          </Menu.Item>,
        ])}
      </Menu.Dropdown>
    </Menu>
  );
}

function Letter({ text }: { text: string }) {
  return (
    <kbd className="ek-key" aria-hidden="true">
      {text}
    </kbd>
  );
}

/** Selects the action with the pressed letter. */
function selectByLetter(event: KeyboardEvent, actions: readonly MenuAction[], close: () => void): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const action = actions.find(({ letter, disabled }) => disabled !== true && letter === event.key.toLowerCase());
  if (action === undefined) return;
  event.preventDefault();
  close();
  action.onClick();
}
