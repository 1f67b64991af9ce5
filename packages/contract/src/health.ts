import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, Moment } from './fields.ts';
import { HealthLine, healthLineCalls } from './healthline.ts';

/** The health of a company's books and the server's background work. */

const CheckResult = z.object({
  name: z.string(),
  title: z.string(),
  /** The description of the check. */
  says: z.string(),
  /** An amount in cents or a count, depending on the description. Null if there is no value. */
  figure: z.object({ kind: z.enum(['amount', 'count']), value: z.number().int(), words: z.string() }).nullable(),
  /** The time of the last check. Null before the first check. */
  checkedAt: Moment.nullable(),
  milliseconds: z.number().int(),
  faultCount: z.number().int(),
  /** The first problem that the check found, with the entry and the record (by its kind in the audit log), if any. */
  message: z.string().nullable(),
  transactionId: Id.nullable(),
  record: z.object({ kind: z.string(), id: Id }).nullable(),
});
export type CheckResult = z.output<typeof CheckResult>;

const FailedJob = z.object({ kind: z.string(), at: Moment, attempts: z.number().int(), error: z.string() });

export const Health = HealthLine.extend({
  checks: z.array(CheckResult),
  /** The check that is running or requested. Null if there is none. */
  run: z.object({ done: z.number().int(), total: z.number().int() }).nullable(),
  /**
   * The waiting, retried, and failed jobs. A retried job has failed before, and its `at` is the time of the next
   * attempt.
   */
  jobs: z.object({ waiting: z.number().int(), retried: z.array(FailedJob), failed: z.array(FailedJob) }),
  /** The last backup that `evenkeel backup` wrote. */
  backup: z.object({ at: Moment, bytes: z.number() }).nullable(),
  storage: z.object({ databaseBytes: z.number(), fileBytes: z.number(), freeBytes: z.number().nullable() }),
  version: z.string(),
});
export type Health = z.output<typeof Health>;

export const healthCalls = {
  getHealth: endpoint({
    method: 'GET',
    path: '/health',
    needs: 'Administrator',
    summary: 'Returns the results of the last health check, plus jobs, backup, storage, and version.',
    reply: Health,
  }),
  ...healthLineCalls,
  checkHealth: endpoint({
    method: 'POST',
    path: '/health',
    noRehearsal: true,
    needs: 'Administrator',
    summary: 'Starts a health check in the background. Poll `GET /health` for its progress.',
    reply: Health,
  }),
};
