import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditCalls as calls, type AuditEntry } from '@evenkeel/contract/audit';
import { billingCalls } from '@evenkeel/contract/billing';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { settingsCalls } from '@evenkeel/contract/settings';
import { requestOf, startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
let invoiceId: number;

beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany();
  const make = factoryFor(t, company);
  const customerId = await make.customer();
  const made = await make.invoice({ customerId, invoiceDate: '2026-02-03' });
  invoiceId = made.id;
  const { token } = company.superuser;
  const [line] = made.lineItems;
  const lineItems = [{ ...line, quantity: 2 }] as never;
  const body = { id: invoiceId, customerId, invoiceDate: '2026-02-04', lineItems, rowVersion: made.rowVersion };
  await t.call(billingCalls.updateInvoice, { token, body });
  const settings = { token: company.administrator.token };
  const closing = { id: 0, settingName: 'closingDate', settingValue: '2026-03-31' };
  await t.call(settingsCalls.saveSettings, { ...settings, body: closing as never });
  await t.call(billingCalls.deleteInvoice, {
    ...settings,
    params: { id: invoiceId },
    query: { closingOverrideReason: 'entered twice' },
  });
});
afterAll(() => t.close());

async function log(query: object, token = company.administrator.token): Promise<AuditEntry[]> {
  const found = await t.call(calls.listAudit, { token, query: query as never });
  return Array.isArray(found) ? found : found.items;
}

const whatOf = (entries: readonly AuditEntry[]) =>
  entries.map(({ action, kind, title }) => `${action} ${kind} ${title}`);

test("a record's history shows who changed what, on which device, and why", async () => {
  const [made, changed, gone] = await log({ kind: 'invoice', record: String(invoiceId) });
  expect(made).toMatchObject({ action: 'create', title: '10001', byKind: 'session', byName: expect.any(String) });
  expect(changed?.userId).toBe(company.superuser.userId);
  expect(changed?.person).not.toBe('');
  expect(changed?.changes).toContainEqual({ field: 'Invoice Date', before: '2/3/2026', after: '2/4/2026' });
  expect(changed?.changes.map(({ field }) => field)).toEqual(
    expect.arrayContaining([expect.stringMatching(/, quantity$/), 'Invoice Amount', 'Open Amount']),
  );
  expect(gone).toMatchObject({ action: 'delete', reason: 'entered twice', recordId: invoiceId });
});

test('a changed setting is shown in words under its own name', async () => {
  const fresh = await t.createCompany();
  const { token } = fresh.administrator;
  const body = [
    { id: 0, settingName: 'useLocations', settingValue: 'true' },
    { id: 0, settingName: 'reportingAccountingBasis', settingValue: '1' },
    { id: 0, settingName: 'closingDate', settingValue: '2026-03-31' },
  ];
  await t.call(settingsCalls.saveSettings, { token, body: body as never });
  const told = (await log({ kind: 'setting' }, token)).flatMap(({ changes }) => changes);
  expect(told).toEqual([
    { field: 'Use Locations', before: 'No', after: 'Yes' },
    { field: 'Reporting Basis', before: 'Accrual', after: 'Cash' },
    { field: 'Closing Date', before: null, after: '3/31/2026' },
  ]);
});

test('a setting is titled with its label in Settings, also when users search for it', async () => {
  expect((await log({ kind: 'setting' })).map(({ title }) => title)).toEqual(['Closing Date']);
  expect(whatOf(await log({ q: 'closing date' }))).toEqual(['update setting Closing Date']);
});

test('a posted journal entry shows the account, side, and amount of each line', async () => {
  const fresh = await t.createCompany();
  const { token } = fresh.administrator;
  const line = { amount: 9_999_999.99, description: 'Truck loan', postingDate: '2026-04-15' };
  const generalLedgerEntries = [
    { ...line, accountID: 167, debit: true },
    { ...line, accountID: 101, debit: false },
  ];
  const body = { transactionID: 0, generalLedgerEntries };
  const { generalLedgerEntries: posted } = await t.call(ledgerCalls.postTransaction, { token, body: body as never });
  const [debit, credit] = posted.map(({ displayAccountLabel }) => displayAccountLabel);
  const told = (await log({ kind: 'journal' }, token)).flatMap(({ changes }) => changes);
  expect(told.filter(({ field }) => field === 'Entry').map(({ after }) => after)).toEqual([
    `${debit}, Truck loan, debit 9,999,999.99`,
    `${credit}, Truck loan, credit 9,999,999.99`,
  ]);
});

test('the audit log can be filtered by user, kind, date, amount, text, and changes to closed books', async () => {
  const all = await log({});
  expect(all.length).toBeGreaterThan(4);
  const of = async (query: object) => whatOf(await log(query));
  expect(await of({ person: String(company.superuser.userId), kind: 'invoice' })).toEqual(['update invoice 10001']);
  expect(await of({ exceptions: 'true' })).toEqual(['delete invoice 10001']);
  expect(await of({ q: 'entered twice' })).toEqual(['delete invoice 10001']);
  const { amount } = (await log({ kind: 'invoice' }))[1] ?? {};
  const dollars = String((amount ?? 0) / 100);
  expect(await of({ kind: 'invoice', least: dollars })).toEqual(['update invoice 10001', 'delete invoice 10001']);
  expect(await of({ kind: 'invoice', most: dollars })).toHaveLength(3);
  expect(await of({ kind: 'invoice', least: '1000000' })).toEqual([]);
  expect(await of({ to: '2001-01-01' })).toEqual([]);
  expect(await of({ from: '2001-01-01', to: '2199-12-31' })).toHaveLength(all.length);
});

test('users who can view a record see its history, and only administrators see devices and the full log', async () => {
  const { reader, stranger, superuser } = company;
  const one = { kind: 'invoice', record: String(invoiceId) };
  const seen = await log(one, reader.token);
  expect(seen.map(({ byKind, byName }) => [byKind, byName])).toEqual([
    ['', ''],
    ['', ''],
    ['', ''],
  ]);
  const ask = (token: string, query: Record<string, string>) =>
    t.request({ ...requestOf(calls.listAudit, { query }), token });
  expect((await ask(stranger.token, one)).status).toBe(403);
  for (const { token } of [reader, superuser]) {
    expect((await ask(token, {})).status).toBe(403);
    expect((await ask(token, { kind: 'invoice' })).status).toBe(403);
    expect((await ask(token, { kind: 'role', record: '1' })).status).toBe(403);
  }
});
