import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { catalogueCalls } from '@evenkeel/contract/catalogue';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { entityCalls } from '@evenkeel/contract/entities';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { settingsCalls } from '@evenkeel/contract/settings';
import { statementCalls } from '@evenkeel/contract/statements';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { checkingOf, factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
/** Records that are inactive or belong to another company. */
let removed: Ids;
let strange: Ids;
let ids: { customer: number; vendor: number; invoice: number; bank: number };
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany();
  const make = factoryFor(t, company);
  const customer = await make.customer();
  const invoice = (await make.invoice({ customerId: customer })).id;
  ids = { customer, vendor: await make.vendor(), invoice, bank: await checkingOf(t, company.companyId) };
  removed = await recordsOf(company, true);
  strange = await recordsOf(await t.createCompany(), false);
});
afterAll(() => t.close());

interface Ids {
  account: number;
  profitCenter: number;
  location: number;
  customer: number;
  vendor: number;
}

/** Creates one record of each kind in a company. Inactive records were in use before. */
async function recordsOf(owner: WorldCompany, isRemoved: boolean): Promise<Ids> {
  const { companyId } = owner;
  const made = (text: ReturnType<typeof sql<{ id: number }>>) =>
    t.inCompany(companyId, async (tx) => (await tx.row(text))?.id ?? 0);
  const named = (table: string) =>
    made(sql`insert into ${sql.table(table)} (company_id, name, active)
      values (${companyId}, 'Old', ${!isRemoved}) returning id`);
  const entity = (kind: number) =>
    made(sql`insert into entity (company_id, kind, name, displayname, email_address, deleted)
      values (${companyId}, ${kind}, 'Old', 'Old', 'old@old.example', ${isRemoved}) returning id`);
  const account = await made(sql`
    insert into account (company_id, id, master_account_id, account_number, account_name, account_type, root, contra,
      system, description, category_id, active)
    select company_id, ${isRemoved ? 9001 : 9002}, master_account_id, '', 'Old', account_type, root, contra, false, '',
      category_id, ${!isRemoved}
    from account where company_id = ${companyId} and id = 153 returning id`);
  return {
    account,
    profitCenter: await named('profit_center'),
    location: await named('location'),
    customer: await entity(0),
    vendor: await entity(1),
  };
}

const DAY = '2026-03-31';

type Named = Partial<Ids>;

const invoice = ({ account = 140, profitCenter, location, customer = ids.customer }: Named) => ({
  customerId: customer,
  invoiceDate: DAY,
  lineItems: [
    {
      description: 'Work',
      itemPrice: 10,
      quantity: 1,
      accountId: account,
      profitCenterId: profitCenter,
      locationId: location,
    },
  ],
});
const bill = ({ account = 153, profitCenter, location, vendor = ids.vendor }: Named) => ({
  vendorId: vendor,
  invoiceNumber: 'B-1',
  invoiceDate: DAY,
  locationId: location,
  lineItems: [{ description: 'Fuel', lineItemAmount: 10, accountId: account, profitCenterId: profitCenter }],
});
const payment = ({ profitCenter, location, customer = ids.customer }: Named) => ({
  customerId: customer,
  paymentDate: DAY,
  paymentAmount: 1,
  paymentTypeId: 2,
  bankAccountId: ids.bank,
  paymentApplications: [{ invoiceId: ids.invoice, amount: 1, profitCenterId: profitCenter, locationId: location }],
});
const journal = ({ account = 153, profitCenter, location, customer }: Named) => ({
  postingDate: DAY,
  generalLedgerEntries: [
    {
      accountID: account,
      debit: true,
      amount: 1,
      description: 'x',
      profitcenterid: profitCenter,
      locationid: location,
      entityId: customer,
    },
    { accountID: 101, debit: false, amount: 1, description: 'x' },
  ],
});

const lines = { account: 'lineItems.0.accountId', profitCenter: 'lineItems.0.profitCenterId' };
const calls: [string, Endpoint, (named: Named) => unknown, Partial<Record<keyof Ids, string>>][] = [
  [
    'an invoice',
    billingCalls.createInvoice,
    invoice,
    { ...lines, location: 'lineItems.0.locationId', customer: 'customerId' },
  ],
  ['a bill', expenseCalls.createExpense, bill, { ...lines, location: 'locationId', vendor: 'vendorId' }],
  [
    'a payment',
    billingCalls.createPayment,
    payment,
    {
      profitCenter: 'paymentApplications.0.profitCenterId',
      location: 'paymentApplications.0.locationId',
      customer: 'customerId',
    },
  ],
  [
    'a journal entry',
    ledgerCalls.postTransaction,
    journal,
    {
      account: 'generalLedgerEntries.0.accountID',
      profitCenter: 'generalLedgerEntries.0.profitcenterid',
      location: 'generalLedgerEntries.0.locationid',
      customer: 'generalLedgerEntries.0.entityId',
    },
  ],
];

test.each(calls)(
  '%s is rejected if it refers to a record that is inactive or belongs to another company',
  async (_, call, body, at) => {
    const { token } = company.administrator;
    const found: string[] = [];
    const wanted = Object.entries(at).flatMap(([record, path]) => [
      `removed ${record} ${path}`,
      `strange ${record} ${path}`,
    ]);
    for (const record of Object.keys(at) as (keyof Ids)[]) {
      for (const [word, records] of [['removed', removed] as const, ['strange', strange] as const]) {
        const answer = await t.request({
          method: 'POST',
          url: `/api${call.path}`,
          token,
          body: body({ [record]: records[record] }),
        });
        const { fields = {} } = answer.body as { fields?: Record<string, string> };
        found.push(...Object.keys(fields).map((path) => `${word} ${record} ${path}`));
      }
    }
    expect(found).toEqual(wanted);
  },
);

test('errors for settings, tax scenarios, bank rules, and bill payments name the inactive record', async () => {
  const { token } = company.administrator;
  const { companyId } = company;
  const inactiveAccount = (id: number, like: number) =>
    t.inCompany(companyId, (tx) =>
      tx.rows(sql`
        insert into account (company_id, id, master_account_id, account_number, account_name, account_type, root,
          contra, system, description, category_id, active)
        select company_id, ${id}, master_account_id, '', 'Old', account_type, root, contra, false, '', category_id,
          false
        from account where company_id = ${companyId} and id = ${like}`),
    );
  await Promise.all([inactiveAccount(9003, 123), inactiveAccount(9004, 138)]);
  const bank = await t.inCompany(companyId, (tx) =>
    tx.row(sql<{ id: number }>`
      insert into banking_account (company_id, name, gl_account_id, active)
      values (${companyId}, 'Old', 9003, false) returning id`),
  );
  const { vendor: vendorId, bank: bankAccountId } = ids;
  const paid = { vendorId, bankAccountId, paymentDate: DAY, paymentAmount: 1 };
  const said = async (call: Endpoint, body: unknown) => {
    const answer = await t.request({ method: call.method, url: `/api${call.path}`, token, body });
    return (answer.body as { fields?: Record<string, string> }).fields;
  };
  const again = (what: string) => `This ${what} is inactive. Make it active, or select another one`;
  const account = 'This account is inactive. Please select another account';
  const setting = { settingName: 'defaultARAccountId', settingValue: '9004' };
  expect(await said(settingsCalls.saveSettings, setting)).toEqual({ settingValue: account });
  const salesTaxItems = [{ displayLabel: 'State', percentage: 5 }];
  const scenario = { glAccountId: 9003, filingFrequency: 1, salesTaxItems };
  expect(await said(settingsCalls.createSalesTax, scenario)).toEqual({ glAccountId: account });
  const lines = [{ accountID: 153, percent: 100 }];
  const rule = { id: 0, name: 'Fuel', text: 'fuel', lines, bankAccountId: bank?.id };
  expect(await said(statementCalls.createBankRule, rule)).toEqual({ bankAccountId: again('bank account') });
  const payment = { ...paid, locationId: removed.location };
  expect(await said(expenseCalls.createExpensePayment, payment)).toEqual({ locationId: again('location') });
  const strangers = { ...paid, locationId: strange.location };
  expect(await said(expenseCalls.createExpensePayment, strangers)).toEqual({ locationId: 'Please Select a Location' });
});

test('an invoice line keeps its profit center after the profit center is made inactive', async () => {
  const { token } = company.administrator;
  const { companyId } = company;
  const made = await t.inCompany(companyId, (tx) =>
    tx.row(sql<{ id: number }>`insert into profit_center (company_id, name) values (${companyId}, 'New') returning id`),
  );
  const profitCenter = made?.id ?? 0;
  const saved = await t.call(billingCalls.createInvoice, { token, body: invoice({ profitCenter }) });
  await t.inCompany(companyId, (tx) =>
    tx.rows(sql`update profit_center set active = false where company_id = ${companyId} and id = ${profitCenter}`),
  );
  const [line] = saved.lineItems;
  const again = invoice({ profitCenter });
  const lineItems = again.lineItems.map((each) => ({ ...each, id: line?.id, itemPrice: 20 }));
  const edited = await t.call(billingCalls.updateInvoice, { token, body: { ...again, id: saved.id, lineItems } });
  expect(edited).toMatchObject({ invoiceAmount: 2000, lineItems: [{ profitCenterId: profitCenter }] });
});

test.each(['product', 'discount'])(
  'a %s with an inactive profit center sets no profit center on a new line',
  async (kind) => {
    const { token } = company.administrator;
    const { companyId } = company;
    const made = await t.inCompany(companyId, (tx) =>
      tx.row(
        sql<{ id: number }>`insert into profit_center (company_id, name) values (${companyId}, ${kind}) returning id`,
      ),
    );
    const sold = { name: `By the ${kind}`, description: 'Sold', GLAccountID: 140, profitCenterID: made?.id ?? 0 };
    const product = { ...sold, salesPrice: 5, productServiceType: 1, taxable: false };
    const discount = { ...sold, discountType: 0, discountTypeTarget: 1, discountFlatValue: 1 };
    const named =
      kind === 'product'
        ? { productId: (await t.call(catalogueCalls.createProduct, { token, body: product })).productID }
        : { discountId: (await t.call(catalogueCalls.createDiscount, { token, body: discount })).discountID };
    await t.inCompany(companyId, (tx) =>
      tx.rows(sql`update profit_center set active = false where company_id = ${companyId} and id = ${made?.id ?? 0}`),
    );
    const offered = await t.call(catalogueCalls.listProductsAndPackages, { token });
    expect(offered.filter(({ name }) => name === sold.name)).toMatchObject([{ profitCenterID: null }]);
    const { lineItems, ...head } = invoice({});
    const [line] = lineItems;
    const body = { ...head, lineItems: [line, { ...line, ...named }] };
    const { lineItems: saved } = await t.call(billingCalls.createInvoice, { token, body });
    expect(saved[1]).toMatchObject({ ...named, profitCenterId: null });
  },
);

describe('a customer or vendor with open items', () => {
  const factory = () => factoryFor(t, company);
  const remove = (kind: 'customer' | 'vendor', id: number) =>
    t.refused(kind === 'customer' ? entityCalls.deleteCustomer : entityCalls.deleteVendor, {
      token: company.administrator.token,
      params: { id },
    });

  it("a customer or vendor with open items can't be made inactive, and the error names them", async () => {
    const make = factory();
    const customerId = await make.customer('Ivy Court');
    const invoice = await make.invoice({ customerId, amount: 80 });
    await make.workItem({ customerId });
    const refusal = await remove('customer', customerId);
    expect([refusal.status, refusal.message]).toEqual([
      409,
      'Ivy Court has open invoices and unbilled work items. ' +
        'Settle or remove them before you make this customer inactive.',
    ]);
    const body = { deleted: true };
    const put = { token: company.administrator.token, params: { id: customerId }, body };
    expect((await t.refused(entityCalls.updateCustomer, put)).message).toBe(refusal.message);
    await make.payment({ customerId, paymentAmount: 90, paymentApplications: [{ invoiceId: invoice.id, amount: 80 }] });
    expect((await remove('customer', customerId)).message).toContain('has unused credits and unbilled work items.');
    const drafts = await make.customer('Jay Street');
    await make.invoice({ customerId: drafts, arBillingStatus: 1 });
    await make.estimate({ customerId: drafts });
    expect((await remove('customer', drafts)).message).toContain('Jay Street has drafts and open estimates.');
    const vendorId = await make.vendor('Kiln Works');
    await make.bill({ vendorId, amount: 10 });
    expect((await remove('vendor', vendorId)).message).toContain('Kiln Works has open bills.');
  });

  it('a settled customer or vendor can be made inactive, and then gets no new documents', async () => {
    const make = factory();
    const customerId = await make.customer('Lark Lane');
    const { token } = company.administrator;
    await make.invoice({ customerId, amount: 80 });
    await make.payment({ customerId, paymentAmount: 80 });
    await t.call(entityCalls.deleteCustomer, { token, params: { id: customerId } });
    const message = 'This customer is inactive. Make it active, or select another one';
    await expect(make.payment({ customerId, paymentAmount: 5 })).rejects.toThrow(message);
    await expect(make.invoice({ customerId })).rejects.toThrow(message);
    await expect(make.workItem({ customerId })).rejects.toThrow(message);
  });
});
