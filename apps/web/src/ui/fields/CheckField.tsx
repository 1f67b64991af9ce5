import { Checkbox } from '@mantine/core';
import { type FieldProps, FieldError, spanClass } from './field.tsx';

export interface CheckFieldProps extends FieldProps {
  value: boolean;
  onChange: (value: boolean) => void;
}

/** A checkbox field. */
export function CheckField({
  label,
  inRow,
  value,
  onChange,
  error,
  disabled,
  hint,
  id,
  autoFocus,
  readOnly,
  span,
}: CheckFieldProps) {
  return (
    <Checkbox
      {...(inRow === true ? { 'aria-label': label } : { label })}
      {...(id === undefined ? {} : { id })}
      checked={value}
      className={spanClass(span)}
      disabled={disabled === true || readOnly === true}
      autoFocus={autoFocus ?? false}
      description={hint}
      error={error === undefined || inRow === true ? error !== undefined : <FieldError message={error} />}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
