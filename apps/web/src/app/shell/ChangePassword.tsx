import '../../ui/theme/fieldStyles.ts';
import { authCalls } from '@evenkeel/contract/auth';
import { checkNewPassword, passwordStrength } from '@evenkeel/core/registration';
import { useState } from 'react';
import { ask, messageOf, useRead } from '../../client/api.ts';
import { ApiError, call } from '../../client/transport.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { AppModal } from '../../ui/overlay/AppModal.tsx';

export interface ChangePasswordProps {
  /** The user's address and company: neither may be the password. */
  email: string;
  company: string;
  onClose: () => void;
}

const EMPTY = { currentPassword: '', password: '', confirmPassword: '' };

/** A new password for whoever is signed in; every other device is signed out. */
export function ChangePassword({ email, company, onClose }: ChangePasswordProps) {
  const alerts = useAlerts();
  const [form, setForm] = useState(EMPTY);
  const [fields, setFields] = useState<Record<string, string>>({});
  const [isBusy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string>();
  const passwordMin = useRead(ask(authCalls.installation, {})).value?.passwordMin ?? 6;
  const field = (name: keyof typeof EMPTY) => ({
    kind: 'password' as const,
    value: form[name],
    error: fields[name],
    onChange: (value: string) => setForm((now) => ({ ...now, [name]: value })),
    required: true,
  });

  const save = async () => {
    const wrong = {
      ...(form.currentPassword === '' ? { currentPassword: 'Current Password is required' } : {}),
      ...checkNewPassword(form.password, form.confirmPassword, passwordMin, [email, company]),
    };
    setFields(wrong);
    setFailed(undefined);
    if (Object.keys(wrong).length > 0) return;
    setBusy(true);
    try {
      await call(authCalls.changePassword, { body: form });
      alerts.success('Password changed; your other devices were signed out');
      onClose();
    } catch (error) {
      const told = error instanceof ApiError ? error.fields : {};
      setFields(told);
      if (Object.keys(told).length === 0) setFailed(messageOf(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <AppModal
      opened
      onClose={onClose}
      title="Change Password"
      size="sm"
      dirty={Object.values(form).some((value) => value !== '')}
      footer={{
        primary: { label: 'Change Password', onClick: () => void save(), busy: isBusy },
        actions: [{ label: 'Cancel', onClick: onClose }],
        error: failed,
      }}
    >
      <div className="ek-stack">
        <TextField label="Current Password" autoComplete="current-password" autoFocus {...field('currentPassword')} />
        <TextField
          label="New Password"
          autoComplete="new-password"
          hint={
            form.password === ''
              ? `At least ${passwordMin} characters; a few words make a good one`
              : `Strength: ${passwordStrength(form.password)}`
          }
          {...field('password')}
        />
        <TextField label="Confirm Password" autoComplete="new-password" {...field('confirmPassword')} />
      </div>
    </AppModal>
  );
}
