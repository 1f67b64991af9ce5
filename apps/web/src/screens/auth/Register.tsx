import { Button } from '@mantine/core';
import { authCalls } from '@evenkeel/contract/auth';
import { checkRegistration, passwordStrength } from '@evenkeel/core/registration';
import { useState } from 'react';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import { ask, messageOf, useRead, useWrite } from '../../client/api.ts';
import { ApiError, endSession } from '../../client/transport.ts';
import { sessionUser, signIn } from '../../client/session.ts';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { DemoOffer } from './DemoOffer.tsx';
import { PublicFrame, useInstallation } from './PublicFrame.tsx';

const UNINVITED = 'You need an invitation to register. Open the link in your invitation email.';

const BLANK = {
  firstname: '',
  lastname: '',
  companyName: '',
  password: '',
  confirmPassword: '',
  acceptedterms: false,
};

const TITLES = { first: 'Set up your company', invitation: 'Register', open: 'Register' };

/**
 * The way in which the user reached this page: through the first-start link, an invitation, or open sign-up. The other
 * values mean that the link was already used or is missing.
 */
type Way = 'first' | 'invitation' | 'open' | 'spent' | 'uninvited';

/**
 * An invitation has a fixed email address. The first-start link has no email address and expires when the first company
 * is created.
 */
function wayOf(query: URLSearchParams, installation: ReturnType<typeof useInstallation>): Way {
  const hasToken = (query.get('token') ?? '') !== '';
  if (hasToken && query.get('email') !== null) return 'invitation';
  if (hasToken) return installation?.empty === false ? 'spent' : 'first';
  return installation?.signUp === 'invite' ? 'uninvited' : 'open';
}

/**
 * Registers a user with an invitation, which contains the user's name. On an empty installation, or with open sign-up,
 * also creates the company. Signs the user in immediately unless the address must be confirmed first.
 */
export function Register() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const installation = useInstallation();
  const register = useWrite(authCalls.register);
  const login = useWrite(authCalls.login);
  const token = query.get('token') ?? '';
  const way = wayOf(query, installation);
  const isNewCompany = way === 'first' || way === 'open';
  // A used invitation can't be read again.
  const mayRead = way === 'invitation' && !register.isPending && !register.isSuccess;
  const invited = useRead(ask(authCalls.invitation, { body: { token } }), { enabled: mayRead }).value;
  const [typed, setTyped] = useState<Partial<typeof BLANK & { email: string }>>({});
  const known = invited && { firstname: invited.firstName, lastname: invited.lastName };
  const form = { ...BLANK, email: query.get('email') ?? '', ...known, ...typed };
  const [fields, setFields] = useState<Record<string, string>>({});
  const set = (change: typeof typed) => setTyped({ ...typed, ...change });

  const submit = async () => {
    const companyName = isNewCompany ? form.companyName : undefined;
    const wrong = checkRegistration({ ...form, companyName }, installation?.passwordMin ?? 6);
    setFields(wrong);
    if (Object.keys(wrong).length > 0) return;
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const body = isNewCompany ? { ...form, token, timeZone } : { ...form, companyName: undefined, token };
    try {
      const { message } = await register.mutateAsync({ body });
      // A new address must be confirmed first, but an invited address was confirmed by the link. If another user was
      // signed in here, that user's tabs show the sign-in page.
      const signsIn = way !== 'open' && sessionUser() === null;
      endSession();
      const user = signsIn ? await login.mutateAsync({ body: form }).catch(() => undefined) : undefined;
      if (user !== undefined) signIn(user);
      await navigate(user === undefined ? '/login' : '/', { replace: true, state: { notice: message } });
    } catch (error) {
      if (error instanceof ApiError) setFields(error.fields);
    }
  };

  if (way === 'spent') return <SpentLink />;
  if (way === 'uninvited') return <Navigate to="/login" replace state={{ notice: UNINVITED }} />;
  return (
    <PublicFrame
      title={invited === undefined ? TITLES[way] : `Join ${invited.companyName}`}
      error={register.isError ? messageOf(register.error) : null}
      onSubmit={() => void submit()}
    >
      {isNewCompany && (
        <TextField
          label="Company Name"
          autoComplete="organization"
          value={form.companyName}
          error={fields['companyName']}
          onChange={(companyName) => set({ companyName })}
        />
      )}
      <div className="ek-two">
        <TextField
          label="First Name"
          autoComplete="given-name"
          value={form.firstname}
          error={fields['firstname']}
          onChange={(firstname) => set({ firstname })}
        />
        <TextField
          label="Last Name"
          autoComplete="family-name"
          value={form.lastname}
          error={fields['lastname']}
          onChange={(lastname) => set({ lastname })}
        />
      </div>
      <TextField
        label="Email"
        kind="email"
        autoComplete="username"
        readOnly={!isNewCompany}
        value={form.email}
        error={fields['email']}
        onChange={(email) => set({ email })}
      />
      <NewPassword form={form} fields={fields} onChange={set} passwordMin={installation?.passwordMin ?? 6} />
      <CheckField
        label="Accept Terms & Conditions"
        value={form.acceptedterms}
        error={fields['acceptedterms']}
        onChange={(acceptedterms) => set({ acceptedterms })}
      />
      <Button type="submit" size="md" loading={register.isPending || login.isPending}>
        Register
      </Button>
      {way === 'first' && <DemoOffer token={token} />}
      <p className="ek-legal">
        <Link to="/login">Sign in instead</Link>
      </p>
    </PublicFrame>
  );
}

function SpentLink() {
  return (
    <PublicFrame title="Register" error="This registration link is no longer valid. Ask for a new link.">
      <p className="ek-legal">
        <Link to="/login">Sign in instead</Link>
      </p>
    </PublicFrame>
  );
}

export interface NewPasswordProps {
  form: { password: string; confirmPassword: string };
  fields: Record<string, string>;
  passwordMin: number;
  onChange: (change: { password?: string; confirmPassword?: string }) => void;
}

/** The new password fields with a strength hint. */
export function NewPassword({ form, fields, passwordMin, onChange }: NewPasswordProps) {
  const hint =
    form.password === ''
      ? `At least ${passwordMin} characters. A few words make a good password.`
      : `Strength: ${passwordStrength(form.password)}`;
  return (
    <>
      <TextField
        label="Password"
        kind="password"
        autoComplete="new-password"
        hint={hint}
        value={form.password}
        error={fields['password']}
        onChange={(password) => onChange({ password })}
      />
      <TextField
        label="Confirm Password"
        kind="password"
        autoComplete="new-password"
        value={form.confirmPassword}
        error={fields['confirmPassword']}
        onChange={(confirmPassword) => onChange({ confirmPassword })}
      />
    </>
  );
}
