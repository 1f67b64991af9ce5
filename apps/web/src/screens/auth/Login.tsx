import { Button } from '@mantine/core';
import { authCalls } from '@evenkeel/contract/auth';
import { checkEmail } from '@evenkeel/core/registration';
import { useState } from 'react';
import { Link, Navigate, useLocation, useNavigate } from 'react-router';
import { messageOf, useWrite } from '../../client/api.ts';
import { ApiError } from '../../client/transport.ts';
import { signIn, takeSignOutReason, useSession } from '../../client/session.ts';
import { TextField } from '../../ui/fields/TextField.tsx';
import { CodeField } from './CodeField.tsx';
import { PublicFrame, useInstallation } from './PublicFrame.tsx';

/** The page that the person came from, as the private routes leave it. */
export function cameFrom(state: unknown): string {
  if (typeof state !== 'object' || state === null || !('from' in state)) return '/';
  return typeof state.from === 'string' && state.from.startsWith('/') ? state.from : '/';
}

/** The notice of the page before this one ("Verification success, you can now login"). */
function noticeOf(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('notice' in state)) return null;
  return typeof state.notice === 'string' ? state.notice : null;
}

/** E-mail and password; afterwards back to the page the person came from. */
export function Login() {
  const session = useSession();
  const location = useLocation();
  const navigate = useNavigate();
  const installation = useInstallation();
  const login = useWrite(authCalls.login);
  const [because] = useState(takeSignOutReason);
  const [form, setForm] = useState({ email: '', password: '' });
  const [code, setCode] = useState<string>();
  const [fields, setFields] = useState<Record<string, string>>({});

  const submit = async () => {
    const wrong = {
      ...checkEmail(form.email),
      ...(form.password === '' ? { password: 'Password is required' } : {}),
      ...(code?.trim() === '' ? { code: 'Code is required' } : {}),
    };
    setFields(wrong);
    if (Object.keys(wrong).length > 0) return;
    try {
      const user = await login.mutateAsync({ body: { ...form, code } });
      signIn(user);
      await navigate(cameFrom(location.state), { replace: true });
    } catch (error) {
      if (!(error instanceof ApiError)) return;
      // The first time it is only asked for.
      const isAsked = error.body.code === 'code_required' && code === undefined;
      setFields(isAsked ? {} : error.fields);
      if (isAsked) setCode('');
    }
  };

  if (session !== null && login.isIdle) return <Navigate to={cameFrom(location.state)} replace />;
  if (installation?.empty === true && !installation.demo) return <EmptyInstallation />;
  if (code !== undefined) {
    const back = () => {
      setCode(undefined);
      setForm({ ...form, password: '' });
      login.reset();
    };
    const error = login.isError && fields['code'] === undefined && code !== '' ? messageOf(login.error) : null;
    return (
      <SecondStep
        {...{ code, error }}
        field={fields['code']}
        isBusy={login.isPending}
        onChange={setCode}
        onSubmit={() => void submit()}
        onBack={back}
      />
    );
  }
  return (
    <PublicFrame
      title="Sign in"
      notice={because ?? noticeOf(location.state)}
      error={login.isError ? messageOf(login.error) : null}
      onSubmit={() => void submit()}
    >
      <TextField
        label="Email"
        kind="email"
        autoComplete="username"
        autoFocus
        value={form.email}
        error={fields['email']}
        onChange={(email) => setForm({ ...form, email })}
      />
      <div className="ek-under-label">
        <TextField
          label="Password"
          kind="password"
          autoComplete="current-password"
          value={form.password}
          error={fields['password']}
          onChange={(password) => setForm({ ...form, password })}
        />
        {/* Behind its field: Tab goes from Email to Password. */}
        <Link to="/forgot-password">Forgot Password?</Link>
      </div>
      <Button type="submit" size="md" loading={login.isPending}>
        Sign in
      </Button>
      {installation?.signUp === 'open' && (
        <p className="ek-legal">
          New here? <Link to="/register">Register your company</Link>
        </p>
      )}
    </PublicFrame>
  );
}

interface SecondStepProps {
  code: string;
  /** A refusal that is no matter of the code. */
  error: string | null;
  field: string | undefined;
  isBusy: boolean;
  onChange: (code: string) => void;
  onSubmit: () => void;
  onBack: () => void;
}

/** Behind a right password: the code of the second factor. */
function SecondStep({ code, error, field, isBusy, onChange, onSubmit, onBack }: SecondStepProps) {
  return (
    <PublicFrame title="Enter your code" error={error} onSubmit={onSubmit}>
      <CodeField autoFocus value={code} error={field} onChange={onChange} />
      <Button type="submit" size="md" loading={isBusy}>
        Sign in
      </Button>
      <p className="ek-muted">Lost both? An administrator of your company can remove your second factor.</p>
      <Button variant="subtle" onClick={onBack}>
        Back
      </Button>
    </PublicFrame>
  );
}

/** Until the first company exists every page says where the link to register it is. */
function EmptyInstallation() {
  return (
    <PublicFrame title="Welcome to Evenkeel">
      <p>
        There is no company here yet. The program printed a link to register the first one when it started: look into
        the terminal or the log, and open that link. It works once.
      </p>
      <p className="ek-muted">
        Behind the link you can also look around a demo company first. No link in sight? Each start prints a new one.
      </p>
    </PublicFrame>
  );
}
