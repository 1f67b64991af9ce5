import type { DocumentLink, DocumentLinkInput } from '@evenkeel/contract/attachments';
import * as z from 'zod';

/** An attachment in a record's form and draft. The bytes of a new file are not included. */

export const AttachmentForm = z.object({
  /** The ID of the link. Negative until the record is saved. */
  id: z.number(),
  /** The ID of the uploaded file. 0 until the file is uploaded. */
  documentId: z.number(),
  documentName: z.string(),
  uploadDate: z.string(),
  contentType: z.string(),
  size: z.number(),
  deleted: z.boolean(),
});
export type AttachmentForm = z.output<typeof AttachmentForm>;

/** The form field for attachments: `documentLinks: AttachmentsForm`. */
export const AttachmentsForm = z.array(AttachmentForm);
export type AttachmentsForm = z.output<typeof AttachmentsForm>;

/** A form with attachments. */
export interface WithAttachments {
  documentLinks: AttachmentsForm;
}

export function attachmentsFormOf(links: readonly DocumentLink[] | undefined): AttachmentsForm {
  return (links ?? []).map(({ filePath: _, ...link }) => link);
}

/**
 * Returns the new and removed links to send. The server keeps all other links, including those that other users added.
 */
export function attachmentsInput(links: AttachmentsForm): DocumentLinkInput[] {
  return links
    .filter(({ id, deleted }) => id <= 0 || deleted)
    .map(({ id, documentId, documentName, deleted }) => ({ id, documentId, documentName, deleted }));
}

export interface PickedFile {
  name: string;
  size: number;
  contentType: string;
}

/** Returns the link for a picked file. Its ID is negative, because the link isn't saved yet. */
export function newAttachment(id: number, { name, size, contentType }: PickedFile): AttachmentForm {
  return { id, documentId: 0, documentName: name, uploadDate: '', contentType, size, deleted: false };
}

/** Marks a link as deleted until the record is saved, or clears the mark. An unsaved link is removed instead. */
export function withDeleted(links: AttachmentsForm, id: number, deleted: boolean): AttachmentsForm {
  if (id < 0) return links.filter((link) => link.id !== id);
  return links.map((link) => (link.id === id ? { ...link, deleted } : link));
}

/** Returns the number of files that remain after the save, which the tab shows. */
export function countOf(links: AttachmentsForm): number {
  return links.filter(({ deleted }) => !deleted).length;
}

/** Formats a size, for example "812 bytes" or "1.4 MB". 1 kB is 1,024 bytes. */
export function sizeWords(size: number): string {
  if (size < 1024) return `${size} bytes`;
  const [value, unit] = size < 1_048_576 ? [size / 1024, 'kB'] : [size / 1_048_576, 'MB'];
  return `${value.toLocaleString('en-US', { maximumFractionDigits: value >= 100 ? 0 : 1 })} ${unit}`;
}
