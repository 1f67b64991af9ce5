import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { installation } from '../../db/tx.ts';
import { findDemo } from '../../demo/demo.ts';
import type { Services } from '../../http/context.ts';
import { newSecret, sessionInsert } from '../../http/session.ts';
import { DEMO_EMAIL } from '../../setup/demo-email.ts';

/** The day on which the demo company of a released database ends. */
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

/** One request of somebody signed in; answers the reply's text. Throws when it is refused. */
export async function send(app: FastifyInstance, token: string, { method, url, body }: Sent): Promise<string> {
  const answer = await app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { payload: body }),
  });
  if (answer.statusCode !== 200) throw new Error(`${method} ${url} answered ${answer.statusCode}: ${answer.body}`);
  return answer.body;
}

const DAYS = ['2025-03-31', '2025-12-31', '2026-06-30', '2026-10-31', RELEASED_DAY];

/** Texts of balance sheet, profit and loss and trial balance, in both bases on several days, by request. */
export async function reportTexts(app: FastifyInstance, token: string): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const reportId of [0, 1, 3]) {
    for (const basis of [0, 1]) {
      for (const day of DAYS) {
        const reportParams = [
          { paramType: 1, paramName: 'startdate', paramvalue: `${day.slice(0, 4)}-01-01` },
          { paramType: 1, paramName: 'reportdate', paramvalue: day },
          { paramType: 0, paramName: 'basis', paramvalue: basis },
        ];
        const sent = { method: 'POST' as const, url: `/api/reports/${reportId}`, body: { reportParams } };
        texts[`report ${reportId}, basis ${basis}, ${day}`] = await send(app, token, sent);
      }
    }
  }
  return texts;
}
