import type { MadeKey } from './KeyModal.tsx';
import { ShownOnce } from './ShownOnce.tsx';

/** Shows a new API key once, with an example of its use. */
export function NewKey({ made: { key, record }, onClose }: { made: MadeKey; onClose: () => void }) {
  const example = `curl ${window.location.origin}/api/customer \\\n  -H "Authorization: Bearer $EVENKEEL_KEY"`;
  return (
    <ShownOnce
      title="Copy Your API Key"
      noun="key"
      label="API key"
      secret={key}
      warning="Store the key in a password manager or secret store. If you lose it, revoke it and create a new one."
      after={
        <section>
          <h3>Try It</h3>
          <pre className="ky-box ky-code">{example}</pre>
        </section>
      }
      onClose={onClose}
    >
      <p>
        This is the only time the key <b>{record.name}</b> is shown. Evenkeel stores only a hash of it.
      </p>
    </ShownOnce>
  );
}
