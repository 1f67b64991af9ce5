import { TextField } from '../../ui/fields/TextField.tsx';

export interface CodeFieldProps {
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
  autoFocus?: boolean;
}

/** A code of the second factor, as the authenticator or the paper has it. */
export function CodeField({ autoFocus = false, ...bound }: CodeFieldProps) {
  return (
    <TextField
      label="Code"
      autoComplete="one-time-code"
      autoFocus={autoFocus}
      hint="Six digits of your authenticator, or a recovery code"
      maxLength={20}
      {...bound}
    />
  );
}
