import './sending.css';
import { mailWording, type MailKind } from '@evenkeel/core/words/mailtext';
import { type SyntheticEvent, useRef } from 'react';
import type { Bound } from '../../records/useRecordForm.ts';
import { TextField } from '../../ui/fields/TextField.tsx';
import { withPlaceholder } from './sendForm.ts';

interface TextWithChipsProps {
  kind: MailKind;
  subject: Bound<string>;
  text: Bound<string>;
  /** Shown before the labels if the form contains several emails. */
  of?: string;
}

interface Place {
  field: 'subject' | 'text';
  start: number;
  end: number;
}

/** The subject and text of an email, with placeholders that the user inserts at the last cursor position. */
export function TextWithChips({ kind, subject, text, of = '' }: TextWithChipsProps) {
  const last = useRef<Place | undefined>(undefined);
  const onSelect = ({ target }: SyntheticEvent) => {
    const isText = target instanceof HTMLTextAreaElement;
    if (!isText && !(target instanceof HTMLInputElement)) return;
    const { selectionStart, selectionEnd } = target;
    if (selectionStart === null || selectionEnd === null) return;
    last.current = { field: isText ? 'text' : 'subject', start: selectionStart, end: selectionEnd };
  };
  const insert = (name: string) => {
    const at = last.current;
    const field = at?.field === 'subject' ? subject : text;
    field.onChange(withPlaceholder(field.value, name, at));
    const behind = (at?.start ?? field.value.length) + name.length + 2;
    last.current = { field: at?.field ?? 'text', start: behind, end: behind };
  };
  return (
    <div className="sd-texts" onSelect={onSelect}>
      <TextField {...subject} label={`${of}Subject`} maxLength={200} />
      <TextField {...text} label={`${of}Text`} kind="lines" maxLength={5000} />
      {!text.readOnly && (
        <div className="sd-chips" role="group" aria-label={`${of}Insert`}>
          <span className="ek-muted ek-small">Insert</span>
          {mailWording(kind).placeholders.map((name) => (
            <button
              key={name}
              type="button"
              className="sd-chip"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => insert(name)}
            >
              {name}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
