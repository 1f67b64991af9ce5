import type { IsoDate } from '@evenkeel/core/dates';
import { useEffect, useRef, useState } from 'react';
import { DateField } from '../../ui/fields/DateField.tsx';

export interface SettledDateProps {
  label: string;
  value: IsoDate | null;
  onChange: (value: IsoDate | null) => void;
  /** Whether an empty field is ignored. */
  required?: boolean;
  /** Whether the label is next to the field. If false, it is above the field. */
  inRow?: boolean;
  placeholder?: string;
}

/** The delay in ms after the last key press, so that a request isn't sent for every digit. */
const SETTLES_MS = 400;

/** A date field for filters. The date takes effect after the user stops typing. */
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
