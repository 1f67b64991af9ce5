import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, IdText } from './fields.ts';

/** Uploads and downloads of the files that records refer to. */

/** An uploaded file, which is stored permanently when a record that refers to it is saved. */
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
    summary: 'Uploads a file. Include its ID in the `documentLinks` of the record that you save next.',
    takes: 'file',
    reply: StoredDocument,
  }),
  getDocument: endpoint({
    method: 'GET',
    path: '/document/{documentId}',
    needs: 'by record',
    summary:
      'Returns the contents of a file that you just uploaded, or that is attached to a record that you can view.',
    params: z.object({ documentId: IdText }),
    reply: 'file',
  }),
};
