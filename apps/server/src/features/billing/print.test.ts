import { afterAll, beforeAll, expect, it } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { entityCalls } from '@evenkeel/contract/entities';
import { sendingCalls } from '@evenkeel/contract/sending';
import { settingsCalls } from '@evenkeel/contract/settings';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { invoicePaper } from './invoice-sent.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

/** Saves the company with this request body. Returns the lines about the company on a printed invoice. */
async function linesOf(body: Record<string, unknown>): Promise<readonly string[]> {
  const { companyId, administrator } = await t.createCompany();
  const { token } = administrator;
  await t.call(settingsCalls.updateCompany, { token, params: { id: companyId }, body });
  const customer = { name: 'Fairlawn Heights', emailAddress: 'office@fairlawn.example' };
  const { id: customerId } = await t.call(entityCalls.createCustomer, { token, body: customer });
  const lineItems = [{ description: 'Spring clean-up', itemPrice: 120, quantity: 1, accountId: 140 }];
  const draft = { invoiceDate: '2026-05-01', customerId, lineItems };
  const invoice = await t.call(billingCalls.createInvoice, { token, body: draft });
  const paper = await t.withCtx(administrator, (ctx) => invoicePaper(ctx, invoice.id));
  return paper.company.lines;
}

it('an invoice from a company without an address or phone shows only the email under the company name', async () => {
  expect(await linesOf({ emailAddress: 'office@fern.example' })).toEqual(['office@fern.example']);
});

it('an invoice shows the mailing address, not the billing address, and the phone and email on one line', async () => {
  const lines = await linesOf({
    emailAddress: 'office@fern.example',
    phones: [{ displayNumber: '330 555 0101' }, { displayNumber: '330 555 0102', primary: true }],
    addresses: [
      { addressType: 2, address1: 'PO Box 7', city: 'Kent' },
      { addressType: 1, attention: 'Iris', address1: '18 Nursery Road', city: 'Akron', state: 'OH', zipCode: '44333' },
    ],
  });
  const contact = '330 555 0102 · office@fern.example';
  expect(lines).toEqual(['Attn: Iris', '18 Nursery Road', 'Akron, OH 44333', contact]);
});

it('an invoice from a company in Halifax with flat address fields shows the province and country', async () => {
  const emailAddress = 'office@fern.example';
  const place = { address1: '1 Pier Road', city: 'Halifax', state: 'NS', zipCode: 'B3H 1A1', countryId: 342 };
  const lines = await linesOf({ emailAddress, ...place });
  expect(lines).toEqual(['1 Pier Road', 'Halifax, NS B3H 1A1', 'Canada', emailAddress]);
});

it('an invoice shows its PO number, terms, and note in print, in the API, in lists, and on its page', async () => {
  const { administrator } = await t.createCompany();
  const { token } = administrator;
  const body = { name: 'Fairlawn Heights', emailAddress: 'office@fairlawn.example' };
  const { id: customerId } = await t.call(entityCalls.createCustomer, { token, body });
  const lineItems = [{ description: 'Spring clean-up', itemPrice: 120, quantity: 1, accountId: 140 }];
  const dates = { invoiceDate: '2026-05-01', dueDate: '2026-05-31' };
  const given = { ...dates, customerId, lineItems };
  const plain = await t.call(billingCalls.createInvoice, { token, body: given });
  expect([plain.poNumber, plain.customerNote, plain.terms]).toEqual([undefined, undefined, 'Net 30']);
  const own = { poNumber: 'PO-4471', customerNote: 'Gate code 1180' };
  const invoice = await t.call(billingCalls.createInvoice, { token, body: { ...given, ...own } });
  expect(invoice).toMatchObject(own);
  const list = await t.call(billingCalls.listInvoices, { token, query: {} });
  const rows = 'items' in list ? list.items : list;
  expect(rows.find(({ id }) => id === invoice.id)).toMatchObject({ ...own, terms: 'Net 30' });
  // Fields that the request omits keep their values.
  const [line] = invoice.lineItems;
  const { id, rowVersion } = invoice;
  const change = { ...given, id, rowVersion, lineItems: [{ ...line, quantity: 2 }] as never };
  expect(await t.call(billingCalls.updateInvoice, { token, body: change })).toMatchObject(own);
  const paper = await t.withCtx(administrator, (ctx) => invoicePaper(ctx, id));
  expect(paper.facts).toEqual([
    { label: 'PO Number', value: 'PO-4471' },
    { label: 'Terms', value: 'Net 30' },
  ]);
  expect(paper.note).toEqual({ label: 'Note', text: 'Gate code 1180' });
  const { url } = await t.call(sendingCalls.renewLink, { token, params: { documentId: id } });
  const page = await t.request({ method: 'GET', url: new URL(url).pathname });
  for (const words of ['PO-4471', 'Net 30', 'Gate code 1180']) expect(page.bytes.toString()).toContain(words);
});
