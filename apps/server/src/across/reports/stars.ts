import type { ReportStar } from '@evenkeel/contract/reports';
import { notFound } from '@evenkeel/core/failure';
import { reportKind } from '@evenkeel/core/reports/kinds';
import { sql } from 'kysely';
import { COMPANY } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';
import type { Ctx } from '../../platform/http/context.ts';

const stars = table('report_star', { userId: 'user_id', reportId: 'report_id' });

/** Returns the IDs of the user's starred reports in this company. */
export async function reportStars({ tx, userId }: Ctx): Promise<ReportStar[]> {
  const rows = await tx.rows(stars.find({ userId }, { orderBy: stars.ref('reportId') }));
  return rows.map(({ reportId }) => ({ reportId, starred: true }));
}

/** Sets or removes a star, regardless of its current state. Throws 404 for an unknown report. */
export async function starReport(
  { tx, userId }: Ctx,
  reportId: number,
  { starred }: Pick<ReportStar, 'starred'>,
): Promise<ReportStar> {
  if (reportKind(reportId) === undefined) throw notFound('Report');
  if (starred) {
    tx.atEnd(sql`
      insert into report_star (company_id, user_id, report_id) values (${COMPANY}, ${userId}, ${reportId})
      on conflict do nothing`);
  } else tx.atEnd(stars.delete({ userId, reportId }));
  return { reportId, starred };
}
