import { Button } from '@mantine/core';
import { authCalls } from '@evenkeel/contract/auth';
import { checkNewPassword } from '@evenkeel/core/registration';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { ApiError, endSession, messageOf, useWrite } from '../api.ts';
import { TextField } from '../ui/fields/TextField.tsx';
import { LinkFailed, PublicFrame, useInstallation } from './PublicFrame.tsx';
import { NewPassword } from './Register.tsx';

/** A new password by the mailed link; the link is asked first, so that nobody types for nothing. */
export function ResetPassword() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const [token, email] = [query.get('token') ?? '', query.get('email') ?? ''];
  const installation = useInstallation();
  const link = useLinkCheck(token, email);
  const reset = useWrite(authCalls.resetPassword);
  const [form, setForm] = useState({ password: '', confirmPassword: '' });
  const [fields, setFields] = useState<Record<string, string>>({});
  const passwordMin = installation?.passwordMin ?? 6;

  const submit = async () => {
    const wrong = checkNewPassword(form.password, form.confirmPassword, passwordMin);
    setFields(wrong);
    if (Object.keys(wrong).length > 0) return;
    try {
      await reset.mutateAsync({ body: { token, email, ...form } });
      endSession();
      const state = { notice: 'Password reset successful, you can now login' };
      await navigate('/login', { replace: true, state });
    } catch (error) {
      if (error instanceof ApiError) setFields(error.fields);
    }
  };

  if (link.isError) {
    return (
      <PublicFrame title="Reset your password" error={messageOf(link.error)}>
        <LinkFailed action="Send a new link" />
      </PublicFrame>
    );
  }
  return (
    <PublicFrame
      title="Reset your password"
      error={reset.isError ? messageOf(reset.error) : null}
      onSubmit={() => void submit()}
    >
      <TextField label="Email" kind="email" autoComplete="username" readOnly value={email} onChange={() => undefined} />
      <NewPassword
        form={form}
        fields={fields}
        passwordMin={passwordMin}
        onChange={(change) => setForm({ ...form, ...change })}
      />
      <Button type="submit" size="md" loading={reset.isPending}>
        Reset Password
      </Button>
    </PublicFrame>
  );
}

function useLinkCheck(token: string, email: string) {
  const check = useWrite(authCalls.validateResetToken);
  const isSent = useRef(false);
  const { mutate } = check;
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    mutate({ body: { token, email } });
  }, [mutate, token, email]);
  return check;
}
