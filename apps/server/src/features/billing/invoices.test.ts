import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { entityCalls } from '@evenkeel/contract/entities';
import { settingsCalls } from '@evenkeel/contract/settings';
import { formatAmount, type Cents } from '@evenkeel/core/money';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
let make: Factory;
let token: string;

beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  company = await t.createCompany();
  make = factoryFor(t, company);
  token = company.bookkeeper.token;
});

/** Returns active journal lines as "account basis amount", ordered by account. */
async function liveLines(): Promise<string[]> {
  const { companyId } = company;
  const rows = await t.inCompany(companyId, (tx) =>
    tx.rows(sql<{ account_id: number; basis: string; amount_cents: Cents }>`
      select l.account_id, l.basis::text, l.amount_cents from journal_line l
      where l.company_id = ${companyId} and l.reverses is null
        and not exists (select from journal_line r where r.company_id = ${companyId} and r.reverses = l.id)
      order by l.account_id, l.id`),
  );
  return rows.map((row) => `${row.account_id} ${row.basis} ${formatAmount(row.amount_cents)}`);
}

const historyOf = (customerId: number) =>
  t.call(billingCalls.customerHistory, { token: company.administrator.token, params: { customerId } });

async function nothingWritten(): Promise<void> {
  for (const table of ['document', 'invoice_line', 'journal_transaction', 'journal_line', 'audit_log']) {
    const rows = await t.inCompany(company.companyId, (tx) =>
      tx.rows(sql<{ n: number }>`
        select count(*)::int as n from ${sql.table(table)} where company_id = ${company.companyId}
          ${table === 'audit_log' ? sql`and subject_type = 'invoice'` : sql``}`),
    );
    expect(`${table} ${rows[0]?.n}`).toBe(`${table} 0`);
  }
}

const line = (given: Record<string, unknown> = {}) => ({
  description: 'Work',
  itemPrice: 100,
  quantity: 1,
  accountId: 140,
  ...given,
});

describe('invoice validation', () => {
  const cases: [string, Record<string, unknown>, number, string][] = [
    [
      'a line without a description',
      { lineItems: [line({ description: ' ' })] },
      422,
      'A description entry is required',
    ],
    [
      'a line without a product or an account',
      { lineItems: [line({ accountId: 0 })] },
      422,
      'Please Select an Account',
    ],
    ['an account that does not exist', { lineItems: [line({ accountId: 99_999 })] }, 422, 'Please Select an Account'],
    [
      'accounts receivable as the account',
      { lineItems: [line({ accountId: 138 })] },
      422,
      'Invoices, bills, and payments post to this account automatically',
    ],
    [
      'the bank as the account',
      { lineItems: [line({ accountId: 101 })] },
      422,
      'Use payments and journal entries to post to bank, cash, and card accounts',
    ],
    [
      'unapplied cash as the account',
      { lineItems: [line({ accountId: 145 })] },
      422,
      'Only Evenkeel can post to this account',
    ],
    [
      'sales tax as the account',
      { lineItems: [line({ accountId: 123 })] },
      422,
      'Only Evenkeel can post to this account',
    ],
    ['a product that does not exist', { lineItems: [line({ productId: 999_999 })] }, 422, 'Please Select a Product'],
    [
      'a package that does not exist',
      { lineItems: [line({ packageId: 5 })] },
      422,
      'Please Select a Product or Package',
    ],
    ['a line from another invoice', { lineItems: [line({ id: 77 })] }, 422, "This line isn't on the invoice"],
    ['a negative quantity', { lineItems: [line({ quantity: -1 })] }, 422, 'Quantity cannot be negative'],
    ['a negative total', { lineItems: [line({ itemPrice: -100 })] }, 422, 'Invoice total cannot be negative'],
    ['no lines', { lineItems: [] }, 422, 'Add at least one line item to the invoice'],
    ['a customer that does not exist', { customerId: 999_999 }, 422, 'Please Select a Customer'],
    [
      'a price with 3 decimal places',
      { lineItems: [line({ itemPrice: 9.999 })] },
      400,
      'Price has more than 2 decimal places',
    ],
    ['a date that does not exist', { invoiceDate: '2023-02-29' }, 400, 'Please enter a valid date'],
    ['a status that does not exist', { arBillingStatus: 6 }, 400, 'arBillingStatus'],
  ];
  it.each(cases)('rejects an invoice with %s', async (_name, change, status, message) => {
    const customerId = await make.customer();
    const body = { invoiceDate: '2026-03-10', customerId, lineItems: [line()], ...change };
    const refusal = await t.refused(billingCalls.createInvoice, { token, body });
    expect(refusal.status).toBe(status);
    expect(`${refusal.message} ${JSON.stringify(refusal.fields)}`).toContain(message);
    await nothingWritten();
  });

  it("rejects another company's customer, product, or account as if it did not exist", async () => {
    const other = factoryFor(t, t.world.other);
    const [customerId, productId, own] = [await other.customer(), await other.product(), await make.customer()];
    const bodies = [
      { customerId, lineItems: [line()] },
      { customerId: own, lineItems: [line({ productId })] },
    ];
    for (const body of bodies) {
      const refusal = await t.refused(billingCalls.createInvoice, {
        token,
        body: { invoiceDate: '2026-03-10', ...body },
      });
      expect(refusal.status).toBe(422);
    }
    await nothingWritten();
  });
});

describe('a posted invoice', () => {
  it('an invoice for 4 × 185.00 with 5.75% and 1% tax plus 290.00 without tax posts exactly 1,079.95', async () => {
    await make.tax();
    const [customerId, productId] = [await make.customer(), await make.product({ salesPrice: 185 })];
    const lineItems = [
      { productId, description: 'Mowing', itemPrice: 185, quantity: 4 },
      { description: 'Storm debris', itemPrice: 145, quantity: 2, accountId: 140 },
    ];
    const invoice = await make.invoice({ customerId, lineItems });
    expect(invoice.lineItems.map((each) => formatAmount(each.lineItemAmount))).toEqual(['740.00', '290.00']);
    expect(invoice.taxItems.map((each) => formatAmount(each.total))).toEqual(['42.55', '7.40']);
    expect(formatAmount(invoice.invoiceAmount)).toBe('1,079.95');
    expect(formatAmount(invoice.openAmount)).toBe('1,079.95');
    expect(invoice).toMatchObject({ arBillingStatus: 2, readyToPay: true, rowVersion: 1 });
    expect(await liveLines()).toEqual([
      '123 A (42.55)',
      '123 A (7.40)',
      '138 A 1,079.95',
      '140 A (290.00)',
      '141 A (740.00)',
    ]);
  });

  it('reading an invoice returns the same data as saving it', async () => {
    await make.tax();
    const created = await make.invoice({ customerId: await make.customer(), amount: 33.33 });
    const read = await t.call(billingCalls.getInvoice, { token, params: { id: created.id } });
    expect(JSON.stringify(read)).toBe(JSON.stringify(created));
  });

  it('a line amount of 9.99 × 1.333 is rounded to 13.32', async () => {
    const lineItems = [line({ itemPrice: 9.99, quantity: 1.333 })];
    const invoice = await make.invoice({ customerId: await make.customer(), lineItems });
    expect(formatAmount(invoice.invoiceAmount)).toBe('13.32');
  });

  it('a number, totals, and open amount sent by a client are ignored, and a negative ID counts as no ID', async () => {
    const body = { id: -4, invoiceNumber: 'X-1', invoiceAmount: 5, openAmount: 5, readyToPay: false };
    const invoice = await make.invoice({ customerId: await make.customer(), ...body });
    expect(invoice.invoiceNumber).toBe('10001');
    expect(formatAmount(invoice.invoiceAmount)).toBe('100.00');
  });

  it("a POST with an invoice's ID saves that invoice once per idempotency key and creates no new invoice", async () => {
    const customerId = await make.customer();
    const { id, rowVersion, invoiceNumber } = await make.invoice({ customerId });
    const body = {
      invoiceid: id,
      rowVersion,
      invoiceDate: '2026-03-10',
      customerId,
      lineItems: [line({ itemPrice: 7 })],
    };
    const sent = { token, body, headers: { 'idempotency-key': 'the invoice that is there' } };
    for (const _ of ['first', 'again']) {
      const saved = await t.call(billingCalls.createInvoice, sent);
      expect(saved).toMatchObject({ id, invoiceNumber, invoiceAmount: 700, rowVersion: rowVersion + 1 });
    }
    const refused = await t.refused(billingCalls.createInvoice, { token, body });
    expect([refused.status, refused.code]).toEqual([409, 'stale']);
    expect(await historyOf(customerId)).toHaveLength(1);
    expect(await liveLines()).toEqual(['138 A 7.00', '140 A (7.00)']);
  });

  it('JSON keys in any case and dates in M/D/YYYY format are accepted', async () => {
    const customerId = await make.customer();
    const body = {
      InvoiceDate: '3/9/2026',
      CUSTOMERID: customerId,
      lineitems: [{ Description: 'Work', ITEMPRICE: 10, quantity: 1, AccountID: 140 }],
    };
    const invoice = await t.call(billingCalls.createInvoice, { token, body });
    expect(invoice.invoiceDate).toBe('2026-03-09');
  });

  it('a draft that is sent back without a status or with a null status stays a draft', async () => {
    const customerId = await make.customer();
    const draft = await make.invoice({ customerId, arBillingStatus: 1 });
    const { arBillingStatus: _, rowVersion: __, ...body } = inputOf(draft);
    for (const sent of [body, { ...body, arBillingStatus: null }]) {
      expect((await t.call(billingCalls.updateInvoice, { token, body: sent })).arBillingStatus).toBe(1);
    }
    expect(await liveLines()).toEqual([]);
  });

  it('a draft gets number 10001 and posts nothing until it is opened, which posts 100.00', async () => {
    const customerId = await make.customer();
    const draft = await make.invoice({ customerId, arBillingStatus: 1 });
    expect(draft).toMatchObject({ invoiceNumber: '10001', readyToPay: false, badge: 'Draft', openAmount: 0 });
    expect(await liveLines()).toEqual([]);
    expect(await historyOf(customerId)).toMatchObject([{ amount: 10_000, balance: 0, badge: 'Draft' }]);
    const body = { ...inputOf(draft), arBillingStatus: 2 };
    const open = await t.call(billingCalls.updateInvoice, { token, body });
    expect(open).toMatchObject({ invoiceNumber: '10001', readyToPay: true, openAmount: 10_000 });
    expect(await liveLines()).toEqual(['138 A 100.00', '140 A (100.00)']);
    expect(await historyOf(customerId)).toMatchObject([{ balance: 10_000, badge: '' }]);
  });

  it("an omitted due date follows from the customer's or company's terms, and null means no due date", async () => {
    const customerId = await make.customer();
    const body = { invoiceDate: '2026-03-10', customerId, lineItems: [line()] };
    const due = async (given: Record<string, unknown> = {}) =>
      (await t.call(billingCalls.createInvoice, { token, body: { ...body, ...given } })).dueDate;
    expect(await due()).toBe('2026-04-09');
    const admin = { token: company.administrator.token };
    await t.call(settingsCalls.saveSettings, { ...admin, body: { settingName: 'termsDays', settingValue: '15' } });
    expect(await due()).toBe('2026-03-25');
    await t.call(entityCalls.updateCustomer, { ...admin, params: { id: customerId }, body: { termsDays: 0 } });
    expect(await due()).toBe('2026-03-10');
    expect(await due({ dueDate: '2026-03-20' })).toBe('2026-03-20');
    expect(await due({ dueDate: null })).toBeNull();
  });

  it('a save that omits the due date keeps it until the invoice date changes', async () => {
    const made = await make.invoice({ customerId: await make.customer(), dueDate: '2026-03-12' });
    const save = async (given: Record<string, unknown>) => {
      const body = { ...inputOf(made), dueDate: undefined, rowVersion: null, ...given };
      return (await t.call(billingCalls.updateInvoice, { token, body })).dueDate;
    };
    expect(await save({})).toBe('2026-03-12');
    expect(await save({ invoiceDate: '2026-03-11' })).toBe('2026-04-10');
  });

  // Promise (together): Invoices saved at the same time get consecutive numbers. [10001 to 10200]
  it('200 invoices created at the same time get 200 consecutive numbers', async () => {
    const customerId = await make.customer();
    const invoices = await Promise.all(Array.from({ length: 200 }, () => make.invoice({ customerId, amount: 1 })));
    const numbers = invoices.map((invoice) => Number(invoice.invoiceNumber)).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 200 }, (_, index) => 10_001 + index));
  });
});

/** Returns an invoice in the format in which a client sends it back to the server. */
function inputOf(invoice: Awaited<ReturnType<Factory['invoice']>>) {
  return {
    id: invoice.id,
    invoiceDate: invoice.invoiceDate,
    dueDate: invoice.dueDate,
    customerId: invoice.customerId,
    arBillingStatus: invoice.arBillingStatus,
    rowVersion: invoice.rowVersion,
    lineItems: invoice.lineItems.map((each) => ({
      id: each.id,
      description: each.description,
      itemPrice: each.itemPrice / 100,
      quantity: Number(each.quantity),
      taxable: each.taxable,
      accountId: each.accountId,
    })),
  };
}

describe('an edit', () => {
  it('changing an invoice from 100.00 to 120.00 reverses the two changed lines and returns row version 2', async () => {
    const invoice = await make.invoice({ customerId: await make.customer() });
    const body = inputOf(invoice);
    body.lineItems = [line({ id: invoice.lineItems[0]?.id, itemPrice: 120 })] as typeof body.lineItems;
    const edited = await t.call(billingCalls.updateInvoice, { token, body });
    expect(edited.rowVersion).toBe(2);
    expect(await liveLines()).toEqual(['138 A 120.00', '140 A (120.00)']);
    expect(await countRows(t, company.companyId, 'journal_line')).toBe(6);
  });

  it('saving an invoice without changes posts nothing', async () => {
    const invoice = await make.invoice({ customerId: await make.customer() });
    await t.call(billingCalls.updateInvoice, { token, body: inputOf(invoice) });
    expect(await countRows(t, company.companyId, 'journal_line')).toBe(2);
  });

  it('an invoice edit with a duplicate line is rejected, because the line would be counted twice', async () => {
    const body = inputOf(await make.invoice({ customerId: await make.customer() }));
    const twice = { ...body, lineItems: [...body.lineItems, ...body.lineItems] };
    const refusal = await t.refused(billingCalls.updateInvoice, { token, body: twice });
    expect(refusal).toMatchObject({ status: 422, message: "This line isn't on the invoice" });
    expect(await liveLines()).toEqual(['138 A 100.00', '140 A (100.00)']);
  });

  it('an invoice edit with an outdated row version returns 409 and the current invoice', async () => {
    const invoice = await make.invoice({ customerId: await make.customer() });
    await t.call(billingCalls.updateInvoice, { token, body: inputOf(invoice) });
    const refusal = await t.refused(billingCalls.updateInvoice, { token, body: inputOf(invoice) });
    expect(refusal).toMatchObject({ status: 409, code: 'stale', current: { id: invoice.id, rowVersion: 2 } });
  });

  it('an invoice edit keeps the original tax rates unless it changes the invoice date', async () => {
    await make.tax([{ label: 'State', salesTaxType: 0, percentage: '5' }]);
    const customerId = await make.customer();
    const invoice = await make.invoice({ customerId, lineItems: [line({ taxable: true })] });
    await make.tax([{ label: 'State', salesTaxType: 0, percentage: '8' }]);
    const kept = await t.call(billingCalls.updateInvoice, { token, body: inputOf(invoice) });
    expect(formatAmount(kept.salesTaxAmount)).toBe('5.00');
    const moved = { ...inputOf(kept), invoiceDate: '2026-03-11' };
    const renewed = await t.call(billingCalls.updateInvoice, { token, body: moved });
    expect(formatAmount(renewed.salesTaxAmount)).toBe('8.00');
  });

  it("an edit can't lower a partly paid invoice below the 60.00 paid, change its customer, or void it", async () => {
    const customerId = await make.customer();
    const invoice = await make.invoice({ customerId });
    await make.payment({ customerId, paymentAmount: 60 });
    const body = inputOf(invoice);
    const changes: [Record<string, unknown>, string][] = [
      [{ lineItems: [line({ itemPrice: 59.99 })] }, 'less than the $60.00 already paid'],
      [{ customerId: await make.customer('Oak Hollow') }, 'change the customer on an invoice that has payments'],
      [{ arBillingStatus: 5 }, 'be a draft or void'],
    ];
    for (const [change, message] of changes) {
      const refusal = await t.refused(billingCalls.updateInvoice, { token, body: { ...body, ...change } });
      expect(refusal.status).toBe(422);
      expect(refusal.message).toContain(message);
    }
    const read = await t.call(billingCalls.getInvoice, { token, params: { id: invoice.id } });
    expect(formatAmount(read.openAmount)).toBe('40.00');
  });
});

describe('a deletion', () => {
  it('deleting an invoice reverses its entries and does not reuse its number', async () => {
    const customerId = await make.customer();
    const first = await make.invoice({ customerId });
    await t.call(billingCalls.deleteInvoice, { token, params: { id: first.id } });
    expect(await liveLines()).toEqual([]);
    expect((await make.invoice({ customerId })).invoiceNumber).toBe('10002');
    expect((await t.refused(billingCalls.getInvoice, { token, params: { id: first.id } })).status).toBe(404);
  });

  it('an invoice with payments can\'t be deleted: "Delete its payments first"', async () => {
    const customerId = await make.customer();
    const invoice = await make.invoice({ customerId });
    await make.payment({ customerId, paymentAmount: 1 });
    const refusal = await t.refused(billingCalls.deleteInvoice, { token, params: { id: invoice.id } });
    expect(refusal).toMatchObject({ status: 409, message: 'Delete its payments first' });
  });
});

describe('closed books', () => {
  const close = (date: string): Promise<unknown> =>
    t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`update ledger_head set closing_date = ${date} where company_id = ${company.companyId}`),
    );

  it('in books closed through 3/31/2026, an invoice dated 3/10/2026 is rejected unless a reason is given', async () => {
    const customerId = await make.customer();
    await close('2026-03-31');
    const body = { invoiceDate: '2026-03-10', customerId, lineItems: [line()] };
    for (const person of [company.bookkeeper, company.administrator]) {
      const refusal = await t.refused(billingCalls.createInvoice, { token: person.token, body });
      expect(refusal).toMatchObject({ status: 422, message: 'The books are closed through 3/31/2026' });
    }
    await nothingWritten();
  });

  it("an administrator can post to closed books with a reason, which is audited, but a bookkeeper can't", async () => {
    const customerId = await make.customer();
    await close('2026-03-31');
    const closingOverrideReason = 'Auditor asked';
    const body = { invoiceDate: '2026-03-10', customerId, lineItems: [line()], closingOverrideReason };
    expect((await t.refused(billingCalls.createInvoice, { token, body })).status).toBe(422);
    await t.call(billingCalls.createInvoice, { token: company.administrator.token, body });
    const rows = await t.inCompany(company.companyId, (tx) =>
      tx.rows(sql<{ reason: string }>`
        select reason from audit_log where company_id = ${company.companyId} and subject_type = 'invoice'`),
    );
    expect(rows).toEqual([{ reason: 'Auditor asked' }]);
  });
});

describe('the printed invoice', () => {
  it('the printed invoice is a PDF, and an unknown invoice returns 404', async () => {
    const invoice = await make.invoice({ customerId: await make.customer() });
    const pdf = await t.call(billingCalls.viewInvoice, { token, params: { id: invoice.id } });
    expect(Buffer.from(pdf).subarray(0, 5).toString()).toBe('%PDF-');
    const none = await t.request({ method: 'GET', url: '/api/invoiceview/999999', token });
    expect(none.status).toBe(404);
  });
});

describe('"Use Profit Centers" and "Use Locations"', () => {
  const centers: [string, string, string, string][] = [
    ['useProfitCenters', 'profit_center', 'profitCenterId', 'Please Select a Profit Center'],
    ['useLocations', 'location', 'locationId', 'Please Select a Location'],
  ];

  it.each(centers)(
    '%s makes the selection required only if there is an active record to select',
    async (settingName, table, field, message) => {
      const own = await t.createCompany();
      const { token } = own.administrator;
      const make = factoryFor(t, own);
      const customerId = await make.customer();
      await t.call(settingsCalls.saveSettings, { token, body: { settingName, settingValue: 'true' } });
      const line = { description: 'Work', itemPrice: 10, quantity: 1, accountId: 140 };
      const body = (given: object) => ({ customerId, invoiceDate: '2026-03-10', lineItems: [{ ...line, ...given }] });
      const create = (given: object = {}) => ({ token: make.token, body: body(given) });
      expect((await t.call(billingCalls.createInvoice, create())).lineItems).toHaveLength(1);
      const row = await t.inCompany(own.companyId, (tx) =>
        tx.row(sql<{ id: number }>`
        insert into ${sql.table(table)} (company_id, name) values (${own.companyId}, 'North') returning id`),
      );
      expect(await t.refused(billingCalls.createInvoice, create())).toMatchObject({
        status: 422,
        fields: { [`lineItems.0.${field}`]: message },
      });
      expect((await t.call(billingCalls.createInvoice, create({ [field]: row?.id }))).lineItems[0]).toMatchObject({
        [field]: row?.id,
      });
      await t.inCompany(own.companyId, (tx) =>
        tx.rows(sql`update ${sql.table(table)} set active = false where company_id = ${own.companyId}`),
      );
      expect((await t.call(billingCalls.createInvoice, create())).lineItems).toHaveLength(1);
    },
  );
});

describe("an invoice's sales tax scenario", () => {
  it("an invoice uses its own or its customer's tax scenario, and resending it does not select it", async () => {
    const admin = company.administrator.token;
    const scenarioOf = async (name: string, percentage: number): Promise<number> => {
      const salesTaxItems = [{ label: name, salesTaxType: 0, percentage }];
      const body = { name, glAccountId: 123, filingFrequency: 0, salesTaxItems };
      return (await t.call(settingsCalls.createSalesTax, { token: admin, body })).id;
    };
    await make.tax([{ label: 'State', salesTaxType: 0, percentage: '5' }]);
    const [akron, kent] = [await scenarioOf('Akron', 7), await scenarioOf('Kent', 8)];
    const customerId = await make.customer();
    const body = { id: 7, displayname: 'Kent Mill', name: 'Kent Mill', salesTaxScenarioId: kent };
    const inKent = await t.call(entityCalls.createCustomer, {
      token: admin,
      body: { ...body, id: 0, emailAddress: 'office@kent.example' },
    });
    const lineItems = [line({ taxable: true })];
    const taxOf = ({ salesTaxScenario, salesTaxAmount }: { salesTaxScenario: number | null; salesTaxAmount: Cents }) =>
      [salesTaxScenario, formatAmount(salesTaxAmount)] as const;
    const usual = await make.invoice({ customerId, lineItems });
    expect(taxOf(usual)[1]).toBe('5.00');
    for (const none of [null, 0]) {
      expect(taxOf(await make.invoice({ customerId, lineItems, salesTaxScenario: none }))).toEqual(taxOf(usual));
    }
    const named = await make.invoice({ customerId, lineItems, salesTaxScenario: akron });
    expect(taxOf(named)).toEqual([akron, '7.00']);
    const save = (given: object) =>
      t.call(billingCalls.updateInvoice, {
        token,
        body: { id: named.id, customerId, invoiceDate: '2026-03-10', lineItems, ...given },
      });
    expect(taxOf(await save({}))).toEqual([akron, '7.00']);
    expect(taxOf(await save({ salesTaxScenario: akron, invoiceDate: '2026-03-11' }))).toEqual([akron, '7.00']);
    expect(taxOf(await save({ salesTaxScenario: kent, invoiceDate: '2026-03-11' }))).toEqual([kent, '8.00']);
    expect(taxOf(await save({ salesTaxScenario: akron, invoiceDate: '2026-03-11' }))).toEqual([akron, '7.00']);
    // The client moves the invoice to another customer and sends the other fields back as received.
    expect(taxOf(await save({ salesTaxScenario: akron, customerId: inKent.id }))).toEqual([kent, '8.00']);
    const other = await t.createCompany();
    const [theirs] = await t.call(settingsCalls.listSalesTax, { token: other.administrator.token });
    for (const unknown of [theirs?.id, 999_999]) {
      const wrong = { customerId, invoiceDate: '2026-03-10', lineItems, salesTaxScenario: unknown };
      const refusal = await t.refused(billingCalls.createInvoice, { token, body: wrong });
      expect([refusal.status, Object.keys(refusal.fields ?? {})]).toEqual([422, ['salesTaxScenario']]);
    }
  });
});
