import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { type FieldProps, inputProps } from './field.tsx';
import { visible } from './readMoney.ts';
import { useTyped } from './typed.ts';

export interface QuantityFieldProps extends FieldProps {
  value: number | null;
  onChange: (value: number | null) => void;
  /** The number of decimal places. Defaults to 4. */
  places?: number;
  /** The maximum value, for example 100 for a percentage. Input that would exceed the maximum is ignored. */
  max?: number;
  /** Whether the value can be negative. */
  isSigned?: boolean;
}

/**
 * Reads a typed quantity or percentage. Returns null for an empty field, and undefined for unclear input. Accepts
 * digits and one decimal point. `1,5` is read as neither 1.5 nor 15.
 */
export function readQuantity(
  text: string,
  places: number,
  max = Infinity,
  isSigned = false,
): number | null | undefined {
  const trimmed = visible(text);
  if (trimmed === '') return null;
  const [, whole = '', fraction = ''] = /^(\d{0,12})(?:\.(\d*))?$/.exec(unsigned(trimmed, isSigned)) ?? [];
  if (whole + fraction === '' || fraction.length > places) return undefined;
  const value = Number(trimmed);
  return value > max ? undefined : value;
}

const unsigned = (text: string, isSigned: boolean): string => (isSigned ? text.replace(/^-/, '') : text);

/**
 * Returns whether a field accepts the input: digits and one decimal point. Other input is ignored completely, so that a
 * pasted `1,5` becomes neither 1.5 nor 15.
 */
function isTaken(text: string, places: number, max = Infinity, isSigned = false): boolean {
  const shape = places === 0 ? /^\d*$/ : /^\d*\.?\d*$/;
  const digits = unsigned(visible(text), isSigned);
  return shape.test(digits) && Number(digits) <= max;
}

/**
 * A quantity or percentage field. It ignores everything except digits and a decimal point. Input that isn't a number
 * yet, such as a decimal point, stays as typed. The field shows an error when the user leaves it, and the value isn't
 * sent.
 */
export function QuantityField(props: QuantityFieldProps) {
  const { value, onChange, places = 4, max, isSigned } = props;
  const [typed, setTyped] = useTyped(props.label);
  const [complain, setComplain] = useState(false);
  const wrong = typed !== undefined && readQuantity(typed, places, max, isSigned) === undefined;
  const error = props.error ?? (wrong && complain ? wordsFor(places, max) : undefined);
  return (
    <TextInput
      {...inputProps({ ...props, error }, 'ek-money')}
      inputMode="decimal"
      spellCheck={false}
      data-unread={wrong ? '' : undefined}
      value={typed ?? (value === null ? '' : String(value))}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => {
        const text = event.currentTarget.value;
        if (!isTaken(text, places, max, isSigned)) return;
        setTyped(text);
        setComplain(false);
        onChange(readQuantity(text, places, max, isSigned) ?? null);
      }}
      onBlur={() => {
        setComplain(wrong);
        if (!wrong) setTyped(undefined);
      }}
    />
  );
}

function wordsFor(places: number, max: number | undefined): string {
  const most = max === undefined ? '' : ` up to ${max}`;
  if (places === 0) return `Please enter a whole number${most}`;
  return `Please enter a number${most} with at most ${places} decimal places`;
}
