import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { endpoints } from '@evenkeel/contract/all';
import { auditCalls } from '@evenkeel/contract/audit';
import { billingCalls } from '@evenkeel/contract/billing';
import { reportCalls } from '@evenkeel/contract/reports';
import { searchCalls } from '@evenkeel/contract/search';
import { sendingCalls } from '@evenkeel/contract/sending';
import { feeNoteCalls, type FeeNoteInput } from '@evenkeel/contract/testing/fee-notes';
import { decode } from '@evenkeel/contract/wire';
import { SALES } from '@evenkeel/core/books/accounts';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { RECEIVABLE } from '@evenkeel/core/documents/side';
import { FEE_NOTE } from '@evenkeel/core/testing/fee-note';
import { invoices } from '../../features/billing/invoices.ts';
import { createWithin, openBatches } from '../ledger/batch.ts';
import { exportBooks } from '../../features/accounting/export.ts';
import { verifyCompany } from '../../across/health/books-verify.ts';
import { sourceEntries } from '../../features/accounting/transactions.ts';
import { allRoutes } from '../../app/routes.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { openDocuments } from './reads.ts';
import { feeNotes, forgetFeeNotes, migrateFeeNotes } from './testing/fee-notes.ts';

// The program is loaded again with the new kind in its lists, as if the kind were part of the source code.
await vi.hoisted(async () => {
  vi.resetModules();
  const [{ documentKinds, kinds }, { FEE_NOTE: kind }] = await Promise.all([
    import('@evenkeel/core/documents/side'),
    import('@evenkeel/core/testing/fee-note'),
  ]);
  Object.assign(documentKinds, { [kind.source]: kind });
  kinds.set(kind.source, kind);
  const { addFeeNotes } = await import('./testing/fee-notes.ts');
  addFeeNotes();
});

let t: TestApp;
let company: WorldCompany;
let customerId: number;
beforeAll(async () => {
  const table = { endpoints: [...endpoints, ...Object.values(feeNoteCalls)], routes: allRoutes };
  t = await startTestApp({ table });
  await migrateFeeNotes(t.databaseUrl);
  company = await t.createCompany();
  customerId = await factoryFor(t, company).customer('Harbor View');
});
afterAll(async () => {
  await t.close();
  vi.resetModules();
});

const DAY = isoDate('2026-03-31');

const note = (dollars: number, changes: Partial<FeeNoteInput> = {}): FeeNoteInput => ({
  customerId,
  invoiceDate: DAY,
  lineItems: [{ description: 'Fee', accountId: SALES, lineItemAmount: cents(dollars * 100) }],
  ...changes,
});

/** Creates alternating fee notes and invoices for 100.00 in one batch. Returns the responses and the batch sizes. */
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
test('a new kind of document needs only its table entry, its lines, and its build function', async () => {
  const { sizes, replies } = await together();
  expect(sizes).toEqual([4]);
  expect(replies).toMatchObject([
    { invoiceNumber: '501', invoiceAmount: 40, openAmount: 40 },
    { invoiceNumber: '10001' },
    { invoiceNumber: '502', invoiceAmount: 60, openAmount: 60 },
    { invoiceNumber: '10002' },
  ]);
  const [first = { id: 0 }, firstInvoice = { id: 0 }, second = { id: 0 }] = replies;

  // Settlement: one payment pays both kinds of documents and lists each document under its kind.
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

  // Lists: the invoice endpoint and the invoice list don't contain fee notes, and the fee note endpoint and list don't
  // contain invoices.
  const lists = await t.withCtx(company.bookkeeper, async (ctx) => [
    await invoices.list(ctx, { limit: 10 }),
    await feeNotes.list(ctx, { limit: 10 }),
  ]);
  expect(lists).toMatchObject([
    { total: 2, sums: { openAmount: 16500 } },
    { total: 1, sums: { openAmount: 6000 }, items: [{ invoiceNumber: '502' }] },
  ]);
  expect(await t.refused(billingCalls.getInvoice, { token, params: { id: second.id } })).toMatchObject({ status: 404 });
  await expect(t.withCtx(company.bookkeeper, (ctx) => feeNotes.get(ctx, firstInvoice.id))).rejects.toThrow(/Fee note/);

  // Edits: a new amount also changes the payment's entries on the cash basis. An amount below the paid amount is
  // rejected.
  const edit = (dollars: number) =>
    t.withCtx(company.bookkeeper, (ctx) => feeNotes.update(ctx, { ...note(dollars), id: first.id }));
  expect(await edit(50)).toMatchObject({ invoiceNumber: '501', invoiceAmount: 5000, openAmount: 1000, rowVersion: 2 });
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
  const { id, invoiceNumber: number } = await t.withCtx(company.bookkeeper, (ctx) =>
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

test('a new kind of document has endpoints and can be sent by email', async () => {
  const { token } = company.bookkeeper;
  const body = (dollars: number) => {
    const fee = { description: 'Fee', accountId: SALES, lineItemAmount: dollars };
    return { customerId, invoiceDate: DAY, lineItems: [fee] };
  };
  const made = await t.call(feeNoteCalls.create, { token, body: body(80) });
  const at = { token, params: { id: made.id } };
  const saved = await t.call(feeNoteCalls.update, { token, body: { ...body(90), id: made.id } });
  expect(await t.call(feeNoteCalls.get, at)).toEqual(saved);
  expect(await t.call(feeNoteCalls.paidBy, at)).toEqual([]);
  expect(await t.call(feeNoteCalls.list, { token, query: {} })).toContainEqual(
    expect.objectContaining({ id: made.id, invoiceAmount: 9000 }),
  );
  expect(new TextDecoder().decode(await t.call(feeNoteCalls.view, at))).toMatch(/^%PDF-/);
  const mail = { [FEE_NOTE.mail.id]: made.id, to: ['office@harbor.example'] };
  await t.call(sendingCalls.send, { token, body: mail });
  expect(await t.call(feeNoteCalls.sending, at)).toMatchObject({
    title: `Fee note ${made.invoiceNumber}`,
    subject: 'Fee note {number} from {company}',
    history: [{ kind: FEE_NOTE.mail.kind, recipients: [{ address: 'office@harbor.example' }] }],
  });
  await t.call(feeNoteCalls.remove, at);
  expect(await t.refused(feeNoteCalls.get, at)).toMatchObject({ status: 404 });
});

test('verify names documents of a kind that no longer exists', async () => {
  forgetFeeNotes();
  const { faults } = await verifyCompany(t.pool, company.companyId);
  expect(faults.map(({ message }) => message)).toContain(
    'document 501 has the kind feenote, which does not exist on its side',
  );
});
