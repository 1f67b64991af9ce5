import type { Account } from '@evenkeel/contract/account';
import { authCalls } from '@evenkeel/contract/auth';
import { checkNewPassword, passwordStrength } from '@evenkeel/core/registration';
import { Button } from '@mantine/core';
import { ask, useRead } from '../../client/api.ts';
import { call } from '../../client/transport.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { Card } from '../../ui/show/Card.tsx';
import { SecretFields } from './SecretFields.tsx';
import { required, useSecretForm } from '../../records/secretForm.ts';

export interface PasswordCardProps {
  account: Pick<Account, 'email' | 'passwordChangedAt' | 'sessions'>;
  company: string;
}

const BLANK = { currentPassword: '', password: '', confirmPassword: '' };

/**
 * Changes the user's password, which can't equal the email address or the company name. The user's other devices are
 * signed out.
 */
export function PasswordCard({ account, company }: PasswordCardProps) {
  const { email, passwordChangedAt } = account;
  const alerts = useAlerts();
  const passwordMin = useRead(ask(authCalls.installation, {})).value?.passwordMin ?? 6;
  const form = useSecretForm({
    blank: BLANK,
    check: (values) => ({
      ...required(values, { currentPassword: 'Current Password' }),
      ...checkNewPassword(values.password, values.confirmPassword, passwordMin, [email, company]),
    }),
    send: async (body) => {
      await call(authCalls.changePassword, { body });
      alerts.success('Password changed. You were signed out on your other devices.');
    },
  });
  const { password } = form.values;
  const hint =
    password === ''
      ? `At least ${passwordMin} characters. A few words make a good password.`
      : `Strength: ${passwordStrength(password)}`;
  const secret = { kind: 'password', autoComplete: 'new-password' } as const;
  return (
    <Card title="Password" actions={passwordChangedAt !== null && <Changed at={passwordChangedAt} />}>
      <SecretFields form={form}>
        <TextField
          label="Current Password"
          kind="password"
          autoComplete="current-password"
          {...form.bind('currentPassword')}
        />
        <div className="ac-two">
          <TextField label="New Password" hint={hint} {...secret} {...form.bind('password')} />
          <TextField label="Confirm Password" {...secret} {...form.bind('confirmPassword')} />
        </div>
        <div className="ac-acts">
          <Button type="submit" variant="default" loading={form.isBusy}>
            Change Password
          </Button>
          <span className="ek-second">{endingOf(account.sessions.length - 1)}</span>
        </div>
      </SecretFields>
    </Card>
  );
}

function Changed({ at }: { at: string }) {
  return (
    <span className="ek-second">
      Changed <MomentText value={at} />
    </span>
  );
}

function endingOf(others: number): string {
  if (others < 1) return "You aren't signed in on any other device.";
  return others === 1 ? 'Signs you out of your other session.' : `Signs you out of your ${others} other sessions.`;
}
