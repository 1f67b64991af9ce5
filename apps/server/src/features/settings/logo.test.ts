import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { entityCalls } from '@evenkeel/contract/entities';
import { reportCalls } from '@evenkeel/contract/reports';
import { sendingCalls } from '@evenkeel/contract/sending';
import { settingsCalls as calls } from '@evenkeel/contract/settings';
import { sweepAttachments } from '../../books/attachments/files.ts';
import { openClient } from '../../platform/db/connect.ts';
import { readCompany } from '../../platform/db/tx.ts';
import { drawable } from '../../platform/pdf/bitmap.ts';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';
import { upload } from '../../testing/files.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { logoOf, logoPicture } from './logo.ts';

let t: TestApp;
let company: WorldCompany;
let token: string;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  company = await t.createCompany();
  token = company.administrator.token;
});

/** Creates a picture that no other test uses. */
const picture = () =>
  sharp(randomBytes(24), { raw: { width: 24, height: 1, channels: 1 } })
    .png()
    .toBuffer();
const jpegOf = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0b5d7a' } })
    .jpeg()
    .toBuffer();
const file = async (bytes?: Buffer | string, name = 'logo.png') =>
  (await upload(t, token, { name, bytes: bytes ?? (await picture()) })).documentId;
const save = (body: Record<string, unknown>, who = token) =>
  t.call(calls.updateCompany, { token: who, params: { id: company.companyId }, body });
const refused = (body: Record<string, unknown>) =>
  t.refused(calls.updateCompany, { token, params: { id: company.companyId }, body });
const read = () => t.call(calls.getCompany, { token });
const get = (documentId: number, who: string) =>
  t.request({ method: 'GET', url: `/api/document/${documentId}`, token: who });
const linkCount = () => countRows(t, company.companyId, 'attachment_link');

describe('the company logo', () => {
  it('a logo is saved, shown to every user, replaced, kept by a save that omits it, and removed', async () => {
    expect((await read()).logo).toBeNull();
    const documentId = await file();
    const { logo } = await save({ logo: { documentId } });
    expect(logo).toMatchObject({ documentId, documentName: 'logo.png', contentType: 'image/png', deleted: false });
    expect((await read()).logo).toEqual(logo);
    const seller = await t.signIn(company, 'Read Only');
    const answer = await get(documentId, seller.token);
    expect([answer.status, answer.headers['x-content-type-options']]).toEqual([200, 'nosniff']);
    expect(answer.headers['content-disposition']).toMatch(/^attachment/);
    expect((await get(documentId, t.world.company.administrator.token)).status).toBe(404);
    expect((await save({ dba: 'Fern' })).logo).toEqual(logo);
    // The client sends the logo back unchanged.
    expect((await save({ logo })).logo).toEqual(logo);
    const other = await file(await jpegOf(30, 20), 'logo.jpg');
    expect((await save({ logo: { documentId: other } })).logo).toMatchObject({ documentId: other });
    expect([await linkCount(), (await get(documentId, seller.token)).status]).toEqual([1, 404]);
    expect([(await save({ logo: null })).logo, (await read()).logo, await linkCount()]).toEqual([null, null, 0]);
  });

  it.each([
    ['an SVG', () => '<svg xmlns="http://www.w3.org/2000/svg"/>', 'The logo must be a PNG or JPEG image'],
    ['a GIF', () => 'GIF89a............', 'The logo must be a PNG or JPEG image'],
    ['a web page named .png', () => '<script>alert(1)</script>', 'The logo must be a PNG or JPEG image'],
    [
      'a PNG larger than 2 MB',
      async () => Buffer.concat([await picture(), randomBytes(2_097_152)]),
      'The logo can be at most 2 MB',
    ],
    ['a JPEG with more than 4,000,000 pixels', () => jpegOf(2001, 2000), 'The logo can be at most 4 megapixels'],
    [
      'a truncated PNG',
      async () => (await picture()).subarray(0, -20),
      "The logo can't be read. Save the image again as a PNG or JPEG.",
    ],
    [
      'a PNG with a wrong header checksum',
      async () => {
        const bytes = await picture();
        bytes.writeUInt8(bytes.readUInt8(30) ^ 1, 30);
        return bytes;
      },
      "The logo can't be read. Save the image again as a PNG or JPEG.",
    ],
  ])('%s is rejected as a logo, and nothing changes', async (_, bytesOf, message) => {
    const { logo } = await save({ logo: { documentId: await file() } });
    const refusal = await refused({ dba: 'Never', logo: { documentId: await file(await bytesOf()) } });
    expect(refusal).toMatchObject({ status: 422, message, fields: { logo: message } });
    expect(await read()).toMatchObject({ dba: '', logo });
  });

  it("a logo is rejected if it was not uploaded or the user can't change the company", async () => {
    for (const documentId of [0, 999_999]) {
      expect(await refused({ logo: { documentId } })).toMatchObject({
        status: 422,
        fields: { logo: expect.any(String) },
      });
    }
    const body = { logo: { documentId: await file() } };
    const params = { id: company.companyId };
    const denied = await t.refused(calls.updateCompany, { token: company.superuser.token, params, body });
    expect([denied.status, (await read()).logo]).toEqual([403, null]);
  });

  it('an outdated save of a logo returns the current logo, and eight simultaneous saves leave one logo', async () => {
    const { rowVersion } = await read();
    const mine = await file();
    await save({ logo: { documentId: mine }, rowVersion });
    const stale = await refused({ logo: null, rowVersion });
    expect(stale).toMatchObject({ status: 409, code: 'stale', current: { logo: { documentId: mine } } });
    const ids = await Promise.all(Array.from({ length: 8 }, () => file()));
    await Promise.all(ids.map((documentId) => save({ logo: { documentId } })));
    expect([await linkCount(), ids.includes((await read()).logo?.documentId ?? 0)]).toEqual([1, true]);
  });

  it('the logo appears on the printed invoice and on a statement of account', async () => {
    const customer = { name: 'Fairlawn Heights', emailAddress: 'office@fairlawn.example' };
    const { id: customerId } = await t.call(entityCalls.createCustomer, { token, body: customer });
    const lineItems = [{ description: 'Spring clean-up', itemPrice: 120, quantity: 1, accountId: 140 }];
    const draft = { invoiceDate: '2026-05-01', customerId, lineItems };
    const { id } = await t.call(billingCalls.createInvoice, { token, body: draft });
    const pictures = async (): Promise<number[]> => {
      const query = { startdate: '2026-01-01', reportdate: '2026-12-31' };
      const papers = [
        await t.call(billingCalls.viewInvoice, { token, params: { id } }),
        await t.call(reportCalls.customerStatement, { token, params: { customerId }, query }),
      ];
      return papers.map(
        (pdf) =>
          Buffer.from(pdf)
            .toString('latin1')
            .match(/\/Subtype \/Image/g)?.length ?? 0,
      );
    };
    expect(await pictures()).toEqual([0, 0]);
    await save({ logo: { documentId: await file() } });
    expect(await pictures()).toEqual([1, 1]);
  });

  it('a logo with damaged bytes is omitted from documents and pages', async () => {
    const customer = { name: 'Fairlawn Heights', emailAddress: 'office@fairlawn.example' };
    const { id: customerId } = await t.call(entityCalls.createCustomer, { token, body: customer });
    const lineItems = [{ description: 'Spring clean-up', itemPrice: 120, quantity: 1, accountId: 140 }];
    const draft = { invoiceDate: '2026-05-01', customerId, lineItems };
    const { id } = await t.call(billingCalls.createInvoice, { token, body: draft });
    await save({ logo: { documentId: await file() } });
    const owner = await openClient({ connectionString: t.databaseUrl });
    await owner.query(
      `update attachment_part set bytes = set_byte(bytes, 40, get_byte(bytes, 40) # 1) where company_id = $1`,
      [company.companyId],
    );
    await owner.end();
    const { url } = await t.call(sendingCalls.renewLink, { token, params: { documentId: id } });
    const query = { startdate: '2026-01-01', reportdate: '2026-12-31' };
    const page = await t.request({ method: 'GET', url: new URL(url).pathname });
    const papers = [
      await t.call(billingCalls.viewInvoice, { token, params: { id } }),
      await t.call(reportCalls.customerStatement, { token, params: { customerId }, query }),
      page.bytes,
    ].map((bytes) => Buffer.from(bytes).toString('latin1'));
    expect(page.status).toBe(200);
    expect(papers.map((text) => [text.length > 1000, /\/Subtype \/Image|<img/.test(text)])).toEqual([
      [true, false],
      [true, false],
      [true, false],
    ]);
  });

  it('a document being printed keeps a logo that is removed in the meantime', async () => {
    const bytes = await picture();
    const { companyId } = company;
    await save({ logo: { documentId: await file(bytes) } });
    const seen = await readCompany(t.pool, companyId, async (tx) => {
      const logo = await logoOf({ tx, companyId });
      await save({ logo: null });
      await t.inCompany(companyId, (other) =>
        other.rows(sql`update attachment set uploaded_at = now() - interval '2 days' where company_id = ${companyId}`),
      );
      expect(await sweepAttachments(t.pool, companyId)).toBe(1);
      return logoPicture({ tx, services: t.services, companyId }, logo);
    });
    const dots = (from: Uint8Array) => sharp(from).toColourspace('b-w').raw().toBuffer();
    expect(await dots((await drawable(seen))?.bytes ?? new Uint8Array())).toEqual(await dots(bytes));
  });
});
