import * as z from 'zod';
import { endpoint, type Endpoint } from './endpoint.ts';

/** The call for the menu, which is separate from the other Approvals calls because every page loads it. */
export const approvalCountCalls = {
  countApprovals: endpoint({
    method: 'GET',
    path: '/approvals/count',
    needs: 'signed-in',
    ofPerson: true,
    summary: 'Returns the number of waiting, approved, and rejected changes that you have permission to make.',
    reply: z.object({
      waiting: z.number().int(),
      approved: z.number().int(),
      rejected: z.number().int(),
      /** Whether an API key has a policy for agents. False for people who can't change anything. */
      hasAgents: z.boolean(),
    }),
  }),
} satisfies Record<string, Endpoint>;
