import { IconPlus } from '@tabler/icons-react';
import { ActionMenu } from '../overlay/ActionMenu.tsx';
import { ICON } from '../show/icons.ts';

interface FabAction {
  label: string;
  onClick: () => void;
  disabled?: boolean;
}

export interface FabProps {
  primary: FabAction;
  menu?: readonly FabAction[] | undefined;
  /** Slides out of the way (while scrolling down); focus brings it back. */
  away: boolean;
}

/** The floating action button: the page's primary action, or a menu that starts with it. */
export function Fab({ primary, menu, away }: FabProps) {
  const mark = away ? '' : undefined;
  if (menu === undefined) {
    return (
      <button
        type="button"
        className="ek-fab"
        data-away={mark}
        disabled={primary.disabled === true}
        onClick={primary.onClick}
      >
        <IconPlus {...ICON} />
        {primary.label}
      </button>
    );
  }
  return (
    <ActionMenu
      position="top-end"
      actions={[primary, ...menu]}
      button={
        <button type="button" className="ek-fab" data-away={mark}>
          <IconPlus {...ICON} />
          {primary.label}
        </button>
      }
    />
  );
}
