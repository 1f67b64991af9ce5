// Creates the released database that the migration test starts from. Run this file in a checkout of the release:
//   npx tsx apps/server/src/testing/released/make.ts apps/server/src/testing/released/20261121
// The script creates the demo company, works in it (closed books, unapplied credits, edits, deletions), backs it up
// with the release's own command to <name>.backup.gz, and stores its statements in <name>.reports.json.gz and the
// amounts of all reports in <name>.figures.json.gz. The audit log and the idempotency keys are omitted, because nothing
// is derived from them. The files of 20261121 were created by 0.1.0 (commit 211f6a7) with platform/db/copy.ts from a
// later commit, because a backup made by commit 211f6a7 can be damaged. Only the financial statements among its reports
// were kept. Its migrations are in 20261121.migrations.json.gz. The reports of 20261127 were created by the last
// version before banking, and the backup contains the same books after all migrations before 0.2.0 (commit 7732a50f).
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { isoDate } from '@evenkeel/core/dates';
import { startEmbedded } from '@evenkeel/postgres/embedded';
import { pino } from 'pino';
import * as z from 'zod';
import { buildApp } from '../../app/app.ts';
import { loadLegal } from '../../across/auth/legal.ts';
import { backupCommand } from '../../app/cli/backup.ts';
import { openBox } from '../../platform/db/box.ts';
import { openPool } from '../../platform/db/connect.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { createDemo } from '../../app/demo/demo.ts';
import type { Services } from '../../platform/http/context.ts';
import { testConfig, testTuning } from '../settings.ts';
import { demoToken, RELEASED_DAY, reportFigures, reportTexts, send } from './books.ts';

const Listed = z.array(z.looseObject({ id: z.number(), openAmount: z.number(), customerId: z.number() }));
const Payment = z.looseObject({
  id: z.number(),
  paymentAmount: z.number(),
  paymentApplications: z.array(z.looseObject({ invoiceId: z.number(), amount: z.number() })),
});

/** Closes the demo company's books and then changes payments and invoices. */
async function workOn(app: FastifyInstance, token: string): Promise<void> {
  const read = async (url: string): Promise<unknown> => JSON.parse(await send(app, token, { method: 'GET', url }));
  const change = (url: string, body: object) => send(app, token, { method: 'PUT', url, body });
  const paymentOf = async (id: number) => Payment.parse(await read(`/api/billingpayment/${id}`));
  const close = (settingValue: string) =>
    send(app, token, {
      method: 'POST',
      url: '/api/customersettings',
      body: { settingName: 'closingDate', settingValue },
    });
  const open = Listed.parse(await read('/api/billinginvoice')).filter((each) => each.openAmount > 20);
  await close('2026-06-30');
  for (const id of [40, 41, 42]) {
    const payment = await paymentOf(id);
    const paymentApplications = payment.paymentApplications.map((each) => ({ ...each, amount: each.amount / 2 }));
    const halved = paymentApplications.map((each) => ({ ...each, amount: Math.floor(each.amount * 100) / 100 }));
    await change('/api/billingpayment', { ...payment, paymentApplications: id === 42 ? [] : halved });
  }
  for (const { id, customerId, openAmount } of open.slice(0, 6)) {
    const amount = Math.floor((openAmount / 3) * 100) / 100;
    const body = {
      customerId,
      paymentDate: '2026-11-20',
      bankAccountId: 1,
      paymentTypeId: 2,
      paymentAmount: openAmount,
      paymentApplications: [{ invoiceId: id, amount }],
    };
    await send(app, token, { method: 'POST', url: '/api/billingpayment', body });
  }
  await close('');
  for (const id of [400, 401]) await send(app, token, { method: 'DELETE', url: `/api/billingpayment/${id}` });
  const edited = z.looseObject({ invoiceDate: z.string() }).parse(await read(`/api/billinginvoice/${open[1]?.id}`));
  await change('/api/billinginvoice', { ...edited, invoiceDate: '2026-11-19' });
}

/** Creates the files of a release: its reports, and its backup without the audit log and idempotency keys. */
async function make(name: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'evenkeel-released-'));
  const database = await startEmbedded({ dataDir, mode: 'server', log: () => undefined });
  const { connection } = database;
  await migrate(connection);
  const pool = openPool({ connection, as: 'runtime' });
  const owner = openPool({ connection, as: 'owner' });
  const config = testConfig();
  const services: Services = {
    pool,
    config,
    box: openBox(config),
    log: pino({ level: 'silent' }),
    pseudonym: String,
    legal: await loadLegal(undefined),
    tuning: testTuning,
  };
  try {
    await createDemo(services, isoDate(RELEASED_DAY));
    const app = await buildApp(services);
    const token = await demoToken(services);
    await workOn(app, token);
    const kept = { reports: await reportTexts(app, token), figures: await reportFigures(app, token) };
    await app.close();
    for (const [what, texts] of Object.entries(kept)) {
      const text = JSON.stringify(texts, undefined, 1);
      await writeFile(`${name}.${what}.json.gz`, gzipSync(text, { level: 9 }));
    }
    await owner.query('alter table audit_log disable trigger all; delete from audit_log; delete from idempotency');
    const said = await backupCommand.run({
      config,
      options: {},
      positionals: [`${name}.backup.gz`],
      say: () => undefined,
      database: async () => ({ connection, pool }),
    });
    console.log(said.result);
  } finally {
    await pool.end();
    await owner.end();
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await make(process.argv[2] ?? 'released');
