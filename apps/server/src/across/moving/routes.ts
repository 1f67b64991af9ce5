import { movingCalls as calls } from '@evenkeel/contract/moving';
import { type Route, route } from '../../platform/http/route.ts';
import {
  addFile,
  cancelMove,
  createMove,
  deleteMove,
  getMove,
  getMoveProgress,
  listMoveParties,
  listMoves,
  proofBalances,
  proofCsv,
  removeFile,
  startMove,
  startUndo,
  updateMove,
} from './moves.ts';
import { printMove } from './print.ts';

export const movingRoutes: Route[] = [
  route(calls.listMoves, (ctx) => listMoves(ctx)),
  route(calls.createMove, (ctx, { body }) => createMove(ctx, body.system)),
  route(calls.getMove, (ctx, { params }) => getMove(ctx, params.id)),
  route(calls.getMoveProgress, (ctx, { params }) => getMoveProgress(ctx, params.id)),
  route(calls.updateMove, (ctx, { params, body }) => updateMove(ctx, params.id, body)),
  route(calls.deleteMove, (ctx, { params }) => deleteMove(ctx, params.id)),
  route(calls.uploadMoveFile, (ctx, { params, body }) => addFile(ctx, params.id, body)),
  route(calls.deleteMoveFile, (ctx, { params }) => removeFile(ctx, params.id, params.fileId)),
  route(calls.previewMove, (ctx, { params }) => startMove(ctx, params.id, 'preview')),
  route(calls.importMove, (ctx, { params, body }) => startMove(ctx, params.id, 'import', body.rowVersion)),
  route(calls.cancelMove, (ctx, { params }) => cancelMove(ctx, params.id)),
  route(calls.undoMove, (ctx, { params }) => startUndo(ctx, params.id)),
  route(calls.listMoveParties, (ctx, { params }) => listMoveParties(ctx, params.id)),
  route(calls.getMoveProof, (ctx, { params, query }) => proofBalances(ctx, params.id, query.monthEnd)),
  route(calls.downloadMoveProof, (ctx, { params }) => proofCsv(ctx, params.id)),
  route(calls.printMove, (ctx, { params }) => printMove(ctx, params.id)),
];
