import { ActionIcon, Button } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useNarrow } from '../hooks/media.ts';
import { ICON } from '../show/icons.ts';
import { ActionMenu } from './ActionMenu.tsx';
import { ConfirmDelete, type DeleteAction, FooterQuestion, useDeleteSteps } from './ConfirmDelete.tsx';
import type { MenuAction } from './MenuBox.tsx';

export interface FooterAction {
  label: string;
  onClick: () => void;
  /** Quiet actions have no border and come before bordered ones. */
  quiet?: boolean;
  disabled?: boolean;
  busy?: boolean;
  /** The question asked in place of the footer before the action runs, for example `Remove the key of Ruth?` */
  question?: string;
}

export interface FooterBarProps {
  /** The only filled button. */
  primary?: FooterAction | undefined;
  /** The other actions. On a phone, they are in a menu. Without a primary action, the last of them stays visible. */
  actions?: readonly FooterAction[];
  /** Delete on the far left, with confirmation. */
  remove?: DeleteAction | undefined;
  /** A total or hint on the left, or above the buttons on a phone. */
  total?: ReactNode;
  /** An error that stays next to the button that caused it. */
  error?: ReactNode;
}

/** The maximum number of quiet actions. The remaining actions are in a menu. */
const MOST_QUIET = 3;

const NO_ACTIONS: readonly FooterAction[] = [];

/**
 * The footer of a modal or panel: Delete on the far left, then quiet and bordered actions, and the primary action on
 * the right.
 */
export function FooterBar({ primary, actions = NO_ACTIONS, remove, total, error }: FooterBarProps) {
  const narrow = useNarrow();
  const steps = useDeleteSteps();
  const [asked, setAsked] = useState<string>();
  if (remove !== undefined && steps.asking) return <ConfirmDelete action={remove} onCancel={steps.cancel} />;
  const waiting = actions.find(({ label, question }) => label === asked && question !== undefined);
  if (waiting !== undefined) return <Asked action={waiting} onEnd={() => setAsked(undefined)} />;
  const ordered = actions
    .map((action) => asking(action, setAsked))
    .toSorted((a, b) => Number(b.quiet === true) - Number(a.quiet === true));
  const main = primary ?? (narrow ? ordered.pop() : undefined);
  // A panel next to a list has space for two rows, so less common actions move to the menu.
  const rare = narrow ? [] : ordered.filter(({ quiet }) => quiet === true).slice(MOST_QUIET - 1);
  const few = rare.length > 1 ? ordered.filter((action) => !rare.includes(action)) : ordered;
  const inMenu = narrow && main !== undefined && ordered.length + Number(remove !== undefined) > 1;
  return (
    <div className="ek-foot">
      {error !== undefined && error !== null && <div className="ek-foot-error">{error}</div>}
      {total !== undefined && <div className="ek-foot-total">{total}</div>}
      {inMenu && <MoreActions actions={ordered} remove={remove} onRemove={steps.ask} />}
      {!inMenu && remove !== undefined && (
        <Button variant="subtle" className="ek-btn-delete" disabled={remove.disabled === true} onClick={steps.ask}>
          {remove.label ?? 'Delete'}
        </Button>
      )}
      {!narrow && <span className="ek-foot-space" />}
      {few.length < ordered.length && <MoreActions actions={rare} size={36} />}
      {!inMenu && few.map((action) => <ActionButton key={action.label} action={action} />)}
      {main !== undefined && <ActionButton action={main} main filled={main === primary} />}
    </div>
  );
}

/** Returns an action that asks its question before it runs, if it has a question. */
function asking(action: FooterAction, ask: (label: string) => void): FooterAction {
  return action.question === undefined ? action : { ...action, onClick: () => ask(action.label) };
}

function Asked({ action, onEnd }: { action: FooterAction; onEnd: () => void }) {
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

interface ActionButtonProps {
  action: FooterAction;
  /** Whether the button takes the full width on a phone. */
  main?: boolean;
  filled?: boolean;
}

function ActionButton({ action, main = false, filled = false }: ActionButtonProps) {
  const variant = filled ? 'filled' : action.quiet === true ? 'subtle' : 'default';
  return (
    <Button
      variant={variant}
      data-main={main ? '' : undefined}
      loading={action.busy === true}
      disabled={action.disabled === true}
      onClick={action.onClick}
    >
      {action.label}
    </Button>
  );
}

interface MoreActionsProps {
  actions: readonly FooterAction[];
  remove?: DeleteAction | undefined;
  onRemove?: () => void;
  /** The button size in px. The default is the size in a phone's footer. */
  size?: number;
}

function MoreActions({ actions, remove, onRemove, size = 48 }: MoreActionsProps) {
  const labels = [
    ...actions.map((action) => action.label),
    ...(remove === undefined ? [] : [remove.label ?? 'Delete']),
  ];
  const items: MenuAction[] = actions.map(({ label, onClick, disabled, busy }) => ({
    label,
    onClick,
    disabled: disabled === true || busy === true,
  }));
  if (remove !== undefined && onRemove !== undefined) {
    items.push({ label: labels.at(-1) ?? '', onClick: onRemove, disabled: remove.disabled === true, danger: true });
  }
  return (
    <ActionMenu
      position="top-start"
      actions={items}
      button={
        <ActionIcon variant="default" size={size} aria-label={`More: ${labels.join(', ')}`}>
          <IconDots {...ICON} />
        </ActionIcon>
      }
    />
  );
}
