import type { CheckResult, Health } from '@evenkeel/contract/health';
import { healthCheckOf, healthChecks } from '@evenkeel/core/words/health';
import { statfs } from 'node:fs/promises';
import * as z from 'zod';
import { enqueue } from '../../platform/db/jobs.ts';
import { installation } from '../../platform/db/tx.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { version } from '../../platform/root.ts';
import * as rows from './health.sql.ts';

/** The kind of the job that checks a company's books. */
export const HEALTH_JOB = 'health';

/** Returns a one-line health summary. */
export async function getHealthLine({ tx }: Ctx) {
  const [found, failed, [run]] = await Promise.all([
    tx.rows(rows.checks.find({})),
    tx.rows(rows.failedJobsSql()),
    tx.rows(rows.runs.find({})),
  ]);
  const off = inOrder(found).filter(({ faultCount }) => faultCount > 0);
  return {
    checkedAt: run?.finishedAt?.toISOString() ?? newest(found),
    off: off.length,
    first: off[0] === undefined ? null : healthCheckOf(off[0].name).title,
    failedJobs: failed.length,
  };
}

interface Kept extends Omit<rows.Found, 'figure'> {
  figure: number | null;
  checkedAt: Date;
}

/** Returns the time of the newest result. While a check is running, the other results are from the previous check. */
function newest(found: readonly Kept[]): string | null {
  const times = found.map(({ checkedAt }) => checkedAt.getTime());
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString();
}

const placeOf = (name: string): number => {
  const place = healthChecks.findIndex((each) => each.name === name);
  return place === -1 ? healthChecks.length : place;
};

const inOrder = <R extends { name: string }>(found: readonly R[]): R[] =>
  found.toSorted((a, b) => placeOf(a.name) - placeOf(b.name) || a.name.localeCompare(b.name));

export async function getHealth(ctx: Ctx): Promise<Health> {
  const { tx, services } = ctx;
  const { pool, config } = services;
  const [line, found, failed, retried, [run], waiting, storage, [backup], free] = await Promise.all([
    getHealthLine(ctx),
    tx.rows(rows.checks.find({})),
    tx.rows(rows.failedJobsSql()),
    tx.rows(rows.retriedJobsSql()),
    tx.rows(rows.runs.find({})),
    tx.one(rows.waitingJobsSql()),
    tx.one(rows.storageSql()),
    installation(pool, rows.backupSql()),
    freeBytes(config.dataDir),
  ]);
  const isRunning = run !== undefined && run.finishedAt === null;
  return {
    ...line,
    checks: viewsOf(found),
    run: isRunning ? { done: run.done, total: run.total } : null,
    jobs: { ...waiting, retried: retried.map(shownJob), failed: failed.map(shownJob) },
    backup: backup === undefined ? null : Backup.parse(JSON.parse(backup.value)),
    storage: { ...storage, freeBytes: free },
    version: version(),
  };
}

const shownJob = (job: rows.JobRow) => ({ ...job, at: job.at.toISOString() });

const Backup = z.object({ at: z.string(), bytes: z.number() });

/** Returns all checks, including those that have not run yet. */
export function viewsOf(found: readonly Kept[]): CheckResult[] {
  const byName = new Map(found.map((each) => [each.name, each]));
  const names = [...new Set([...healthChecks.map(({ name }) => name), ...byName.keys()])];
  return names.map((name) => {
    const { title, says, figure: shown } = healthCheckOf(name);
    const {
      checkedAt,
      milliseconds = 0,
      faultCount = 0,
      message = null,
      transactionId = null,
      recordKind = null,
      recordId = null,
      figure = null,
    } = byName.get(name) ?? {};
    return {
      name,
      title,
      says,
      figure: shown === undefined || figure === null ? null : { ...shown, value: figure },
      checkedAt: checkedAt?.toISOString() ?? null,
      milliseconds,
      faultCount,
      message,
      transactionId,
      record: recordKind === null || recordId === null ? null : { kind: recordKind, id: recordId },
    };
  });
}

/** Returns the free disk space for the data directory, or null if it is unknown. */
async function freeBytes(dataDir: string): Promise<number | null> {
  const disk = await statfs(dataDir).catch(() => undefined);
  return disk === undefined ? null : disk.bavail * disk.bsize;
}

/** Requests a check of the books as soon as possible. Repeated requests lead to only one check. */
export async function checkHealth(ctx: Ctx): Promise<Health> {
  const { tx, userId } = ctx;
  await tx.rows(rows.askSql());
  enqueue(tx, { kind: HEALTH_JOB, key: HEALTH_JOB, payload: {}, userId });
  return getHealth(ctx);
}
