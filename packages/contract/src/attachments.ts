import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { DateField, Id, IdText, LineId, maybe, text } from './fields.ts';

/** Files that hang on records. */

/** A file on a record, as a record's `documentLinks` answers it. */
export const DocumentLink = z.object({
  id: Id,
  documentId: Id,
  documentName: z.string(),
  uploadDate: DateField,
  /** The API's address of the file; never a path on a disk. */
  filePath: z.string(),
  /** Judged by the first bytes, not by the name. */
  contentType: z.string(),
  /** Bytes. */
  size: z.number().int(),
  /** Always false in a reply: deleted files are left out. */
  deleted: z.boolean(),
});
export type DocumentLink = z.output<typeof DocumentLink>;

/** A file as a record's body names it. */
export const DocumentLinkInput = z.object({
  /** The id of a saved link; 0, negative or missing for a new one. */
  id: maybe(LineId),
  /** The id from POST document; 0 is not uploaded yet. */
  documentId: maybe(Id),
  /** The file's name on the record; missing: the name that it was uploaded with. */
  documentName: maybe(text(1000)),
  /** true takes the file off the record. */
  deleted: maybe(z.boolean()),
});
export type DocumentLinkInput = z.output<typeof DocumentLinkInput>;

/** In the body of a record: what is new, renamed or deleted; links that are not mentioned stay as they are. */
export const documentLinksInput = maybe(z.array(DocumentLinkInput).max(100));

/** A file that was uploaded; it is kept when a record that names it is saved. */
export const StoredDocument = z.object({
  documentId: Id,
  documentName: z.string(),
  size: z.number().int(),
  contentType: z.string(),
});
export type StoredDocument = z.output<typeof StoredDocument>;

export const attachmentCalls = {
  uploadDocument: endpoint({
    method: 'POST',
    path: '/document',
    atMost: 2000,
    needs: ['Manage Products', 'Manage Billing', 'Manage Expenses', 'Manage Banking'],
    summary: 'Uploads a file. Name its ID in the `documentLinks` of the record you save next.',
    takes: 'file',
    reply: StoredDocument,
  }),
  getDocument: endpoint({
    method: 'GET',
    path: '/document/{documentId}',
    needs: 'by record',
    summary:
      'Returns the contents of a file. You need permission to view a record it is attached to, or ' +
      'must have just uploaded it.',
    params: z.object({ documentId: IdText }),
    reply: 'file',
  }),
};
