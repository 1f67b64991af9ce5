import './alerts.css';
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ICON, ICON_SMALL } from '../show/icons.ts';
import type { AlertKind } from './store.ts';

const GLYPHS = {
  Success: IconCheck,
  Error: IconAlertTriangle,
  Info: IconInfoCircle,
  Warning: IconAlertTriangle,
} as const;

export interface AlertBoxProps {
  kind: AlertKind;
  children: ReactNode;
  action?: { label: string; run: () => void } | undefined;
  onClose?: (() => void) | undefined;
  leaving?: boolean;
  aside?: ReactNode;
}

/**
 * The colored box of an alert with an icon, text, one action, and a close button. Screen readers also announce the
 * alert's kind.
 */
export function AlertBox({ kind, children, action, onClose, leaving, aside }: AlertBoxProps) {
  const Glyph = GLYPHS[kind];
  return (
    <div className="ek-alert" data-kind={kind} data-leaving={leaving === true ? '' : undefined}>
      <Glyph {...ICON} />
      <div className="ek-alert-text">
        <span className="ek-vh">{kind}: </span>
        {children}
      </div>
      {action !== undefined && (
        <button type="button" className="ek-alert-action" onClick={action.run}>
          {action.label}
        </button>
      )}
      {aside}
      {onClose !== undefined && (
        <button type="button" className="ek-alert-close" aria-label="Close alert" onClick={onClose}>
          <IconX {...ICON_SMALL} />
        </button>
      )}
    </div>
  );
}
