import './keys.css';
import { useState } from 'react';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { AppModal } from '../../ui/overlay/AppModal.tsx';
import { CopyButton } from '../../ui/show/CopyButton.tsx';
import type { MadeKey } from './KeyModal.tsx';

const LEAVING = {
  question: 'Close without storing the key? It is never shown again.',
  stay: 'Keep Open',
  go: 'Close',
};

/** Shows a new key once. Done is off until the user confirms that the key is stored. Closing otherwise asks first. */
export function NewKey({ made: { key, record }, onClose }: { made: MadeKey; onClose: () => void }) {
  const [isStored, setStored] = useState(false);
  const example = `curl ${window.location.origin}/api/customer \\\n  -H "Authorization: Bearer $EVENKEEL_KEY"`;
  return (
    <AppModal
      opened
      title="Copy Your API Key"
      dirty={!isStored}
      leaving={LEAVING}
      onClose={onClose}
      footer={{
        total: <CheckField label="I have stored the key" value={isStored} onChange={setStored} />,
        primary: { label: 'Done', onClick: onClose, disabled: !isStored },
      }}
    >
      <div className="ek-stack">
        <p>
          This is the only time the key <b>{record.name}</b> is shown. Evenkeel stores only a hash of it.
        </p>
        <div className="ky-box">
          <code className="ky-code" aria-label="API key">
            {key}
          </code>
          <CopyButton label="Copy" text={key} />
        </div>
        <InlineAlert kind="Warning">
          Store it in your password manager or secret store. If you lose it, create a new key and revoke this one.
        </InlineAlert>
        <section>
          <h3>Try It</h3>
          <pre className="ky-box ky-code">{example}</pre>
        </section>
      </div>
    </AppModal>
  );
}
