import './attachments.css';
import { canPreview } from '@evenkeel/core/documents/attachments';
import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconDownload, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { RecordForm } from '../../records/useRecordForm.ts';
import { DropArea, FilePicker } from '../../ui/fields/FileDrop.tsx';
import { CannotShow, FileView } from '../../ui/overlay/FileView.tsx';
import { EmptyState, ErrorState } from '../../ui/show/EmptyState.tsx';
import { ICON } from '../../ui/show/icons.ts';
import type { AttachmentForm, WithAttachments } from './attachmentForm.ts';
import type { Attachments } from './useAttachments.ts';
import { useStoredBytes, useStoredFile } from './useStoredFile.ts';

export interface ReceiptPaneProps<Form> {
  form: RecordForm<Form>;
  files: Attachments;
}

/** Reserves the space for attachments next to a form while the form loads. */
export const RECEIPT_WAITS = <div className="at-receipt" />;

/**
 * Shows a form's attachments next to the form, one at a time, so that the user can enter data from them. Used as
 * RecordModal's `aside`. Accepts dropped files, and keeps its space even without files.
 */
export function ReceiptPane<Form extends WithAttachments>({ form, files }: ReceiptPaneProps<Form>) {
  const links = form.values.documentLinks.filter(({ deleted }) => !deleted);
  const at = Math.max(
    0,
    links.findIndex(({ id }) => id === files.shownId),
  );
  const link = links[at];
  const isFixed = form.isReadOnly || form.busy;
  const onFiles = (picked: File[]) => void files.add(form, picked);
  return (
    <section className="at-receipt" aria-label="Receipt">
      <DropArea fills onFiles={onFiles} disabled={isFixed}>
        {link === undefined ? (
          <NoReceipt
            picker={!form.isReadOnly && <FilePicker {...{ onFiles }} disabled={isFixed} buttonLabel={ATTACH} />}
          />
        ) : (
          <Receipt
            link={link}
            file={files.fileOf(link)}
            progress={files.progress?.id === link.id ? files.progress.part : undefined}
            steps={<Steps {...{ links, at }} onStep={(next) => files.show(next.id)} />}
          />
        )}
      </DropArea>
    </section>
  );
}

const ATTACH = 'Attach Receipt';

const NoReceipt = ({ picker }: { picker: ReactNode }) => (
  <div className="ek-unshown">
    <EmptyState
      title="No receipt attached"
      hint="Drop a PDF or photo here to see it while you enter the bill."
      action={picker}
    />
  </div>
);

interface StepsProps {
  links: readonly AttachmentForm[];
  at: number;
  onStep: (next: AttachmentForm) => void;
}

/** "2 of 3" between the Previous and Next buttons, or nothing for a single file. */
function Steps({ links, at, onStep }: StepsProps) {
  if (links.length < 2) return null;
  const to = (next: AttachmentForm | undefined) => next && (() => onStep(next));
  return (
    <>
      <Tool label="Previous file" icon={<IconChevronLeft {...ICON} />} onClick={to(links[at - 1])} />
      <span className="ek-small ek-second" aria-live="polite">{`${at + 1} of ${links.length}`}</span>
      <Tool label="Next file" icon={<IconChevronRight {...ICON} />} onClick={to(links[at + 1])} />
    </>
  );
}

interface ToolProps {
  label: string;
  icon: ReactNode;
  /** Moves to another file. Undefined at the first or last file. */
  onClick: (() => void) | undefined;
}

/** The buttons stay enabled at the first and last file, because a disabled button would lose the focus. */
const Tool = ({ label, icon, onClick }: ToolProps) => (
  <ActionIcon
    aria-label={label}
    aria-disabled={onClick === undefined}
    {...(onClick === undefined ? { 'data-disabled': true } : { onClick })}
  >
    {icon}
  </ActionIcon>
);

interface ReceiptProps {
  link: AttachmentForm;
  /** The bytes of a file that has not been uploaded yet. */
  file: File | undefined;
  /** The upload progress from 0 to 1, or undefined if no upload is running. */
  progress: number | undefined;
  steps: ReactNode;
}

/** The zoom levels of a page, as multiples of the pane's width. */
const ZOOMS = [1, 1.5, 2, 3] as const;

function Receipt({ link, file, progress, steps }: ReceiptProps) {
  const { documentName: name, contentType, documentId } = link;
  const stored = useStoredFile(() => file);
  const [zoom, setZoom] = useState(0);
  const isLost = documentId === 0 && file === undefined;
  const isShown = canPreview(contentType) && !isLost;
  const save = () => stored.save(link);
  return (
    <>
      <div className="at-receipt-head">
        <span className="at-receipt-name ek-ellipsis" title={name}>
          {name}
        </span>
        {steps}
        {isShown && <Zoom at={zoom} onChange={setZoom} />}
        {!isLost && (
          <ActionIcon aria-label={`Download ${name}`} onClick={save}>
            <IconDownload {...ICON} />
          </ActionIcon>
        )}
        {progress !== undefined && (
          <progress className="at-receipt-progress" max={1} value={progress} aria-label={`Uploading ${name}`} />
        )}
      </div>
      {/* The pane can receive the focus, so that the arrow keys and Page Down scroll the file. */}
      <div key={link.id} className="at-receipt-page" role="group" aria-label={name} tabIndex={0}>
        {isLost && (
          <div className="ek-unshown" role="status">
            <EmptyState
              title="File lost when the page was reloaded"
              hint="Attach the file again, or remove it on the Attachments tab."
            />
          </div>
        )}
        {isShown && <Shown {...{ link, file }} zoom={ZOOMS[zoom] ?? 1} />}
        {!isLost && !isShown && <CannotShow reason="unreadable" onSave={save} />}
      </div>
    </>
  );
}

function Zoom({ at, onChange }: { at: number; onChange: (at: number) => void }) {
  const to = (next: number) => (ZOOMS[next] === undefined ? undefined : () => onChange(next));
  return (
    <>
      <Tool label="Zoom out" icon={<IconZoomOut {...ICON} />} onClick={to(at - 1)} />
      <Tool label="Zoom in" icon={<IconZoomIn {...ICON} />} onClick={to(at + 1)} />
    </>
  );
}

interface ShownProps extends Pick<ReceiptProps, 'link' | 'file'> {
  zoom: number;
}

function Shown({ link, file, zoom }: ShownProps) {
  const { blob, error, retry } = useStoredBytes({ ...link, file });
  if (error !== undefined) return <ErrorState message={error} onRetry={retry} />;
  if (blob === null) return <p role="status">Loading...</p>;
  return <FileView file={blob} name={link.documentName} zoom={zoom} />;
}
