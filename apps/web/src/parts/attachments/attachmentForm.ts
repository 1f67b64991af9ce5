import type { DocumentLink, DocumentLinkInput } from '@evenkeel/contract/attachments';
import * as z from 'zod';

/** A record's files as the part of its form that is kept in the draft; the bytes of a new one are not in it. */

export const AttachmentForm = z.object({
  /** Negative while it is not saved. */
  id: z.number(),
  /** 0 while it is not uploaded. */
  documentId: z.number(),
  documentName: z.string(),
  uploadDate: z.string(),
  contentType: z.string(),
  size: z.number(),
  deleted: z.boolean(),
});
export type AttachmentForm = z.output<typeof AttachmentForm>;

/** The field of a form that has files: `documentLinks: AttachmentsForm`. */
export const AttachmentsForm = z.array(AttachmentForm);
export type AttachmentsForm = z.output<typeof AttachmentsForm>;

/** A form with files. */
export interface WithAttachments {
  documentLinks: AttachmentsForm;
}

export function attachmentsFormOf(links: readonly DocumentLink[] | undefined): AttachmentsForm {
  return (links ?? []).map(({ filePath: _, ...link }) => link);
}

/** The links to send: new and removed ones. Others stay, also those that somebody else has added. */
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

/** The link of a file that was picked; its id is negative, as all that is not saved. */
export function newAttachment(id: number, { name, size, contentType }: PickedFile): AttachmentForm {
  return { id, documentId: 0, documentName: name, uploadDate: '', contentType, size, deleted: false };
}

/** Marked deleted until the save, or not any more; an unsaved one is simply removed. */
export function withDeleted(links: AttachmentsForm, id: number, deleted: boolean): AttachmentsForm {
  if (id < 0) return links.filter((link) => link.id !== id);
  return links.map((link) => (link.id === id ? { ...link, deleted } : link));
}

/** Number of files after the save: the count on the tab. */
export function countOf(links: AttachmentsForm): number {
  return links.filter(({ deleted }) => !deleted).length;
}

/** "812 bytes", "1.4 MB"; 1,024 bytes are a kB. */
export function sizeWords(size: number): string {
  if (size < 1024) return `${size} bytes`;
  const [value, unit] = size < 1_048_576 ? [size / 1024, 'kB'] : [size / 1_048_576, 'MB'];
  return `${value.toLocaleString('en-US', { maximumFractionDigits: value >= 100 ? 0 : 1 })} ${unit}`;
}
