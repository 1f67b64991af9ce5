import './sending.css';
import { Button, CloseButton } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import type { Bound } from '../../records/useRecordForm.ts';
import { FieldError } from '../../ui/fields/field.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { aroundLink, withLink } from './sendForm.ts';

interface MessageFieldProps {
  text: Bound<string>;
  /** The label of the link. Empty if the email has no link. */
  linkLabel: string;
}

/** The finished message of an email. Its link can be removed or inserted, but not edited. */
export function MessageField({ text, linkLabel }: MessageFieldProps) {
  const { before, after } = aroundLink(text.value);
  const set = text.onChange;
  if (after === undefined) {
    return (
      <div className="sd-texts">
        <TextField {...text} label="Message" kind="lines" maxLength={5000} />
        {linkLabel !== '' && (
          <div>
            <Button variant="subtle" size="xs" onClick={() => set(withLink(before, ''))}>
              Insert Link
            </Button>
          </div>
        )}
      </div>
    );
  }
  const shared = { kind: 'lines', readOnly: text.readOnly, inRow: true, maxLength: 2500 } as const;
  return (
    <div>
      <div className="mantine-InputWrapper-label" aria-hidden>
        Message
      </div>
      <div
        className="sd-message"
        role="group"
        aria-label="Message and link"
        data-bad={text.error === undefined ? undefined : ''}
      >
        <TextField {...shared} label="Message" value={before} onChange={(typed) => set(withLink(typed, after))} />
        <span className="sd-link">
          <IconLink {...ICON_SMALL} aria-hidden />
          {linkLabel === '' ? 'Link' : linkLabel}
          <CloseButton
            size="sm"
            aria-label="Remove link"
            onClick={() => set([before, after].filter((part) => part !== '').join('\n'))}
          />
        </span>
        <TextField
          {...shared}
          label="Message after the link"
          value={after}
          onChange={(typed) => set(withLink(before, typed))}
        />
      </div>
      {text.error !== undefined && <FieldError message={text.error} />}
    </div>
  );
}
