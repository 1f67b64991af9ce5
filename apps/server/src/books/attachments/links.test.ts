import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attachmentCalls } from '@evenkeel/contract/uploads';
import { billingCalls } from '@evenkeel/contract/billing';
import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { factoryFor } from '../../testing/factories.ts';
import { upload } from '../../testing/files.ts';
import { countRoundTrips } from '../../testing/round-trips.ts';
import type { Person, WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
let token: string;
beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany();
  token = company.administrator.token;
});
afterAll(() => t.close());

type Link = Record<string, unknown>;
const rope = { name: 'Rope', description: 'Rope', GLAccountID: 140, salesPrice: 12.5 };
const create = (documentLinks?: Link[], who = token) =>
  t.call(catalogueCalls.createProduct, { token: who, body: { ...rope, documentLinks } });
const save = (productID: number, documentLinks: Link[] | null, more = {}) =>
  t.call(catalogueCalls.updateProduct, { token, body: { productID, documentLinks, ...more } });
const read = (id: number) => t.call(catalogueCalls.getProduct, { token, params: { id } });

/** Uploads a file and returns its ID. */
const file = async (name?: string, who = token): Promise<number> =>
  (await upload(t, who, name === undefined ? {} : { name })).documentId;

async function person(...permissions: string[]): Promise<Person> {
  const roleName = `Role ${crypto.randomUUID()}`;
  await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql`insert into role (company_id, role_name, permissions)
      values (${company.companyId}, ${roleName}, ${permissions}::text[])`),
  );
  return t.signIn(company, roleName);
}

const lastAudit = async () =>
  t.inCompany(company.companyId, (tx) =>
    tx.row(sql<{ before: { documentLinks: Link[] } | null; after: { documentLinks: Link[] } | null }>`
      select before, after from audit_log where company_id = ${company.companyId} order by id desc limit 1`),
  );

describe('attachments of a record', () => {
  test('attachments are saved with the record, including all fields, and appear in the audit log', async () => {
    const [first, second] = [await file('a.pdf'), await file('b.pdf')];
    const made = await create([
      { id: 0, documentId: first, documentName: 'Data sheet.pdf' },
      { id: -1, documentId: second },
    ]);
    expect(made.documentLinks).toEqual([
      {
        id: expect.any(Number),
        documentId: first,
        documentName: 'Data sheet.pdf',
        uploadDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        filePath: `/api/document/${first}`,
        contentType: 'application/pdf',
        size: 14,
        deleted: false,
      },
      expect.objectContaining({ documentId: second, documentName: 'b.pdf' }),
    ]);
    expect((await read(made.productID)).documentLinks).toEqual(made.documentLinks);
    expect(await lastAudit()).toMatchObject({ before: null, after: { documentLinks: made.documentLinks } });
    const { headers } = await t.request({ method: 'GET', url: `/api/document/${first}`, token });
    expect(headers['content-disposition']).toContain('filename="a.pdf"');
  });

  test('attachments stay if a save omits them, and can be deleted twice without an error', async () => {
    const { productID, documentLinks } = await create([
      { documentId: await file('a.pdf') },
      { documentId: await file('b.pdf') },
    ]);
    expect((await save(productID, null)).documentLinks).toEqual(documentLinks);
    expect((await save(productID, [])).documentLinks).toEqual(documentLinks);
    const [a, b] = documentLinks;
    const renamed = await save(productID, [
      { ...a, documentName: 'c/../Renamed.pdf' },
      { ...b, deleted: true },
    ]);
    expect(renamed.documentLinks).toEqual([{ ...a, documentName: 'Renamed.pdf' }]);
    expect((await read(productID)).documentLinks).toEqual(renamed.documentLinks);
    expect(await lastAudit()).toMatchObject({
      before: { documentLinks },
      after: { documentLinks: renamed.documentLinks },
    });
    expect((await save(productID, [{ ...b, deleted: true }])).documentLinks).toEqual(renamed.documentLinks);
  });

  test('a file that is listed twice is attached once, and one that is deleted before the save is not', async () => {
    const documentId = await file();
    const made = await create([{ documentId }, { documentId }, { id: -3, documentId: 0, deleted: true }]);
    expect(made.documentLinks).toHaveLength(1);
    expect((await save(made.productID, [{ documentId }])).documentLinks).toEqual(made.documentLinks);
  });

  test('attachments that two users add at the same time are all saved', async () => {
    const { productID } = await create();
    const ids = await Promise.all([1, 2, 3, 4].map(() => file()));
    await Promise.all(ids.map((documentId) => save(productID, [{ documentId }])));
    const { documentLinks } = await read(productID);
    expect(new Set(documentLinks.map(({ documentId }) => documentId))).toEqual(new Set(ids));
  });

  test('a save with an outdated row version adds no attachments', async () => {
    const { productID, rowVersion } = await create();
    await save(productID, null, { name: 'Line' });
    const body = { productID, rowVersion, documentLinks: [{ documentId: await file() }] };
    expect(await t.refused(catalogueCalls.updateProduct, { token, body })).toMatchObject({
      status: 409,
      code: 'stale',
    });
    expect((await read(productID)).documentLinks).toEqual([]);
  });

  test('deleting a product removes its attachments, but making it inactive keeps them', async () => {
    const documentId = await file();
    const { productID } = await create([{ documentId }]);
    await t.call(catalogueCalls.deleteProduct, { token, query: { ProductID: String(productID) } });
    const { reader } = company;
    const answer = await t.request({ method: 'GET', url: `/api/document/${documentId}`, token: reader.token });
    expect(answer.status).toBe(404);
  });

  test('listing packages with attachments takes no extra statement for each package', async () => {
    const { productID } = await create();
    const packed = async () => {
      const documentLinks = [{ documentId: await file() }];
      const packageLineItems = [{ productID, isAProductLine: true }];
      const body = { name: 'Deal', description: 'Lawn', packageLineItems, documentLinks };
      return t.call(catalogueCalls.createPackage, { token, body });
    };
    const list = (by = token) => t.call(catalogueCalls.listPackages, { token: by, query: {} });
    const trips = () => countRoundTrips(t.pool, async () => void (await list()));
    const files = (reply: Awaited<ReturnType<typeof list>>) =>
      [reply].flat().flatMap((deal) => ('documentLinks' in deal ? deal.documentLinks : []));
    await packed();
    await trips();
    const before = await trips();
    for (let index = 0; index < 10; index += 1) await packed();
    await trips();
    expect(await trips()).toBe(before);
    expect(files(await list()).length).toBeGreaterThan(9);
    expect(files(await list(company.stranger.token))).toEqual([]);
  });
});

describe('rejected links', () => {
  const refuse = async (documentLinks: Link[], productID?: number) => {
    const body = productID === undefined ? { ...rope, documentLinks } : { productID, documentLinks };
    const endpoint = productID === undefined ? catalogueCalls.createProduct : catalogueCalls.updateProduct;
    return t.refused(endpoint, { token, body });
  };

  test('rejects a link to a file that is not uploaded, does not exist, or belongs to another company', async () => {
    expect(await refuse([{ documentId: 0, documentName: 'a.pdf' }])).toMatchObject({
      status: 422,
      message: 'a.pdf has not been uploaded yet',
      fields: { 'documentLinks.0.documentId': 'a.pdf has not been uploaded yet' },
    });
    const foreign = await file('theirs.pdf', t.world.other.administrator.token);
    for (const documentId of [987_654_321, foreign]) {
      expect(await refuse([{ documentId: await file() }, { documentId }])).toMatchObject({
        status: 422,
        fields: { 'documentLinks.1.documentId': 'The file is no longer available. Attach it again.' },
      });
    }
  });

  test('rejects a link that belongs to another record', async () => {
    const { documentLinks } = await create([{ documentId: await file() }]);
    const { productID } = await create();
    expect((await refuse([{ ...documentLinks[0] }], productID)).status).toBe(422);
    await save(productID, [{ ...documentLinks[0], deleted: true }]);
    const [link] = documentLinks;
    expect((await t.request({ method: 'GET', url: link?.filePath ?? '', token: company.reader.token })).status).toBe(
      200,
    );
  });

  test('rejects a link to a file in an area that the user may not view, so that the link reveals nothing', async () => {
    const make = factoryFor(t, company);
    const customerId = await make.customer();
    const documentId = await file('pay slip.pdf');
    const payment = {
      customerId,
      paymentDate: '2026-01-20',
      paymentAmount: 10,
      paymentTypeId: 2,
      paymentAccountId: 104,
    };
    await t.call(billingCalls.createPayment, { token, body: { ...payment, documentLinks: [{ documentId }] } });
    const seller = await person('Manage Products');
    const get = () => t.request({ method: 'GET', url: `/api/document/${documentId}`, token: seller.token });
    expect((await get()).status).toBe(403);
    const body = { ...rope, documentLinks: [{ documentId }] };
    expect((await t.refused(catalogueCalls.createProduct, { token: seller.token, body })).status).toBe(422);
    expect((await get()).status).toBe(403);
    // A user may attach their own upload to a product. After that, everyone who may view products, or any other record
    // with the file, can see the file.
    const own = await file('sheet.pdf', seller.token);
    await create([{ documentId: own }], seller.token);
    const biller = await person('View Billing');
    const seen = (who: Person) => t.request({ method: 'GET', url: `/api/document/${own}`, token: who.token });
    expect([(await seen(seller)).status, (await seen(biller)).status]).toEqual([200, 403]);
  });
});

describe('attachments of a customer payment', () => {
  test('a payment keeps its files through edits and after its reversal', async () => {
    const make = factoryFor(t, company);
    const customerId = await make.customer();
    const body = { customerId, paymentDate: '2026-01-20', paymentAmount: 10, paymentTypeId: 2, paymentAccountId: 104 };
    const [slip, letter] = [await file('slip.pdf'), await file('letter.pdf')];
    const made = await t.call(billingCalls.createPayment, {
      token,
      body: { ...body, documentLinks: [{ documentId: slip }] },
    });
    expect(made.documentLinks).toMatchObject([{ documentId: slip, documentName: 'slip.pdf' }]);
    const { id, rowVersion } = made;
    const [link] = made.documentLinks;
    const more = { ...body, id, rowVersion, documentLinks: [{ ...link, deleted: true }, { documentId: letter }] };
    const saved = await t.call(billingCalls.updatePayment, { token, body: more });
    expect(saved.documentLinks).toMatchObject([{ documentId: letter }]);
    const shown = await t.call(billingCalls.getPayment, { token, params: { id } });
    expect(shown.documentLinks).toEqual(saved.documentLinks);
    expect(await lastAudit()).toMatchObject({
      before: { documentLinks: made.documentLinks },
      after: { documentLinks: saved.documentLinks },
    });
    await t.call(billingCalls.deletePayment, { token, params: { id }, query: {} });
    const { bytes } = await t.call(attachmentCalls.getDocument, {
      token: company.reader.token,
      params: { documentId: letter },
    });
    expect(Buffer.from(bytes).toString()).toBe('%PDF-1.7 letter.pdf');
  });

  test('a rejected payment does not attach its files', async () => {
    const documentId = await file();
    const money = { paymentAmount: 10, paymentTypeId: 2, paymentAccountId: 104 };
    const body = { customerId: 987_654_321, paymentDate: '2026-01-20', ...money };
    await t.refused(billingCalls.createPayment, { token, body: { ...body, documentLinks: [{ documentId }] } });
    const { reader } = company;
    expect((await t.request({ method: 'GET', url: `/api/document/${documentId}`, token: reader.token })).status).toBe(
      404,
    );
  });
});
