import { createHash } from 'node:crypto';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import * as z from 'zod';
import { installation } from '../../platform/db/tx.ts';
import { findDemo } from '../../app/demo/demo.ts';
import type { Services } from '../../platform/http/context.ts';
import { newSecret, sessionInsert } from '../../platform/http/session.ts';
import { DEMO_EMAIL } from '../../platform/mail/demo-email.ts';

/** The last date in a released database's demo company. */
export const RELEASED_DAY = '2026-11-21';

/** Signs in as the demo company's administrator, without a password. */
export async function demoToken(services: Services): Promise<string> {
  const demo = await findDemo(services);
  if (demo === undefined) throw new Error('there is no demo company');
  const token = newSecret();
  await installation(services.pool, sessionInsert(token, demo, services.config));
  await installation(
    services.pool,
    sql`update app_user set terms_version = ${services.legal.termsVersion} where email = ${DEMO_EMAIL}`,
  );
  return token;
}

export interface Sent {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  body?: object;
}

/** Sends one request as a signed-in user and returns the response text. Throws if the request is rejected. */
export async function send(app: FastifyInstance, token: string, { method, url, body }: Sent): Promise<string> {
  const answer = await app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { payload: body }),
  });
  if (answer.statusCode !== 200) throw new Error(`${method} ${url} returned ${answer.statusCode}: ${answer.body}`);
  return answer.body;
}

const DAYS = ['2025-03-31', '2025-12-31', '2026-06-30', '2026-10-31', RELEASED_DAY];

async function reportText(app: FastifyInstance, token: string, asked: Asked): Promise<string> {
  const reportParams = [
    { paramType: 1, paramName: 'startdate', paramvalue: `${asked.day.slice(0, 4)}-01-01` },
    { paramType: 1, paramName: 'reportdate', paramvalue: asked.day },
    { paramType: 0, paramName: 'basis', paramvalue: asked.basis },
  ];
  return send(app, token, { method: 'POST', url: `/api/reports/${asked.report}`, body: { reportParams } });
}

interface Asked {
  report: number;
  basis: number;
  day: string;
}

/** Returns the balance sheet, profit and loss, and trial balance as text, on both bases and for several dates. */
export async function reportTexts(app: FastifyInstance, token: string): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const report of [0, 1, 3]) {
    for (const basis of [0, 1]) {
      for (const day of DAYS) {
        texts[`report ${report}, basis ${basis}, ${day}`] = await reportText(app, token, { report, basis, day });
      }
    }
  }
  return texts;
}

const Report = z.object({
  reportSections: z.array(
    z.object({
      total: z.number(),
      reportBlocks: z.array(
        z.object({
          total: z.number(),
          reportLines: z.array(z.object({ lineItems: z.array(z.object({ itemText: z.string() })) })),
        }),
      ),
    }),
  ),
  reportSummaries: z.array(z.object({ description: z.string(), amount: z.number() })),
});

/**
 * Returns the totals and cell digests, keyed by request, of all reports that aren't for a single customer, on both
 * bases and for two dates.
 */
export async function reportFigures(app: FastifyInstance, token: string): Promise<Record<string, unknown>> {
  const figures: Record<string, unknown> = {};
  for (const kind of Object.values(reportKinds)) {
    if ('of' in kind) continue;
    for (const basis of [0, 1]) {
      for (const day of DAYS.slice(-2)) {
        const report = Report.parse(JSON.parse(await reportText(app, token, { report: kind.id, basis, day })));
        const blocks = report.reportSections.flatMap(({ reportBlocks }) => reportBlocks);
        const cells = blocks.flatMap(({ reportLines }) => reportLines.map(({ lineItems }) => lineItems));
        const totals = [...report.reportSections, ...blocks].map(({ total }) => total);
        const digest = createHash('sha256').update(JSON.stringify(cells)).digest('hex');
        figures[`report ${kind.id}, basis ${basis}, ${day}`] = {
          lines: cells.length,
          digest,
          totals,
          summaries: report.reportSummaries,
        };
      }
    }
  }
  return figures;
}
