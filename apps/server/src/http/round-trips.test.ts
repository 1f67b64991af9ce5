import { afterAll, beforeAll, expect, test } from 'vitest';
import { authCalls } from '@evenkeel/contract/auth';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { countRoundTrips } from '../testing/round-trips.ts';

let t: TestApp;
let token: string;
beforeAll(async () => {
  t = await startTestApp();
  // A session of this minute: an older one is noted as seen, which is one more trip.
  ({ token } = (await t.createCompany()).administrator);
});
afterAll(() => t.close());

let keys = 0;
const headers = () => ({ 'idempotency-key': `trip-${(keys += 1)}` });

test('a read makes 3 round trips to the database: session, begin and read, commit', async () => {
  const trips = await countRoundTrips(t.pool, () => t.call(authCalls.listRoles, { token }));
  expect(trips).toBe(3);
});

test('a write with a key makes 3: session, begin with key and write, kept writes with commit', async () => {
  const body = { id: 0, roleName: 'Trip', roleProperties: [] };
  const trips = await countRoundTrips(t.pool, () => t.call(authCalls.createRole, { token, headers: headers(), body }));
  expect(trips).toBe(3);
});

test('posting a journal entry of 2 lines makes at most 4', async () => {
  const line = { description: 'Cash sale', postingDate: '2026-01-15' };
  const body = {
    transactionID: 0,
    entityID: 0,
    generalLedgerEntries: [
      { ...line, accountID: 101, debit: true, amount: 125.5 },
      { ...line, accountID: 140, debit: false, amount: 125.5 },
    ],
  };
  const post = () => t.call(ledgerCalls.postTransaction, { token, headers: headers(), body });
  await post();
  expect(await countRoundTrips(t.pool, post)).toBeLessThanOrEqual(4);
});
