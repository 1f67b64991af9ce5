import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogueCalls as calls } from '@evenkeel/contract/catalogue';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { upload } from '../../testing/files.ts';

/** Every field in the catalog is saved and read over HTTP. */

let t: TestApp;
let token: string;
/** The records that the fields refer to. An edit changes each reference to the second record. */
let categories: number[];
let centers: number[];
beforeAll(async () => {
  t = await startTestApp();
  const { companyId, bookkeeper } = t.world.company;
  ({ token } = bookkeeper);
  categories = [];
  for (const categoryName of ['Lawn', 'Trees']) {
    const made = await t.call(calls.createCategory, { token, body: { categoryName } });
    categories.push(made.productCategoryID);
  }
  const rows = await t.inCompany(companyId, (tx) =>
    tx.rows(sql<{ id: number }>`
      insert into profit_center (company_id, name) values (${companyId}, 'North'), (${companyId}, 'South')
      returning id`),
  );
  centers = rows.map(({ id }) => id);
});
afterAll(() => t.close());

const send = async (method: 'POST' | 'PUT', path: string, body: object) => {
  const answer = await t.request({ method, url: `/api/${path}`, token, body });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body as Record<string, unknown>;
};
const read = async (path: string) => (await t.request({ method: 'GET', url: `/api/${path}`, token })).body;

const dated = (startDate: string, endDate: string) => ({
  startDate,
  startDateInUse: true,
  endDate,
  endDateInUse: true,
});
const product = (at: 0 | 1) => ({
  name: ['Mulch ✿', 'Mulch, "fine"'][at],
  description: ['Hardwood mulch,\ninstalled', 'Fine mulch'][at],
  version: ['M-1', ''][at],
  salesPrice: [82.55, 0][at],
  taxable: [true, false][at],
  productCategoryID: categories[at],
  GLAccountID: [140, 141][at],
  profitCenterID: centers[at],
  productServiceType: [2, 1][at],
  ...[dated('2026-01-31', '2026-12-01'), dated('2025-02-28', '2025-02-28')][at],
});
const discount = (at: 0 | 1) => ({
  name: ['Spring', 'Spring %'][at],
  description: ['Off in spring', 'Problem found'][at],
  discountType: [0, 1][at],
  discountTypeTarget: [1, 2][at],
  discountPercentage: [0, 12.345678][at],
  discountFlatValue: [5.25, 0][at],
  productCategoryID: categories[at],
  GLAccountID: [140, 141][at],
  profitCenterID: centers[at],
  ...[dated('2026-03-01', '2026-05-31'), dated('2024-02-29', '2028-02-29')][at],
});

/** Creates a record, reads it, changes every field, and reads it again. */
async function keeps(
  of: { key: string; create: string; update: string; get: string },
  bodies: readonly [object, object],
) {
  const made = await send('POST', of.create, bodies[0]);
  const path = `${of.get}/${String(made[of.key])}`;
  expect(made).toMatchObject(bodies[0]);
  expect(await read(path)).toEqual(made);
  const saved = await send('PUT', of.update, { ...bodies[1], [of.key]: made[of.key], rowVersion: made['rowVersion'] });
  expect(saved).toMatchObject(bodies[1]);
  expect(await read(path)).toEqual(saved);
  // The client sends the record back unchanged.
  const again = await send('PUT', of.update, saved);
  expect(again).toEqual({ ...saved, rowVersion: Number(saved['rowVersion']) + 1 });
}

test('every field of a product is preserved when it is saved and edited', async () => {
  const of = { key: 'productID', create: 'product/CreateProduct', update: 'product/UpdateProduct', get: 'product' };
  await keeps(of, [product(0), product(1)]);
});

test('every field of a discount is preserved when it is saved and edited', async () => {
  const of = {
    key: 'discountID',
    create: 'discount/CreateDiscount',
    update: 'discount/UpdateDiscount',
    get: 'discount',
  };
  await keeps(of, [discount(0), discount(1)]);
});

test('every field of a package deal, its lines, and its files is preserved when it is saved and edited', async () => {
  const sold = await send('POST', 'product/CreateProduct', product(0));
  const other = await send('POST', 'product/CreateProduct', { ...product(1), salesPrice: 10 });
  const off = await send('POST', 'discount/CreateDiscount', discount(0));
  const { documentId } = await upload(t, token, { name: 'flyer.pdf' });
  const line = (productID: unknown, quantity: number) => ({
    productID,
    discountID: null,
    isAProductLine: true,
    quantity,
  });
  const first = {
    name: 'Spring deal',
    description: 'Lawn',
    packageDealDiscountType: 1,
    goalPrice: 0,
    packageLineItems: [
      line(sold['productID'], 1.5),
      { productID: null, discountID: off['discountID'], isAProductLine: false, quantity: 2 },
    ],
    documentLinks: [{ documentId, documentName: 'Flyer 2026.pdf' }],
  };
  const second = {
    name: 'Goal deal',
    description: 'Lawn at one price',
    packageDealDiscountType: 2,
    goalPrice: 99.99,
    packageLineItems: [line(other['productID'], 3), line(sold['productID'], 1)],
  };
  const of = { key: 'packageID', create: 'package/CreatePackage', update: 'package/UpdatePackage', get: 'package' };
  await keeps(of, [first, second]);
});
