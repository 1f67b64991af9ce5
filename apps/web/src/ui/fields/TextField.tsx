import { PasswordInput, Textarea, TextInput } from '@mantine/core';
import { type FieldProps, inputProps } from './field.tsx';

export interface TextFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  /** `digits` ignores all other characters, typed or pasted. */
  kind?: 'text' | 'digits' | 'email' | 'tel' | 'url' | 'password' | 'lines' | 'datetime-local';
  maxLength?: number | undefined;
  /** The value for the browser's autofill, for example `username` or `current-password`. */
  autoComplete?: string | undefined;
  /** Shows a numeric keyboard on phones. */
  inputMode?: 'numeric' | undefined;
}

/** A field for a line of text, an email address, a password, or several lines. */
export function TextField(props: TextFieldProps) {
  const { value, onChange, kind = 'text', maxLength } = props;
  const shared = {
    ...inputProps(props),
    value,
    ...(maxLength === undefined ? {} : { maxLength }),
    autoComplete: props.autoComplete ?? 'off',
    ...(props.inputMode === undefined ? {} : { inputMode: props.inputMode }),
  };
  if (kind === 'lines') {
    return <Textarea {...shared} autosize minRows={2} onChange={(event) => onChange(event.currentTarget.value)} />;
  }
  if (kind === 'password') {
    return (
      <PasswordInput
        {...shared}
        visibilityToggleButtonProps={{ 'aria-label': `Show ${props.label}`, 'aria-hidden': false, tabIndex: 0 }}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  if (kind === 'digits') {
    const onDigits = (text: string) => onChange(text.replace(/\D/g, ''));
    return <TextInput {...shared} inputMode="numeric" onChange={(event) => onDigits(event.currentTarget.value)} />;
  }
  return <TextInput {...shared} type={kind} onChange={(event) => onChange(event.currentTarget.value)} />;
}
