import './attachments.css';
import { ActionIcon } from '@mantine/core';
import { IconFileTypePdf, IconPaperclip, IconX } from '@tabler/icons-react';
import { useId } from 'react';
import type { RecordForm } from '../../records/useRecordForm.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { FilePicker } from '../../ui/fields/FileDrop.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { sizeWords, type WithAttachments, withDeleted } from './attachmentForm.ts';
import { type Attachments, isOurs } from './useAttachments.ts';

export interface AttachmentChipsProps<Form> {
  form: RecordForm<Form>;
  files: Attachments;
  /** The name of the PDF, which is always attached. Empty if there is none. */
  fileName: string;
}

/** The files of an email: its PDF, which can't be removed, and the files that the user has attached. */
export function AttachmentChips<Form extends WithAttachments>({ form, files, fileName }: AttachmentChipsProps<Form>) {
  const label = useId();
  const { progress } = files;
  const remove = (id: number) =>
    form.change((values) => ({ ...values, documentLinks: withDeleted(values.documentLinks, id, true) }));
  return (
    <div role="group" aria-labelledby={label} className="at-mail">
      <div id={label} className="ek-small ek-medium">
        Attachments
      </div>
      <div className="at-chips">
        {fileName !== '' && (
          <span className="at-chip">
            <IconFileTypePdf {...ICON_SMALL} />
            <span className="ek-ellipsis" title={fileName}>
              {fileName}
            </span>
          </span>
        )}
        <FilePicker
          isLink
          buttonLabel="Attach File"
          onFiles={(picked) => void files.add(form, picked)}
          disabled={form.busy}
        />
      </div>
      {form.values.documentLinks.map(({ id, documentName, size }) => (
        <div key={id} className="at-chips">
          <span className="at-chip">
            <IconPaperclip {...ICON_SMALL} />
            <span className="ek-ellipsis" title={documentName}>
              {documentName}
            </span>
            <span className="ek-muted ek-small at-size">{sizeWords(size)}</span>
          </span>
          {progress?.id === id ? (
            <progress className="at-progress" max={1} value={progress.part} aria-label={`Uploading ${documentName}`} />
          ) : (
            <ActionIcon aria-label={`Remove ${documentName}`} disabled={form.busy} onClick={() => remove(id)}>
              <IconX {...ICON_SMALL} />
            </ActionIcon>
          )}
        </div>
      ))}
      {[...files.problems, ...faultsOf(form.fields)].map((message) => (
        <InlineAlert key={message} kind="Error">
          {message}
        </InlineAlert>
      ))}
    </div>
  );
}

const faultsOf = (fields: Readonly<Record<string, string>>): string[] => [
  ...new Set(Object.entries(fields).flatMap(([path, message]) => (isOurs(path) ? [message] : []))),
];
