import { TextField } from '../../ui/fields/TextField.tsx';

export interface CodeFieldProps {
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
  autoFocus?: boolean;
  /** Whether the browser asks for a passkey if the field is empty. */
  orPasskey?: boolean;
}

const CODES = 'Enter the 6-digit code from your authenticator app, or a recovery code';

/** A field for a verification code from the authenticator app, or for a recovery code. */
export function CodeField({ autoFocus = false, orPasskey = false, ...bound }: CodeFieldProps) {
  return (
    <TextField
      label="Code"
      autoComplete="one-time-code"
      autoFocus={autoFocus}
      hint={orPasskey ? `${CODES}. Leave empty to use a passkey.` : CODES}
      maxLength={20}
      {...bound}
    />
  );
}
