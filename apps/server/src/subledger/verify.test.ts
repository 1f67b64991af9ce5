import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { openClient } from '../db/connect.ts';
import { within } from '../db/tx.ts';
import { rebuildWithin } from '../ledger/rebuild.ts';
import { verifyWithin } from '../ledger/verify.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { factoryFor } from '../testing/factories.ts';

let t: TestApp;
let owner: pg.Client;
let companyId: number;
let ids: { a: number; b: number; other: number; payment: number; later: number; deal: number };

beforeAll(async () => {
  t = await startTestApp();
  const company = await t.createCompany();
  ({ companyId } = company);
  const make = factoryFor(t, company);
  await make.tax();
  const customerId = await make.customer();
  const other = await make.customer('Somebody else');
  const product = await make.product();
  const taxed = [{ productId: product, description: 'Mowing', itemPrice: 50, quantity: 2 }];
  const a = (await make.invoice({ customerId, lineItems: taxed })).id;
  const b = (await make.invoice({ customerId, amount: 80 })).id;
  const both = [
    { invoiceId: a, amount: 60 },
    { invoiceId: b, amount: 30 },
  ];
  const payment = (await make.payment({ customerId, paymentAmount: 100, paymentApplications: both })).id;
  const rest = [{ invoiceId: b, amount: 20 }];
  const given = { customerId, paymentDate: '2026-03-25', paymentAmount: 20, paymentApplications: rest };
  const later = (await make.payment(given)).id;
  const off = { description: 'Discount', GLAccountID: 143, discountType: 1, discountPercentage: 10 };
  const { discountID } = await t.call(catalogueCalls.createDiscount, {
    token: make.token,
    body: { ...off, name: 'Ten percent' },
  });
  const packageLineItems = [{ productID: product, quantity: 3 }];
  const { packageID } = await t.call(catalogueCalls.createPackage, {
    token: make.token,
    body: { name: 'Deal', description: 'Deal', packageDealDiscountType: 2, goalPrice: 100, packageLineItems },
  });
  const named = [{ packageId: packageID }, { discountId: discountID }];
  const dealt = named.map((one) => ({ ...one, description: 'Deal', itemPrice: 0, quantity: 1 }));
  const deal = (await make.invoice({ customerId, lineItems: dealt })).id;
  ids = { a, b, other, payment, later, deal };
  owner = await openClient({ connectionString: t.databaseUrl });
});
afterAll(async () => {
  await owner.end();
  await t.close();
});

/** The faults after a change behind every trigger, which is undone again. */
async function faultsAfter(change: string, of = companyId): Promise<string[]> {
  await owner.query(`begin; set local session_replication_role = replica; set local app.company_id = '${of}'`);
  try {
    const changed = await owner.query(change);
    expect({ change, changed: changed.rowCount }).toEqual({ change, changed: 1 });
    const { faults } = await within(owner, of, verifyWithin);
    return faults.map(({ check, message }) => `${check}: ${message}`);
  } finally {
    await owner.query('rollback');
  }
}

const line = (set: string) => () =>
  `update invoice_line set ${set} where company_id = ${companyId} and invoice_id = ${ids.a}`;
const deal = (lineNo: number, set: string) => () =>
  `update invoice_line set ${set} where company_id = ${companyId} and invoice_id = ${ids.deal} and line_no = ${lineNo}`;
const document =
  (set: string, key: 'a' | 'b' = 'a') =>
  () =>
    `update document set ${set} where company_id = ${companyId} and id = ${ids[key]}`;
const payment = (set: string) => () =>
  `update payment set ${set} where company_id = ${companyId} and id = ${ids.payment}`;
const openSum = (change: string) => () =>
  `${change} where ctid = (
    select ctid from document_open_sum where company_id = ${companyId} and not is_draft limit 1)`;
const application = (set: string) => () =>
  `update payment_application set ${set} where company_id = ${companyId} and payment_id = ${ids.later}`;

test('untouched books have no fault', async () => {
  expect(await faultsAfter(document('row_version = row_version + 1')())).toEqual([]);
});

test.each<[string, () => string, RegExp]>([
  ['the amount of an invoice line', line('line_amount_cents = 20000'), /^documents: invoice 10001 is \$106\.75, its/],
  ['its price', line('item_price_cents = 4000'), /^lines: invoice 10001, line 1 is 10000 cents, not 4000 × 2/],
  ['its account', line('account_id = 140'), /^documents: the journal .* invoice 10001: 2026-03-10, account 14/],
  [
    'a part of a package',
    deal(1, `package_parts = jsonb_set(package_parts, '{0,amount}', '9999')`),
    /^lines: invoice 10003, line 1 is 10000 cents, its parts 9999/,
  ],
  [
    'the account of a part',
    deal(1, `package_parts = jsonb_set(package_parts, '{0,GLAccountID}', '140')`),
    /^documents: the journal .* invoice 10003: 2026-03-10, account 14/,
  ],
  [
    'the percentage of a discount',
    deal(2, `discount_terms = jsonb_set(discount_terms, '{discountPercentage}', '"11"')`),
    /^lines: invoice 10003, line 2 is -1000 cents, its discount -1100/,
  ],
  ['its words', line(`description = 'Sowing'`), /^documents: the journal .* of invoice 10001/],
  ['that it was taken out', line('deleted = true'), /^documents: invoice 10001 is \$106\.75, its/],
  ['the customer of an invoice', () => document(`entity_id = ${ids.other}`)(), /^documents: .* invoice 10001/],
  ['its date', document(`document_date = '2026-03-11'`), /^documents: the journal .* of invoice 10001: 2026-03-1/],
  ['its receivable', document('control_account_id = 105'), /^documents: the journal .* of invoice 10001/],
  ['its number', document(`document_number = '10009'`), /^numbers: invoice number 10001 is missing/],
  [
    'its status',
    document('status = 1, open_cents = 0, applied_cents = 0', 'b'),
    /^documents: the journal has too much/,
  ],
  ['its kind', document(`kind = 'expense'`), /^kinds: document 10001 is of the kind expense, which no document of its/],
  ['its total', document('total_cents = total_cents + 5, open_cents = open_cents + 5'), /^documents: invoice 10001 is/],
  [
    'what is applied to it',
    document('applied_cents = applied_cents - 5, open_cents = open_cents + 5'),
    /^open amounts: invoice 10001 has 5995 instead of 6000 cents applied/,
  ],
  [
    'a tax on it',
    document(`tax_snapshot = jsonb_set(tax_snapshot, '{0,total}', '1')`),
    /^documents: invoice 10001 is \$106\.75, its lines and taxes are \$101\.01/,
  ],
  [
    'the sales tax of it',
    document('sales_tax_cents = sales_tax_cents + 5'),
    /^sales tax: invoice 10001 has 680 cents of sales tax, its items come to 675/,
  ],
  ['the tax of a line', line('line_tax = 1'), /^sales tax: invoice 10001, line 1 has a sales tax that does not follow/],
  ['whether it is taxable', line('taxable = false'), /^sales tax: invoice 10001, line 1 has a sales tax that does not/],
  [
    'a rate that it was taxed by',
    document(`tax_snapshot = jsonb_set(tax_snapshot, '{0,percentage}', '"6"')`),
    /^sales tax: invoice 10001, line 1 has a sales tax that does not follow from its rates/,
  ],
  ['the account of a payment', payment('gl_account_id = 102'), /^money accounts: payment 1 is on account 102, not/],
  [
    'its bank',
    payment('bank_account_id = null, payment_account_id = 104'),
    /^money accounts: payment 1 is on account 101, not/,
  ],
  ['its customer', () => payment(`entity_id = ${ids.other}`)(), /^documents: the journal .* of payment 1/],
  ['its date', payment(`payment_date = '2026-03-21'`), /^documents: the journal .* of payment 1: 2026-03-2/],
  [
    'its amount',
    payment('amount_cents = amount_cents + 5, unapplied_cents = unapplied_cents + 5'),
    /^documents: the journal .* of payment 1/,
  ],
  [
    'what it says is applied',
    payment('applied_cents = applied_cents + 5, unapplied_cents = unapplied_cents - 5'),
    /^unapplied amounts: payment 1 has 9005 instead of 9000 cents applied/,
  ],
  ['the amount of an application', application('amount_cents = 1900'), /^open amounts: invoice 10002 has 5000 instead/],
  ['its day', application(`recognition_date = '2026-03-26'`), /^documents: the journal .* of payment 2/],
  [
    'its place',
    application('applied_before_cents = 2000'),
    /^running sums: payment 2 on 10002 follows 2000 instead of/,
  ],
  [
    'the sum of what is open on a day',
    openSum('update document_open_sum set open_cents = open_cents + 5'),
    /^open sums: open invoices due 2026-0\d-\d\d: the sums have 3 of 17288 cents instead of 3 of /,
  ],
  [
    'that there is such a day',
    openSum('delete from document_open_sum'),
    /^open sums: .* have 0 of 0 cents instead of 3 of /,
  ],
  ['its side', application(`side = 'payable'`), /^running sums: payment 2 on 10002 is not of one side/],
])('%s is found when it was changed', async (_name, change, fault) => {
  expect(await faultsAfter(change())).toContainEqual(expect.stringMatching(fault));
});

test('the sums of what is open are made anew from the documents', async () => {
  await owner.query(`begin; set local app.company_id = '${companyId}'`);
  try {
    await owner.query('delete from document_open_sum');
    await within(owner, companyId, rebuildWithin);
    expect((await within(owner, companyId, verifyWithin)).faults).toEqual([]);
    const { rows } = await owner.query('select sum(document_count)::int as count from document_open_sum');
    expect(rows).toEqual([{ count: 3 }]);
  } finally {
    await owner.query('rollback');
  }
});

describe('of a bill of two lines, one of them a credit, and what was paid on it,', () => {
  let of: number;
  let made: { bill: number; other: number; payment: number };
  beforeAll(async () => {
    const company = await t.createCompany();
    of = company.companyId;
    const make = factoryFor(t, company);
    const vendorId = await make.vendor();
    const other = await make.vendor('Somebody else');
    const lineItems = [
      { description: 'Gravel', lineItemAmount: 100, accountId: 153 },
      { description: 'Returned', lineItemAmount: 20, accountId: 153, creditLine: true },
    ];
    const bill = (await make.bill({ vendorId, lineItems })).id;
    const applied = [{ invoiceId: bill, amount: 50 }];
    const payment = (await make.billPayment({ vendorId, paymentAmount: 60, paymentApplications: applied })).id;
    made = { bill, other, payment };
  });

  const inBill = (set: string) => () => `update document set ${set} where company_id = ${of} and id = ${made.bill}`;
  const inLine = (lineNo: number, set: string) => () =>
    `update expense_line set ${set} where company_id = ${of} and expense_id = ${made.bill} and line_no = ${lineNo}`;
  const inPayment = (set: string) => () =>
    `update payment set ${set} where company_id = ${of} and id = ${made.payment}`;
  const inShare = (set: string) => () =>
    `update payment_application set ${set} where company_id = ${of} and payment_id = ${made.payment}`;

  test('nothing is wrong while nothing is changed', async () => {
    expect(await faultsAfter(inBill('row_version = row_version + 1')(), of)).toEqual([]);
  });

  test.each<[string, () => string, RegExp]>([
    ['the amount of a line', inLine(1, 'line_amount_cents = 10100'), /^documents: bill B-1 is \$80\.00, its/],
    ['its account', inLine(1, 'account_id = 154'), /^documents: the journal .* of bill B-1/],
    ['its words', inLine(1, `description = 'Sand'`), /^documents: the journal .* of bill B-1/],
    ['that it was taken out', inLine(2, 'deleted = true'), /^documents: bill B-1 is \$80\.00, its/],
    ['the vendor', () => inBill(`entity_id = ${made.other}`)(), /^documents: .* bill B-1/],
    ['the posting date', inBill(`document_date = '2026-03-11'`), /^documents: the journal .* of bill B-1: 2026-03-1/],
    ['the payable', inBill('control_account_id = 140'), /^documents: the journal .* of bill B-1/],
    ['the total', inBill('total_cents = total_cents + 5, open_cents = open_cents + 5'), /^documents: bill B-1 is/],
    ['the account of the payment', inPayment('gl_account_id = 102'), /^(money accounts|documents): .*payment 1/],
    ['its vendor', () => inPayment(`entity_id = ${made.other}`)(), /^documents: the journal .* payment 1/],
    ['its date', inPayment(`payment_date = '2026-03-22'`), /^documents: the journal .* payment 1: 2026-03-2/],
    ['what was applied', inShare('amount_cents = 4900'), /^open amounts: (bill )?B-1 has/],
  ])('%s is found when it was changed', async (_name, change, fault) => {
    expect(await faultsAfter(change(), of)).toContainEqual(expect.stringMatching(fault));
  });
});
