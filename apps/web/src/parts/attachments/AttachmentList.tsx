import './attachments.css';
import { canPreview } from '@evenkeel/core/documents/attachments';
import { ActionIcon, Button } from '@mantine/core';
import { IconDownload, IconFile, IconFileTypePdf, IconPhoto, IconTrash } from '@tabler/icons-react';
import { formatDate, isIsoDate } from '@evenkeel/core/dates';
import type { ReactNode } from 'react';
import { PdfPanel } from '../../ui/overlay/PdfPanel.tsx';
import { ICON } from '../../ui/show/icons.ts';
import { type AttachmentForm, sizeWords } from './attachmentForm.ts';
import { useStoredFile } from './useStoredFile.ts';

export interface AttachmentListProps {
  links: readonly AttachmentForm[];
  /** Returns a link's pending file, or undefined if this tab doesn't have the file. */
  fileOf?: ((link: AttachmentForm) => File | undefined) | undefined;
  /** Returns the progress of an upload, from 0 to 1. */
  progressOf?: ((link: AttachmentForm) => number | undefined) | undefined;
  /** Shows a file next to the form. If omitted, files open in a panel. */
  onShow?: ((link: AttachmentForm) => void) | undefined;
  /** Called when the user selects Delete or Undo. Omitted if the attachments can't be changed. */
  onDelete?: ((link: AttachmentForm, deleted: boolean) => void) | undefined;
}

/**
 * A record's attachments. Selecting a file opens a preview if the browser can show the file. Every file can be
 * downloaded.
 */
export function AttachmentList({ links, fileOf, progressOf, onShow, onDelete }: AttachmentListProps) {
  const stored = useStoredFile(fileOf);
  return (
    <>
      <ul className="at-list" aria-label="Attachments">
        {links.map((link) => (
          <AttachmentRow
            key={link.id}
            link={link}
            isLost={link.documentId === 0 && fileOf?.(link) === undefined}
            progress={progressOf?.(link)}
            onLook={() => (onShow ?? stored.look)(link)}
            onSave={() => stored.save(link)}
            onDelete={onDelete === undefined ? undefined : (deleted) => onDelete(link, deleted)}
          />
        ))}
      </ul>
      <PdfPanel
        file={stored.looked?.file ?? null}
        title={stored.looked?.name ?? ''}
        fileName={stored.looked?.name ?? ''}
        onClose={stored.close}
      />
    </>
  );
}

interface RowProps {
  link: AttachmentForm;
  /** Whether the page was reloaded before the file was uploaded. */
  isLost: boolean;
  progress: number | undefined;
  onLook: () => void;
  onSave: () => void;
  onDelete: ((deleted: boolean) => void) | undefined;
}

function AttachmentRow({ link, isLost, progress, onLook, onSave, onDelete }: RowProps) {
  const { documentName: name, contentType, deleted } = link;
  const Icon = contentType === 'application/pdf' ? IconFileTypePdf : canPreview(contentType) ? IconPhoto : IconFile;
  return (
    <li className="at-row" data-deleted={deleted ? '' : undefined}>
      <Icon {...ICON} />
      <div className="at-what">
        {isLost ? (
          <span className="at-name">{name}</span>
        ) : (
          <button type="button" className="ek-link at-name" onClick={canPreview(contentType) ? onLook : onSave}>
            {name}
          </button>
        )}
        {progress === undefined ? (
          <p className="at-note ek-small ek-second">{noteOf(link, isLost)}</p>
        ) : (
          <progress className="at-progress" max={1} value={progress} aria-label={`Uploading ${name}`} />
        )}
      </div>
      {!isLost && (
        <ActionIcon aria-label={`Download ${name}`} onClick={onSave}>
          <IconDownload {...ICON} />
        </ActionIcon>
      )}
      {onDelete !== undefined && progress === undefined && <DeleteOrUndo {...{ name, deleted, onDelete }} />}
    </li>
  );
}

interface DeleteOrUndoProps {
  name: string;
  deleted: boolean;
  onDelete: (deleted: boolean) => void;
}

function DeleteOrUndo({ name, deleted, onDelete }: DeleteOrUndoProps): ReactNode {
  if (deleted) {
    return (
      <Button variant="subtle" aria-label={`Restore ${name}`} onClick={() => onDelete(false)}>
        Undo
      </Button>
    );
  }
  return (
    <ActionIcon aria-label={`Delete ${name}`} onClick={() => onDelete(true)}>
      <IconTrash {...ICON} />
    </ActionIcon>
  );
}

/** Returns the note that is shown below a file's name. */
function noteOf({ documentId, size, uploadDate, deleted }: AttachmentForm, isLost: boolean): string {
  if (isLost) return 'This file was lost when the page was reloaded. Attach it again, or remove it.';
  if (deleted) return 'Deleted when you save';
  if (documentId === 0) return `${sizeWords(size)} · uploads when you save`;
  return [sizeWords(size), isIsoDate(uploadDate) ? formatDate(uploadDate) : 'uploaded'].join(' · ');
}

/** The attachments of a read-only record, under a heading. Renders nothing if there are none. */
export function AttachedFiles({ links }: Pick<AttachmentListProps, 'links'>) {
  if (links.length === 0) return null;
  return (
    <section className="at-panel">
      <h3>Attachments</h3>
      <AttachmentList links={links} />
    </section>
  );
}
