import { Button } from '@mantine/core';
import { authCalls } from '@evenkeel/contract/auth';
import { checkEmail } from '@evenkeel/core/registration';
import { useState } from 'react';
import { Link } from 'react-router';
import { messageOf, useWrite } from '../../client/api.ts';
import { TextField } from '../../ui/fields/TextField.tsx';
import { PublicFrame } from './PublicFrame.tsx';

/** Requests a password reset link. The response is the same for known and unknown addresses. */
export function ForgotPassword() {
  const forgot = useWrite(authCalls.forgotPassword);
  const [email, setEmail] = useState('');
  const [error, setError] = useState<string>();

  const submit = () => {
    const wrong = checkEmail(email)['email'];
    setError(wrong);
    if (wrong === undefined) forgot.mutate({ body: { Email: email.trim() } });
  };

  return (
    <PublicFrame
      title="Forgot your password?"
      notice={forgot.isSuccess ? 'Please check your email for password reset instructions' : null}
      error={forgot.isError ? messageOf(forgot.error) : null}
      onSubmit={submit}
    >
      <p className="ek-muted">We'll email you a link. The link works only once and expires after 60 minutes.</p>
      <TextField
        label="Email"
        kind="email"
        autoComplete="username"
        autoFocus
        value={email}
        error={error}
        onChange={setEmail}
      />
      <Button type="submit" size="md" loading={forgot.isPending}>
        Send Link
      </Button>
      <p className="ek-legal">
        <Link to="/login">Back to sign in</Link>
      </p>
    </PublicFrame>
  );
}
