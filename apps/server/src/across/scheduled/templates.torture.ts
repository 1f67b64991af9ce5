import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scheduledCalls as calls } from '@evenkeel/contract/scheduled';
import { addDays, type IsoDate } from '@evenkeel/core/dates';
import { Dice } from '@evenkeel/core/dice';
import { todayIn } from '../../platform/clock.ts';
import { openClient } from '../../platform/db/connect.ts';
import { COMPANY } from '../../platform/db/query.ts';
import { verifyCompany } from '../health/books-verify.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { makeDue } from './making.ts';

const KILLS = 100;
const DAYS = 120;

let t: TestApp;
let owner: pg.Client;
beforeAll(async () => {
  t = await startTestApp();
  owner = await openClient({ connectionString: t.databaseUrl });
});
afterAll(async () => {
  await owner.end();
  await t.close();
});

/**
 * Creates daily templates whose dates since `start` were all missed and then released. The templates create posted
 * documents, drafts, and documents that are sent.
 */
async function missedSince(company: WorldCompany, start: IsoDate): Promise<number[]> {
  const make = factoryFor(t, company);
  const customerId = await make.customer('Blue Heron');
  const ids: number[] = [];
  for (const makes of ['posted', 'draft', 'sent'] as const) {
    const document = {
      customerId,
      invoiceDate: start,
      lineItems: [{ description: 'Watch', itemPrice: 20, quantity: 1, accountId: 140 }],
    };
    const rule = {
      unit: 'day',
      every: 1,
      start,
      weekday: 0,
      monthDay: 1,
      end: { kind: 'after', count: DAYS },
    } as const;
    const body = { schedule: rule, makes, document };
    const { id } = await t.call(calls.createScheduledInvoice, { token: make.token, body });
    await t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`update template set next_n = 0, base_n = 0, next_date = ${start}, released_n = ${DAYS}
        where company_id = ${COMPANY} and id = ${id}`),
    );
    ids.push(id);
  }
  return ids;
}

/** Closes all of the server's database connections at an arbitrary point in the server's work. */
const kill = () =>
  owner.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);

test(`${KILLS} random kills with two runners neither lose nor duplicate any documents or emails`, async () => {
  const company = await t.createCompany();
  const start = addDays(todayIn('UTC'), -DAYS - 1);
  const ids = await missedSince(company, start);
  const dice = new Dice(29);
  const run = () => makeDue(t.services, company.companyId).catch(() => undefined);
  for (let kills = 0; kills < KILLS; kills += 1) {
    const runners = [run(), run()];
    await setTimeout(dice.between(1, 120));
    await kill();
    await Promise.all(runners);
  }
  await makeDue(t.services, company.companyId);
  for (const id of ids) {
    const token = company.bookkeeper.token;
    const { occurrences } = await t.call(calls.getScheduledInvoice, { token, params: { id } });
    const made = occurrences.toReversed().map(({ n, date, state }) => ({ n, date, state }));
    expect(made).toEqual(Array.from({ length: DAYS }, (_, n) => ({ n, date: addDays(start, n), state: 'made' })));
    expect(new Set(occurrences.map(({ sourceId }) => sourceId)).size).toBe(DAYS);
  }
  const [counts] = await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql<{ documents: number; mails: number; mailed: number }>`
      select (select count(*)::int from document where company_id = ${COMPANY}) as documents,
        (select count(*)::int from mail where company_id = ${COMPANY}) as mails,
        (select count(distinct document_id)::int from mail where company_id = ${COMPANY}) as mailed`),
  );
  expect(counts).toEqual({ documents: 3 * DAYS, mails: DAYS, mailed: DAYS });
  expect((await verifyCompany(t.pool, company.companyId)).faults).toEqual([]);
});
