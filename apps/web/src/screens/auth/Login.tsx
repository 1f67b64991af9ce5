import { Button } from '@mantine/core';
import { authCalls } from '@evenkeel/contract/auth';
import { checkEmail } from '@evenkeel/core/registration';
import { IconKey } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import { messageOf, useWrite } from '../../client/api.ts';
import { type SessionUser, signIn, takeSignOutReason, useSession } from '../../client/session.ts';
import { ApiError, call, endSession } from '../../client/transport.ts';
import { TextField } from '../../ui/fields/TextField.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { CodeField } from './CodeField.tsx';
import { answerPasskey, canUsePasskeys, type Has } from '../../client/passkeys.ts';
import { PublicFrame, useInstallation } from './PublicFrame.tsx';

/** Returns the page from which a private route redirected the user to the sign-in page. */
export function cameFrom(state: unknown): string {
  if (typeof state !== 'object' || state === null || !('from' in state)) return '/';
  return typeof state.from === 'string' && state.from.startsWith('/') ? state.from : '/';
}

/** Returns the notice from the previous page, for example "Verification success, you can now login". */
function noticeOf(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('notice' in state)) return null;
  return typeof state.notice === 'string' ? state.notice : null;
}

/**
 * Returns the methods for the second step that the server requests. If the list doesn't include a passkey, the user has
 * no passkey.
 */
export function asksOf({ fields }: ApiError): Has {
  const passkey = 'passkey' in fields;
  return { passkey, code: !passkey || 'code' in fields };
}

/** Returns the invitation link to another company, and the address that the link was sent to. */
function useInvitation() {
  const [query] = useSearchParams();
  return { join: query.get('join') ?? undefined, email: query.get('email') ?? '' };
}

/** Manages the sign-in form, the second step, and the sign-in methods. */
function useSigningIn() {
  const { state } = useLocation();
  const navigate = useNavigate();
  const login = useWrite(authCalls.login);
  const { join, email } = useInvitation();
  const [form, setForm] = useState({ email: join === undefined ? '' : email, password: '' });
  const [code, setCode] = useState('');
  const [asks, setAsks] = useState<Has>();
  const [fields, setFields] = useState<Record<string, string>>({});
  const [failed, setFailed] = useState<string | null>(null);
  const [busy, setBusy] = useState<'password' | 'passkey'>();

  const tell = (error: unknown) => {
    const isAsked = error instanceof ApiError && error.body.code === 'code_required';
    if (!isAsked) setFailed(messageOf(error));
    if (!(error instanceof ApiError)) return;
    // The first response only requests the second step.
    if (isAsked && asks === undefined) return setAsks(asksOf(error));
    setFields(error.fields);
    if (isAsked && error.fields['code'] === undefined) setFailed(messageOf(error));
  };

  const run = async (by: 'password' | 'passkey', send: () => Promise<SessionUser>) => {
    if (busy !== undefined) return;
    setFields({});
    setFailed(null);
    setBusy(by);
    try {
      signIn(await send());
      await navigate(cameFrom(state), { replace: true });
    } catch (error) {
      tell(error);
    } finally {
      setBusy(undefined);
    }
  };

  const submit = async () => {
    const wrong = {
      ...checkEmail(form.email),
      ...(form.password === '' ? { password: 'Password is required' } : {}),
      ...(asks?.code === true && code.trim() === '' ? { code: 'Code is required' } : {}),
    };
    setFields(wrong);
    if (Object.keys(wrong).length > 0) return;
    const typed = { ...(asks === undefined ? form : { ...form, code }), join };
    await run('password', () => login.mutateAsync({ body: typed }));
  };

  return {
    form,
    setForm,
    code,
    setCode,
    asks,
    fields,
    failed,
    busy,
    submit,
    /** Whether no sign-in has been attempted yet. */
    isIdle: login.isIdle && busy === undefined,
    byPasskey: () =>
      run('passkey', async () => {
        const passkey = await answerPasskey('sign in');
        return call(authCalls.passkeyLogin, { body: { passkey, join } });
      }),
    provePasskey: () =>
      run('passkey', async () => {
        const passkey = await answerPasskey('prove');
        return login.mutateAsync({ body: { ...form, passkey, join } });
      }),
    back: () => {
      setAsks(undefined);
      setCode('');
      setForm({ ...form, password: '' });
      setFailed(null);
      login.reset();
    },
  };
}

const INVITED = "You're invited to another company. Sign in to accept the invitation.";

/** Signs in with email and password, or with a passkey, and returns to the page that sent the user here. */
export function Login() {
  const session = useSession();
  const { state } = useLocation();
  const installation = useInstallation();
  const [because] = useState(takeSignOutReason);
  const entry = useSigningIn();
  const { form, setForm, fields } = entry;

  const { join, email } = useInvitation();
  const isOthers = session !== null && join !== undefined && session.email !== email;

  useEffect(() => {
    // The link is only for its recipient, even if another user is signed in here.
    if (isOthers && entry.isIdle) endSession();
  }, [isOthers, entry.isIdle]);

  if (session !== null && entry.isIdle) {
    if (isOthers) return null;
    return <Navigate to={join === undefined ? cameFrom(state) : '/account'} replace />;
  }
  if (installation?.empty === true && !installation.demo) return <EmptyInstallation />;
  if (entry.asks !== undefined) return <SecondStep asks={entry.asks} entry={entry} />;
  return (
    <PublicFrame
      title={join === undefined ? 'Sign in' : 'Sign in to accept'}
      notice={because ?? noticeOf(state) ?? (join === undefined ? null : INVITED)}
      error={entry.failed}
      onSubmit={() => void entry.submit()}
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
        {/* The link comes after the field in the DOM, so that Tab moves from Email to Password. */}
        <Link to="/forgot-password">Forgot Password?</Link>
      </div>
      <Button type="submit" size="md" loading={entry.busy === 'password'}>
        Sign in
      </Button>
      {canUsePasskeys() && (
        <PasskeyButton label="Sign in with a passkey" entry={entry} onClick={() => void entry.byPasskey()} />
      )}
      {installation?.signUp === 'open' && (
        <p className="ek-legal">
          New here? <Link to="/register">Register your company</Link>
        </p>
      )}
    </PublicFrame>
  );
}

type Entry = ReturnType<typeof useSigningIn>;

interface PasskeyButtonProps {
  label: string;
  entry: Entry;
  isMain?: boolean;
  onClick: () => void;
}

function PasskeyButton({ label, entry, isMain = false, onClick }: PasskeyButtonProps) {
  return (
    <Button
      variant={isMain ? 'filled' : 'default'}
      size="md"
      leftSection={<IconKey {...ICON_SMALL} />}
      loading={entry.busy === 'passkey'}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}

/** The step after a correct password: a verification code or a passkey. */
function SecondStep({ asks, entry }: { asks: Has; entry: Entry }) {
  const { code, setCode, fields, failed, busy, submit, provePasskey, back } = entry;
  return (
    <PublicFrame
      title={asks.code ? 'Enter your code' : 'Use your passkey'}
      error={failed}
      {...(asks.code && { onSubmit: () => void submit() })}
    >
      {asks.code && (
        <>
          <CodeField autoFocus value={code} error={fields['code']} onChange={setCode} />
          <Button type="submit" size="md" loading={busy === 'password'}>
            Sign in
          </Button>
        </>
      )}
      {asks.passkey && (
        <PasskeyButton label="Use a passkey" entry={entry} isMain={!asks.code} onClick={() => void provePasskey()} />
      )}
      <p className="ek-muted">
        {asks.code ? 'Lost both?' : 'Lost your phone?'} An administrator of your company can remove two-step
        verification from your account.
      </p>
      <Button variant="subtle" onClick={back}>
        Back
      </Button>
    </PublicFrame>
  );
}

/** Explains where to find the registration link, until the first company exists. */
function EmptyInstallation() {
  return (
    <PublicFrame title="Welcome to Evenkeel">
      <p>
        No company has been registered yet. When Evenkeel started, it printed a link to register the first one. Find the
        link in the terminal or the log, and open it. The link works only once.
      </p>
      <p className="ek-muted">
        The link also lets you explore a demo company first. Can't find the link? Restart Evenkeel to get a new one.
      </p>
    </PublicFrame>
  );
}
