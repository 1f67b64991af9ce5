import { WAITING, type WaitingKey, type WaitingWork } from '@evenkeel/contract/dashboard';
import { sql } from 'kysely';
import { reviewCountSql } from '../../features/banking/statements.sql.ts';
import { givenUpSql } from '../../platform/db/jobs.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { holds, isAdministrator } from '../../platform/http/session.ts';
import { LETTER } from '../../platform/mail/mailer.ts';
import { onlineReviewCountSql } from '../online/online.sql.ts';
import { selectTroubled } from '../sending/mails.sql.ts';
import { acceptedCountSql } from '../../features/billing/estimates.sql.ts';

/** Lists the user's pending tasks, limited to what the user may change. Empty categories are omitted. */
export async function waitingWork(ctx: Ctx): Promise<WaitingWork[]> {
  const [lines, online, accepted, mails, jobs] = await Promise.all([
    holds(ctx, 'View Banking') ? ctx.tx.row(reviewCountSql()) : undefined,
    holds(ctx, 'View Billing') ? ctx.tx.row(onlineReviewCountSql()) : undefined,
    holds(ctx, 'View Billing') ? ctx.tx.row(acceptedCountSql()) : undefined,
    holds(ctx, 'View Billing') ? ctx.tx.rows(selectTroubled()) : [],
    isAdministrator(ctx) ? ctx.tx.rows(givenUpSql(sql`now() - interval '7 days'`)) : [],
  ]);
  const counts: Record<WaitingKey, number> = {
    bankLines: lines?.count ?? 0,
    onlineReviews: online?.count ?? 0,
    acceptedEstimates: accepted?.count ?? 0,
    documentEmails: mails.length,
    emails: 0,
    jobs: 0,
  };
  for (const { kind, count } of jobs) counts[kind === LETTER ? 'emails' : 'jobs'] += count;
  return WAITING.map((key) => ({ key, count: counts[key] })).filter(({ count }) => count > 0);
}
