import type { IsoDate } from '@evenkeel/core/dates';
import { useEffect, useRef, useState } from 'react';
import { DateField } from '../../ui/fields/DateField.tsx';

export interface SettledDateProps {
  label: string;
  value: IsoDate | null;
  onChange: (value: IsoDate | null) => void;
  /** An empty field changes nothing. */
  required?: boolean;
  /** False: the label stands above the field. */
  inRow?: boolean;
  placeholder?: string;
}

/** ms without a key after which a date counts: what is asked for does not change with every digit. */
const SETTLES_MS = 400;

/** A date that something is asked for by: it takes effect when one stops typing. */
export function SettledDate({ label, value, onChange, required = false, inRow = true, placeholder }: SettledDateProps) {
  const [typed, setTyped] = useState<IsoDate | null>();
  const tell = useRef(onChange);
  tell.current = onChange;
  useEffect(() => {
    if (typed === undefined) return;
    const timer = setTimeout(() => {
      setTyped(undefined);
      if (typed !== value && (typed !== null || !required)) tell.current(typed);
    }, SETTLES_MS);
    return () => clearTimeout(timer);
  }, [typed, value, required]);
  return (
    <DateField
      label={label}
      inRow={inRow}
      placeholder={placeholder}
      value={typed === undefined ? value : typed}
      onChange={setTyped}
    />
  );
}
