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

/** Report, parameters and the beginning of the answer's SHA-256, as they were before reports had specifications. */
const STORED: [number, Record<string, unknown>, string][] = [
  [0, { basis: 0, reportdate: '2025-03-15' }, '283f7eead3ff0b46'],
  [0, { basis: 0, reportdate: '2026-06-30' }, '67f79694e6433542'],
  [0, { basis: 0, reportdate: '2026-11-21', startdate: '2025-07-01' }, '3ce4d215b3c0e1fa'],
  [0, { basis: 1, reportdate: '2025-03-15' }, '574ac8f29ff5b5c4'],
  [0, { basis: 1, reportdate: '2026-06-30' }, 'da22113580e061e8'],
  [0, { basis: 1, reportdate: '2026-11-21', startdate: '2025-07-01' }, '4920a61a8414bff2'],
  [1, { basis: 0, reportdate: '2025-03-15' }, 'bc557db354e8984f'],
  [1, { basis: 0, reportdate: '2026-06-30' }, '5f569383002d6746'],
  [1, { basis: 0, reportdate: '2026-11-21', startdate: '2025-07-01' }, 'f1547ed9d47d80c3'],
  [1, { basis: 1, reportdate: '2025-03-15' }, '747157d7eca81dea'],
  [1, { basis: 1, reportdate: '2026-06-30' }, '3b90154533707f13'],
  [1, { basis: 1, reportdate: '2026-11-21', startdate: '2025-07-01' }, '1eff0b4d34120e5d'],
  [3, { basis: 0, reportdate: '2025-03-15' }, '07c1fecff096f016'],
  [3, { basis: 0, reportdate: '2026-06-30' }, 'aabcc880bd4f2185'],
  [3, { basis: 0, reportdate: '2026-11-21', startdate: '2025-07-01' }, '374c4f28327a7b93'],
  [3, { basis: 1, reportdate: '2025-03-15' }, '10f4b9bc8afab9c8'],
  [3, { basis: 1, reportdate: '2026-06-30' }, 'c399001686949ad2'],
  [3, { basis: 1, reportdate: '2026-11-21', startdate: '2025-07-01' }, 'f8241fc33c33ac1f'],
];

it.each(STORED)(
  'report %i of the demo company with %j is answered byte for byte as ever',
  async (id, params, stored) => {
    expect(await digest(id, params)).toBe(stored);
  },
);
