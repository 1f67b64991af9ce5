import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { entityCalls } from '@evenkeel/contract/entities';
import { expenseCalls as calls } from '@evenkeel/contract/expenses';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { settingsCalls } from '@evenkeel/contract/settings';
import { type Cents, formatAmount } from '@evenkeel/core/money';
import { verifyWithin } from '../../across/health/books-verify.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';
import { upload } from '../../testing/files.ts';
import type { WorldCompany } from '../../testing/world.ts';

interface Listed {
  sums: Record<string, number>;
  items: { badge: string }[];
}

let t: TestApp;
let company: WorldCompany;
let make: Factory;
let token: string;
let vendorId: number;

beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  company = await t.createCompany();
  make = factoryFor(t, company);
  token = company.bookkeeper.token;
  vendorId = await make.vendor();
});

/** Returns active journal lines as "account basis amount", ordered by account. */
async function liveLines(): Promise<string[]> {
  const { companyId } = company;
  const rows = await t.inCompany(companyId, (tx) =>
    tx.rows(sql<{ account_id: number; basis: string; amount_cents: Cents }>`
      select l.account_id, l.basis::text, l.amount_cents from journal_line l
      where l.company_id = ${companyId} and l.reverses is null
        and not exists (select from journal_line r where r.company_id = ${companyId} and r.reverses = l.id)
      order by l.account_id, l.basis, l.id`),
  );
  return rows.map((row) => `${row.account_id} ${row.basis} ${formatAmount(row.amount_cents)}`);
}

const bankId = async (): Promise<number> => {
  const row = await t.inCompany(company.companyId, (tx) =>
    tx.row(sql<{ id: number }>`select id from banking_account where company_id = ${company.companyId}`),
  );
  return row?.id ?? 0;
};
const openOf = async (id: number): Promise<string> =>
  formatAmount((await t.call(calls.getExpense, { token, params: { id } })).openAmount);
const line = (given: Record<string, unknown> = {}) => ({
  description: 'Diesel',
  lineItemAmount: 100,
  accountId: 153,
  ...given,
});
const credit = (lineItemAmount: number) => line({ lineItemAmount, creditLine: true, description: 'Returned' });
const faults = async () => (await t.inCompany(company.companyId, verifyWithin)).faults;

describe('bill validation', () => {
  const cases: [string, Record<string, unknown>, string][] = [
    ['a blank number', { invoiceNumber: ' ' }, 'Invoice Number is Required'],
    ['no number', { invoiceNumber: undefined }, 'Invoice Number is Required'],
    ['no vendor', { vendorId: 0 }, 'Please Select a Vendor'],
    ['a vendor that does not exist', { vendorId: 999_999 }, 'Please Select a Vendor'],
    ['a line without a description', { lineItems: [line({ description: '' })] }, 'A description entry is required'],
    ['a line without an account', { lineItems: [line({ accountId: null })] }, 'Please Select an Account'],
    [
      'accounts payable as the account',
      { lineItems: [line({ accountId: 139 })] },
      'Invoices, bills, and payments post to this account automatically',
    ],
    [
      'the bank as the account',
      { lineItems: [line({ accountId: 101 })] },
      'Use payments and journal entries to post to bank, cash, and card accounts',
    ],
    [
      'unapplied cash as the account',
      { lineItems: [line({ accountId: 175 })] },
      'Only Evenkeel can post to this account',
    ],
    ['an unknown account', { lineItems: [line({ accountId: 99_999 })] }, 'Please Select an Account'],
    ['retained earnings as the account', { lineItems: [line({ accountId: 137 })] }, 'Only Evenkeel can post'],
    ['a profit center that does not exist', { lineItems: [line({ profitCenterId: 9 })] }, 'a Profit Center'],
    ['a location that does not exist', { locationId: 9 }, 'Please Select a Location'],
    ['a negative amount', { lineItems: [line({ lineItemAmount: -1 })] }, "The amount can't be negative"],
    ['no lines', { lineItems: [line({ deleted: true })] }, 'At least one line item is required'],
    ['a line from another bill', { lineItems: [line({ id: 77 })] }, "This line isn't on the bill"],
    ['an unknown bank account', { postToVendorAccount: false, bankAccountId: 999_999 }, 'Please Select a Bank Account'],
  ];

  it.each(cases)('rejects a bill with %s and saves nothing', async (_name, wrong, message) => {
    const error = await make.bill({ vendorId, ...wrong }).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('answered 422');
    expect(String(error)).toContain(message);
    const rows = await t.call(calls.listExpenses, { token, query: { status: 'all' } });
    expect([rows, await liveLines()]).toEqual([[], []]);
  });

  it('rejects a bill with a duplicate line', async () => {
    const bill = await make.bill({ vendorId });
    const [first] = bill.lineItems;
    const body = { ...bill, invoiceAmount: 0, lineItems: [line({ id: first?.id }), line({ id: first?.id })] };
    await expect(t.call(calls.updateExpense, { token, body: wire(body) })).rejects.toThrow("isn't on the bill");
  });
});

/** Returns a response in the form of a PUT request's body, with the same dates and IDs. Totals are ignored. */
const wire = ({ lineItems, ...bill }: Record<string, unknown>) => ({ ...bill, lineItems }) as never;

describe('a bill', () => {
  it('a bill posts on its posting date and only on the accrual basis, and its terms set its due date', async () => {
    const bill = await make.bill({ vendorId, postingDate: '2026-04-01', lineItems: [line(), credit(30.5)] });
    expect(bill).toMatchObject({ postingDate: '2026-04-01', invoiceDate: '2026-03-10', dueDate: '2026-04-09' });
    expect(bill).toMatchObject({ postToVendorAccount: true, bankAccountId: null });
    expect([formatAmount(bill.invoiceAmount), formatAmount(bill.openAmount)]).toEqual(['69.50', '69.50']);
    expect(bill.lineItems.map((each) => [formatAmount(each.lineItemAmount), each.creditLine])).toEqual([
      ['100.00', false],
      ['30.50', true],
    ]);
    expect(await liveLines()).toEqual(['139 A (69.50)', '153 A 100.00', '153 A (30.50)']);
    expect(await faults()).toEqual([]);
  });

  it("a bill without a due date uses its vendor's terms, and a new bill date applies the current terms", async () => {
    const { token: admin } = company.administrator;
    const body = { name: 'Prompt', emailAddress: 'a@b.example', termsDays: 10 };
    const { id } = await t.call(entityCalls.createVendor, { token: admin, body });
    const bill = await make.bill({ vendorId: id });
    expect([bill.dueDate, (await make.bill({ vendorId: id, dueDate: null })).dueDate]).toEqual(['2026-03-20', null]);
    const saved = { id: bill.id, vendorId: id, invoiceNumber: 'P', lineItems: [line({ id: bill.lineItems[0]?.id })] };
    const save = (given: object) =>
      t.call(calls.updateExpense, { token, body: { ...saved, invoiceDate: '2026-03-10', ...given } });
    expect((await save({ dueDate: '2026-03-31' })).dueDate).toBe('2026-03-31');
    expect((await save({})).dueDate).toBe('2026-03-31');
    expect((await save({ invoiceDate: '2026-03-15' })).dueDate).toBe('2026-03-25');
  });

  it('saving a bill can add and remove files, and two bills can share a file', async () => {
    const { documentId } = await upload(t, token, { name: 'a.pdf' });
    const files = { documentLinks: [{ documentId, documentName: 'Receipt' }] };
    const [bill, twin] = await Promise.all([make.bill({ vendorId, ...files }), make.bill({ vendorId, ...files })]);
    expect(twin.documentLinks).toMatchObject([{ documentId, documentName: 'Receipt' }]);
    const read = () => t.call(calls.getExpense, { token, params: { id: bill.id } });
    expect((await read()).documentLinks).toEqual(bill.documentLinks);
    const other = await upload(t, token, { name: 'b.pdf' });
    const body = {
      id: bill.id,
      vendorId,
      invoiceNumber: 'B',
      invoiceDate: '2026-03-10',
      lineItems: [line({ id: bill.lineItems[0]?.id })],
      documentLinks: [{ id: bill.documentLinks[0]?.id, deleted: true }, { documentId: other.documentId }],
    };
    const saved = await t.call(calls.updateExpense, { token, body });
    expect(saved.documentLinks.map(({ documentName }) => documentName)).toEqual(['b.pdf']);
    expect((await read()).documentLinks).toEqual(saved.documentLinks);
    const payment = await make.billPayment({ vendorId, paymentAmount: 10, ...files });
    const again = await t.call(calls.getExpensePayment, { token, params: { id: payment.id } });
    expect(again.documentLinks).toMatchObject([{ documentId, documentName: 'Receipt' }]);
    const missing = { documentLinks: [{ documentId: 999_999 }] };
    await expect(make.bill({ vendorId, ...missing })).rejects.toThrow('is no longer available');
  });

  it('a bill for 0.00 posts its lines on both bases and counts as paid immediately', async () => {
    const bill = await make.bill({ vendorId, lineItems: [line(), credit(100)] });
    expect([bill.badge, formatAmount(bill.openAmount)]).toEqual(['Paid', '0.00']);
    expect(await liveLines()).toEqual(['153 B 100.00', '153 B (100.00)']);
  });

  it('a bill that does not use the vendor account is paid immediately from the bank on both bases', async () => {
    const bankAccountId = await bankId();
    const bill = await make.bill({ vendorId, postToVendorAccount: false, bankAccountId });
    expect(bill).toMatchObject({ postToVendorAccount: false, bankAccountId, badge: 'Paid' });
    expect(await liveLines()).toEqual(['101 B (100.00)', '153 B 100.00']);
    expect(await t.call(calls.listExpenses, { token, query: {} })).toEqual([]);
    expect(await t.call(calls.vendorOpenInvoices, { token, params: { vendorId } })).toEqual([]);
    const all = await t.call(calls.listExpenses, { token, query: { status: 'all' } });
    expect(all).toMatchObject([{ id: bill.id, postToVendorAccount: false }]);
    expect(await faults()).toEqual([]);
    const lineItems = [{ ...line({ lineItemAmount: 80 }), id: bill.lineItems[0]?.id }];
    const body = { id: bill.id, vendorId, invoiceNumber: 'X', invoiceDate: '2026-03-10', lineItems };
    const owed = await t.call(calls.updateExpense, { token, body });
    expect([owed.badge, formatAmount(owed.openAmount), owed.bankAccountId]).toEqual(['Overdue', '80.00', null]);
    expect(await liveLines()).toEqual(['139 A (80.00)', '153 A 80.00']);
    const again = { ...body, postToVendorAccount: false, bankAccountId };
    await t.call(calls.updateExpense, { token, body: again });
    expect(await liveLines()).toEqual(['101 B (80.00)', '153 B 80.00']);
    expect(await faults()).toEqual([]);
    await t.call(calls.deleteExpense, { token, params: { id: bill.id } });
    expect([await liveLines(), await faults()]).toEqual([[], []]);
  });

  describe('a void bill', () => {
    const bodyOf = (bill: Awaited<ReturnType<Factory['bill']>>, given: object = {}) => {
      const { id, invoiceNumber, postToVendorAccount, bankAccountId, lineItems, rowVersion } = bill;
      const lines = lineItems.map(({ id: lineId }) => ({ ...line(), id: lineId }));
      const paid = { postToVendorAccount, bankAccountId };
      return {
        id,
        vendorId,
        invoiceNumber,
        invoiceDate: '2026-03-10',
        ...paid,
        lineItems: lines,
        rowVersion,
        ...given,
      };
    };
    const save = (body: ReturnType<typeof bodyOf>) => t.call(calls.updateExpense, { token, body });

    it('a void bill keeps its number, lines, and bank account, posts nothing, and can be reopened', async () => {
      const bankAccountId = await bankId();
      for (const given of [{}, { postToVendorAccount: false, bankAccountId }]) {
        const bill = await make.bill({ vendorId, invoiceNumber: 'V-1', ...given });
        const posted = await liveLines();
        const gone = await save(bodyOf(bill, { voided: true }));
        const kept = { invoiceNumber: 'V-1', invoiceAmount: 10000, bankAccountId: bill.bankAccountId };
        expect(gone).toMatchObject({ ...kept, badge: 'Void', voided: true, openAmount: 0, daysOverdue: 0 });
        expect([await liveLines(), await faults()]).toEqual([[], []]);
        // If a client omits the void field, a void bill stays void.
        const { voided } = await save(bodyOf(gone));
        const all = { token, query: { status: 'all', limit: '10' } } as const;
        const { sums, items } = (await t.call(calls.listExpenses, all)) as Listed;
        expect([voided, items.map(({ badge }) => badge), sums]).toMatchObject([true, ['Void'], { voidAmount: 10000 }]);
        expect(await t.call(calls.vendorStanding, { token, params: { vendorId } })).toMatchObject({ openAmount: 0 });
        const { rowVersion } = await t.call(calls.getExpense, { token, params: { id: bill.id } });
        await save(bodyOf({ ...bill, rowVersion }, { voided: false }));
        expect([await liveLines(), await faults()]).toEqual([posted, []]);
        await t.call(calls.deleteExpense, { token, params: { id: bill.id } });
      }
    });

    it("a void bill can't have payments, and a bill can't be paid and voided at the same time", async () => {
      for (let round = 0; round < 4; round += 1) {
        const bill = await make.bill({ vendorId });
        const paymentApplications = [{ invoiceId: bill.id, amount: 100 }];
        const pay = () => make.billPayment({ vendorId, paymentAmount: 100, paymentApplications });
        const annul = () => save(bodyOf(bill, { voided: true }));
        const both = await Promise.allSettled(round % 2 === 0 ? [pay(), annul()] : [annul(), pay()]);
        expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      }
      const paid = await make.bill({ vendorId });
      await make.billPayment({
        vendorId,
        paymentAmount: 40,
        paymentApplications: [{ invoiceId: paid.id, amount: 40 }],
      });
      const body = bodyOf(paid, { voided: true });
      const answer = await t.refused(calls.updateExpense, { token, body: { ...body, rowVersion: undefined } });
      expect([answer.status, answer.message]).toEqual([422, "A bill that has payments can't be a draft or void"]);
      expect(await faults()).toEqual([]);
    });
  });

  it('a bill that is paid immediately needs a bank account, and keeps it if a later save omits it', async () => {
    const own = { vendorId, invoiceNumber: 'A-1', invoiceDate: '2026-03-10', postToVendorAccount: false };
    for (const bankAccountId of [undefined, null, 0]) {
      const body = { ...own, bankAccountId, lineItems: [line()] };
      const refusal = await t.refused(calls.createExpense, { token, body });
      expect([refusal.status, refusal.message]).toEqual([422, 'Please Select a Cash Account']);
      expect(refusal.fields).toEqual({ bankAccountId: 'Please Select a Cash Account' });
    }
    const bankAccountId = await bankId();
    const bill = await make.bill({ vendorId, postToVendorAccount: false, bankAccountId });
    const again = { ...own, id: bill.id, lineItems: [line({ id: bill.lineItems[0]?.id })] };
    expect(await t.call(calls.updateExpense, { token, body: again })).toMatchObject({
      postToVendorAccount: false,
      bankAccountId,
    });
  });

  it("a vendor's bill number can be reused, and reading a bill shows other bills with that number", async () => {
    await make.bill({ vendorId, invoiceNumber: 'A-7' });
    await make.bill({ vendorId: await make.vendor('Other'), invoiceNumber: 'A-7' });
    const taken = () => t.call(calls.vendorInvoices, { token, params: { vendorId }, query: { invoiceNumber: ' a-7' } });
    expect(await taken()).toMatchObject([{ invoiceNumber: 'A-7', invoiceDate: '2026-03-10' }]);
    const again = await make.bill({ vendorId, invoiceNumber: 'A-7' });
    expect((await taken()).map(({ id }) => id)[0]).toBe(again.id);
    expect(await t.call(calls.vendorInvoices, { token, params: { vendorId }, query: {} })).toHaveLength(2);
  });

  it('a changed bill posts the difference, and a deleted bill is reversed', async () => {
    const bill = await make.bill({ vendorId, lineItems: [line(), line({ accountId: 168 }), credit(10)] });
    const [first] = bill.lineItems;
    const body = {
      id: bill.id,
      vendorId,
      invoiceNumber: 'New',
      invoiceDate: '2026-03-10',
      rowVersion: bill.rowVersion,
      lineItems: [line({ id: first?.id }), line({ accountId: 160, lineItemAmount: 5 })],
    };
    const edited = await t.call(calls.updateExpense, { token, body });
    expect(edited.lineItems.map((each) => each.accountId)).toEqual([153, 160]);
    expect(edited.lineItems[0]?.id).toBe(first?.id);
    expect(await liveLines()).toEqual(['139 A (105.00)', '153 A 100.00', '160 A 5.00']);
    await expect(t.call(calls.updateExpense, { token, body })).rejects.toThrow('409');
    await t.call(calls.deleteExpense, { token, params: { id: bill.id } });
    expect(await liveLines()).toEqual([]);
    await expect(t.call(calls.getExpense, { token, params: { id: bill.id } })).rejects.toThrow('404');
    expect(await faults()).toEqual([]);
  });

  it('a bill requires a profit center and location if the company uses them, and posts with them', async () => {
    const { companyId, administrator } = company;
    const items = ['useProfitCenters', 'useLocations'].map((settingName) => ({ settingName, settingValue: 'true' }));
    await t.call(settingsCalls.saveSettings, { token: administrator.token, body: items as never });
    const [center, place] = await t.inCompany(companyId, async (tx) => [
      await tx.row(
        sql<{ id: number }>`insert into profit_center (company_id, name) values (${companyId}, 'N') returning id`,
      ),
      await tx.row(
        sql<{ id: number }>`insert into location (company_id, name) values (${companyId}, 'Yard') returning id`,
      ),
    ]);
    await expect(make.bill({ vendorId })).rejects.toThrow('Please Select a Location');
    await expect(make.bill({ vendorId, locationId: place?.id })).rejects.toThrow('Please Select a Profit Center');
    const lineItems = [line({ profitCenterId: center?.id })];
    const bill = await make.bill({ vendorId, locationId: place?.id, lineItems });
    await make.billPayment({ vendorId, paymentAmount: 100, locationId: place?.id });
    const posted = await t.inCompany(companyId, (tx) =>
      tx.rows(sql`select basis::text, profit_center_id as p, location_id as l from journal_line
        where company_id = ${companyId} and account_id = 153 order by basis`),
    );
    const own = { p: center?.id, l: place?.id };
    expect(posted).toEqual([
      { basis: 'A', ...own },
      { basis: 'C', ...own },
    ]);
    expect(bill.locationId).toBe(place?.id);
  });

  // Promise (books): Nothing posts on or before the closing date unless an administrator enters a reason.
  it("a bill dated on or before the closing date requires an administrator's reason", async () => {
    await t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`update ledger_head set closing_date = '2026-03-31' where company_id = ${company.companyId}`),
    );
    await expect(make.bill({ vendorId })).rejects.toThrow('closed through 3/31/2026');
    await make.bill({ vendorId, postingDate: '2026-04-01' });
    const lineItems = [line()];
    const body = { vendorId, invoiceNumber: '1', invoiceDate: '2026-03-10', lineItems, closingOverrideReason: 'Late' };
    await t.call(calls.createExpense, { token: company.administrator.token, body });
  });
});

describe('a vendor payment', () => {
  const shares = (payment: { paymentApplications: { amount: Cents }[] }) =>
    payment.paymentApplications.map((each) => formatAmount(each.amount));

  it('a payment is applied to bills by invoice date, skips credits, and counts on the cash basis', async () => {
    const second = await make.bill({ vendorId, invoiceDate: '2026-03-12', postingDate: '2026-03-01' });
    const first = await make.bill({ vendorId, invoiceDate: '2026-03-10', postingDate: '2026-03-15' });
    const credits = await make.bill({ vendorId, amount: -40 });
    const payment = await make.billPayment({ vendorId, paymentAmount: 150, paymentCheckNo: '1001' });
    expect(payment).toMatchObject({ paymentCheckNo: '1001', paymentNumber: '1', accountId: 101 });
    expect(payment.paymentApplications.map((each) => each.invoiceId)).toEqual([first.id, second.id]);
    expect(shares(payment)).toEqual(['100.00', '50.00']);
    expect([await openOf(second.id), await openOf(credits.id)]).toEqual(['50.00', '(40.00)']);
    expect(payment.affectedInvoices.map(({ badge }) => badge)).toEqual(['Paid', 'Overdue']);
    const open = await t.call(calls.vendorOpenInvoicesForPayment, {
      token,
      params: { vendorId, paymentId: payment.id },
    });
    const figures = open.map((each) => [
      each.invoiceId,
      formatAmount(each.openAmount),
      formatAmount(each.appliedAmount),
    ]);
    expect(figures).toEqual([
      [first.id, '0.00', '100.00'],
      [credits.id, '(40.00)', '0.00'],
      [second.id, '50.00', '50.00'],
    ]);
    expect(await liveLines()).toEqual([
      '101 B (150.00)',
      '139 A (100.00)',
      '139 A (100.00)',
      '139 A 40.00',
      '139 A 150.00',
      '153 A 100.00',
      '153 A 100.00',
      '153 A (40.00)',
      '153 C 100.00',
      '153 C 50.00',
    ]);
    expect(await faults()).toEqual([]);
  });

  it('the rest of a payment stays unapplied, and a PUT applies it together with a vendor credit', async () => {
    const bill = await make.bill({ vendorId });
    const early = await make.billPayment({ vendorId, paymentAmount: 80, paymentApplications: [] });
    expect([formatAmount(early.unappliedAmount), await openOf(bill.id)]).toEqual(['80.00', '100.00']);
    expect(await liveLines()).toContain('175 C 80.00');
    const credits = await make.bill({ vendorId, amount: -30 });
    const body = {
      id: early.id,
      vendorId,
      paymentDate: '2026-03-20',
      paymentAmount: 80,
      bankAccountId: early.bankAccountId,
      paymentApplications: [
        {
          invoiceId: bill.id,
          amount: 100,
        },
        {
          invoiceId: credits.id,
          amount: -30,
        },
      ],
    };
    const applied = await t.call(calls.updateExpensePayment, { token, body });
    expect([formatAmount(applied.unappliedAmount), await openOf(bill.id), await openOf(credits.id)]).toEqual([
      '10.00',
      '0.00',
      '0.00',
    ]);
    expect(await faults()).toEqual([]);
    await expect(t.call(calls.deleteExpense, { token, params: { id: credits.id } })).rejects.toThrow(
      'Delete its payments first',
    );
    const gone = await t.call(calls.deleteExpensePayment, { token, params: { id: early.id } });
    expect(gone.affectedInvoices.map(({ openAmount }) => formatAmount(openAmount)).toSorted()).toEqual([
      '(30.00)',
      '100.00',
    ]);
    expect(await faults()).toEqual([]);
  });

  it('a payment of 0.00 applies a credit to a bill: no money moves, and the cash basis recognizes both', async () => {
    const bill = await make.bill({ vendorId, amount: 30, lineItems: [line({ lineItemAmount: 30, accountId: 168 })] });
    const credits = await make.bill({ vendorId, amount: -50 });
    const paymentApplications = [
      { invoiceId: bill.id, amount: 30 },
      { invoiceId: credits.id, amount: -30 },
    ];
    await make.billPayment({ vendorId, paymentAmount: 0, paymentApplications });
    expect(await liveLines()).toEqual([
      '139 A (30.00)',
      '139 A 50.00',
      '153 A (50.00)',
      '153 C (30.00)',
      '168 A 30.00',
      '168 C 30.00',
    ]);
    expect([await openOf(bill.id), await openOf(credits.id)]).toEqual(['0.00', '(20.00)']);
    const listed = await t.call(calls.listExpenses, { token, query: { status: 'credit', limit: '1' } });
    expect(listed).toMatchObject({ items: [{ id: credits.id, badge: 'Credit' }] });
    const { parts } = (await t.call(calls.listExpenses, { token, query: { limit: '1' } })) as { parts: object };
    expect(parts).toHaveProperty('credit');
    expect(await faults()).toEqual([]);
  });

  it('only one of 20 simultaneous payments of 60.00 on a 100.00 bill is posted, even if they share a key', async () => {
    const bill = await make.bill({ vendorId });
    const paymentApplications = [{ invoiceId: bill.id, amount: 60 }];
    const tries = Array.from({ length: 20 }, () =>
      make.billPayment({ vendorId, paymentAmount: 60, paymentApplications }),
    );
    const done = await Promise.allSettled(tries);
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await openOf(bill.id)).toBe('40.00');
    const body = { vendorId, paymentDate: '2026-03-21', paymentAmount: 40, paymentAccountId: 104 };
    const headers = { 'idempotency-key': 'one-key' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => t.call(calls.createExpensePayment, { token, headers, body })),
    );
    expect([new Set(answers.map(({ id }) => id)).size, await openOf(bill.id)]).toEqual([1, '0.00']);
    expect(await faults()).toEqual([]);
  });

  describe('several payments at once', () => {
    const pay = (bill: { id: number; vendorId: number }, paymentAmount = 100) => ({
      vendorId: bill.vendorId,
      paymentDate: '2026-03-21',
      paymentAmount,
      paymentAccountId: 104,
      paymentApplications: [{ invoiceId: bill.id, amount: paymentAmount }],
    });
    const payAll = (payments: ReturnType<typeof pay>[], key?: string) =>
      t.call(calls.createExpensePayments, {
        token,
        body: { payments },
        ...(key && { headers: { 'idempotency-key': key } }),
      });
    const openOfAll = async (bills: readonly { id: number }[]) => await Promise.all(bills.map(({ id }) => openOf(id)));
    // The payments are created one after the other, because the responses contain their numbers.
    const threeBills = async () => {
      const bills = [{ id: (await make.bill({ vendorId })).id, vendorId }];
      for (const name of ['Second', 'Third']) {
        const other = await make.vendor(name);
        bills.push({ id: (await make.bill({ vendorId: other })).id, vendorId: other });
      }
      return bills;
    };

    it('three bills from three vendors get one payment each, and repeating the key has no further effect', async () => {
      const bills = await threeBills();
      const body = bills.map((bill) => pay(bill));
      const [first, again] = await Promise.all([payAll(body, 'three'), payAll(body, 'three')]);
      expect(first.payments.map((each) => [each.vendorId, each.affectedInvoices.map(({ id }) => id)])).toEqual(
        bills.map((bill) => [bill.vendorId, [bill.id]]),
      );
      expect(new Set(first.payments.map((each) => each.paymentNumber)).size).toBe(3);
      expect(again).toEqual(first);
      expect(await openOfAll(bills)).toEqual(['0.00', '0.00', '0.00']);
      expect(await faults()).toEqual([]);
    });

    it('open bills are read by ID, excluding paid bills, invoices, and unknown IDs', async () => {
      const bills = await threeBills();
      const invoice = await make.invoice({ customerId: await make.customer() });
      const ids = [...bills.map(({ id }) => id), invoice.id, 999_999];
      const read = async () => (await t.call(calls.payableExpenses, { token, query: { ids } })).documents;
      const rows = await read();
      expect(rows.map((row) => [row.invoiceId, row.entityId, row.openAmount])).toEqual(
        bills.map((bill) => [bill.id, bill.vendorId, 10_000]),
      );
      expect(rows[0]?.entityDisplayName).not.toBe('');
      await payAll(bills.slice(0, 2).map((bill) => pay(bill)));
      expect((await read()).map((row) => row.invoiceId)).toEqual([bills[2]?.id]);
    });

    it('if a payment is rejected, the error contains its index, and no payment is posted', async () => {
      const bills = await threeBills();
      const [first, second, third] = bills.map((bill) => pay(bill));
      if (first === undefined || second === undefined || third === undefined) throw new Error('three bills');
      const refused = async (payments: ReturnType<typeof pay>[]) => {
        const { status, fields } = await t.refused(calls.createExpensePayments, { token, body: { payments } });
        return [status, ...Object.keys(fields ?? {})];
      };
      expect(await refused([first, second, { ...third, paymentAmount: 60 }])).toEqual([
        422,
        'payments.2.paymentAmount',
      ]);
      expect(await refused([first, first])).toEqual([422, expect.stringMatching(/^payments\.1\b/)]);
      expect(await refused([first, Object.assign(second, { id: 1 })])).toEqual([422, 'payments.1.id']);
      expect(await openOfAll(bills)).toEqual(['100.00', '100.00', '100.00']);
      expect(await faults()).toEqual([]);
    });
  });

  it('an application needs no profit center, but keeps the one it has if an earlier payment is added', async () => {
    const name = { profitcentername: 'North' };
    const { token: admin } = company.administrator;
    const { profitcenterid } = await t.call(ledgerCalls.createProfitCenter, { token: admin, body: name });
    const bill = await make.bill({ vendorId });
    const share = (profitCenterId: number | null) => [{ invoiceId: bill.id, amount: 30, profitCenterId }];
    const paid = { vendorId, paymentAmount: 30, paymentApplications: share(profitcenterid) };
    const payment = await make.billPayment({ ...paid, paymentDate: '2026-03-25' });
    const read = async () => {
      const { paymentApplications } = await t.call(calls.getExpensePayment, { token, params: { id: payment.id } });
      return paymentApplications.map((each) => [each.profitCenterId, each.locationId]);
    };
    // An earlier payment changes the amounts that a later one recognizes.
    await make.billPayment({ vendorId, paymentAmount: 20, paymentApplications: [{ invoiceId: bill.id, amount: 20 }] });
    expect(payment.paymentApplications).toMatchObject([{ profitCenterId: profitcenterid, locationId: null }]);
    expect(await read()).toEqual([[profitcenterid, null]]);
    const own = { id: payment.id, bankAccountId: payment.bankAccountId, paymentDate: '2026-03-25' };
    const save = (profitCenterId: number | null) =>
      t.call(calls.updateExpensePayment, {
        token,
        body: { ...paid, ...own, paymentApplications: share(profitCenterId) },
      });
    await expect(save(999_999)).rejects.toThrow('Please Select a Profit Center');
    await save(null);
    expect(await read()).toEqual([[null, null]]);
    await save(profitcenterid);
    await t.call(calls.deleteExpensePayment, { token, params: { id: payment.id } });
    // The profit center is no longer in use, so it is deleted instead of being made inactive.
    await t.call(ledgerCalls.deleteProfitCenter, { token: admin, params: { profitcenterid } });
    const left = await t.call(ledgerCalls.listProfitCenters, { token: admin, query: { inactive: 'true' } });
    expect([left, await faults()]).toEqual([[], []]);

    const customerId = await make.customer();
    const invoice = await make.invoice({ customerId });
    const paymentApplications = [{ invoiceId: invoice.id, amount: 5, locationId: 9 }];
    const strange = make.payment({ customerId, paymentAmount: 5, paymentApplications });
    await expect(strange).rejects.toThrow('Please Select a Location');
  });

  const refusals: [string, Record<string, unknown>, string][] = [
    ['an amount of 0.00 without a credit', { paymentAmount: 0 }, 'must be more than $0.00'],
    ['a negative amount', { paymentAmount: -5 }, 'must be more than $0.00'],
    ['no account', { bankAccountId: null }, 'Please Select a Cash Account'],
    [
      'an account that is not a cash account',
      { bankAccountId: null, paymentAccountId: 153 },
      'Please Select a Cash Account',
    ],
    ['an unknown vendor', { vendorId: 999_999 }, 'Please Select a Vendor'],
    ['an unknown location', { locationId: 9 }, 'Please Select a Location'],
  ];
  it.each(refusals)('a payment with %s is rejected', async (_name, wrong, message) => {
    await make.bill({ vendorId });
    await expect(make.billPayment({ vendorId, paymentAmount: 100, ...wrong })).rejects.toThrow(message);
    expect(await liveLines()).toEqual(['139 A (100.00)', '153 A 100.00']);
  });

  it("a payment never affects another vendor's bill, a customer invoice, or a bill paid immediately", async () => {
    const other = await make.bill({ vendorId: await make.vendor('Other') });
    const invoice = await make.invoice({ customerId: await make.customer() });
    const paid = await make.bill({ vendorId, postToVendorAccount: false, bankAccountId: await bankId() });
    for (const { id: invoiceId } of [other, invoice, paid]) {
      const paymentApplications = [{ invoiceId, amount: 10 }];
      await expect(make.billPayment({ vendorId, paymentAmount: 10, paymentApplications })).rejects.toThrow('422');
    }
    const customerId = invoice.customerId;
    await expect(
      make.payment({ customerId, paymentAmount: 10, paymentApplications: [{ invoiceId: other.id, amount: 10 }] }),
    ).rejects.toThrow('422');
  });

  it('a payment is unapplied until the posting date of its bill, and an edit moves its recognition', async () => {
    const bill = await make.bill({ vendorId, postingDate: '2026-04-05' });
    await make.billPayment({ vendorId, paymentAmount: 100 });
    const dated = () =>
      t.inCompany(company.companyId, (tx) =>
        tx.rows(sql<{ text: string }>`select l.posting_date || ' ' || l.account_id || ' ' || l.amount_cents as text
          from journal_line l where l.company_id = ${company.companyId} and l.basis = 'C' and l.reverses is null
            and not exists (select from journal_line r where r.company_id = l.company_id and r.reverses = l.id)
          order by 1`),
      );
    const texts = async () => (await dated()).map(({ text }) => text);
    expect(await texts()).toEqual(['2026-03-20 175 10000', '2026-04-05 153 10000', '2026-04-05 175 -10000']);
    const body = {
      id: bill.id,
      vendorId,
      invoiceNumber: 'B',
      invoiceDate: '2026-03-10',
      lineItems: [
        line({
          id: bill.lineItems[0]?.id,
          accountId: 168,
        }),
      ],
    };
    await t.call(calls.updateExpense, { token, body });
    expect(await texts()).toEqual(['2026-03-20 168 10000']);
    const less = { ...body, lineItems: [line({ lineItemAmount: 99 })] };
    await expect(t.call(calls.updateExpense, { token, body: less })).rejects.toThrow(
      'less than the $100.00 already paid',
    );
    expect(await faults()).toEqual([]);
  });

  it("a payment appears with its bills in the vendor's history and as the source of its entries", async () => {
    const bill = await make.bill({ vendorId, invoiceNumber: 'A-7' });
    const payment = await make.billPayment({ vendorId, paymentAmount: 120, paymentRefNo: 'R-1' });
    const history = await t.call(calls.vendorHistory, { token, params: { vendorId } });
    expect(history.map((row) => [row.kind, row.id, row.refNumber, formatAmount(row.balance)])).toEqual([
      ['payment', payment.id, 'R-1', '20.00'],
      ['invoice', bill.id, 'A-7', '0.00'],
    ]);
    const entries = await t.call(ledgerCalls.transactionEntries, {
      token: company.administrator.token,
      params: { transactionId: payment.transactionID },
    });
    expect(entries).toMatchObject({ sourceType: 'expensepayment', sourceId: payment.id });
  });
});
