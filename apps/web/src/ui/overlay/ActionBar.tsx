import './overlay.css';
import { ActionIcon, Button } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { ICON } from '../show/icons.ts';
import { ActionMenu } from './ActionMenu.tsx';
import { ConfirmDelete, type DeleteAction, FooterQuestion, useDeleteSteps } from './ConfirmDelete.tsx';
import type { MenuAction, MenuBoxProps } from './MenuBox.tsx';

export interface BarAction {
  label: string;
  onClick: () => void;
  /**
   * Whether the action is in the menu. If all actions are `quiet`, the first one is shown as a button without a border.
   */
  quiet?: boolean;
  /** Whether the action is never a button. */
  isRare?: boolean;
  disabled?: boolean;
  busy?: boolean;
  /** The question asked in place of the footer before the action runs, for example `Remove the key of Ruth?` */
  question?: string;
  /** The icon before the label. */
  icon?: ReactNode;
  /** Whether a divider comes before the action in the menu. */
  divided?: boolean;
}

export interface BarActions {
  /** The user's next step, which is the only filled button. */
  primary?: BarAction | undefined;
  /**
   * The other actions. The last one without `quiet` is the bordered button. Without a primary action, the last two are
   * bordered buttons. All other actions are in the menu.
   */
  actions?: readonly BarAction[] | undefined;
  /** Delete, with confirmation. It is last in the menu, and red. */
  remove?: DeleteAction | undefined;
}

export interface Bar {
  /** At most two buttons, the filled one last. */
  buttons: readonly BarAction[];
  primary: BarAction | undefined;
  menu: readonly BarAction[];
  remove: DeleteAction | undefined;
  onRemove: () => void;
}

const NO_ACTIONS: readonly BarAction[] = [];

/** The maximum number of buttons. */
const MOST_BUTTONS = 2;

/**
 * Splits actions into a menu and at most two buttons. `question` is the confirmation to show in place of the footer,
 * after the user selects an action that needs one.
 */
export function useBar({ primary, actions = NO_ACTIONS, remove }: BarActions): { bar: Bar; question?: ReactNode } {
  const steps = useDeleteSteps();
  const [asked, setAsked] = useState<string>();
  const bar = {
    ...split(
      actions.map((one) => asking(one, setAsked)),
      primary,
    ),
    primary,
    remove,
    onRemove: steps.ask,
  };
  if (remove !== undefined && steps.asking) {
    return { bar, question: <ConfirmDelete action={remove} onCancel={steps.cancel} /> };
  }
  const waiting = actions.find(({ label, question }) => label === asked && question !== undefined);
  if (waiting === undefined) return { bar };
  return { bar, question: <Asked action={waiting} onEnd={() => setAsked(undefined)} /> };
}

function split(actions: readonly BarAction[], primary: BarAction | undefined): Pick<Bar, 'buttons' | 'menu'> {
  const room = primary === undefined ? MOST_BUTTONS : MOST_BUTTONS - 1;
  const common = actions.filter(({ isRare }) => isRare !== true);
  const plain = common.filter(({ quiet }) => quiet !== true);
  const shown = plain.length === 0 ? common.slice(0, 1) : plain.slice(-room);
  return {
    buttons: primary === undefined ? shown : [...shown, primary],
    menu: actions.filter((action) => !shown.includes(action)),
  };
}

/** Returns an action that first asks its question, if it has one, and then runs. */
function asking(action: BarAction, ask: (label: string) => void): BarAction {
  return action.question === undefined ? action : { ...action, onClick: () => ask(action.label) };
}

function Asked({ action, onEnd }: { action: BarAction; onEnd: () => void }) {
  const go = () => {
    onEnd();
    action.onClick();
  };
  return (
    <FooterQuestion
      question={action.question ?? ''}
      stay={{ label: 'Cancel', onClick: onEnd }}
      go={{ label: action.label, onClick: go }}
    />
  );
}

/** Moves the bordered button to the menu if the bar is too narrow for two buttons. */
export function tightened(bar: Bar): Bar {
  const { buttons, menu } = bar;
  if (buttons.length < MOST_BUTTONS) return bar;
  return { ...bar, buttons: buttons.slice(1), menu: [...buttons.slice(0, 1), ...menu] };
}

/** The buttons of a bar. On a phone, they share the width. */
export function BarButtons({ bar: { buttons, primary } }: { bar: Bar }) {
  return buttons.map((action) => (
    <Button
      key={action.label}
      variant={action === primary ? 'filled' : action.quiet === true ? 'subtle' : 'default'}
      leftSection={action.icon}
      loading={action.busy === true}
      disabled={action.disabled === true}
      onClick={action.onClick}
    >
      {action.label}
    </Button>
  ));
}

interface BarMenuProps {
  bar: Bar;
  position: NonNullable<MenuBoxProps['position']>;
  /** The size of the button in px. */
  size: number;
}

/** The ⋯ menu of a bar. Delete is last and red. */
export function BarMenu({ bar: { menu, remove, onRemove }, position, size }: BarMenuProps) {
  const items: MenuAction[] = menu.map(({ label, onClick, disabled, busy, icon, divided = false }) => ({
    label,
    onClick,
    icon,
    divided,
    disabled: disabled === true || busy === true,
  }));
  if (remove !== undefined) {
    const { label = 'Delete', disabled = false } = remove;
    items.push({ label, onClick: onRemove, disabled, danger: true });
  }
  if (items.length === 0) return null;
  return (
    <ActionMenu
      position={position}
      actions={items}
      button={
        <ActionIcon variant="default" size={size} aria-label={`More: ${items.map(({ label }) => label).join(', ')}`}>
          <IconDots {...ICON} />
        </ActionIcon>
      }
    />
  );
}
