import { type Account, accountCalls } from '@evenkeel/contract/account';
import { checkEmail } from '@evenkeel/core/registration';
import { Button } from '@mantine/core';
import { messageOf, useWrite } from '../../client/api.ts';
import { call } from '../../client/transport.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { Card } from '../../ui/show/Card.tsx';
import { type Has, proofLabels, proofOf } from '../../client/passkeys.ts';
import { ProofFields } from './Proof.tsx';
import { SecretFields } from './SecretFields.tsx';
import { required, useSecretForm } from '../../records/secretForm.ts';

/** Changes the email address. The new address takes effect when the user opens the link sent to it. */
export function EmailCard({ account, has }: { account: Pick<Account, 'email' | 'newEmail'>; has: Has }) {
  const { email, newEmail } = account;
  const form = useSecretForm({
    blank: { email: '', password: '', code: '' },
    check: (values) => ({ ...checkEmail(values.email), ...required(values, proofLabels(has)) }),
    send: async ({ email: to, ...typed }) =>
      call(accountCalls.changeEmail, { body: { email: to, ...(await proofOf(has, typed)) } }),
  });
  return (
    <Card title="E-mail">
      <p className="ek-second">{email} is the email address you sign in with.</p>
      {newEmail !== null && <Waiting newEmail={newEmail} email={email} />}
      <SecretFields form={form}>
        <div className="ac-two">
          <TextField label="New Email" kind="email" autoComplete="email" maxLength={254} {...form.bind('email')} />
          <ProofFields form={form} has={has} id="email-password" />
        </div>
        <div className="ac-acts">
          <Button type="submit" variant="default" loading={form.isBusy}>
            Change Email
          </Button>
          <span className="ek-second">We'll send a link to the new address.</span>
        </div>
      </SecretFields>
    </Card>
  );
}

function Waiting({ newEmail, email }: { newEmail: string; email: string }) {
  const alerts = useAlerts();
  const keep = useWrite(accountCalls.keepEmail);
  const run = async () => {
    try {
      await keep.mutateAsync({});
    } catch (error) {
      alerts.error(messageOf(error));
    }
  };
  return (
    <InlineAlert kind="Info" action={{ label: `Keep ${email}`, run: () => void run() }}>
      {`We sent a link to ${newEmail}. Open it within 60 minutes to confirm the change. After that, ` +
        'you sign in with the new address.'}
    </InlineAlert>
  );
}
