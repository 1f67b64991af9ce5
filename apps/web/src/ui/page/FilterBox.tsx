import '../theme/fieldStyles.ts';
import './page.css';
import { TextInput } from '@mantine/core';
import { IconFilter, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTypedText } from '../hooks/typedText.ts';
import { ICON_SMALL } from '../show/icons.ts';
import { isKey } from '../keys/keys.ts';

export interface FilterBoxProps {
  /** The placeholder and accessible name, for example `Filter Open Invoices...`. */
  placeholder: string;
  value: string;
  /** Called when typing stops, and immediately when the user leaves or clears the box. */
  onChange: (text: string) => void;
}

/** A list filter with a clear button. Escape also clears it. */
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
