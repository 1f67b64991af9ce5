import { afterAll, beforeAll, expect, it } from 'vitest';
import { authCalls } from '@evenkeel/contract/auth';
import { settingsCalls } from '@evenkeel/contract/settings';
import { findLiveToken, insertToken } from '../../across/auth/tokens.sql.ts';
import { openPool } from '../../platform/db/connect.ts';
import { installation } from '../../platform/db/tx.ts';
import { newSecret } from '../../platform/http/session.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { turnOn } from '../../across/auth/testing/factor.ts';
import { findDemo, resetDemo } from './demo.ts';
import { makeOnce } from './routes.ts';

let t: TestApp;

beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

/**
 * A second process with its own connections. Its statement time limit is shorter than the time it takes to create the
 * demo company.
 */
const anotherProcess = () =>
  openPool({
    connection: { connectionString: t.databaseUrl },
    as: 'runtime',
    patience: { statementMs: 5000, answerMs: 12_000, connectMs: 10_000 },
  });

it('an invalid link does not open the demo company and does not create one', async () => {
  const refusal = await t.refused(authCalls.lookAround, { body: { token: 'not a link' } });
  expect(refusal).toMatchObject({ status: 422, message: 'This link is no longer valid' });
  expect(await findDemo(t.services)).toBeUndefined();
});

it('two visitors and two processes create only one demo company with the link, which stays valid', async () => {
  const secret = newSecret();
  await installation(t.pool, insertToken('first', secret, null));
  const visit = () => t.call(authCalls.lookAround, { body: { token: secret } });
  const pool = anotherProcess();
  const [one, other] = await Promise.all([visit(), visit(), makeOnce({ ...t.services, pool })]);
  await pool.end();
  expect(one.companyId).toBe(other.companyId);
  expect(one.userRole).toBe('Administrator');
  expect(await installation(t.pool, findLiveToken(secret, ['first']))).toHaveLength(1);
  const terms = await t.call(authCalls.updateUserTerms, { token: one.token, body: { termsAccepted: true } });
  const company = await t.call(settingsCalls.getCompany, { token: terms });
  expect(company.displayname).toBe('Fernhollow Landscaping');
});

it("the first-start link does not bypass the demo's two-step verification, which a reset removes", async () => {
  const secret = newSecret();
  await installation(t.pool, insertToken('first', secret, null));
  const visit = () => t.call(authCalls.lookAround, { body: { token: secret } });
  const { id: userId, companyId, email, token: first } = await visit();
  const token = await t.call(authCalls.updateUserTerms, { token: first, body: { termsAccepted: true } });
  const { password } = await resetDemo(t.services);
  const session = { ...(await t.login(email, password)), userId, companyId };
  await turnOn(t, session, password);
  expect((await t.refused(authCalls.lookAround, { body: { token: secret } })).code).toBe('code_required');
  expect((await t.request({ method: 'GET', url: '/api/loginroles', token })).status).toBe(401);
  const renewed = await resetDemo(t.services);
  expect((await t.login(email, renewed.password)).id).toBe(userId);
  expect((await visit()).id).toBe(userId);
});

it('the public pages report that a demo company exists, even if there are other companies', async () => {
  expect(await t.call(authCalls.installation)).toMatchObject({ empty: false, demo: true });
});
