import { catalogueCalls } from '@evenkeel/contract/catalogue';
import type { AuditKindName } from '@evenkeel/core/words/audit';
import type { TestApp } from '../../../testing/app.ts';
import { factoryFor } from '../../../testing/factories.ts';

/**
 * A change made outside Evenkeel to a small set of test books, with its description, its SQL statement, the check that
 * finds it, the expected message, and the key of the affected record, if any.
 */
export type Tamper<B extends object> = readonly [
  what: string,
  change: (books: B) => string,
  check: string,
  says: RegExp,
  record: Exclude<keyof B, 'companyId' | 'other'> | undefined,
];

/**
 * A company's invoices and their payments. One invoice has products with sales tax, and one has a package deal with a
 * discount.
 */
export interface SalesBooks {
  companyId: number;
  a: number;
  b: number;
  other: number;
  payment: number;
  later: number;
  deal: number;
}

export async function makeSales(t: TestApp): Promise<SalesBooks> {
  const company = await t.createCompany();
  const make = factoryFor(t, company);
  await make.tax();
  const customerId = await make.customer();
  const other = await make.customer('Someone else');
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
  return { companyId: company.companyId, a, b, other, payment, later, deal };
}

/** A company's bill with two lines, one of them a credit, and its payment. */
export interface BillBooks {
  companyId: number;
  bill: number;
  other: number;
  payment: number;
}

export async function makeBills(t: TestApp): Promise<BillBooks> {
  const company = await t.createCompany();
  const make = factoryFor(t, company);
  const vendorId = await make.vendor();
  const other = await make.vendor('Someone else');
  const lineItems = [
    { description: 'Gravel', lineItemAmount: 100, accountId: 153 },
    { description: 'Returned', lineItemAmount: 20, accountId: 153, creditLine: true },
  ];
  const bill = (await make.bill({ vendorId, lineItems })).id;
  const applied = [{ invoiceId: bill, amount: 50 }];
  const payment = (await make.billPayment({ vendorId, paymentAmount: 60, paymentApplications: applied })).id;
  return { companyId: company.companyId, bill, other, payment };
}

/** The kind of each record, by the record's key in the test books. */
export const SALES_KINDS = {
  a: 'invoice',
  b: 'invoice',
  deal: 'invoice',
  payment: 'payment',
  later: 'payment',
} as const;
export const BILL_KINDS = { bill: 'expense', payment: 'expensepayment' } as const satisfies Record<
  string,
  AuditKindName
>;

type InSales = (set: string) => (books: SalesBooks) => string;
type InBills = (set: string) => (books: BillBooks) => string;

const line: InSales =
  (set) =>
  ({ companyId, a }) =>
    `update invoice_line set ${set} where company_id = ${companyId} and invoice_id = ${a}`;
const deal =
  (lineNo: number, set: string) =>
  ({ companyId, deal: id }: SalesBooks): string =>
    `update invoice_line set ${set} where company_id = ${companyId} and invoice_id = ${id} and line_no = ${lineNo}`;
const document =
  (set: string, key: 'a' | 'b' = 'a') =>
  ({ companyId, [key]: id }: SalesBooks): string =>
    `update document set ${set} where company_id = ${companyId} and id = ${id}`;
const payment: InSales =
  (set) =>
  ({ companyId, payment: id }) =>
    `update payment set ${set} where company_id = ${companyId} and id = ${id}`;
const openSum: InSales =
  (change) =>
  ({ companyId }) =>
    `${change} where ctid = (
      select ctid from document_open_sum where company_id = ${companyId} and not is_draft limit 1)`;
const application: InSales =
  (set) =>
  ({ companyId, later }) =>
    `update payment_application set ${set} where company_id = ${companyId} and payment_id = ${later}`;

export const SALES_TAMPERS: readonly Tamper<SalesBooks>[] = [
  [
    'the amount on an invoice line',
    line('line_amount_cents = 20000'),
    'documents',
    /^invoice 10001 is \$106\.75, but its/,
    'a',
  ],
  [
    'the price on an invoice line',
    line('item_price_cents = 4000'),
    'lines',
    /^invoice 10001, line 1 is 10000 cents, not 4000 × 2/,
    'a',
  ],
  [
    'the account on an invoice line',
    line('account_id = 140'),
    'documents',
    /^the journal .* invoice 10001: 2026-03-10, account 14/,
    'a',
  ],
  [
    'the amount of a package part',
    deal(1, `package_parts = jsonb_set(package_parts, '{0,amount}', '9999')`),
    'lines',
    /^invoice 10003, line 1 is 10000 cents, its parts 9999/,
    'deal',
  ],
  [
    'the account of a package part',
    deal(1, `package_parts = jsonb_set(package_parts, '{0,GLAccountID}', '140')`),
    'documents',
    /^the journal .* invoice 10003: 2026-03-10, account 14/,
    'deal',
  ],
  [
    'the percentage of a discount',
    deal(2, `discount_terms = jsonb_set(discount_terms, '{discountPercentage}', '"11"')`),
    'lines',
    /^invoice 10003, line 2 is -1000 cents, its discount -1100/,
    'deal',
  ],
  [
    'the description on an invoice line',
    line(`description = 'Sowing'`),
    'documents',
    /^the journal .* for invoice 10001/,
    'a',
  ],
  [
    'the deleted flag on an invoice line',
    line('deleted = true'),
    'documents',
    /^invoice 10001 is \$106\.75, but its/,
    'a',
  ],
  [
    'the customer on an invoice',
    (books) => document(`entity_id = ${books.other}`)(books),
    'documents',
    /.* invoice 10001/,
    'a',
  ],
  [
    'the date on an invoice',
    document(`document_date = '2026-03-11'`),
    'documents',
    /^the journal .* for invoice 10001: 2026-03-1/,
    'a',
  ],
  [
    'the receivables account on an invoice',
    document('control_account_id = 105'),
    'documents',
    /^the journal .* for invoice 10001/,
    'a',
  ],
  [
    'the number on an invoice',
    document(`document_number = '10009'`),
    'numbers',
    /^invoice number 10001 is missing/,
    'a',
  ],
  [
    'the status on an invoice',
    document('status = 1, open_cents = 0, applied_cents = 0', 'b'),
    'documents',
    /^the journal has an extra line/,
    'b',
  ],
  [
    'the kind of an invoice',
    document(`kind = 'expense'`),
    'kinds',
    /^document 10001 has the kind expense, which does not exist on its/,
    undefined,
  ],
  [
    'the total of an invoice',
    document('total_cents = total_cents + 5, open_cents = open_cents + 5'),
    'documents',
    /^invoice 10001 is/,
    'a',
  ],
  [
    'the amount applied to an invoice',
    document('applied_cents = applied_cents - 5, open_cents = open_cents + 5'),
    'open amounts',
    /^invoice 10001 has 5995 instead of 6000 cents applied/,
    'a',
  ],
  [
    'a tax item on an invoice',
    document(`tax_snapshot = jsonb_set(tax_snapshot, '{0,total}', '1')`),
    'documents',
    /^invoice 10001 is \$106\.75, but its lines and taxes add up to \$101\.01/,
    'a',
  ],
  [
    'the sales tax on an invoice',
    document('sales_tax_cents = sales_tax_cents + 5'),
    'sales tax',
    /^invoice 10001 has 680 cents of sales tax, but its items add up to 675/,
    'a',
  ],
  [
    'the tax on an invoice line',
    line('line_tax = 1'),
    'sales tax',
    /^invoice 10001, line 1 has sales tax that does not match/,
    'a',
  ],
  [
    'the taxable flag on an invoice line',
    line('taxable = false'),
    'sales tax',
    /^invoice 10001, line 1 has sales tax that does not/,
    'a',
  ],
  [
    'the tax rate on an invoice',
    document(`tax_snapshot = jsonb_set(tax_snapshot, '{0,percentage}', '"6"')`),
    'sales tax',
    /^invoice 10001, line 1 has sales tax that does not match its rates/,
    'a',
  ],
  [
    'the account on a payment',
    payment('gl_account_id = 102'),
    'money accounts',
    /^payment 1 is on account 102, not/,
    'payment',
  ],
  [
    'the bank account on a payment',
    payment('bank_account_id = null, payment_account_id = 104'),
    'money accounts',
    /^payment 1 is on account 101, not/,
    'payment',
  ],
  [
    'the customer on a payment',
    (books) => payment(`entity_id = ${books.other}`)(books),
    'documents',
    /^the journal .* for payment 1/,
    'payment',
  ],
  [
    'the date on a payment',
    payment(`payment_date = '2026-03-21'`),
    'documents',
    /^the journal .* for payment 1: 2026-03-2/,
    'payment',
  ],
  [
    'the amount of a payment',
    payment('amount_cents = amount_cents + 5, unapplied_cents = unapplied_cents + 5'),
    'documents',
    /^the journal .* for payment 1/,
    'payment',
  ],
  [
    'the amount that a payment applies',
    payment('applied_cents = applied_cents + 5, unapplied_cents = unapplied_cents - 5'),
    'unapplied amounts',
    /^payment 1 has 9005 instead of 9000 cents applied/,
    'payment',
  ],
  [
    'the amount of an application',
    application('amount_cents = 1900'),
    'open amounts',
    /^invoice 10002 has 5000 instead/,
    'b',
  ],
  [
    'the date of an application',
    application(`recognition_date = '2026-03-26'`),
    'documents',
    /^the journal .* for payment 2/,
    'later',
  ],
  [
    'the running sum of an application',
    application('applied_before_cents = 2000'),
    'running sums',
    /^payment 2 on 10002 has 2000 instead of/,
    'later',
  ],
  [
    'the open amount for a due date',
    openSum('update document_open_sum set open_cents = open_cents + 5'),
    'open sums',
    /^open invoices due 2026-0\d-\d\d: the sums have 3 of 17288 cents instead of 3 of /,
    undefined,
  ],
  [
    'the totals for a due date',
    openSum('delete from document_open_sum'),
    'open sums',
    /.* have 0 of 0 cents instead of 3 of /,
    undefined,
  ],
  [
    'the side of an application',
    application(`side = 'payable'`),
    'running sums',
    /^payment 2 on 10002 is not on the same side as both/,
    'later',
  ],
];

const inBill: InBills =
  (set) =>
  ({ companyId, bill }) =>
    `update document set ${set} where company_id = ${companyId} and id = ${bill}`;
const inLine =
  (lineNo: number, set: string) =>
  ({ companyId, bill }: BillBooks): string =>
    `update expense_line set ${set} where company_id = ${companyId} and expense_id = ${bill} and line_no = ${lineNo}`;
const inPayment: InBills =
  (set) =>
  ({ companyId, payment: id }) =>
    `update payment set ${set} where company_id = ${companyId} and id = ${id}`;
const inShare: InBills =
  (set) =>
  ({ companyId, payment: id }) =>
    `update payment_application set ${set} where company_id = ${companyId} and payment_id = ${id}`;

export const BILL_TAMPERS: readonly Tamper<BillBooks>[] = [
  [
    'the amount on a bill line',
    inLine(1, 'line_amount_cents = 10100'),
    'documents',
    /^bill B-1 is \$80\.00, but its/,
    'bill',
  ],
  ['the account on a bill line', inLine(1, 'account_id = 154'), 'documents', /^the journal .* for bill B-1/, 'bill'],
  [
    'the description on a bill line',
    inLine(1, `description = 'Sand'`),
    'documents',
    /^the journal .* for bill B-1/,
    'bill',
  ],
  [
    'the deleted flag on a bill line',
    inLine(2, 'deleted = true'),
    'documents',
    /^bill B-1 is \$80\.00, but its/,
    'bill',
  ],
  ['the vendor on a bill', (books) => inBill(`entity_id = ${books.other}`)(books), 'documents', /.* bill B-1/, 'bill'],
  [
    'the posting date on a bill',
    inBill(`document_date = '2026-03-11'`),
    'documents',
    /^the journal .* for bill B-1: 2026-03-1/,
    'bill',
  ],
  [
    'the payables account on a bill',
    inBill('control_account_id = 140'),
    'documents',
    /^the journal .* for bill B-1/,
    'bill',
  ],
  [
    'the total of a bill',
    inBill('total_cents = total_cents + 5, open_cents = open_cents + 5'),
    'documents',
    /^bill B-1 is/,
    'bill',
  ],
  ['the account on a bill payment', inPayment('gl_account_id = 102'), 'money accounts', /.*payment 1/, 'payment'],
  [
    'the vendor on a bill payment',
    (books) => inPayment(`entity_id = ${books.other}`)(books),
    'documents',
    /^the journal .* payment 1/,
    'payment',
  ],
  [
    'the date on a bill payment',
    inPayment(`payment_date = '2026-03-22'`),
    'documents',
    /^the journal .* payment 1: 2026-03-2/,
    'payment',
  ],
  ['the amount applied to a bill', inShare('amount_cents = 4900'), 'open amounts', /^bill B-1 has/, 'bill'],
];
