import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { type FieldProps, inputProps } from './field.tsx';

export interface QuantityFieldProps extends FieldProps {
  value: number | null;
  onChange: (value: number | null) => void;
  /** Digits after the point; 4 unless given. */
  places?: number;
  /** What is more is not taken: a percentage ends at 100. */
  max?: number;
}

/** True for what a quantity may look like while it is typed: digits and one decimal point (part 1 §5). */
export function isQuantityText(text: string, places: number): boolean {
  const [whole = '', fraction = '', ...rest] = text.split('.');
  return rest.length === 0 && /^\d{0,12}$/.test(whole) && /^\d*$/.test(fraction) && fraction.length <= places;
}

/** A quantity or a percentage: other keys than digits and one decimal point are ignored. */
export function QuantityField(props: QuantityFieldProps) {
  const { value, onChange, places = 4 } = props;
  const [typed, setTyped] = useState<string>();
  return (
    <TextInput
      {...inputProps(props, 'ek-money')}
      inputMode="decimal"
      spellCheck={false}
      value={typed ?? (value === null ? '' : String(value))}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => {
        const text = event.currentTarget.value.trim();
        if (!isQuantityText(text, places) || Number(text) > (props.max ?? Infinity)) return;
        setTyped(text);
        onChange(/\d/.test(text) ? Number(text) : null);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}
