import { IconDots, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ActionMenu } from '../overlay/ActionMenu.tsx';
import { ICON } from '../show/icons.ts';

interface FabAction {
  label: string;
  onClick: () => void;
  disabled?: boolean;
  /** The icon before the label. Defaults to a plus sign. */
  icon?: ReactNode;
}

export interface FabProps {
  primary?: FabAction | { label: string; menu: readonly FabAction[] } | undefined;
  /** The actions after the primary one. */
  menu?: readonly FabAction[] | undefined;
  /**
   * Whether the button is out of view, which is the case while the page scrolls down. Focusing the button brings it
   * back.
   */
  away: boolean;
}

/**
 * The floating action button. It is the page's primary action, a menu that starts with that action, or only the menu.
 */
export function Fab({ primary, menu, away }: FabProps) {
  const mark = away ? '' : undefined;
  const first = primary === undefined ? [] : 'menu' in primary ? primary.menu : [primary];
  if (menu === undefined && primary !== undefined && !('menu' in primary)) {
    const { label, onClick, disabled = false, icon = <IconPlus {...ICON} /> } = primary;
    return (
      <button type="button" className="ek-fab" data-away={mark} disabled={disabled} onClick={onClick}>
        {icon}
        {label}
      </button>
    );
  }
  const Icon = primary === undefined ? IconDots : IconPlus;
  return (
    <ActionMenu
      position="top-end"
      actions={[...first, ...(menu ?? [])]}
      button={
        <button type="button" className="ek-fab" data-away={mark}>
          <Icon {...ICON} />
          {primary?.label ?? 'More'}
        </button>
      }
    />
  );
}
