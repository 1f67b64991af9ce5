import './account.css';
import { accountCalls } from '@evenkeel/contract/account';
import { Button } from '@mantine/core';
import { updateSession } from '../../client/session.ts';
import { call } from '../../client/transport.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { type Has, makePasskey, proofLabels, proofOf } from '../../client/passkeys.ts';
import { passkeyHint, ProofFields } from './Proof.tsx';
import { SecretFields } from './SecretFields.tsx';
import { required, useSecretForm } from '../../records/secretForm.ts';

export interface PasskeySetupProps {
  has: Has;
  /** The initial name of the passkey. */
  device: string;
  onDone: () => void;
  onCancel: () => void;
}

/** Adds a passkey. Asks for its name and the password, and then for the passkey in the browser. */
export function PasskeySetup({ has, device, onDone, onCancel }: PasskeySetupProps) {
  const alerts = useAlerts();
  const form = useSecretForm({
    blank: { name: device, password: '', code: '' },
    check: (values) => required(values, { name: 'Name', ...proofLabels(has) }),
    send: async ({ name, ...typed }) => {
      const asked = await call(accountCalls.beginPasskey, { body: await proofOf(has, typed) });
      await call(accountCalls.addPasskey, { body: { name, passkey: await makePasskey(asked) } });
      updateSession({ secondFactorMissing: false });
      alerts.success(`You can now sign in with ${name.trim()}. You were signed out on your other devices.`);
      onDone();
    },
  });
  const hint = passkeyHint(has);
  return (
    <SecretFields form={form}>
      <div className="ac-two">
        <TextField
          label="Name"
          hint="A name that helps you recognize the device or key"
          maxLength={100}
          autoFocus
          {...form.bind('name')}
        />
        <ProofFields form={form} has={has} id="passkey-password" />
      </div>
      {hint !== undefined && <p className="ek-second">{hint}</p>}
      <div className="ac-foot">
        <Button variant="subtle" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={form.isBusy}>
          Add Passkey
        </Button>
      </div>
    </SecretFields>
  );
}
