import { TextInput } from '@mantine/core';
import { type Cents, formatAmount } from '@evenkeel/core/money';
import { useState } from 'react';
import { type FieldProps, inputProps } from './field.tsx';
import { isSum, readMoney } from './readMoney.ts';
import { useTyped } from './typed.ts';

export interface MoneyFieldProps extends FieldProps {
  /** The amount in cents. Null if the field is empty or not an amount. */
  value: Cents | null;
  onChange: (value: Cents | null) => void;
  /** Called with the value when the user leaves the field. */
  onLeave?: ((value: Cents | null) => void) | undefined;
}

/**
 * A right-aligned amount field. It ignores commas and the dollar sign and calculates expressions. When the user leaves
 * the field, it shows the parsed amount, rounded to cents. `value` updates with each key press.
 */
export function MoneyField(props: MoneyFieldProps) {
  const { value, onChange, onLeave } = props;
  const [typed, setTyped] = useTyped(props.label);
  const understood = typed === undefined ? value : readMoney(typed);
  const wrong = understood === undefined;
  const [complain, setComplain] = useState(false);
  const hint = typed !== undefined && understood !== null && !wrong && isSum(typed) ? hintOf(understood) : props.hint;
  const error = props.error ?? (wrong && complain ? 'Please enter an amount' : undefined);
  return (
    <TextInput
      {...inputProps({ ...props, hint, error }, 'ek-money')}
      inputMode="decimal"
      spellCheck={false}
      data-unread={wrong ? '' : undefined}
      value={typed ?? (value === null ? '' : formatAmount(value))}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        setComplain(false);
        onChange(readMoney(text) ?? null);
      }}
      onBlur={() => {
        setComplain(wrong);
        if (!wrong) setTyped(undefined);
        onLeave?.(understood ?? null);
      }}
    />
  );
}

function hintOf(understood: Cents): string {
  return `= ${formatAmount(understood)}`;
}
