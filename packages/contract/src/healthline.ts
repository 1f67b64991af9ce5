import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Moment } from './fields.ts';

/** The Health summary, which the dashboard shows without making the other Health calls. */

export const HealthLine = z.object({
  /** The time of the last complete check. Null before the first check. */
  checkedAt: Moment.nullable(),
  /** The number of failed checks, and the first of these checks. */
  off: z.number().int(),
  first: z.string().nullable(),
  failedJobs: z.number().int(),
});

export const healthLineCalls = {
  getHealthLine: endpoint({
    method: 'GET',
    path: '/health/line',
    needs: 'Administrator',
    summary: 'Returns a one-line health summary.',
    reply: HealthLine,
  }),
};
