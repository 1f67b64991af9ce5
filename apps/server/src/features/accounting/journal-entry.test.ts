import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ledgerCalls as calls } from '@evenkeel/contract/ledger';
import { settingsCalls } from '@evenkeel/contract/settings';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';
import type { Person, WorldCompany } from '../../testing/world.ts';
import { post as postLedger } from '../../books/ledger/journal.ts';

let t: TestApp;
let company: WorldCompany;
let admin: Person;
beforeAll(async () => {
  t = await startTestApp();
  ({ company } = t.world);
  admin = company.administrator;
});
afterAll(() => t.close());

type Line = Record<string, unknown>;
const debit = (accountID: number, amount: number, more: Line = {}): Line => {
  return { accountID, debit: true, amount, description: 'Rent of the dock', postingDate: '2026-03-31', ...more };
};
const credit = (accountID: number, amount: number, more: Line = {}): Line =>
  debit(accountID, amount, { debit: false, ...more });
const rent = (amount: number, more: Line = {}) => [debit(167, amount, more), credit(101, amount, more)];

const post = (generalLedgerEntries: Line[], more: Record<string, unknown> = {}, person = admin) =>
  t.call(calls.postTransaction, { token: person.token, body: { generalLedgerEntries, ...more } });
const refused = (generalLedgerEntries: Line[], more: Record<string, unknown> = {}, person = admin) =>
  t.refused(calls.postTransaction, { token: person.token, body: { generalLedgerEntries, ...more } });

async function written(companyId = company.companyId): Promise<number[]> {
  const tables = ['journal_transaction', 'journal_line', 'ledger_total', 'journal_draft', 'audit_log'];
  return Promise.all(tables.map((table) => countRows(t, companyId, table)));
}

async function close(companyId: number, through: string | null): Promise<void> {
  await t.inCompany(companyId, (tx) =>
    tx.rows(sql`update ledger_head set closing_date = ${through} where company_id = ${companyId}`),
  );
}

describe('POST PostTransaction validation', () => {
  const bad: [string, Line[], Record<string, unknown>, string][] = [
    ['no lines', [], {}, 'Entry must have a minimum of 2 line item entries.'],
    ['a single line', [debit(167, 10)], {}, 'Entry must have a minimum of 2 line item entries.'],
    [
      'debits of 10.00 and credits of 9.99',
      [debit(167, 10), credit(101, 9.99)],
      {},
      'Debit and Credit must balance to $0.00 before posting. Debit: $10.00 Credit: $9.99',
    ],
    ['lines of 0.00', [debit(167, 0), credit(101, 0)], {}, 'Entries must be greater than $0.00.'],
    [
      'a line without a description',
      [debit(167, 5, { description: ' ' }), credit(101, 5)],
      {},
      'Please enter a description',
    ],
    ['a line without an account', [debit(0, 5), credit(101, 5)], {}, 'Please Select an Account'],
    ['an account that does not exist', [debit(5000, 5), credit(101, 5)], {}, 'Please Select an Account'],
    ['a line without a side', [debit(167, 5, { debit: null }), credit(101, 5)], {}, 'Please select Debit or Credit'],
    [
      'two posting dates',
      [debit(167, 5), credit(101, 5, { postingDate: '2026-04-01' })],
      {},
      'All lines of a journal entry must have the same posting date',
    ],
    [
      'no posting date',
      [debit(167, 5, { postingDate: null }), credit(101, 5, { postingDate: null })],
      {},
      'Please enter a posting date',
    ],
    [
      'accrual only on a bank account',
      rent(5),
      { basis: 1 },
      'An entry in a bank, cash, or credit card account must be posted on both bases',
    ],
    ['a profit center that does not exist', rent(5, { profitcenterid: 77 }), {}, 'Please Select a Profit Center'],
    ['a location that does not exist', rent(5, { locationid: 77 }), {}, 'Please Select a Location'],
    ['an entity that does not exist', rent(5), { entityID: 77 }, 'Please select a customer or vendor'],
  ];
  it.each(bad)('rejects a journal entry with %s and saves nothing (422)', async (_what, lines, more, message) => {
    const before = await written();
    const answer = await refused(lines, more);
    expect([answer.status, answer.message]).toEqual([422, message]);
    expect(await written()).toEqual(before);
  });

  it.each([
    ['useProfitCenters', 'profitcenterid', 'Please Select a Profit Center'],
    ['useLocations', 'locationid', 'Please Select a Location'],
  ])('%s makes the selection required on each line of an entry, but not of a draft', async (...row) => {
    const [settingName, field, message] = row;
    const { administrator: user } = await t.createCompany();
    const { token } = user;
    await t.call(settingsCalls.saveSettings, { token, body: { settingName, settingValue: 'true' } });
    // Without an active record, users could not select one.
    await post(rent(5), {}, user);
    const center = await t.call(calls.createProfitCenter, { token, body: { profitcentername: 'North' } });
    const location = await t.call(calls.createLocation, { token, body: { locationName: 'North' } });
    const north = { [field]: field === 'locationid' ? location.locationId : center.profitcenterid };
    const { status, fields } = await refused([debit(167, 5, north), credit(101, 5)], {}, user);
    expect({ status, fields }).toEqual({ status: 422, fields: { [`generalLedgerEntries.1.${field}`]: message } });
    const { transactionID } = await post(rent(5), { draft: true }, user);
    expect(await refused(rent(5), { transactionID }, user)).toMatchObject({ status: 422, message });
    expect((await post(rent(5, north), { transactionID }, user)).draft).toBe(false);
  });

  it('rejects a journal entry with an amount of 1.005 dollars or a date of February 30 (400)', async () => {
    expect((await refused(rent(1.005))).status).toBe(400);
    expect((await refused(rent(1, { postingDate: '2026-02-30' }))).status).toBe(400);
  });

  it('rejects a journal entry with an inactive account and reports the line', async () => {
    await t.call(calls.setupAccount, { token: admin.token, body: { customerAccountID: 118, selected: false } });
    const answer = await refused([debit(118, 5), credit(133, 5)]);
    const message = 'This account is inactive. Please select another account';
    expect(answer.fields).toEqual({ 'generalLedgerEntries.0.accountID': message });
  });

  it('rejects a posting on the closing date 2026-03-31, even if a bookkeeper gives a reason', async () => {
    const { companyId, administrator, bookkeeper } = await t.createCompany();
    await close(companyId, '2026-03-31');
    const before = await written(companyId);
    const message = 'The books are closed through 3/31/2026';
    expect(await refused(rent(5), {}, administrator)).toMatchObject({ status: 422, message });
    const reasoned = await refused(rent(5), { closingOverrideReason: 'Late bill' }, bookkeeper);
    expect(reasoned).toMatchObject({ status: 422, message });
    expect(await written(companyId)).toEqual(before);
    const posted = await post(rent(5), { closingOverrideReason: 'Late bill' }, administrator);
    const reasons = await t.inCompany(companyId, (tx) =>
      tx.rows(sql<{ reason: string }>`
        select reason from audit_log where company_id = ${companyId} and subject_id = ${posted.transactionID}`),
    );
    expect(reasons).toEqual([{ reason: 'Late bill' }]);
  });

  it("rejects a posted transaction's ID (409), an unknown draft (404), and a read-only user (403)", async () => {
    const { transactionID } = await post(rent(1));
    expect((await refused(rent(2), { transactionID })).status).toBe(409);
    expect((await refused(rent(2), { transactionID: 999_999 })).status).toBe(404);
    expect((await refused(rent(2), { transactionID: 1_000_000_999_999 })).status).toBe(404);
    expect((await refused(rent(2), {}, company.reader)).status).toBe(403);
  });
});

describe('POST PostTransaction', () => {
  it('a journal entry posts rent of 1,200.00 against checking and drops the blank last line', async () => {
    const posted = await post([...rent(1200), { accountID: 0, amount: 0, description: '' }]);
    expect(posted).toMatchObject({ draft: false, postingDate: '2026-03-31', sourceType: 'journal' });
    expect(posted.sourceId).toBe(posted.transactionID);
    const lines = posted.generalLedgerEntries.map((line) => [line.accountID, line.debitAmount, line.creditAmount]);
    expect(lines).toEqual([
      [167, cents(120_000), null],
      [101, null, cents(120_000)],
    ]);
    const read = await t.call(calls.transactionEntries, {
      token: company.reader.token,
      params: { transactionId: String(posted.transactionID) },
    });
    expect(read).toEqual({ ...posted, documentLinks: [] });
  });

  it("the company's own ID counts as no customer or vendor, even if another record has that ID", async () => {
    const { companyId } = company;
    await t.inCompany(companyId, (tx) =>
      tx.rows(sql`
        insert into entity (company_id, id, kind, displayname, name) overriding system value
        values (${companyId}, ${companyId}, 0, 'Namesake', 'Namesake') on conflict do nothing`),
    );
    for (const more of [{}, { draft: true }]) {
      const posted = await post(rent(5), { entityID: companyId, ...more });
      expect([posted.entityID, ...posted.generalLedgerEntries.map((line) => line.entityId)]).toEqual([0, null, null]);
    }
  });

  it("a journal entry's customer or vendor applies to each line that has none", async () => {
    const vendor = await t.inCompany(company.companyId, (tx) =>
      tx.row(sql<{ id: number }>`
        insert into entity (company_id, id, kind, displayname, name) overriding system value
        values (${company.companyId}, 7001, 1, 'Pier Co', 'Pier Co') returning id`),
    );
    const posted = await post([debit(167, 40), credit(139, 40)], { entityID: vendor?.id });
    expect(posted.entityID).toBe(vendor?.id);
    expect(posted.generalLedgerEntries.map((line) => [line.entityName, line.basis])).toEqual([
      ['Pier Co', 1],
      ['Pier Co', 1],
    ]);
  });

  it("a request for another company's transaction returns 404", async () => {
    const { transactionID } = await post(rent(3));
    const answer = await t.refused(calls.transactionEntries, {
      token: t.world.other.administrator.token,
      params: { transactionId: String(transactionID) },
    });
    expect(answer.status).toBe(404);
  });
});

describe('draft journal entries', () => {
  it('a draft can be out of balance, and is replaced, posted, and then removed from the list of drafts', async () => {
    const { administrator, companyId } = await t.createCompany();
    const kept = await post([debit(167, 80)], { draft: true }, administrator);
    expect(kept).toMatchObject({ draft: true, rowVersion: 1, postingDate: '2026-03-31' });
    expect(await countRows(t, companyId, 'journal_transaction')).toBe(0);
    const { transactionID } = kept;
    const again = await post(rent(90), { draft: true, transactionID }, administrator);
    expect(again).toMatchObject({ transactionID, rowVersion: 2 });
    const stale = await refused(rent(95), { draft: true, transactionID, rowVersion: 1 }, administrator);
    expect([stale.status, stale.code]).toEqual([409, 'stale']);
    const { token } = administrator;
    const [listed] = await t.call(calls.listDrafts, { token });
    expect(listed).toEqual(again);
    const posted = await post(rent(90), { transactionID }, administrator);
    expect(posted).toMatchObject({ draft: false, transactionID: 1 });
    expect(await t.call(calls.listDrafts, { token })).toEqual([]);
  });

  it("a draft accepts only the company's own accounts and can be deleted only once", async () => {
    expect((await refused([debit(5000, 80)], { draft: true })).status).toBe(422);
    const { transactionID } = await post(rent(80), { draft: true });
    const sent = { token: admin.token, params: { id: String(transactionID) } };
    const others = { ...sent, token: t.world.other.administrator.token };
    expect((await t.refused(calls.deleteDraft, others)).status).toBe(404);
    expect(await t.call(calls.deleteDraft, sent)).toEqual({ ok: true });
    expect((await t.refused(calls.deleteDraft, sent)).status).toBe(404);
  });
});

it('the audit log records a deleted draft in dollars under its name and ID', async () => {
  const { transactionID: id } = await post([debit(167, 12.34)], { draft: true });
  await t.call(calls.deleteDraft, { token: admin.token, params: { id } });
  const [row] = await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql<{ action: string; before: { generalLedgerEntries: Line[] } }>`
      select action, before from audit_log where subject_type = 'journal draft' and subject_id = ${id}
      order by id desc limit 1`),
  );
  expect(row?.action).toBe('delete');
  expect(row?.before.generalLedgerEntries.map((line) => line['debitAmount'])).toEqual([12.34]);
});

describe('POST ReverseTransaction', () => {
  const reverse = (id: number, postingDate = '2026-04-01', person = admin) => ({
    token: person.token,
    params: { transactionId: String(id) },
    body: { postingDate },
  });

  it('a reversal is rejected for a missing entry (404), a document (409), or a closed date (422)', async () => {
    expect((await t.refused(calls.reverseTransaction, reverse(999_999))).status).toBe(404);
    const { companyId, administrator } = await t.createCompany();
    const { transactionID } = await post(rent(5), {}, administrator);
    await close(companyId, '2026-04-30');
    const closed = await t.refused(calls.reverseTransaction, reverse(transactionID, '2026-04-30', administrator));
    expect([closed.status, closed.message]).toEqual([422, 'The books are closed through 4/30/2026']);
    const invoice = await t.withCtx(administrator, async (ctx) => {
      const line = { basis: 'A' as const, description: 'Invoice 1', entityId: null, profitCenterId: null };
      const entries = [
        { ...line, accountId: 138, amount: cents(100), locationId: null, reverses: null },
        { ...line, accountId: 140, amount: cents(-100), locationId: null, reverses: null },
      ];
      const postings = [{ postingDate: isoDate('2026-05-01'), description: 'Invoice 1', entries }];
      return postLedger(ctx, [{ source: { type: 'invoice', id: 1 }, postings }]);
    });
    const id = invoice[0]?.transactions[0]?.id ?? 0;
    const document = await t.refused(calls.reverseTransaction, reverse(id, '2026-05-02', administrator));
    expect([document.status, document.message]).toEqual([
      409,
      'This transaction belongs to an invoice. Change or delete the transaction there.',
    ]);
  });

  it('an entry of 75.00 is reversed on the chosen date, and only once', async () => {
    const { administrator } = await t.createCompany();
    const { transactionID } = await post(rent(75), {}, administrator);
    const sent = reverse(transactionID, '2026-04-01', administrator);
    const reversal = await t.call(calls.reverseTransaction, sent);
    expect(reversal).toMatchObject({ postingDate: '2026-04-01', sourceId: transactionID });
    expect(reversal.generalLedgerEntries.map((line) => [line.accountID, line.debitAmount, line.creditAmount])).toEqual([
      [167, null, cents(7500)],
      [101, cents(7500), null],
    ]);
    const twice = await t.refused(calls.reverseTransaction, sent);
    expect([twice.status, twice.message]).toEqual([409, 'This transaction has already been reversed']);
    const back = await t.refused(
      calls.reverseTransaction,
      reverse(reversal.transactionID, '2026-04-02', administrator),
    );
    expect([back.status, back.message]).toEqual([
      409,
      "This transaction is itself a reversal, so it can't be reversed",
    ]);
  });

  it('only one reversal is posted if two users reverse an entry at the same time', async () => {
    const { administrator, bookkeeper, companyId } = await t.createCompany();
    const { transactionID } = await post(rent(60), {}, administrator);
    const answers = await Promise.allSettled([
      t.call(calls.reverseTransaction, reverse(transactionID, '2026-04-01', administrator)),
      t.call(calls.reverseTransaction, reverse(transactionID, '2026-04-01', bookkeeper)),
    ]);
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1);
    expect(await countRows(t, companyId, 'journal_transaction')).toBe(2);
  });
});
