import '../theme/fieldStyles.ts';
import './page.css';
import { TextInput } from '@mantine/core';
import { IconFilter, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTypedText } from '../hooks/typedText.ts';
import { ICON_SMALL } from '../show/icons.ts';
import { isKey } from '../keys/keys.ts';

export interface FilterBoxProps {
  /** The words in the box and its name, e.g. `Filter Open Invoices...`. */
  placeholder: string;
  value: string;
  /** Once the typing rests, and at once when the box is left or cleared. */
  onChange: (text: string) => void;
}

/** A filter over a list with a clear button; Escape clears as well. */
export function FilterBox({ placeholder, value, onChange }: FilterBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const { text, type, tell } = useTypedText(value, onChange);
  const clear = () => {
    tell('');
    input.current?.focus();
  };
  return (
    <TextInput
      ref={input}
      className="ek-filter"
      aria-label={placeholder}
      placeholder={placeholder}
      value={text}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={() => tell()}
      onKeyDown={(event) => {
        if (!isKey(event, 'close') || text === '') return;
        event.preventDefault();
        event.stopPropagation();
        clear();
      }}
      leftSectionWidth={36}
      leftSection={<IconFilter {...ICON_SMALL} />}
      rightSectionPointerEvents="all"
      rightSection={
        text === '' ? null : (
          <button type="button" className="ek-filter-clear" aria-label="Clear filter" onClick={clear}>
            <IconX {...ICON_SMALL} />
          </button>
        )
      }
    />
  );
}
