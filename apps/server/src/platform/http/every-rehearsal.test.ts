import * as fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { endpoints } from '@evenkeel/contract/all';
import { canRehearse, type Endpoint } from '@evenkeel/contract/endpoint';
import { bankingCalls } from '@evenkeel/contract/banking';
import { budgetCalls } from '@evenkeel/contract/budgets';
import { chargeCalls } from '@evenkeel/contract/charges';
import { entityCalls } from '@evenkeel/contract/entities';
import { estimateCalls } from '@evenkeel/contract/estimates';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { openingCalls } from '@evenkeel/contract/opening';
import { reconciliationCalls } from '@evenkeel/contract/reconciliation';
import { sendingCalls } from '@evenkeel/contract/sending';
import { settingsCalls } from '@evenkeel/contract/settings';
import { setupCalls } from '@evenkeel/contract/setup';
import { statementCalls } from '@evenkeel/contract/statements';
import { workItemCalls } from '@evenkeel/contract/workitems';
import { writeOffCalls } from '@evenkeel/contract/writeoffs';
import { isoDate } from '@evenkeel/core/dates';
import { present } from '@evenkeel/core/failure';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { ofx } from '../../features/banking/testing/statement-files.ts';
import { multipart, upload } from '../../testing/files.ts';
import { type RawAnswer, type RawRequest, requestOf, startTestApp, type TestApp } from '../../testing/app.ts';
import { checkingOf, type Factory, factoryFor } from '../../testing/factories.ts';
import { addRecords, goodFor, parametersOf, recordFor, type Records, references } from '../../testing/records.ts';
import { keysOf, sampleOf } from '../../testing/sample.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { withoutIds, written } from '../../testing/written.ts';
import { hostileRequest, type HostileRequest } from './testing/hostile.ts';

/** Rehearses every write in the contract, and compares each rehearsal with the call that follows it. */

/** The number of random requests in addition to those for each write. */
const RUNS = Number(process.env['TORTURE_RUNS'] ?? 40);

let t: TestApp;
let own: Records;
let owner: pg.Client;
let company: WorldCompany;
let make: Factory;
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany();
  make = factoryFor(t, company);
  own = await addRecords(t.pool, t.world.company);
  owner = new pg.Client({ connectionString: t.databaseUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await t.close();
});

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

/** Deletions run last, so that the records exist for the other calls. */
const writes = endpoints
  .filter(({ method, reads }) => method !== 'GET' && reads !== true)
  .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));

const REFUSAL = "This call can't be rehearsed";
const isRefused = ({ status, body }: RawAnswer): boolean =>
  status === 422 && (body as { message?: string }).message === REFUSAL;

let requests = 0;

/** Returns a request with a body that the contract accepts. Every string differs from the saved ones. */
function requestTo(endpoint: Endpoint, amount: number, more: Record<string, unknown>): RawRequest {
  requests += 1;
  const good = Object.entries(goodFor(endpoint, own)).map(([key, value]) => [
    key,
    value === 'Record' ? `Record ${requests}` : value,
  ]);
  const given = { ...more, ...Object.fromEntries(good), itemprice: amount, amount, documentlinks: [] };
  const params = Object.fromEntries(parametersOf(endpoint).map((name) => [name, recordFor(endpoint, name, own) ?? 1]));
  const sample = endpoint.body && sampleOf(endpoint.body, given);
  const named = endpoint.body && keysOf(endpoint.body).find((key) => /id$/i.test(key));
  const isSaved = endpoint.method === 'PUT' && named !== undefined && parametersOf(endpoint).length === 0;
  const body = isSaved ? { ...(sample as object), [named]: recordFor(endpoint, 'id', own) } : sample;
  const ids = keysOf(endpoint.query ?? z.object({})).filter((key) => /id$/i.test(key));
  const query = Object.fromEntries(ids.map((key) => [key, String(recordFor(endpoint, 'id', own) ?? 1)]));
  const file = endpoint.takes === 'file' ? multipart('sample.pdf', '%PDF-1.7 sample') : { headers: {}, body };
  return { ...requestOf(endpoint, { params, query, ...file }), token: t.world.company.administrator.token };
}

const withoutRequestId = (body: unknown): unknown => ({ ...(body as object), requestId: undefined });

type Outcome = number | 'not offered';

/** The state of the database after the last request. */
let state = '';

/**
 * Rehearses a request and then sends it. Expects that the rehearsal writes nothing and returns the same reply or error.
 * Returns the status, or 'not offered' for a call that can't be rehearsed, which is not sent.
 */
async function rehearseAndSend(sent: RawRequest): Promise<Outcome> {
  const rehearsed = await t.request({ ...sent, headers: { ...sent.headers, 'evenkeel-rehearse': 'true' } });
  expect(await written(owner)).toBe(state);
  if (isRefused(rehearsed)) return 'not offered';
  const real = await t.request(sent);
  if (real.status === 200) {
    expect(rehearsed.status).toBe(200);
    expect(withoutIds((rehearsed.body as { reply: unknown }).reply)).toEqual(withoutIds(real.body));
    state = await written(owner);
  } else {
    expect([rehearsed.status, withoutRequestId(rehearsed.body)]).toEqual([real.status, withoutRequestId(real.body)]);
  }
  return real.status;
}

/** The outcomes for each write. */
const outcomes = new Map<string, Outcome[]>();
const note = (endpoint: Endpoint, outcome: Outcome): unknown =>
  outcomes.set(nameOf(endpoint), [...(outcomes.get(nameOf(endpoint)) ?? []), outcome]);

test.each(writes.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  'the rehearsal of %s returns the result of the subsequent call, and writes nothing',
  async (_, endpoint) => {
    state = await written(owner);
    // If the first request is rejected, the second request also refers to records in its optional fields.
    for (const more of [{}, references(own)]) {
      const [amount = 100] = fc.sample(fc.integer({ min: 100, max: 99_999 }), 1);
      const outcome = await rehearseAndSend(requestTo(endpoint, amount / 100, more));
      note(endpoint, outcome);
      if (outcome === 200 || outcome === 'not offered') return;
    }
  },
);

const entries = [true, false].map((debit) => {
  return { accountID: debit ? 160 : 140, debit, amount: 10, description: 'Rent', postingDate: '2026-03-10' };
});
const customer = () => make.customer();
const invoice = async () => make.invoice({ customerId: await customer(), dueDate: '2026-03-11' });
const administrator = () => ({ token: company.administrator.token });

const writeOff = async () => {
  const { id: invoiceId } = await invoice();
  return { body: { invoiceId, writeOffDate: '2026-04-10', amount: 100 } };
};

/** Writes that need records in a certain state, each with a request that succeeds. */
const PREPARED: readonly (readonly [Endpoint, () => Promise<{ params?: object; body?: unknown }>])[] = [
  [writeOffCalls.createWriteOff, writeOff],
  [
    writeOffCalls.deleteWriteOff,
    async () => {
      const { id } = (await t.call(writeOffCalls.createWriteOff, { ...administrator(), ...(await writeOff()) })) as {
        id: number;
      };
      return { params: { id } };
    },
  ],
  [
    estimateCalls.invoiceEstimate,
    async () => {
      const { id, lineItems } = await make.estimate({ customerId: await customer() });
      const lines = lineItems.map((each) => ({ estimateLineId: each.id, quantity: 1 }));
      return { params: { id }, body: { invoiceDate: '2026-03-12', lines } };
    },
  ],
  [
    chargeCalls.makeFinanceCharges,
    async () => {
      await t.call(chargeCalls.saveFinanceChargeSettings, { ...administrator(), body: { annualRate: 18 } });
      const { customerId } = await invoice();
      return { body: { id: customerId } };
    },
  ],
  [
    ledgerCalls.deleteDraft,
    async () => {
      const body = { transactionID: 0, draft: true, generalLedgerEntries: entries };
      const { transactionID: id } = await t.call(ledgerCalls.postTransaction, { ...administrator(), body });
      return { params: { id } };
    },
  ],
  [
    ledgerCalls.setupAccount,
    async () => ({ body: { customerAccountID: 0, masterAccountID: 140, accountNameLabel: 'Harbor fees' } }),
  ],
  [
    budgetCalls.saveBudget,
    async () => {
      const cells = [{ accountId: 140, month: '2026-03-01', was: null, amount: 500 }];
      return { body: { year: 2026, profitCenterId: null, cells } };
    },
  ],
  [settingsCalls.saveSettings, async () => ({ body: { settingName: 'termsDays', settingValue: '20' } })],
  [
    statementCalls.saveStatement,
    async () => {
      const bankAccountId = await checkingOf(t, company.companyId);
      const bytes = ofx([{ date: isoDate('2026-03-21'), amount: -450, text: 'BLUE CUP' }]);
      const { documentId } = await upload(t, company.administrator.token, { name: 'statement.ofx', bytes });
      return { body: { documentId, bankAccountId, accountNumberConfirmed: true } };
    },
  ],
  [
    reconciliationCalls.saveReconciliationProgress,
    async () => ({
      params: { bankAccountId: await checkingOf(t, company.companyId) },
      body: { statementDate: '2026-03-31', statementBalance: 10, entries: [], rowVersion: 0 },
    }),
  ],
  [
    bankingCalls.createBankingAccount,
    async () => ({ body: { name: 'Savings', accountNumber: '42', glAccountID: 102 } }),
  ],
  [bankingCalls.createPaymentType, async () => ({ body: { displayName: 'Barter', paymentAccountID: 101 } })],
  [workItemCalls.deleteWorkItem, async () => ({ params: await make.workItem({ customerId: await customer() }) })],
  [
    sendingCalls.revokeLink,
    async () => {
      const { id: documentId } = await invoice();
      await t.call(sendingCalls.renewLink, { ...administrator(), params: { documentId } });
      return { params: { documentId } };
    },
  ],
  [
    sendingCalls.revokePortalLink,
    async () => {
      const customerId = await customer();
      await t.call(sendingCalls.renewPortalLink, { ...administrator(), params: { customerId } });
      return { params: { customerId } };
    },
  ],
  [
    sendingCalls.emailReport,
    async () => ({
      params: { reportId: reportKinds.trialBalance.id },
      body: { reportParams: [], to: ['loans@bank.example'] },
    }),
  ],
  [entityCalls.deleteCustomer, async () => ({ params: { id: await customer() } })],
  [entityCalls.deleteVendor, async () => ({ params: { id: await make.vendor() } })],
  [
    openingCalls.postOpeningBalances,
    async () => {
      const customerId = await customer();
      const one = {
        entityId: customerId,
        number: '1',
        date: '2025-11-14',
        unpaidAmount: 90,
        lineItems: [{ accountId: 140 }],
      };
      const lists = { invoices: [one], bills: [], customerCredits: [], vendorCredits: [] };
      return { body: { date: '2025-12-31', accounts: [{ accountId: 137, amount: -90 }], ...lists, rowVersion: 0 } };
    },
  ],
  [setupCalls.completeSetup, async () => ({ body: { skip: true } })],
  [settingsCalls.createProperty, async () => ({ body: { kind: 0, displayName: 'Route', dataType: 1 } })],
];

test.each(PREPARED.map(([endpoint, ask]) => [nameOf(endpoint), endpoint, ask] as const))(
  'the rehearsal of %s succeeds like the subsequent call, and writes nothing',
  async (_, endpoint, ask) => {
    const { params, body } = await ask();
    state = await written(owner);
    const sent = { ...requestOf(endpoint, { params: { ...params }, body }), ...administrator() };
    const outcome = await rehearseAndSend(sent);
    expect(outcome).toBe(200);
    note(endpoint, outcome);
  },
);

/** Writes that post, which every-statement.test.ts rehearses, and writes whose records need other calls first. */
const ELSEWHERE = [
  'DELETE /apikeys/{id}',
  'DELETE /movein/{id}',
  'DELETE /movein/{id}/file/{fileId}',
  'DELETE /refusedmail/{id}',
  'DELETE /sending/{id}',
  'DELETE /user/{id}',
  'DELETE /vendor/{id}/form1099consent',
  'POST /GeneralLedger/PostTransaction',
  'POST /GeneralLedger/ReverseTransaction/{transactionId}',
  'POST /Reconciliation',
  'POST /audit/{id}/undo',
  'POST /billingpayment',
  'POST /billingpayments',
  'POST /expensepayment',
  'POST /expensepayments',
  'POST /form1099',
  'POST /form1099consent',
  'POST /form1099copies',
  'POST /movein/{id}/cancel',
  'POST /movein/{id}/import',
  'POST /movein/{id}/preview',
  'POST /taxagency',
  'POST /taxreturn',
  'POST /useradmin/{id}/liftfactor',
  'PUT /bankline/{id}',
  'PUT /billingpayment',
  'PUT /closingreview/account',
  'PUT /expensepayment',
  'PUT /movein/{id}',
  'PUT /onlinepayments',
  'PUT /onlinereviews/{id}',
  'PUT /openingbalances',
  'PUT /taxrule/{id}',
];

test('every write either succeeds as a rehearsal here, rejects rehearsals, or is tested elsewhere', () => {
  const offered = writes.filter(canRehearse).map(nameOf);
  const refused = [...outcomes].filter(([, all]) => all.includes('not offered')).map(([name]) => name);
  expect(refused.toSorted()).toEqual(
    writes
      .map(nameOf)
      .filter((name) => !offered.includes(name))
      .toSorted(),
  );
  expect(offered.filter((name) => outcomes.get(name)?.includes(200) !== true).toSorted()).toEqual(ELSEWHERE);
});

test(`${RUNS} random requests get the same response when they are rehearsed first`, async () => {
  const offered = writes.filter(canRehearse);
  const { token } = t.world.company.administrator;
  const check = async ({ index, path: url, headers, body }: HostileRequest): Promise<void> => {
    state = await written(owner);
    const { method } = present(offered[index], 'an endpoint');
    await rehearseAndSend({ method, url, headers, body, token });
  };
  await fc.assert(fc.asyncProperty(hostileRequest(offered, own), check), { numRuns: RUNS, endOnFailure: true });
});
