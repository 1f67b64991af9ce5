import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { authCalls } from '@evenkeel/contract/auth';
import { isoDate } from '@evenkeel/core/dates';
import { createDemo } from '../demo/demo.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';

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
 * Report, parameters and the beginning of the answer's SHA-256, as they were when the company got its vendors: of one
 * day the books are the same in every installation.
 */
const STORED: [number, Record<string, unknown>, string][] = [
  [0, { basis: 0, reportdate: '2025-03-15' }, 'd9add0b449d2cac1'],
  [0, { basis: 0, reportdate: '2026-06-30' }, '9ad0a97fb1902f26'],
  [0, { basis: 0, reportdate: '2026-11-21', startdate: '2025-07-01' }, '238dd5a07a3c05f4'],
  [0, { basis: 1, reportdate: '2025-03-15' }, '73aed29013f26152'],
  [0, { basis: 1, reportdate: '2026-06-30' }, '1e431742846d2174'],
  [0, { basis: 1, reportdate: '2026-11-21', startdate: '2025-07-01' }, '3abe370dc09260b4'],
  [1, { basis: 0, reportdate: '2025-03-15' }, '05157ae8d2b7b20e'],
  [1, { basis: 0, reportdate: '2026-06-30' }, 'a6b78fd8f30a782b'],
  [1, { basis: 0, reportdate: '2026-11-21', startdate: '2025-07-01' }, '48c0cb95c4716be5'],
  [1, { basis: 1, reportdate: '2025-03-15' }, 'b9272b1b768d9880'],
  [1, { basis: 1, reportdate: '2026-06-30' }, 'eed30c47c2fdf398'],
  [1, { basis: 1, reportdate: '2026-11-21', startdate: '2025-07-01' }, 'bed73ccbabdf34ec'],
  [3, { basis: 0, reportdate: '2025-03-15' }, 'b310a5aee0e459fa'],
  [3, { basis: 0, reportdate: '2026-06-30' }, '242ea37d724581f1'],
  [3, { basis: 0, reportdate: '2026-11-21', startdate: '2025-07-01' }, '71031104d9eb84a9'],
  [3, { basis: 1, reportdate: '2025-03-15' }, 'fecca500acd6e147'],
  [3, { basis: 1, reportdate: '2026-06-30' }, 'df08a101e0c991f3'],
  [3, { basis: 1, reportdate: '2026-11-21', startdate: '2025-07-01' }, 'f8694f7a20899468'],
];

it.each(STORED)(
  'report %i of the demo company with %j is answered byte for byte as ever',
  async (id, params, stored) => {
    expect(await digest(id, params)).toBe(stored);
  },
);
