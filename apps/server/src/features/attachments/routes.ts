import { attachmentCalls as calls } from '@evenkeel/contract/uploads';
import { type Route, route } from '../../platform/http/route.ts';
import { getFile, keepUpload, fileReadPermission } from '../../books/attachments/files.ts';

export const attachmentRoutes: Route[] = [
  route(calls.uploadDocument, (ctx, { body }) => keepUpload(ctx, body)),
  route(calls.getDocument, (ctx, { params }) => getFile(ctx, params.documentId), {
    permits: (ctx, { params }) => fileReadPermission(ctx, params.documentId),
  }),
];
