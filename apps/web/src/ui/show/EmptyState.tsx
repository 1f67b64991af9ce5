import './show.css';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconInbox, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ICON, ICON_SMALL } from './icons.ts';

export interface EmptyStateProps {
  title: string;
  /** The next step for the user. */
  hint?: ReactNode;
  icon?: ReactNode;
  /** The buttons. */
  action?: ReactNode;
  /** Whether this is the only content on the page. */
  isPage?: boolean;
}

/** An empty state: what is missing, what to do next, and a button. */
export function EmptyState({ title, hint, icon, action, isPage = false }: EmptyStateProps) {
  const Title = isPage ? 'h1' : 'h2';
  return (
    <div className="ek-empty">
      <span className="ek-empty-icon">{icon ?? <IconInbox {...ICON} />}</span>
      <Title>{title}</Title>
      {hint !== undefined && <p className="ek-second">{hint}</p>}
      {action !== undefined && <div className="ek-empty-actions">{action}</div>}
    </div>
  );
}

export interface ErrorStateProps {
  /** Shown as `Error! {message}`. */
  message: string;
  onRetry?: (() => void) | undefined;
}

/** The error for a list or panel that could not be loaded, with Retry, shown in its place. */
export function ErrorState({ message, onRetry }: ErrorStateProps) {
  return (
    <div className="ek-empty" data-error="" role="alert">
      <span className="ek-empty-icon">
        <IconAlertTriangle {...ICON} />
      </span>
      <h2>Error! {message}</h2>
      {onRetry !== undefined && (
        <div className="ek-empty-actions">
          <Button variant="default" leftSection={<IconRefresh {...ICON_SMALL} />} onClick={onRetry}>
            Retry
          </Button>
        </div>
      )}
    </div>
  );
}
