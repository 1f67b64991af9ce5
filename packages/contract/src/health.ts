import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, Moment } from './fields.ts';

/** The state of a company's books and of what runs beside them. */

const CheckResult = z.object({
  name: z.string(),
  title: z.string(),
  /** The proof in words. */
  says: z.string(),
  /** Cents where its words speak of an amount, else a number of something; null where there is none. */
  figure: z.object({ kind: z.enum(['amount', 'count']), value: z.number().int(), words: z.string() }).nullable(),
  /** Null before the first check. */
  checkedAt: Moment.nullable(),
  milliseconds: z.number().int(),
  faultCount: z.number().int(),
  /** The first fault, and the entry and the record (by its kind in the audit log) that it is about, if any. */
  message: z.string().nullable(),
  transactionId: Id.nullable(),
  record: z.object({ kind: z.string(), id: Id }).nullable(),
});
export type CheckResult = z.output<typeof CheckResult>;

const FailedJob = z.object({ kind: z.string(), at: Moment, attempts: z.number().int(), error: z.string() });

const HealthLine = z.object({
  /** When all was last checked; null before that. */
  checkedAt: Moment.nullable(),
  /** Checks that found something, and the first of them. */
  off: z.number().int(),
  first: z.string().nullable(),
  failedJobs: z.number().int(),
});

export const Health = HealthLine.extend({
  checks: z.array(CheckResult),
  /** The check that is under way or was asked for; null when none is. */
  run: z.object({ done: z.number().int(), total: z.number().int() }).nullable(),
  /** Those that are retried wait, and failed before; their `at` is when that is. */
  jobs: z.object({ waiting: z.number().int(), retried: z.array(FailedJob), failed: z.array(FailedJob) }),
  /** The last one that `evenkeel backup` wrote. */
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
  getHealthLine: endpoint({
    method: 'GET',
    path: '/health/line',
    needs: 'Administrator',
    summary: 'Returns a one-line health summary.',
    reply: HealthLine,
  }),
  checkHealth: endpoint({
    method: 'POST',
    path: '/health',
    needs: 'Administrator',
    summary: 'Starts a health check in the background. Poll `GET` for its progress.',
    reply: Health,
  }),
};
