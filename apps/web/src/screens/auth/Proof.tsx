import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { TextField } from '../../ui/fields/TextField.tsx';
import { CodeField } from './CodeField.tsx';
import { type Has, proofLabels, proofOf } from '../../client/passkeys.ts';
import { SecretFields } from './SecretFields.tsx';
import { required, type SecretForm, useSecretForm } from '../../records/secretForm.ts';

interface ProofFieldsProps {
  form: Pick<SecretForm<'password' | 'code'>, 'bind'>;
  has: Has;
  autoFocus?: boolean;
  /** Distinguishes the fields on different cards. */
  id?: string;
}

/** The password field, and the code field if an authenticator app is set up. The browser asks for a passkey. */
export function ProofFields({ form, has, autoFocus = false, id }: ProofFieldsProps) {
  return (
    <>
      <TextField
        label="Current Password"
        kind="password"
        autoComplete="current-password"
        autoFocus={autoFocus}
        {...(id !== undefined && { id })}
        {...form.bind('password')}
      />
      {has.code && <CodeField {...form.bind('code')} orPasskey={has.passkey} />}
    </>
  );
}

/**
 * Returns the hint that the browser will ask for the passkey, if that is the user's only method for the second step.
 */
export function passkeyHint({ code, passkey }: Has): string | undefined {
  return passkey && !code ? 'Your browser will ask for your passkey next.' : undefined;
}

export type Proved = Awaited<ReturnType<typeof proofOf>>;

export interface ProofProps {
  has: Has;
  /** The label of the submit button. */
  label: string;
  send: (proof: Proved) => Promise<unknown>;
  onEnd: () => void;
  /** The fields above the password. */
  children?: ReactNode;
}

/** The password and the second step that every change to two-step verification and passkeys requires. */
export function Proof({ has, label, send, onEnd, children }: ProofProps) {
  const form = useSecretForm({
    blank: { password: '', code: '' },
    check: (values) => required(values, proofLabels(has)),
    send: async (values) => send(await proofOf(has, values)),
  });
  const hint = passkeyHint(has);
  return (
    <SecretFields form={form}>
      {children}
      <div className={has.code ? 'ac-two' : undefined}>
        <ProofFields form={form} has={has} autoFocus={children === undefined} />
      </div>
      {hint !== undefined && <p className="ek-second">{hint}</p>}
      <div className="ac-foot">
        <Button variant="subtle" onClick={onEnd}>
          Cancel
        </Button>
        <Button type="submit" loading={form.isBusy}>
          {label}
        </Button>
      </div>
    </SecretFields>
  );
}
