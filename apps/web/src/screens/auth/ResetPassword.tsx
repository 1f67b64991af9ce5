import { Button } from '@mantine/core';
import { authCalls } from '@evenkeel/contract/auth';
import { checkNewPassword } from '@evenkeel/core/registration';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { messageOf, useWrite } from '../../client/api.ts';
import { ApiError, endSession } from '../../client/transport.ts';
import { TextField } from '../../ui/fields/TextField.tsx';
import { CodeField } from './CodeField.tsx';
import { asksOf } from './Login.tsx';
import { answerPasskey, type Has } from '../../client/passkeys.ts';
import { LinkFailed, PublicFrame, useInstallation } from './PublicFrame.tsx';
import { NewPassword } from './Register.tsx';

/**
 * Sets a new password with the emailed link. The link is checked first, so that users don't enter a password for an
 * invalid link.
 */
export function ResetPassword() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const [token, email] = [query.get('token') ?? '', query.get('email') ?? ''];
  const installation = useInstallation();
  const link = useLinkCheck(token, email);
  const reset = useWrite(authCalls.resetPassword);
  const [form, setForm] = useState({ password: '', confirmPassword: '' });
  const [code, setCode] = useState('');
  const [asks, setAsks] = useState<Has>();
  const [failed, setFailed] = useState<string>();
  const [fields, setFields] = useState<Record<string, string>>({});
  const passwordMin = installation?.passwordMin ?? 6;

  const [isSubmitting, setSubmitting] = useState(false);

  const submit = async (isByPasskey = false) => {
    if (isSubmitting) return;
    const wrong = checkNewPassword(form.password, form.confirmPassword, passwordMin, [email]);
    setFields(wrong);
    setFailed(undefined);
    if (Object.keys(wrong).length > 0) return;
    setSubmitting(true);
    try {
      // A later check would find that the link has been used, and would report this to the user who has just used it.
      if (!(await link.holds())) return;
      const proof = isByPasskey ? { passkey: await answerPasskey('prove') } : { code };
      await reset.mutateAsync({ body: { token, email, ...form, ...proof } });
      endSession();
      const state = { notice: 'Password reset successful, you can now login' };
      await navigate('/login', { replace: true, state });
    } catch (error) {
      if (!(error instanceof ApiError)) return setFailed(messageOf(error));
      if (error.body.code === 'code_required' && asks === undefined) setAsks(asksOf(error));
      setFields(error.fields);
    } finally {
      setSubmitting(false);
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
      error={failed ?? (reset.isError ? messageOf(reset.error) : null)}
      onSubmit={() => void submit()}
    >
      <TextField label="Email" kind="email" autoComplete="username" readOnly value={email} onChange={() => undefined} />
      <NewPassword
        form={form}
        fields={fields}
        passwordMin={passwordMin}
        onChange={(change) => setForm({ ...form, ...change })}
      />
      {asks?.code === true && <CodeField autoFocus value={code} error={fields['code']} onChange={setCode} />}
      <Button type="submit" size="md" loading={isSubmitting}>
        Reset Password
      </Button>
      {asks?.passkey === true && (
        <Button variant="default" size="md" onClick={() => void submit(true)}>
          Reset with your passkey
        </Button>
      )}
    </PublicFrame>
  );
}

/** Checks the link once. `holds` waits for the check and returns whether the link is valid. */
function useLinkCheck(token: string, email: string) {
  const { mutateAsync, isError, error } = useWrite(authCalls.validateResetToken);
  const asked = useRef<Promise<boolean>>(undefined);
  useEffect(() => {
    asked.current ??= mutateAsync({ body: { token, email } }).then(
      () => true,
      () => false,
    );
  }, [mutateAsync, token, email]);
  return { isError, error, holds: async () => asked.current };
}
