import { agentCalls as calls } from '@evenkeel/contract/agents';
import { approvalCountCalls } from '@evenkeel/contract/approvalCount';
import { openRoute, preparedRoute, type Route, route, withPermits } from '../../platform/http/route.ts';
import { getAccess, getPolicy, setAccess, setPolicy } from './access.ts';
import {
  approve,
  changeApproval,
  countApprovals,
  listApprovals,
  openApproval,
  prepareApprove,
  prepareChange,
  prepareOpen,
  rejectApproval,
  undoApproval,
} from './approvals.ts';
import { commit, getProposal, prepareCommit, prepareProposal, propose, undoProposals } from './proposals.ts';

/** Always allows the call. The operation's own permission is checked after its name is known. */
const permits = async () => 'allowed' as const;

/** Returns the routes for agents. `routes` returns all of the API's routes, whose operations can be proposed. */
export const agentRoutes = (routes: () => readonly Route[]): Route[] => [
  route(calls.getAgentAccess, getAccess),
  route(calls.setAgentAccess, setAccess),
  route(calls.getKeyPolicy, getPolicy),
  openRoute(calls.setKeyPolicy, setPolicy),
  withPermits(preparedRoute(calls.propose, prepareProposal(routes), propose), permits),
  withPermits(preparedRoute(calls.commit, prepareCommit(routes), commit), permits),
  route(calls.getProposal, getProposal),
  route(calls.undoProposals, undoProposals(routes), { permits }),
  route(calls.listApprovals, listApprovals),
  route(approvalCountCalls.countApprovals, countApprovals),
  preparedRoute(calls.openApproval, prepareOpen(routes), openApproval),
  preparedRoute(calls.changeApproval, prepareChange(routes), changeApproval),
  preparedRoute(calls.approve, prepareApprove(routes), approve),
  route(calls.rejectApproval, rejectApproval),
  route(calls.undoApproval, undoApproval(routes)),
];
