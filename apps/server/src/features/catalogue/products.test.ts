import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogueCalls as calls } from '@evenkeel/contract/catalogue';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const companyId = () => t.world.company.companyId;
const auth = () => ({ token: t.world.company.bookkeeper.token });
const good = (change: Record<string, unknown> = {}) => ({
  productID: 0,
  name: 'Mulch, cubic yard',
  description: 'Hardwood mulch, installed',
  salesPrice: 82.5,
  GLAccountID: 140,
  taxable: true,
  ...change,
});
const create = (change: Record<string, unknown> = {}) => t.call(calls.createProduct, { ...auth(), body: good(change) });

describe('product validation', () => {
  const cases: [string, Record<string, unknown>, string, string][] = [
    ['without a name', { name: '' }, 'name', 'Please enter a name'],
    ['with a missing name field', { name: undefined }, 'name', 'Please enter a name'],
    ['without a description', { description: ' ' }, 'description', 'Please enter a description'],
    ['without an account', { GLAccountID: 0 }, 'GLAccountID', 'Please Select an Account'],
    ['on an expense account', { GLAccountID: 151 }, 'GLAccountID', 'Please Select an Account'],
    ['on an account that does not exist', { GLAccountID: 4711 }, 'GLAccountID', 'Please Select an Account'],
    ['without a price', { salesPrice: null }, 'salesPrice', 'Please select a sales price'],
    ['with a price of -1.00', { salesPrice: -1 }, 'salesPrice', 'Please select a sales price'],
    ['with category 99', { productCategoryID: 99 }, 'productCategoryID', 'Please Select a Category'],
    ['with profit center 99', { profitCenterID: 99 }, 'profitCenterID', 'Please Select a Profit Center'],
    [
      'that ends before it starts',
      { startDate: '2026-02-01', endDate: '2026-01-31' },
      'endDate',
      'The end date is before the start date',
    ],
  ];
  it.each(cases)('rejects a product %s and saves nothing', async (_name, change, field, message) => {
    const before = await countRows(t, companyId(), 'product');
    const refusal = await t.refused(calls.createProduct, { ...auth(), body: good(change) });
    expect(refusal).toMatchObject({ status: 422, fields: { [field]: message } });
    expect(await countRows(t, companyId(), 'product')).toBe(before);
  });

  it("rejects another company's category and profit center", async () => {
    const { companyId: other, administrator } = t.world.other;
    const body = { categoryID: 0, categoryName: 'Theirs' };
    const category = await t.call(calls.createCategory, { token: administrator.token, body });
    const center = await t.inCompany(other, (tx) =>
      tx.row(sql<{ id: number }>`insert into profit_center (company_id, name) values (${other}, 'North') returning id`),
    );
    for (const change of [{ productCategoryID: category.productCategoryID }, { profitCenterID: center?.id }]) {
      expect((await t.refused(calls.createProduct, { ...auth(), body: good(change) })).status).toBe(422);
    }
  });

  it('rejects a save by a read-only user (403) or another company (404)', async () => {
    const made = await create({ name: 'Ours' });
    const { reader } = t.world.company;
    expect((await t.refused(calls.createProduct, { token: reader.token, body: good() })).status).toBe(403);
    const { token } = t.world.other.administrator;
    const body = good({ productID: made.productID, name: 'Theirs' });
    expect((await t.refused(calls.updateProduct, { token, body })).status).toBe(404);
    const query = { ProductID: made.productID };
    expect((await t.refused(calls.deleteProduct, { token, query })).status).toBe(404);
    const kept = await t.call(calls.getProduct, { ...auth(), params: { id: made.productID } });
    expect(kept).toEqual(made);
  });
});

describe('a product', () => {
  it('a new product has type 1 unless 2 is given, costs 82.50, is active, and has no dates', async () => {
    const made = await create({ productServiceType: 'cheese' });
    expect(made).toMatchObject({ productServiceType: 1, salesPrice: 8_250, startDateInUse: false, endDate: null });
    expect((await create({ productServiceType: 2 })).productServiceType).toBe(2);
    expect((await create({ productServiceType: '2' })).productServiceType).toBe(2);
    expect((await create({ salesPrice: 0 })).salesPrice).toBe(0);
    expect(await t.call(calls.getProduct, { ...auth(), params: { id: made.productID } })).toEqual(made);
  });

  it('a saved product keeps omitted fields, and saving the old version again is rejected with 409', async () => {
    const made = await create({ startDate: '2026-01-01', version: 'M-1' });
    const body = { productID: made.productID, salesPrice: 90, startDateInUse: false, rowVersion: made.rowVersion };
    const saved = await t.call(calls.updateProduct, { ...auth(), body });
    expect(saved).toMatchObject({ name: made.name, version: 'M-1', salesPrice: 9_000, startDate: null });
    expect(saved.rowVersion).toBe(made.rowVersion + 1);
    const stale = await t.refused(calls.updateProduct, { ...auth(), body });
    expect(stale).toMatchObject({ status: 409, code: 'stale', current: { salesPrice: 90 } });
  });

  it('a product on an invoice is made inactive instead of deleted, and can be made active again', async () => {
    const made = await create({ name: 'Billed once' });
    const id = made.productID;
    await t.inCompany(companyId(), async (tx) => {
      const customer = await tx.row(sql<{ id: number }>`
        insert into entity (company_id, kind, displayname, name) values (${companyId()}, 0, 'C', 'C') returning id`);
      const invoice = await tx.row(sql<{ id: number }>`
        insert into document (company_id, kind, side, document_number, document_date, entity_id, status,
          control_account_id, sales_tax_cents, total_cents, open_cents, entry_date)
        values (${companyId()}, 'invoice', 'receivable', 'T1', '2026-05-01', ${customer?.id}, 2, 138, 0, 100, 100,
          '2026-05-01')
        returning id`);
      await tx.rows(sql`
        insert into invoice_line (company_id, invoice_id, line_no, product_id, description, item_price_cents,
          item_amount, quantity, taxable, account_id, line_amount_cents, line_tax)
        values (${companyId()}, ${invoice?.id}, 1, ${id}, 'x', 100, 1, 1, false, 140, 100, 0)`);
    });
    await t.call(calls.deleteProduct, { ...auth(), query: { ProductID: id } });
    const keys = async () => (await t.call(calls.listProductsAndPackages, auth())).map((item) => item.itemKey);
    expect(await t.call(calls.getProduct, { ...auth(), params: { id } })).toMatchObject({ deleted: true });
    expect(await keys()).not.toContain(`product-${id}`);
    const listed = async (inactive: 'true' | 'false' = 'false') => {
      const rows = await t.call(calls.listProducts, { ...auth(), query: { inactive } });
      return (Array.isArray(rows) ? rows : rows.items).find((one) => one.productID === id);
    };
    expect(await listed()).toBeUndefined();
    const { name, description, version, categoryName, salesPrice } = made;
    // The list returns only these fields.
    expect(await listed('true')).toEqual({
      productID: id,
      name,
      description,
      version,
      categoryName,
      salesPrice,
      deleted: true,
    });
    await t.call(calls.updateProduct, { ...auth(), body: { productID: id, deleted: false } });
    expect(await keys()).toContain(`product-${id}`);
  });

  it('a product without history is deleted', async () => {
    const { productID } = await create({ name: 'Never sold' });
    await t.call(calls.deleteProduct, { ...auth(), query: { ProductID: productID } });
    expect((await t.refused(calls.getProduct, { ...auth(), params: { id: productID } })).status).toBe(404);
    const audit = await t.inCompany(companyId(), (tx) =>
      tx.rows<{ action: string }>(sql`
        select action from audit_log
        where company_id = ${companyId()} and subject_type = 'product' and subject_id = ${productID} order by id`),
    );
    expect(audit.map((row) => row.action)).toEqual(['create', 'delete']);
  });

  it('a product is offered on a billing line as product-{id} with its price and account', async () => {
    const made = await create({ name: 'Offered' });
    const items = await t.call(calls.listProductsAndPackages, { token: t.world.company.stranger.token });
    expect(items.find((item) => item.id === made.productID)).toMatchObject({
      itemKey: `product-${made.productID}`,
      isProduct: true,
      isPackage: false,
      calculatedTotal: 8_250,
      GLAccountID: 140,
    });
  });

  it.each(['name', 'salesPrice', 'categoryName'])(
    'each of 5 products appears once in pages of 2 sorted by %s',
    async (sort) => {
      for (const price of [5, 1, 4, 1, 3]) await create({ name: `Paged ${sort} ${price}`, salesPrice: price });
      const prices: number[] = [];
      let after: string | null = null;
      do {
        const query: Record<string, string> = { limit: '2', q: `paged ${sort}`, sort, ...(after ? { after } : {}) };
        const page = await t.call(calls.listProducts, { ...auth(), query });
        if (!('items' in page)) throw new Error('a bare list');
        expect(page.total).toBe(5);
        prices.push(...page.items.map((item) => item.salesPrice));
        after = page.next;
      } while (after !== null);
      expect(prices.toSorted((a, b) => a - b)).toEqual([100, 100, 300, 400, 500]);
      if (sort === 'salesPrice') expect(prices).toEqual([100, 100, 300, 400, 500]);
    },
  );
});

describe('a product category', () => {
  const taken = 'A category with this name already exists, category names must be unique.';
  const make = (categoryName: string) =>
    t.call(calls.createCategory, { ...auth(), body: { categoryID: 0, categoryName } });

  const listed = async (inactive: 'true' | 'false' = 'false') => {
    const reply = await t.call(calls.listCategories, { ...auth(), query: { inactive } });
    return ('items' in reply ? [] : reply).map((each) => each.categoryName);
  };

  it("a category's name must be unique regardless of case (409), even when the category is renamed", async () => {
    await make('Garden');
    const other = await make('Lawn');
    const empty = await t.refused(calls.createCategory, { ...auth(), body: { categoryName: ' ' } });
    expect(empty).toMatchObject({ status: 422, message: 'Please enter a name' });
    const double = await t.refused(calls.createCategory, { ...auth(), body: { categoryName: ' gARDEN' } });
    expect(double).toMatchObject({ status: 409, message: taken, fields: { categoryName: taken } });
    const body = { productCategoryID: other.productCategoryID, categoryName: 'garden' };
    expect((await t.refused(calls.updateCategory, { ...auth(), body })).status).toBe(409);
    const same = await t.call(calls.updateCategory, { ...auth(), body: { ...body, categoryName: 'LAWN' } });
    expect(same.categoryName).toBe('LAWN');
    expect(await listed()).toEqual(['Garden', 'LAWN']);
  });

  it('a category appears on its products, becomes inactive if used, and is deleted if unused', async () => {
    const category = await make('Seasonal');
    const { productCategoryID } = category;
    const product = await create({ name: 'Wreath', productCategoryID });
    expect(product.categoryName).toBe('Seasonal');
    const query = { ProductCategoryID: productCategoryID };
    const token = t.world.other.administrator.token;
    expect((await t.refused(calls.deleteCategory, { token, query })).status).toBe(404);
    await t.call(calls.deleteCategory, { ...auth(), query });
    expect(await listed()).not.toContain('Seasonal');
    expect(await listed('true')).toContain('Seasonal');
    const renamed = { productID: product.productID, name: 'Old wreath', productCategoryID };
    expect(await t.call(calls.updateProduct, { ...auth(), body: renamed })).toMatchObject({ categoryName: 'Seasonal' });
    const another = await t.refused(calls.createProduct, { ...auth(), body: good({ productCategoryID }) });
    expect(another).toMatchObject({
      status: 422,
      fields: { productCategoryID: 'This category is inactive. Make it active, or select another one' },
    });
    const back = await t.call(calls.updateCategory, { ...auth(), body: { productCategoryID, active: true } });
    expect(back).toMatchObject({ categoryName: 'Seasonal', active: true });

    await t.call(calls.updateProduct, { ...auth(), body: { productID: product.productID, productCategoryID: null } });
    await t.call(calls.deleteCategory, { ...auth(), query });
    expect(await listed('true')).not.toContain('Seasonal');
    expect((await t.refused(calls.deleteCategory, { ...auth(), query })).status).toBe(404);
  });
});
