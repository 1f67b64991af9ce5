import { Switch } from '@mantine/core';
import { type FieldProps, FieldError, spanClass } from './field.tsx';

export interface SwitchFieldProps extends FieldProps {
  value: boolean;
  onChange: (value: boolean) => void;
}

/** A switch with its label on the left, for settings in rows. */
export function SwitchField({ label, value, onChange, error, hint, disabled, readOnly, span }: SwitchFieldProps) {
  return (
    <Switch
      className={['ek-switch', spanClass(span)].filter(Boolean).join(' ')}
      label={label}
      labelPosition="left"
      description={hint}
      checked={value}
      disabled={disabled === true || readOnly === true}
      error={error === undefined ? undefined : <FieldError message={error} />}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
