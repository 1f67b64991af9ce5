import './keys.css';
import { type ReactNode, useState } from 'react';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { AppModal } from '../../ui/overlay/AppModal.tsx';
import { CopyButton } from '../../ui/show/CopyButton.tsx';

interface ShownOnceProps {
  title: string;
  /** The noun in lowercase, for example `key`. */
  noun: string;
  /** The accessible name of the secret. */
  label: string;
  secret: string;
  /** The explanation above the secret. */
  children: ReactNode;
  warning: string;
  /** Content below the warning. */
  after?: ReactNode;
  onClose: () => void;
}

/**
 * Shows a new secret once. Done is disabled until the user confirms that the secret is stored. Closing the dialog in
 * any other way asks first.
 */
export function ShownOnce({ title, noun, label, secret, children, warning, after, onClose }: ShownOnceProps) {
  const [isStored, setStored] = useState(false);
  const question = `Close without storing the ${noun}? You can't view it again.`;
  return (
    <AppModal
      opened
      title={title}
      dirty={!isStored}
      leaving={{ question, stay: 'Keep Open', go: 'Close' }}
      onClose={onClose}
      footer={{
        total: <CheckField label={`I have stored the ${noun}`} value={isStored} onChange={setStored} />,
        primary: { label: 'Done', onClick: onClose, disabled: !isStored },
      }}
    >
      <div className="ek-stack">
        {children}
        <div className="ky-box">
          <code className="ky-code" aria-label={label}>
            {secret}
          </code>
          <CopyButton label="Copy" text={secret} />
        </div>
        <InlineAlert kind="Warning">{warning}</InlineAlert>
        {after}
      </div>
    </AppModal>
  );
}
