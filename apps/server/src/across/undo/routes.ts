import { auditCalls as calls } from '@evenkeel/contract/audit';
import { preparedRoute, type Route, withPermits } from '../../platform/http/route.ts';
import { changePermission, prepareUndo, undoChange } from './undo.ts';

/** `routes` returns all routes, because a change is undone by another call. */
export const undoRoutes = (routes: () => readonly Route[]): Route[] => [
  withPermits(preparedRoute(calls.undoChange, prepareUndo(routes), undoChange(routes)), (ctx, { params }) =>
    changePermission(ctx, Number(params?.['id'])),
  ),
];
