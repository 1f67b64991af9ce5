import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { creditCalls } from '@evenkeel/contract/credits';
import { entityCalls } from '@evenkeel/contract/entities';
import { estimateCalls } from '@evenkeel/contract/estimates';
import { reportCalls } from '@evenkeel/contract/reports';
import { sendingCalls } from '@evenkeel/contract/sending';
import { settingsCalls } from '@evenkeel/contract/settings';
import { ESTIMATE_SENT } from '@evenkeel/core/documents/estimate';
import { DRAFT, OPEN } from '@evenkeel/core/documents/invoice';
import { sql } from 'kysely';
import { openClient } from '../../platform/db/connect.ts';
import type { Mailer, Message } from '../../platform/mail/mailer.ts';
import { pagesOf } from '../../platform/pdf/testing/pages.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
let books: Factory;
let customerId: number;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  company = await t.createCompany();
  books = factoryFor(t, company);
  customerId = await books.customer('Ridgeview');
  await rename('Old');
});

const token = () => company.administrator.token;

/** Renames the company and the customer and changes their addresses to 'Old' or 'New'. */
async function rename(which: string): Promise<void> {
  const at = (street: string) => [{ addressType: 1, address1: `${which} ${street}`, city: 'Akron', state: 'OH' }];
  const own = { displayname: `${which} Supply`, emailAddress: 'office@supply.example', addresses: at('Wharf') };
  await t.call(settingsCalls.updateCompany, { token: token(), params: { id: company.companyId }, body: own });
  const body = { displayname: `${which} Ridgeview`, addresses: at('Ridge Road') };
  await t.call(entityCalls.updateCustomer, { token: token(), params: { id: customerId }, body });
}

/**
 * Returns which version of the company's and customer's names and streets appears on a document: all 'Old' or all
 * 'New'.
 */
function factsIn(text: string): string {
  const found = ['Supply', 'Wharf', 'Ridgeview', 'Ridge Road'].map(
    (word) => new RegExp(`(\\w+) +${word}`).exec(text)?.[1],
  );
  return [...new Set(found)].join();
}
const factsOf = async (pdf: Uint8Array) => factsIn((await pagesOf(pdf)).join(' '));
const view = async (call: 'viewInvoice' | 'viewReceipt', id: number) =>
  factsOf(await t.call(billingCalls[call], { token: token(), params: { id } }));
const estimateView = async (id: number) =>
  factsOf(await t.call(estimateCalls.viewEstimate, { token: token(), params: { id } }));
const creditView = async (id: number) =>
  factsOf(await t.call(creditCalls.viewCredit, { token: token(), params: { id } }));
const save = (id: number, body: object) =>
  t.call(billingCalls.updateInvoice, {
    token: token(),
    body: {
      id,
      customerId,
      invoiceDate: '2026-03-10',
      lineItems: [{ description: 'Work', itemPrice: 100, quantity: 1, accountId: 140 }],
      ...body,
    },
  });

/** Receives each message and records the names and addresses in its file. */
async function mailed(): Promise<string[]> {
  const seen: Message[] = [];
  const mailer: Mailer = {
    send: async (message) => {
      await message.beforeHandover?.();
      seen.push(message);
      return '250 taken';
    },
  };
  await t.runMail(mailer);
  return Promise.all(seen.map(({ attachments = [] }) => factsOf(attachments[0]?.bytes ?? new Uint8Array())));
}

it("documents and private pages keep the names they were posted or sent with, but drafts don't", async () => {
  const invoice = await books.invoice({ customerId });
  const draft = await books.invoice({ customerId, arBillingStatus: DRAFT });
  const credit = await books.credit({ customerId });
  const sent = await books.estimate({ customerId, arBillingStatus: ESTIMATE_SENT });
  const offer = await books.estimate({ customerId });
  const receipt = await books.payment({ customerId, paymentAmount: 40 });
  const { url } = await t.call(sendingCalls.renewLink, { token: token(), params: { documentId: invoice.id } });
  const papers = async () => ({
    invoice: await view('viewInvoice', invoice.id),
    page: factsIn(String((await t.request({ method: 'GET', url: new URL(url).pathname })).body)),
    credit: await creditView(credit.id),
    sent: await estimateView(sent.id),
    receipt: await view('viewReceipt', receipt.id),
    draft: await view('viewInvoice', draft.id),
    offer: await estimateView(offer.id),
  });
  const all = (facts: string) => ({ invoice: facts, page: facts, credit: facts, sent: facts, receipt: facts });
  expect(await papers()).toEqual({ ...all('Old'), draft: 'Old', offer: 'Old' });
  await rename('New');
  expect(await papers()).toEqual({ ...all('Old'), draft: 'New', offer: 'New' });
  // When a draft is posted or sent, the current names and addresses are saved with it, and an edit saves the names and
  // addresses that are current at that time.
  await save(draft.id, { arBillingStatus: OPEN });
  await t.call(sendingCalls.send, { token: token(), body: { estimateId: offer.id } });
  await save(invoice.id, {});
  await rename('Newer');
  const then = { ...all('Old'), invoice: 'New', page: 'New', draft: 'New', offer: 'New' };
  expect(await papers()).toEqual(then);
  // A document that is sent, gets paid, or gets a response keeps the parties that were saved when it was posted.
  await t.call(sendingCalls.send, { token: token(), body: { invoiceId: invoice.id } });
  await books.payment({ customerId, paymentAmount: 10 });
  expect(await papers()).toEqual(then);
  expect(await mailed()).toEqual(['New', 'New']);
});

it("a waiting email shows its document's names, and a statement shows the names when it is sent", async () => {
  const { id: invoiceId } = await books.invoice({ customerId });
  for (const body of [{ invoiceId }, { customerId }]) await t.call(sendingCalls.send, { token: token(), body });
  await rename('New');
  expect(await mailed()).toEqual(['Old', 'Old']);
  const query = { startdate: '2026-01-01', reportdate: '2026-12-31' };
  const now = await t.call(reportCalls.customerStatement, { token: token(), params: { customerId }, query });
  expect(await factsOf(now)).toBe('New');
});

it('until its next change, a document from before parties were saved keeps the names then in use', async () => {
  const invoice = await books.invoice({ customerId });
  // Simulates a document from before the migration.
  const owner = await openClient({ connectionString: t.databaseUrl });
  await owner.query('delete from party_version where company_id = $1', [company.companyId]);
  await owner.query('update document set entity_version = 0, company_version = 0 where id = $1', [invoice.id]);
  await owner.end();
  await rename('New');
  await rename('Newer');
  expect(await view('viewInvoice', invoice.id)).toBe('Old');
});

it('saving a customer without changing printed fields does not create a version', async () => {
  for (const accountNumber of ['A-1', 'A-2', 'A-3']) {
    await t.call(entityCalls.updateCustomer, { token: token(), params: { id: customerId }, body: { accountNumber } });
  }
  const kept = await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql`select from party_version where company_id = ${company.companyId} and last_version > 1`),
  );
  expect(kept).toEqual([]);
});
