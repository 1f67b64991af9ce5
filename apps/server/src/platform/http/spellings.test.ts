import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';

/** Requests in the spellings that programs of others send. */
let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const send = (method: 'GET' | 'POST' | 'PUT', url: string, body?: unknown) =>
  t.request({ method, url, token: t.world.company.administrator.token, body });

describe('a new record may say so in each way that clients use', () => {
  const product = { name: 'Mowing', description: 'Mowing', salesPrice: 50, GLAccountID: 141 };
  it.each([0, -1, null])('a product with productID %j', async (productID) => {
    const answer = await send('POST', '/api/product/CreateProduct', { ...product, productID });
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ name: 'Mowing', rowVersion: 1 })]);
  });

  it('but a PUT of productID -1 names none', async () => {
    expect((await send('PUT', '/api/product/UpdateProduct', { ...product, productID: -1 })).status).toBe(404);
  });

  it('a category with categoryID -1', async () => {
    const body = { categoryID: -1, categoryName: 'Lawns' };
    expect((await send('POST', '/api/ProductCategory/CreateProductCategory', body)).status).toBe(200);
  });

  it('a user with an empty id; a PUT of it names none', async () => {
    const roles = await send('GET', '/api/userroles');
    const roleId = Number(Object(roles.body)[1].id);
    const body = { id: '', firstName: 'Pat', lastName: 'New', email: 'pat@new.example', roleId };
    expect((await send('POST', '/api/useradmin', body)).status).toBe(200);
    expect((await send('PUT', '/api/useradmin', body)).status).toBe(404);
  });

  it('a role without properties has none, and saved without them keeps what it has', async () => {
    const none = await send('POST', '/api/userroles', { id: 0, roleName: 'Guest', roleProperties: null });
    expect([none.status, none.body]).toEqual([200, expect.objectContaining({ roleProperties: [] })]);
    const clerk = await send('POST', '/api/userroles', { roleName: 'Clerk', roleProperties: ['View Billing'] });
    const renamed = await send('PUT', '/api/userroles', { id: Object(clerk.body).id, roleName: 'Biller' });
    expect(renamed.body).toMatchObject({ roleName: 'Biller', roleProperties: ['View Billing'] });
  });
});

it('a closing date of null is none, and a switch of null is refused', async () => {
  const set = (settingName: string, settingValue: unknown) =>
    send('POST', '/api/customersettings', { id: 0, settingName, settingValue, changed: true });
  await set('closingDate', '1/31/2026');
  expect((await set('closingDate', null)).body).toMatchObject({ settingValue: '' });
  expect((await set('useLocations', null)).status).toBe(422);
});

it.each(['/api', '/API/', '/API?x=1', '/api/nothing?'])('nothing at %s may be kept by a cache', async (url) => {
  const answer = await send('GET', url);
  expect([answer.status, answer.headers['cache-control']]).toEqual([404, 'no-store']);
});
