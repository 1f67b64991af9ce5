import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { PACKAGE_NEGATIVE } from '@evenkeel/core/documents/packages';
import { verifyWithin } from '../../across/health/books-verify.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';
import { invoicePaper } from './invoice-sent.ts';

let t: TestApp;
let make: Factory;
let customerId: number;
let mowing: number;
let mulch: number;
let tenPercent: number;
let fiveOff: number;
let saver: number;

beforeAll(async () => {
  t = await startTestApp();
  make = factoryFor(t, t.world.company);
  await make.tax([{ label: 'State tax', salesTaxType: 0, percentage: '6' }]);
  customerId = await make.customer();
  mowing = await make.product({ name: 'Mowing', salesPrice: 100, taxable: false, GLAccountID: 141 });
  mulch = await make.product({ name: 'Mulch', salesPrice: 49.99, GLAccountID: 140 });
  tenPercent = await discount({ name: 'Ten percent', discountType: 1, discountPercentage: 10 });
  fiveOff = await discount({ name: 'Five off', discountFlatValue: 5 });
  saver = await deal();
});
afterAll(() => t.close());

const auth = () => ({ token: make.token });
const discount = async (given: Record<string, unknown>) => {
  const body = { name: '', description: 'Discount', discountType: 0, discountFlatValue: 0, GLAccountID: 143, ...given };
  return (await t.call(catalogueCalls.createDiscount, { ...auth(), body })).discountID;
};
/** The package contains 2 × mowing and mulch, less 5.00 and then 10%. It costs 219.991. */
const deal = async (given: Record<string, unknown> = {}) => {
  const packageLineItems = [
    { productID: mowing, quantity: 2 },
    { productID: mulch, quantity: 1 },
    { discountID: fiveOff, isAProductLine: false },
    { discountID: tenPercent, isAProductLine: false },
  ];
  const body = { name: 'Saver', description: 'Saver', packageDealDiscountType: 1, packageLineItems, ...given };
  return (await t.call(catalogueCalls.createPackage, { ...auth(), body })).packageID;
};
const line = (given: Record<string, unknown>) => ({ description: 'Work', itemPrice: 0, quantity: 1, ...given });
const invoice = (...lineItems: ReturnType<typeof line>[]) => make.invoice({ customerId, lineItems });
const save = (id: number, lineItems: Record<string, unknown>[]) => {
  const body = { id, customerId, invoiceDate: '2026-03-10', lineItems: lineItems.map(line) };
  return t.call(billingCalls.updateInvoice, { ...auth(), body });
};

/** Returns an invoice's active lines as "account amount" in cents, in journal order. */
async function posted(id: number): Promise<string[]> {
  const { companyId } = t.world.company;
  const rows = await t.inCompany(companyId, (tx) =>
    tx.rows(sql<{ line: string }>`
      select l.account_id || ' ' || l.amount_cents as line from journal_line l
      join journal_transaction j on j.company_id = ${companyId} and j.id = l.transaction_id
      where l.company_id = ${companyId} and j.source_type = 'invoice' and j.source_id = ${id} and l.reverses is null
        and not exists (select from journal_line r where r.company_id = ${companyId} and r.reverses = l.id)
      order by l.id`),
  );
  return rows.map((row) => row.line);
}

describe('a package on an invoice', () => {
  // Promise (books): A package deal is billed at its price, and its parts post to their own accounts and add up to the
  // line. [500 random packages in core]
  it('a package is billed at its price, and its parts post to their accounts and stay on the line', async () => {
    const made = await invoice(line({ packageId: saver, quantity: 2, itemPrice: 1, accountId: 140 }));
    const [item] = made.lineItems;
    expect(item).toMatchObject({
      isPackage: true,
      isProductLine: true,
      productName: 'Saver',
      itemPrice: 21999,
      lineItemAmount: 43998,
      accountId: 141,
      taxable: true,
    });
    expect(item?.itemAmount.toString()).toBe('219.991');
    expect(item?.packageParts?.map(({ name, amount }) => [name, amount])).toEqual([
      ['Mowing', 40000],
      ['Mulch', 9998],
      ['Five off', -1000],
      ['Ten percent', -5000],
    ]);
    // Only 99.98 of the 499.98 is taxed, so the same share of the 60.00 discount reduces the taxable amount.
    expect(made).toMatchObject({ salesTaxAmount: 528, invoiceAmount: 44526 });
    expect(await posted(made.id)).toEqual(['138 44526', '141 -40000', '140 -9998', '143 1000', '143 5000', '123 -528']);
    expect(await t.call(billingCalls.getInvoice, { ...auth(), params: { id: made.id } })).toEqual(made);
  });

  it('a billed package keeps its terms after price or package changes, and new lines use the new terms', async () => {
    const product = await make.product({ name: 'Aeration', salesPrice: 30 });
    const packageId = await deal({
      packageDealDiscountType: 0,
      packageLineItems: [{ productID: product, quantity: 3 }],
    });
    const made = await invoice(line({ packageId }));
    await t.call(catalogueCalls.updateProduct, {
      ...auth(),
      body: { productID: product, salesPrice: 40, taxable: false },
    });
    const body = { packageID: packageId, packageLineItems: [{ productID: product, quantity: 1 }] };
    await t.call(catalogueCalls.updatePackage, { ...auth(), body });
    await t.call(catalogueCalls.deletePackage, { ...auth(), query: { PackageID: packageId } });
    const kept = { id: made.lineItems[0]?.id, packageId, quantity: 2 };
    const saved = await save(made.id, [kept]);
    expect(saved).toMatchObject({ invoiceAmount: 19080, salesTaxAmount: 1080 });
    await t.call(catalogueCalls.updatePackage, { ...auth(), body: { packageID: packageId, deleted: false } });
    const both = await save(made.id, [kept, { packageId }]);
    expect(both.lineItems.map((item) => item.lineItemAmount)).toEqual([18000, 4000]);
    expect(both.salesTaxAmount).toBe(1080);
  });

  it('a package on an invoice is made inactive instead of deleted, and so are its discounts', async () => {
    await invoice(line({ packageId: saver }), line({ discountId: fiveOff }));
    await t.call(catalogueCalls.deletePackage, { ...auth(), query: { PackageID: saver } });
    const read = await t.call(catalogueCalls.getPackage, { ...auth(), params: { id: saver } });
    expect(read).toMatchObject({ deleted: true, name: 'Saver' });
    await t.call(catalogueCalls.updatePackage, { ...auth(), body: { packageID: saver, deleted: false } });
  });

  it('the amounts of packages on 32 invoices that are created at the same time are exact to the cent', async () => {
    const all = await Promise.all(
      Array.from({ length: 32 }, (_, index) =>
        invoice(line({ packageId: saver, quantity: index + 1 }), line({ discountId: tenPercent })),
      ),
    );
    for (const made of all) {
      const [item] = made.lineItems;
      const parts = item?.packageParts?.reduce((sum, part) => sum + part.amount, 0);
      expect(parts).toBe(item?.lineItemAmount);
      const lines = (await posted(made.id)).map((text) => Number(text.split(' ')[1]));
      expect(lines.reduce((sum, amount) => sum + amount, 0)).toBe(0);
    }
  });

  it('a printed package lists its parts, and a percentage discount shows only its amount', async () => {
    const made = await invoice(line({ packageId: saver, description: 'Saver' }), line({ discountId: tenPercent }));
    const paper = await t.withCtx(t.world.company.bookkeeper, (ctx) => invoicePaper(ctx, made.id));
    expect(paper.lines).toMatchObject([
      {
        name: 'Saver',
        description: '',
        price: 21999,
        parts: [
          { text: '2 × Mowing', amount: 20000 },
          { text: '1 × Mulch', amount: 4999 },
          { text: 'Five off', amount: -500 },
          { text: 'Ten percent', amount: -2500 },
        ],
      },
      { name: 'Ten percent', quantity: null, price: null, amount: -2200 },
    ]);
    expect(paper.taxes.map(({ label }) => label)).toEqual(['State tax 6% of 39.59']);
  });
});

describe('a discount on an invoice', () => {
  it('a percentage discount changes with the lines until a payment is applied, and then stays the same', async () => {
    const made = await invoice(
      line({ productId: mulch, itemPrice: 49.99 }),
      line({ discountId: tenPercent, quantity: 3 }),
    );
    const [product, off] = made.lineItems;
    expect(off).toMatchObject({ isDiscount: true, itemPrice: -500, lineItemAmount: -500, accountId: 143 });
    expect(off?.quantity.toString()).toBe('1');
    await t.call(catalogueCalls.updateDiscount, {
      ...auth(),
      body: { discountID: tenPercent, discountPercentage: 50 },
    });
    const twice = { id: product?.id, productId: mulch, itemPrice: 49.99, quantity: 2 };
    const again = { id: off?.id, discountId: tenPercent };
    expect((await save(made.id, [twice, again])).lineItems[1]?.lineItemAmount).toBe(-1000);
    await make.payment({ customerId, paymentAmount: 1, paymentApplications: [{ invoiceId: made.id, amount: 1 }] });
    const paid = await save(made.id, [{ ...twice, quantity: 3 }, again]);
    expect(paid.lineItems[1]).toMatchObject({ lineItemAmount: -1000 });
    expect(paid.lineItems[1]?.discountTerms?.discountPercentage.toString()).toBe('10');
    await t.call(catalogueCalls.updateDiscount, {
      ...auth(),
      body: { discountID: tenPercent, discountPercentage: 10 },
    });
  });

  it("a fixed discount is multiplied by its quantity and can't exceed the billed amount", async () => {
    const made = await invoice(line({ productId: mowing, itemPrice: 100 }), line({ discountId: fiveOff, quantity: 2 }));
    expect(made.invoiceAmount).toBe(9000);
    const body = {
      customerId,
      invoiceDate: '2026-03-10',
      lineItems: [line({ productId: mulch, itemPrice: 10 }), line({ discountId: fiveOff, quantity: 3 })],
    };
    const refusal = await t.refused(billingCalls.createInvoice, { ...auth(), body });
    expect(refusal).toMatchObject({ status: 422, message: 'Invoice total cannot be negative' });
  });
});

const NOT_THERE = 'Please Select a Product or Package';
it.each([
  ['a package that does not exist', { packageId: 4711 }, 'packageId', NOT_THERE],
  ['a discount that does not exist', { discountId: 4711 }, 'discountId', NOT_THERE],
])('an invoice line with %s is rejected', async (_name, given, field, message) => {
  const body = { customerId, invoiceDate: '2026-03-10', lineItems: [line(given)] };
  const refusal = await t.refused(billingCalls.createInvoice, { ...auth(), body });
  expect(refusal).toMatchObject({ status: 422, fields: { [`lineItems.0.${field}`]: message } });
});

it('an invoice line with two items, an inactive item, or a package with a negative price is rejected', async () => {
  const refusal = async (given: Record<string, unknown>) => {
    const body = { customerId, invoiceDate: '2026-03-10', lineItems: [line(given)] };
    return t.refused(billingCalls.createInvoice, { ...auth(), body });
  };
  const both = await refusal({ packageId: saver, productId: mulch });
  expect(both.fields).toEqual({ 'lineItems.0.packageId': NOT_THERE });

  const product = await make.product({ name: 'Cheap', salesPrice: 10 });
  const lines = [{ productID: product }, { discountID: fiveOff, isAProductLine: false }];
  const packageId = await deal({ packageLineItems: lines });
  await invoice(line({ packageId }));
  await t.call(catalogueCalls.updateProduct, { ...auth(), body: { productID: product, salesPrice: 1 } });
  expect((await refusal({ packageId })).fields).toEqual({ 'lineItems.0.packageId': PACKAGE_NEGATIVE });
  await t.call(catalogueCalls.deletePackage, { ...auth(), query: { PackageID: packageId } });
  expect((await refusal({ packageId })).fields).toMatchObject({
    'lineItems.0.packageId': expect.any(String) as string,
  });
});

it('books with packages and discounts pass verify', async () => {
  const { faults } = await t.inCompany(t.world.company.companyId, verifyWithin);
  expect(faults).toEqual([]);
});
