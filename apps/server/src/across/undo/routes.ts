import { auditCalls as calls } from '@evenkeel/contract/audit';
import { type Route, route } from '../../platform/http/route.ts';
import { changePermission, undoChange } from './undo.ts';

/** `routes` returns all routes, because a change is undone by another call. */
export const undoRoutes = (routes: () => readonly Route[]): Route[] => [
  route(calls.undoChange, undoChange(routes), { permits: (ctx, { params }) => changePermission(ctx, params.id) }),
];
