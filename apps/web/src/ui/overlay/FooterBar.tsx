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
  /** Quiet ones stand left of bordered ones. */
  quiet?: boolean;
  disabled?: boolean;
  busy?: boolean;
  /** `Remove the key of Ruth?` Asked in the footer's place before it is done. */
  question?: string;
}

export interface FooterBarProps {
  /** The one filled button. */
  primary?: FooterAction | undefined;
  /** The others; on a phone behind a button with three dots. Without a primary the last one stays beside it. */
  actions?: readonly FooterAction[];
  /** Delete at the far left, in two steps. */
  remove?: DeleteAction | undefined;
  /** At the left: a sum, a hint. On a phone above the buttons. */
  total?: ReactNode;
  /** An error that stays beside the button that caused it. */
  error?: ReactNode;
}

/** The last of more quiet actions than these stand behind a button with three dots. */
const MOST_QUIET = 3;

const NO_ACTIONS: readonly FooterAction[] = [];

/** The footer of a modal or panel: Delete far left, quiet, bordered, primary at the right. */
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
  // Beside a list there is room for two rows: what is rarely done gives way.
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

/** An action with a question opens it first. */
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
  /** Takes the width of a phone. */
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
  /** px; by default that of a phone's footer. */
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
