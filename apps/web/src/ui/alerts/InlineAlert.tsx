import type { ReactNode } from 'react';
import { AlertBox } from './AlertBox.tsx';
import type { AlertKind } from './store.ts';

export interface InlineAlertProps {
  kind: AlertKind;
  children: ReactNode;
  action?: { label: string; run: () => void } | undefined;
  onClose?: (() => void) | undefined;
}

/** A message that stays next to its cause. Errors are announced immediately, other messages politely. */
export function InlineAlert(props: InlineAlertProps) {
  return (
    <div role={props.kind === 'Error' ? 'alert' : 'status'}>
      <AlertBox {...props} />
    </div>
  );
}
