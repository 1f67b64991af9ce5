import * as z from 'zod';
import { DateField, Id, LineId, maybe, text } from './fields.ts';

/** Files attached to records. */

/** An attachment in a record's `documentLinks`. */
export const DocumentLink = z.object({
  id: Id,
  documentId: Id,
  documentName: z.string(),
  uploadDate: DateField,
  /** The file's API path, never a path on a disk. */
  filePath: z.string(),
  /** The content type, which is determined from the file's first bytes and not from its name. */
  contentType: z.string(),
  /** The size in bytes. */
  size: z.number().int(),
  /** Whether the file is deleted. Always false in a response, because deleted files are omitted. */
  deleted: z.boolean(),
});
export type DocumentLink = z.output<typeof DocumentLink>;

/** An attachment in the body of a record. */
export const DocumentLinkInput = z.object({
  /** The ID of a saved attachment. 0, negative, or missing for a new attachment. */
  id: maybe(LineId),
  /** The ID that `POST /document` returned. 0 if the file is not uploaded yet. */
  documentId: maybe(Id),
  /** The file's name on the record. Defaults to the name of the uploaded file. */
  documentName: maybe(text(1000)),
  /** If true, the file is removed from the record. */
  deleted: maybe(z.boolean()),
});
export type DocumentLinkInput = z.output<typeof DocumentLinkInput>;

/** New, renamed, and deleted attachments in a record's request body. Attachments that are not included don't change. */
export const documentLinksInput = maybe(z.array(DocumentLinkInput).max(100));
