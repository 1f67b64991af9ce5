import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { deleteOldProposals } from '../across/agents/proposals.sql.ts';
import { sweepAttachments } from '../books/attachments/files.ts';
import { letterSender } from '../across/auth/letters.ts';
import { deleteOldChallenges } from '../across/auth/passkeys.sql.ts';
import { deleteOldPlaces } from '../across/auth/signin.sql.ts';
import { deleteDeadSessions, deleteOldTokens } from '../across/auth/tokens.sql.ts';
import { sealPlainNumbers } from '../features/banking/numbers.ts';
import { monotonic } from '../platform/clock.ts';
import { compareKeys } from '../platform/db/key-mark.ts';
import { enqueue, type JobHandlers, runDueJobs, sweepCompany } from '../platform/db/jobs.ts';
import type { Pool } from '../platform/db/connect.ts';
import { isUnavailable } from '../platform/db/errors.ts';
import { inCompany, installation } from '../platform/db/tx.ts';
import { checkBooks } from '../across/health/check.ts';
import { HEALTH_JOB } from '../across/health/health.ts';
import { isDueSql } from '../across/health/health.sql.ts';
import type { Services } from '../platform/http/context.ts';
import { sweepLimits } from '../platform/http/limits.ts';
import type { Mailer } from '../platform/mail/mailer.ts';
import { mailSender, requeueEmails } from '../across/sending/deliver.ts';
import { remindersSender } from '../across/sending/reminders.ts';

import { moveHandlers } from '../across/moving/runner.ts';
import { EVENT_JOB, requeueEvents } from '../across/online/connection.ts';
import { eventHandler } from '../across/online/events.ts';
import { deleteOldSql } from '../across/online/online.sql.ts';
import { askForDue, makeDue } from '../across/scheduled/making.ts';
import { openSender } from '../across/webhooks/sender.ts';
import { deleteOldDeliveries } from '../across/webhooks/webhooks.sql.ts';

const PAUSE_MS = 1000;
const SWEEP_MS = 3_600_000;

/**
 * Starts the background work. Waiting jobs and webhooks run every second, and the cleanup runs every hour. Health
 * checks take a long time, so they have their own queue and a pool without short time limits. Returns a function that
 * stops the work.
 */
export function startWorker(services: Services, mailer: Mailer, patient: Pool): () => Promise<void> {
  const stopping = new AbortController();
  const handlers: JobHandlers = {
    letter: letterSender(services.config, mailer),
    mail: mailSender(services, mailer),
    reminders: remindersSender(services),
    numbers: sealPlainNumbers(services.box),
    sweep:
      async ({ companyId }) =>
      () =>
        sweepBooks(services, companyId),
    scheduled:
      async ({ companyId }) =>
      () =>
        makeDue(services, companyId),
  };
  const checks: JobHandlers = {
    [HEALTH_JOB]:
      async ({ companyId }) =>
      () =>
        checkBooks(patient, companyId),
  };
  // The online payment provider may respond slowly, which must not delay emails.
  const payments: JobHandlers = { [EVENT_JOB]: eventHandler(services) };
  const { signal } = stopping;
  const running = run(services, handlers, { signal, sweeps: true });
  // Shutdown does not wait for a check, because a check only reads data and can be repeated. An import is one
  // transaction, which is rolled back, and its job becomes due again.
  const { reading, writing } = moveHandlers(services, patient);
  for (const own of [checks, reading, writing]) void run(services, own, { signal, sweeps: false });
  const [posting, sending] = [run(services, payments, { signal, sweeps: false }), sendWebhooks(services, signal)];
  return async () => {
    stopping.abort();
    await Promise.all([running, posting, sending]);
  };
}

/** Sends webhooks every second. A slow receiver doesn't delay others. Shutdown stops the requests that are running. */
async function sendWebhooks(services: Services, signal: AbortSignal): Promise<void> {
  const sender = openSender(services, { signal });
  const running = new Set<Promise<void>>();
  while (!signal.aborted) {
    try {
      for (const each of await sender()) {
        running.add(each);
        void each.finally(() => running.delete(each));
      }
    } catch (error) {
      if (!isUnavailable(error)) services.log.error({ err: error }, 'the worker failed unexpectedly');
    }
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
  await Promise.all(running);
}

async function run(
  services: Services,
  handlers: JobHandlers,
  { signal, sweeps }: { signal: AbortSignal; sweeps: boolean },
): Promise<void> {
  const { pool, log } = services;
  let sweptAt = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    try {
      await runDueJobs(pool, handlers, ({ kind, key, companyId, userId }, error) =>
        log.warn({ kind, key, companyId, userId, reason: reasonOf(error) }, 'a job failed'),
      );
      if (sweeps && monotonic() - sweptAt > SWEEP_MS) {
        sweptAt = monotonic();
        await sweep(services);
      }
    } catch (error) {
      if (!isUnavailable(error)) log.error({ err: error }, 'the worker failed unexpectedly');
    }
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Deletes expired links, sessions, and limits. Each company's data is cleaned up by a separate job. */
async function sweep(services: Services): Promise<void> {
  const { pool, config } = services;
  await compareKeys(services);
  await installation(pool, deleteOldTokens());
  await installation(pool, deleteOldPlaces());
  await installation(pool, deleteOldChallenges());
  await installation(pool, deleteDeadSessions(config.sessionIdleHours));
  await sweepLimits(pool);
  const companies = await installation(
    pool,
    sql<{ companyId: number }>`select distinct company_id as "companyId" from membership`,
  );
  for (const { companyId } of companies) {
    await inCompany(pool, companyId, async (tx) => {
      for (const kind of ['sweep', 'reminders']) enqueue(tx, { kind, key: kind, payload: {}, userId: null });
      askForDue(tx);
      const check = await tx.row(isDueSql());
      if (check?.due === true) enqueue(tx, { kind: HEALTH_JOB, key: HEALTH_JOB, payload: {}, userId: null });
    });
  }
}

/**
 * For a company, deletes stored responses to repeated requests, unattached files, old webhook deliveries, old agent
 * proposals, and old online payment events, and requeues waiting emails and events.
 */
async function sweepBooks({ pool }: Services, companyId: number): Promise<void> {
  await sweepCompany(pool, companyId);
  await sweepAttachments(pool, companyId);
  await inCompany(pool, companyId, requeueEmails);
  await inCompany(pool, companyId, async (tx) => {
    tx.atEnd(...deleteOldSql());
    await requeueEvents(tx);
  });
  await inCompany(pool, companyId, (tx) => tx.rows(deleteOldDeliveries()));
  await inCompany(pool, companyId, (tx) => tx.rows(deleteOldProposals()));
}
