import { attachmentCalls as calls } from '@evenkeel/contract/attachments';
import { recordRoute, type Route, route } from '../../platform/http/route.ts';
import { getFile, keepUpload, fileReadPermission } from '../../books/attachments/files.ts';

export const attachmentRoutes: Route[] = [
  route(calls.uploadDocument, (ctx, { body }) => keepUpload(ctx, body)),
  recordRoute(
    calls.getDocument,
    (ctx, { params }) => fileReadPermission(ctx, params.documentId),
    (ctx, { params }) => getFile(ctx, params.documentId),
  ),
];
