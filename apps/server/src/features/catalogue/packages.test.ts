import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogueCalls as calls } from '@evenkeel/contract/catalogue';
import { NO_PACKAGE_LINE, TWICE_IN_PACKAGE } from '@evenkeel/core/documents/packages';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';
import { upload } from '../../testing/files.ts';
import { factoryFor, type Factory } from '../../testing/factories.ts';

let t: TestApp;
let make: Factory;
let lawn: number;
let hedge: number;
let fiveOff: number;
let tenPercent: number;
beforeAll(async () => {
  t = await startTestApp();
  make = factoryFor(t, t.world.company);
  lawn = await make.product({ name: 'Lawn', salesPrice: 100 });
  hedge = await make.product({ name: 'Hedge', salesPrice: 49.99, taxable: false });
  fiveOff = await discount({ name: 'Five off' });
  tenPercent = await discount({ name: 'Ten percent', discountType: 1, discountPercentage: 10 });
});
afterAll(() => t.close());

const companyId = () => t.world.company.companyId;
const auth = () => ({ token: t.world.company.bookkeeper.token });
const goodDiscount = (change: Record<string, unknown> = {}) => ({
  discountID: 0,
  name: 'Discount',
  description: 'A discount',
  discountType: 0,
  discountTypeTarget: 1,
  discountFlatValue: 5,
  GLAccountID: 143,
  ...change,
});
const discount = async (change: Record<string, unknown> = {}) =>
  (await t.call(calls.createDiscount, { ...auth(), body: goodDiscount(change) })).discountID;
const goodPackage = (change: Record<string, unknown> = {}) => ({
  packageID: 0,
  name: 'Spring deal',
  description: 'Lawn and hedge',
  packageDealDiscountType: 1,
  packageLineItems: [
    { packageLineItemID: -1, productID: lawn, isAProductLine: true, quantity: 2 },
    { packageLineItemID: -2, productID: hedge, isAProductLine: true, quantity: 1 },
    { packageLineItemID: -3, discountID: fiveOff, isAProductLine: false, quantity: 1 },
    { packageLineItemID: -4, discountID: tenPercent, isAProductLine: false, quantity: 1 },
  ],
  ...change,
});
const createPackage = (change: Record<string, unknown> = {}) =>
  t.call(calls.createPackage, { ...auth(), body: goodPackage(change) });

/** Returns the rows of an unpaged list. */
function bare<T>(reply: readonly T[] | { items: readonly T[] }): readonly T[] {
  if ('items' in reply) throw new Error('a page came where the whole list was asked for');
  return reply;
}
const listDiscounts = async (query: { inactive?: 'true' } = {}) =>
  bare(await t.call(calls.listDiscounts, { ...auth(), query }));

describe("a package's files", () => {
  it('files are saved, returned, and removed with their package', async () => {
    const { documentId } = await upload(t, auth().token, { name: 'flyer.pdf' });
    const made = await createPackage({ documentLinks: [{ documentId }] });
    expect(made.documentLinks).toMatchObject([{ documentId, documentName: 'flyer.pdf' }]);
    const { packageID } = made;
    const body = { packageID, name: 'Summer deal' };
    expect((await t.call(calls.updatePackage, { ...auth(), body })).documentLinks).toEqual(made.documentLinks);
    const listed = bare(await t.call(calls.listPackages, { ...auth(), query: {} }));
    expect(listed.find((each) => each.packageID === packageID)?.documentLinks).toEqual(made.documentLinks);
    const off = { ...body, documentLinks: [{ ...made.documentLinks[0], deleted: true }] };
    expect((await t.call(calls.updatePackage, { ...auth(), body: off })).documentLinks).toEqual([]);
  });
});

describe('a discount', () => {
  const cases: [string, Record<string, unknown>, string, string][] = [
    ['without a name', { name: ' ' }, 'name', 'Please enter a name'],
    ['without a description', { description: undefined }, 'description', 'Please enter a description'],
    ['without an account', { GLAccountID: undefined }, 'GLAccountID', 'Please select an account.'],
    ['on an expense account', { GLAccountID: 151 }, 'GLAccountID', 'Please select an account.'],
    ['without its fixed amount', { discountFlatValue: null }, 'discountFlatValue', 'Please select a fixed amount'],
    [
      'of 100.01%',
      { discountType: 1, discountPercentage: 100.01 },
      'discountPercentage',
      'The percentage must be between 0 and 100',
    ],
    ['of type 2', { discountType: 2 }, 'discountType', 'Please Select a Discount Type'],
    ['of category 99', { productCategoryID: 99 }, 'productCategoryID', 'Please Select a Category'],
    [
      'that ends before it starts',
      { startDate: '2026-02-01', endDate: '2026-01-31' },
      'endDate',
      'The end date is before the start date',
    ],
  ];
  it.each(cases)('a discount %s is rejected, and nothing is saved', async (_name, change, field, message) => {
    const before = await countRows(t, companyId(), 'discount');
    const refusal = await t.refused(calls.createDiscount, { ...auth(), body: goodDiscount(change) });
    expect(refusal).toMatchObject({ status: 422, fields: { [field]: message } });
    expect(await countRows(t, companyId(), 'discount')).toBe(before);
  });

  it('a discount can be saved and partially edited, and keeps its dates only while they are turned on', async () => {
    const body = goodDiscount({
      discountType: 1,
      discountPercentage: 12.5,
      startDate: '2026-01-01',
      endDate: '2026-06-30',
    });
    const made = await t.call(calls.createDiscount, { ...auth(), body });
    expect(made).toMatchObject({ startDateInUse: true, endDateInUse: true, deleted: false, rowVersion: 1 });
    const edit = { discountID: made.discountID, endDateInUse: false, discountPercentage: 15, rowVersion: 1 };
    const saved = await t.call(calls.updateDiscount, { ...auth(), body: edit });
    expect(saved).toMatchObject({ name: 'Discount', endDate: null, startDate: '2026-01-01', rowVersion: 2 });
    expect(saved.discountPercentage.toString()).toBe('15');
    expect((await t.refused(calls.updateDiscount, { ...auth(), body: edit })).status).toBe(409);
    const listed = await listDiscounts();
    expect(listed.find((each) => each.discountID === made.discountID)).toEqual(saved);
    expect(await t.call(calls.getDiscount, { ...auth(), params: { id: made.discountID } })).toEqual(saved);
  });

  it('an unused discount is deleted, and a used discount is made inactive and can be made active again', async () => {
    const unused = await discount({ name: 'Unused' });
    await t.call(calls.deleteDiscount, { ...auth(), query: { DiscountID: unused } });
    const all = () => listDiscounts({ inactive: 'true' });
    expect((await all()).map((each) => each.discountID)).not.toContain(unused);

    const used = await discount({ name: 'Used' });
    const lines = [...goodPackage().packageLineItems, { discountID: used, isAProductLine: false }];
    await createPackage({ name: 'With it', packageLineItems: lines });
    await t.call(calls.deleteDiscount, { ...auth(), query: { DiscountID: used } });
    const ids = (await listDiscounts()).map((each) => each.discountID);
    expect(ids).not.toContain(used);
    expect((await all()).find((each) => each.discountID === used)).toMatchObject({ deleted: true });
    const restored = { discountID: used, deleted: false };
    expect(await t.call(calls.updateDiscount, { ...auth(), body: restored })).toMatchObject({ deleted: false });
  });

  it("a discount can't be changed by a read-only user (403) or found by another company (404)", async () => {
    const { reader } = t.world.company;
    expect((await t.refused(calls.createDiscount, { token: reader.token, body: goodDiscount() })).status).toBe(403);
    const { token } = t.world.other.administrator;
    const body = { discountID: fiveOff, name: 'Theirs' };
    expect((await t.refused(calls.updateDiscount, { token, body })).status).toBe(404);
    expect((await t.refused(calls.getDiscount, { token, params: { id: fiveOff } })).status).toBe(404);
    expect((await t.refused(calls.deleteDiscount, { token, query: { DiscountID: fiveOff } })).status).toBe(404);
    expect(await t.call(calls.listDiscounts, { token })).toEqual([]);
  });
});

describe('a paged list of 7', () => {
  type Paged = 'listDiscounts' | 'listPackages' | 'listCategories';
  const paged = async (call: Paged, query: Record<string, string>) => {
    const reply = await t.call(calls[call], { ...auth(), query });
    if (!('items' in reply)) throw new Error('a bare list');
    const rows = reply.items.map((one) => ('categoryName' in one && !('name' in one) ? one.categoryName : one.name));
    return { rows, next: reply.next, total: reply.total };
  };
  const names = [3, 1, 7, 2, 6, 5, 4].map((number) => `Page ${number}`);
  const lists: [Paged, (name: string) => Promise<unknown>][] = [
    ['listDiscounts', (name) => discount({ name, description: 'In pages' })],
    ['listPackages', (name) => createPackage({ name, description: 'In pages' })],
    ['listCategories', (categoryName) => t.call(calls.createCategory, { ...auth(), body: { categoryName } })],
  ];
  it.each(lists)(
    'a paged list of %s is sorted by name, searchable, and contains each record once',
    async (call, create) => {
      for (const name of names) await create(name);
      const seen: string[] = [];
      let after: string | null = null;
      do {
        const page = await paged(call, { limit: '3', q: 'page', ...(after === null ? {} : { after }) });
        expect(page.total).toBe(7);
        seen.push(...page.rows);
        after = page.next;
      } while (after !== null);
      expect(seen).toEqual(names.toSorted());
      const last = { limit: '2', skip: '5', q: 'PAGE', desc: 'true' };
      expect(await paged(call, last)).toEqual({ rows: ['Page 2', 'Page 1'], next: null, total: 7 });
      expect(await paged(call, { limit: '9', q: 'page 7' })).toMatchObject({ rows: ['Page 7'], total: 1 });
    },
  );
});

describe('a package deal', () => {
  it('the price of a package deal is that of its products less its discounts: 249.99 less 5.00 less 10%', async () => {
    const made = await createPackage();
    expect(made.packageTotalPrice.toString()).toBe('219.991');
    expect(made.packageLineItems.map((line) => line.totalLineItemValue.toString())).toEqual([
      '200',
      '49.99',
      '-5',
      '-24.999',
    ]);
    expect(made).toMatchObject({ smartDiscount: null, deleted: false, documentLinks: [], rowVersion: 1 });
    expect(await t.call(calls.getPackage, { ...auth(), params: { id: made.packageID } })).toEqual(made);
  });

  it('a package deal in smart mode costs its goal price and drops its other discounts', async () => {
    const made = await createPackage({ packageDealDiscountType: 2, goalPrice: 225 });
    expect(made.packageLineItems.map((line) => line.isAProductLine)).toEqual([true, true]);
    expect(made.packageTotalPrice.toString()).toBe('225');
    expect(made.smartDiscount).toMatchObject({
      packageID: made.packageID,
      name: 'Smart Discount',
      displayAmount: '($24.99)',
      displayPercentage: '-10.00%',
    });
    expect([made.smartDiscount?.amount, made.smartDiscount?.percentageValue].map(String)).toEqual([
      '-24.99',
      '-9.9964',
    ]);
    const body = { packageID: made.packageID, goalPrice: 300 };
    const dearer = await t.call(calls.updatePackage, { ...auth(), body });
    expect(dearer.smartDiscount?.name).toBe('Smart Premium');
  });

  it("a package deal's price changes with the prices of its products", async () => {
    const product = await make.product({ name: 'Mulch', salesPrice: 10 });
    const lines = [{ productID: product, quantity: 3 }];
    const made = await createPackage({ packageDealDiscountType: 0, packageLineItems: lines });
    await t.call(calls.updateProduct, { ...auth(), body: { productID: product, salesPrice: 12.34 } });
    const read = await t.call(calls.getPackage, { ...auth(), params: { id: made.packageID } });
    expect(read.packageTotalPrice.toString()).toBe('37.02');
  });

  it('saving a package deal keeps and reorders the lines that are sent, and removes the others', async () => {
    const made = await createPackage();
    const [first, second, third] = made.packageLineItems;
    const packageLineItems = [
      { discountID: fiveOff, isAProductLine: false, quantity: 2 },
      { productID: lawn, quantity: 1 },
    ];
    const body = { packageID: made.packageID, packageLineItems, rowVersion: made.rowVersion };
    const saved = await t.call(calls.updatePackage, { ...auth(), body });
    expect(saved.packageLineItems.map((line) => line.packageLineItemID)).toEqual([
      third?.packageLineItemID,
      first?.packageLineItemID,
    ]);
    expect(saved.packageTotalPrice.toString()).toBe('90');
    expect(saved.packageLineItems.map((line) => line.packageLineItemID)).not.toContain(second?.packageLineItemID);
    expect((await t.refused(calls.updatePackage, { ...auth(), body })).status).toBe(409);
    const renamed = await t.call(calls.updatePackage, {
      ...auth(),
      body: { packageID: made.packageID, name: 'Other' },
    });
    expect(renamed.packageLineItems).toEqual(saved.packageLineItems);
  });

  const refused: [string, () => Record<string, unknown>, string, string][] = [
    ['without a name', () => ({ name: '' }), 'name', 'Please enter a name'],
    ['without a description', () => ({ description: ' ' }), 'description', 'Please enter a description'],
    ['without lines', () => ({ packageLineItems: [] }), 'packageLineItems', NO_PACKAGE_LINE],
    [
      'with a product twice',
      () => ({ packageLineItems: [{ productID: lawn }, { productID: lawn }] }),
      'packageLineItems.1.productID',
      TWICE_IN_PACKAGE,
    ],
    [
      'with a product that does not exist',
      () => ({ packageLineItems: [{ productID: 4711 }] }),
      'packageLineItems.0.productID',
      'Please Select a Product',
    ],
    [
      'with a product quantity of 0',
      () => ({ packageLineItems: [{ productID: lawn, quantity: 0 }] }),
      'packageLineItems.0.quantity',
      'The quantity must be more than zero',
    ],
    [
      'with discounts that exceed its products',
      () => ({ packageLineItems: [{ productID: lawn }, { discountID: fiveOff, quantity: 21 }] }),
      'packageLineItems',
      'The package total cannot be negative',
    ],
    ['without a goal price', () => ({ packageDealDiscountType: 2 }), 'goalPrice', 'Please enter a goal price'],
  ];
  it.each(refused)('a package deal %s is rejected, and nothing is saved', async (_name, change, field, message) => {
    const before = await countRows(t, companyId(), 'package');
    const refusal = await t.refused(calls.createPackage, { ...auth(), body: goodPackage(change()) });
    expect(refusal).toMatchObject({ status: 422, fields: { [field]: message } });
    expect(await countRows(t, companyId(), 'package')).toBe(before);
  });

  it("a package deal rejects another company's product, but keeps a product that is now inactive", async () => {
    const { token } = t.world.other.administrator;
    const body = { name: 'Theirs', description: 'Theirs', salesPrice: 1, GLAccountID: 140 };
    const { productID } = await t.call(calls.createProduct, { token, body });
    const packageLineItems = [{ productID }];
    const refusal = await t.refused(calls.createPackage, { ...auth(), body: goodPackage({ packageLineItems }) });
    expect(refusal).toMatchObject({
      status: 422,
      fields: { 'packageLineItems.0.productID': 'Please Select a Product' },
    });

    const gone = await make.product({ name: 'Gone', salesPrice: 1 });
    const made = await createPackage({ packageDealDiscountType: 0, packageLineItems: [{ productID: gone }] });
    await t.call(calls.deleteProduct, { ...auth(), query: { ProductID: gone } });
    const again = { packageID: made.packageID, packageLineItems: [{ productID: gone }, { productID: lawn }] };
    const saved = await t.call(calls.updatePackage, { ...auth(), body: again });
    expect(saved.packageTotalPrice.toString()).toBe('101');
    const fresh = goodPackage({ packageDealDiscountType: 0, packageLineItems: [{ productID: gone }] });
    expect((await t.refused(calls.createPackage, { ...auth(), body: fresh })).status).toBe(422);
  });

  it('an unused package deal is deleted with its lines, and its products can be deleted afterward', async () => {
    const product = await make.product({ name: 'Only here' });
    const made = await createPackage({ packageDealDiscountType: 0, packageLineItems: [{ productID: product }] });
    const { token } = t.world.other.administrator;
    const query = { PackageID: made.packageID };
    expect((await t.refused(calls.deletePackage, { token, query })).status).toBe(404);
    await t.call(calls.deletePackage, { ...auth(), query });
    expect((await t.refused(calls.getPackage, { ...auth(), params: { id: made.packageID } })).status).toBe(404);
    await t.call(calls.deleteProduct, { ...auth(), query: { ProductID: product } });
    expect((await t.refused(calls.getProduct, { ...auth(), params: { id: product } })).status).toBe(404);
  });

  it('if two users save a package deal at the same time, only the first save succeeds', async () => {
    const made = await createPackage();
    const save = (name: string) => {
      const packageLineItems = [{ productID: lawn, quantity: name === 'A' ? 1 : 2 }];
      const body = { packageID: made.packageID, name, packageLineItems, rowVersion: made.rowVersion };
      return t.call(calls.updatePackage, { ...auth(), body }).then(
        () => true,
        () => false,
      );
    };
    expect((await Promise.all([save('A'), save('B')])).toSorted()).toEqual([false, true]);
    const read = await t.call(calls.getPackage, { ...auth(), params: { id: made.packageID } });
    expect(read.packageTotalPrice.toString()).toBe(read.name === 'A' ? '100' : '200');
  });
});

it('the items for a billing line include everything that their price depends on', async () => {
  const made = await createPackage({ name: 'Pick me' });
  const all = await t.call(calls.listProductsAndPackages, auth());
  expect(all.find((item) => item.itemKey === `product-${hedge}`)).toMatchObject({
    isProduct: true,
    calculatedTotal: 4999,
    productServiceType: 1,
    packageLineItems: [],
  });
  expect(all.find((item) => item.itemKey === `package-${made.packageID}`)).toMatchObject({
    isPackage: true,
    calculatedTotal: 21999,
    taxable: true,
    packageDealDiscountType: 1,
    packageLineItems: made.packageLineItems,
  });
  const given = all
    .filter((item) => item.isDiscount)
    .map(({ name, discountDisplay, calculatedTotal }) => {
      return [name, discountDisplay, calculatedTotal];
    });
  expect(given).toContainEqual(['Five off', '$5.00', -500]);
  expect(given).toContainEqual(['Ten percent', '10%', 0]);
});
