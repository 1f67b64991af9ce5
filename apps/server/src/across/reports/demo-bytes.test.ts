import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { authCalls } from '@evenkeel/contract/auth';
import { isoDate } from '@evenkeel/core/dates';
import { createDemo } from '../../app/demo/demo.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';

let t: TestApp;
let token: string;
beforeAll(async () => {
  t = await startTestApp();
  const { email, password } = await createDemo(t.services, isoDate('2026-11-21'));
  ({ token } = await t.login(email, password));
  token = await t.call(authCalls.updateUserTerms, { token, body: { termsAccepted: true } });
});
afterAll(() => t.close());

async function digest(reportId: number, params: Record<string, unknown>): Promise<string> {
  const reportParams = Object.entries(params).map(([paramName, paramvalue]) => ({
    paramType: 1,
    paramName,
    paramvalue,
  }));
  const answer = await t.request({ method: 'POST', url: `/api/reports/${reportId}`, token, body: { reportParams } });
  expect([reportId, answer.status, answer.status === 200 ? '' : answer.body]).toEqual([reportId, 200, '']);
  return createHash('sha256').update(answer.bytes).digest('hex').slice(0, 16);
}

/**
 * The report, its parameters, and the start of the response's SHA-256 hash, recorded when the demo company got its
 * first early-payment discount. For a given date, the books are the same in every installation.
 */
const STORED: [number, Record<string, unknown>, string][] = [
  [0, { basis: 0, reportdate: '2025-03-15' }, 'd9add0b449d2cac1'],
  [0, { basis: 0, reportdate: '2026-06-30' }, '4ec7663a7ab65cce'],
  [0, { basis: 0, reportdate: '2026-11-21', startdate: '2025-07-01' }, 'd40934b331a67f93'],
  [0, { basis: 1, reportdate: '2025-03-15' }, '73aed29013f26152'],
  [0, { basis: 1, reportdate: '2026-06-30' }, '2c658b27a734008d'],
  [0, { basis: 1, reportdate: '2026-11-21', startdate: '2025-07-01' }, '58d7c23e407ae5c0'],
  [1, { basis: 0, reportdate: '2025-03-15' }, '05157ae8d2b7b20e'],
  [1, { basis: 0, reportdate: '2026-06-30' }, '55b8546066df0cb8'],
  [1, { basis: 0, reportdate: '2026-11-21', startdate: '2025-07-01' }, '3fbca9004f87dd93'],
  [1, { basis: 1, reportdate: '2025-03-15' }, 'b9272b1b768d9880'],
  [1, { basis: 1, reportdate: '2026-06-30' }, '3114b00ee9632140'],
  [1, { basis: 1, reportdate: '2026-11-21', startdate: '2025-07-01' }, '01b3f0fe4d8a0f7f'],
  [3, { basis: 0, reportdate: '2025-03-15' }, 'b310a5aee0e459fa'],
  [3, { basis: 0, reportdate: '2026-06-30' }, 'c4e1792ffdf08e41'],
  [3, { basis: 0, reportdate: '2026-11-21', startdate: '2025-07-01' }, '1d4d283a191a8a63'],
  [3, { basis: 1, reportdate: '2025-03-15' }, 'fecca500acd6e147'],
  [3, { basis: 1, reportdate: '2026-06-30' }, 'c147e5199c79a29c'],
  [3, { basis: 1, reportdate: '2026-11-21', startdate: '2025-07-01' }, 'd6a956ea47dabc92'],
];

it.each(STORED)('report %i for the demo company with %j returns the recorded bytes', async (id, params, stored) => {
  expect(await digest(id, params)).toBe(stored);
});
