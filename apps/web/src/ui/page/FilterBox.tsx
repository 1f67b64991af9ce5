import '../theme/fieldStyles.ts';
import './page.css';
import { TextInput } from '@mantine/core';
import { IconFilter, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { ICON_SMALL } from '../show/icons.ts';

export interface FilterBoxProps {
  /** The words in the box and its name, e.g. `Filter Open Invoices...`. */
  placeholder: string;
  value: string;
  onChange: (text: string) => void;
}

/** A filter over a list with a clear button; Escape clears as well. */
export function FilterBox({ placeholder, value, onChange }: FilterBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const clear = () => {
    onChange('');
    input.current?.focus();
  };
  return (
    <TextInput
      ref={input}
      className="ek-filter"
      aria-label={placeholder}
      placeholder={placeholder}
      value={value}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || value === '') return;
        event.preventDefault();
        event.stopPropagation();
        clear();
      }}
      leftSectionWidth={36}
      leftSection={<IconFilter {...ICON_SMALL} />}
      rightSectionPointerEvents="all"
      rightSection={
        value === '' ? null : (
          <button type="button" className="ek-filter-clear" aria-label="Clear filter" onClick={clear}>
            <IconX {...ICON_SMALL} />
          </button>
        )
      }
    />
  );
}
