import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';

/** Sends requests with the spellings that third-party clients use. */
let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const send = (method: 'GET' | 'POST' | 'PUT', url: string, body?: unknown) =>
  t.request({ method, url, token: t.world.company.administrator.token, body });

describe('new records in all spellings that clients use', () => {
  const product = { name: 'Mowing', description: 'Mowing', salesPrice: 50, GLAccountID: 141 };
  it.each([0, -1, null])('a product with productID %j is saved as a new product', async (productID) => {
    const answer = await send('POST', '/api/product/CreateProduct', { ...product, productID });
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ name: 'Mowing', rowVersion: 1 })]);
  });

  it('a PUT with productID -1 is rejected because it refers to no product', async () => {
    expect((await send('PUT', '/api/product/UpdateProduct', { ...product, productID: -1 })).status).toBe(404);
  });

  it('a category with categoryID -1 is saved as a new category', async () => {
    const body = { categoryID: -1, categoryName: 'Lawns' };
    expect((await send('POST', '/api/ProductCategory/CreateProductCategory', body)).status).toBe(200);
  });

  it('a user with an empty ID is saved as a new user, and a PUT with an empty ID refers to no user', async () => {
    const roles = await send('GET', '/api/userroles');
    const roleId = Number(Object(roles.body)[1].id);
    const body = { id: '', firstName: 'Pat', lastName: 'New', email: 'pat@new.example', roleId };
    expect((await send('POST', '/api/useradmin', body)).status).toBe(200);
    expect((await send('PUT', '/api/useradmin', body)).status).toBe(404);
  });

  it('a new role without properties has none, and a saved role keeps its properties if they are omitted', async () => {
    const none = await send('POST', '/api/userroles', { id: 0, roleName: 'Guest', roleProperties: null });
    expect([none.status, none.body]).toEqual([200, expect.objectContaining({ roleProperties: [] })]);
    const clerk = await send('POST', '/api/userroles', { roleName: 'Clerk', roleProperties: ['View Billing'] });
    const renamed = await send('PUT', '/api/userroles', { id: Object(clerk.body).id, roleName: 'Biller' });
    expect(renamed.body).toMatchObject({ roleName: 'Biller', roleProperties: ['View Billing'] });
  });
});

it('null clears the closing date, but is rejected for a Yes or No setting', async () => {
  const set = (settingName: string, settingValue: unknown) =>
    send('POST', '/api/customersettings', { id: 0, settingName, settingValue, changed: true });
  await set('closingDate', '1/31/2026');
  expect((await set('closingDate', null)).body).toMatchObject({ settingValue: '' });
  expect((await set('useLocations', null)).status).toBe(422);
});

it.each(['/api', '/API/', '/API?x=1', '/api/nothing?'])(
  'responses from %s are marked as not cacheable',
  async (url) => {
    const answer = await send('GET', url);
    expect([answer.status, answer.headers['cache-control']]).toEqual([404, 'no-store']);
  },
);
