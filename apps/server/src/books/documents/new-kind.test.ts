import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditCalls } from '@evenkeel/contract/audit';
import { billingCalls } from '@evenkeel/contract/billing';
import { reportCalls } from '@evenkeel/contract/reports';
import { searchCalls } from '@evenkeel/contract/search';
import { sendingCalls } from '@evenkeel/contract/sending';
import { decode } from '@evenkeel/contract/wire';
import { SALES } from '@evenkeel/core/books/accounts';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { RECEIVABLE } from '@evenkeel/core/documents/side';
import { invoices } from '../../features/billing/invoices.ts';
import { createWithin, openBatches } from '../ledger/batch.ts';
import { exportBooks } from '../../features/accounting/export.ts';
import { verifyCompany } from '../../across/health/books-verify.ts';
import { sourceEntries } from '../../features/accounting/transactions.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { openDocuments } from './reads.ts';
import { addFeeNotes, FEE_NOTE, type FeeNoteInput, feeNotes, TOUCHED } from './testing/fee-notes.ts';

let t: TestApp;
let takeOut: () => void;
let company: WorldCompany;
let customerId: number;
beforeAll(async () => {
  t = await startTestApp();
  takeOut = await addFeeNotes(t.databaseUrl);
  company = await t.createCompany();
  customerId = await factoryFor(t, company).customer('Harbor View');
});
afterAll(async () => {
  takeOut();
  await t.close();
});

const DAY = isoDate('2026-03-31');

const note = (dollars: number, changes: Partial<FeeNoteInput> = {}): FeeNoteInput => ({
  customerId,
  noteDate: DAY,
  fees: [{ accountId: SALES, amount: cents(dollars * 100) }],
  ...changes,
});

/**
 * Creates fee notes and invoices of 100.00 alternately in one batch of the company. Returns the replies and the batch
 * sizes.
 */
async function together() {
  const sizes: number[] = [];
  const meter = {
    batch: (members: number) => void sizes.push(members),
    waited: () => undefined,
    watch: () => undefined,
  };
  const submit = openBatches(t.pool, meter);
  const actor = await t.withCtx(company.bookkeeper, async (ctx) => ctx);
  const lineItems = [{ description: 'Work', itemPrice: 100, quantity: 1, accountId: SALES }];
  const invoice = decode(billingCalls.createInvoice.body, { customerId, invoiceDate: DAY, lineItems });
  const replies = await Promise.all([
    submit({ actor, creation: feeNotes.creation, input: note(40), bytes: 0 }),
    submit({ actor, creation: invoices.creation, input: invoice, bytes: 0 }),
    submit({ actor, creation: feeNotes.creation, input: note(60), bytes: 0 }),
    submit({ actor, creation: invoices.creation, input: invoice, bytes: 0 }),
  ]);
  return { sizes, replies: replies.map((text): { id: number } => JSON.parse(text)) };
}

async function reportText(reportId: string, dates: Record<string, string>): Promise<string> {
  const reportParams = Object.entries(dates).map(([paramName, paramvalue]) => ({
    paramType: 1,
    paramName,
    paramvalue,
  }));
  const { token } = company.administrator;
  return JSON.stringify(await t.call(reportCalls.runReport, { token, params: { reportId }, body: { reportParams } }));
}

async function exported(): Promise<string> {
  const parts: string[] = [];
  const { companyId } = company;
  await exportBooks(t.pool, { companyId, format: 'csv', basis: 'accrual' }, async (part) => void parts.push(part));
  return parts.join('');
}

// Promise (books): A new kind of document is numbered, settled, reported, exported, and verified like the others. [1
// batch of 4]
test('a new kind of document needs only its row, its lines, and its build function', async () => {
  const { sizes, replies } = await together();
  expect(sizes).toEqual([4]);
  expect(replies).toMatchObject([
    { number: '501', amount: 40, openAmount: 40 },
    { invoiceNumber: '10001' },
    { number: '502', amount: 60, openAmount: 60 },
    { invoiceNumber: '10002' },
  ]);
  const [first = { id: 0 }, firstInvoice = { id: 0 }, second = { id: 0 }] = replies;

  // Settlement: one payment pays both kinds and shows each by its name.
  const { token } = company.bookkeeper;
  const make = factoryFor(t, company);
  const applications = [
    { invoiceId: first.id, amount: 40 },
    { invoiceId: firstInvoice.id, amount: 35 },
  ];
  const payment = await make.payment({ customerId, paymentAmount: 75, paymentApplications: applications });
  expect(payment.paymentApplications.map((each) => each.invoiceDescription).toSorted()).toEqual([
    'Fee note 501',
    'Invoice 10001',
  ]);
  const open = await t.withCtx(company.bookkeeper, (ctx) => openDocuments(ctx, RECEIVABLE, customerId, 0));
  expect(open.map((each) => [each.invoiceNumber, each.openAmount])).toEqual([
    ['502', 6000],
    ['10001', 6500],
    ['10002', 10000],
  ]);
  expect(await t.withCtx(company.bookkeeper, (ctx) => feeNotes.paidBy(ctx, first.id))).toMatchObject([
    { amount: 4000 },
  ]);

  // Lists: the invoice endpoint and the invoice list don't contain fee notes, and vice versa.
  const lists = await t.withCtx(company.bookkeeper, async (ctx) => [
    await invoices.list(ctx, { limit: 10 }),
    await feeNotes.list(ctx, { limit: 10 }),
  ]);
  expect(lists).toMatchObject([
    { total: 2, sums: { openAmount: 16500 } },
    { total: 1, sums: { openAmount: 6000 }, items: [{ number: '502' }] },
  ]);
  expect(await t.refused(billingCalls.getInvoice, { token, params: { id: second.id } })).toMatchObject({ status: 404 });
  await expect(t.withCtx(company.bookkeeper, (ctx) => feeNotes.get(ctx, firstInvoice.id))).rejects.toThrow(/Fee note/);

  // Edits: a new amount also changes the payment's cash basis entries. An amount below the paid amount is rejected.
  const edit = (dollars: number) =>
    t.withCtx(company.bookkeeper, (ctx) => feeNotes.update(ctx, { ...note(dollars), id: first.id }));
  expect(await edit(50)).toMatchObject({ number: '501', amount: 5000, openAmount: 1000, rowVersion: 2 });
  await expect(edit(30)).rejects.toThrow("The fee note amount can't be less than the $40.00 already paid");
  await expect(t.withCtx(company.bookkeeper, (ctx) => feeNotes.remove(ctx, first.id, undefined))).rejects.toThrow(
    'Delete its payments first',
  );
  await t.withCtx(company.bookkeeper, (ctx) => feeNotes.remove(ctx, second.id, undefined));

  // Reports, the export, and the link from the journal.
  const asOf = { reportdate: '2026-04-30' };
  expect(await reportText('103', asOf)).toContain('"Fee note"');
  expect(await reportText('102', { ...asOf, startdate: '2026-03-01' })).toContain('Fee note 501');
  expect(await exported()).toMatch(/feenote.*501/);
  const source = { type: FEE_NOTE.source, id: first.id };
  expect(await t.withCtx(company.administrator, (ctx) => sourceEntries(ctx, source))).not.toEqual([]);

  expect((await verifyCompany(t.pool, company.companyId)).faults).toEqual([]);
});

test('a new kind of document has a printout, a private link, search entries, and audit log rows', async () => {
  const { token } = company.bookkeeper;
  const { id, number } = await t.withCtx(company.bookkeeper, (ctx) =>
    createWithin(ctx, feeNotes.creation, { input: note(70) }),
  );
  const { url } = await t.call(sendingCalls.renewLink, { token, params: { documentId: id } });
  const path = new URL(url).pathname;
  const [page, pdf] = await Promise.all([
    t.request({ method: 'GET', url: path }),
    t.request({ method: 'GET', url: `${path}/pdf` }),
  ]);
  expect([page.status, page.body]).toEqual([200, expect.stringMatching(new RegExp(`${number}[^]*\\$70\\.00`))]);
  expect([pdf.status, pdf.headers['content-disposition']]).toEqual([200, 'inline; filename="fee-note.pdf"']);
  expect(await t.call(searchCalls.search, { token, body: number })).toMatchObject([
    { itemText: `Fee note ${number}`, searchDisplayItems: ['Harbor View', '3/31/2026', '$70.00', '$70.00 open'] },
  ]);
  const query = { kind: FEE_NOTE.source, record: id };
  const log = await t.call(auditCalls.listAudit, { token, query });
  expect(log).toMatchObject([{ title: number }, { kind: 'feenote link' }]);
});

test('a new kind of document changes at most 6 existing files of core and the server', () => {
  expect(TOUCHED.length).toBeLessThanOrEqual(6);
});

test('verify names documents of a kind that no longer exists', async () => {
  takeOut();
  const { faults } = await verifyCompany(t.pool, company.companyId);
  expect(faults.map(({ message }) => message)).toContain(
    'document 501 has the kind feenote, which does not exist on its side',
  );
});
