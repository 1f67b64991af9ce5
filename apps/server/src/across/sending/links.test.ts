import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditCalls } from '@evenkeel/contract/audit';
import { billingCalls, invoiceCalls } from '@evenkeel/contract/billing';
import { sendingCalls as calls } from '@evenkeel/contract/sending';
import { settingsCalls } from '@evenkeel/contract/settings';
import { formatDate } from '@evenkeel/core/dates';
import { DRAFT, VOID } from '@evenkeel/core/documents/invoice';
import { todayIn } from '../../platform/clock.ts';
import { sql } from 'kysely';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';
import { upload } from '../../testing/files.ts';

let t: TestApp;
let books: Factory;
let customerId: number;
beforeAll(async () => {
  t = await startTestApp();
  books = factoryFor(t, t.world.company);
  customerId = await books.customer('Ridgeview <b>Condominiums</b>');
  const howToPay = 'Check to Harbor Supply\nor by bank transfer';
  const body = { howToPay, payLink: 'https://pay.example/?n={number}&a={amount}' };
  await t.call(calls.saveSendingSettings, { token: t.world.company.administrator.token, body });
});
afterAll(() => t.close());

const token = () => t.world.company.bookkeeper.token;
const renew = async (invoiceId: number): Promise<string> => {
  const { url } = await t.call(calls.renewLink, { token: token(), params: { documentId: invoiceId } });
  expect(url).toMatch(/^https:\/\/books.example\/d\/[\w-]{22}$/);
  return new URL(url).pathname;
};
/** Each test uses its own address, so that no test uses up another test's limit. */
const open = (url: string, address = `10.0.0.${randomBytes(1)[0]}`, method: 'GET' | 'HEAD' = 'GET') =>
  t.request({ method, url, address });

test('a link opens the current invoice with its lines, payments, payment instructions, and PDF', async () => {
  const invoice = await books.invoice({ customerId, amount: 5480 });
  const other = await books.invoice({ customerId, amount: 77.31 });
  await books.payment({
    customerId,
    paymentAmount: 2740,
    paymentApplications: [{ invoiceId: invoice.id, amount: 2740 }],
  });
  const path = await renew(invoice.id);
  const page = await open(path);
  const html = String(page.body);
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(html).toContain(`Invoice ${invoice.invoiceNumber}`);
  expect(html).toContain('<p class="due">$2,740.00</p>');
  expect(html).toContain('</dt><dd>(2,740.00)</dd>');
  expect(html).toContain('<p>Check to Harbor Supply</p><p>or by bank transfer</p>');
  expect(html).toContain(`href="https://pay.example/?n=${invoice.invoiceNumber}&amp;a=2740.00"`);
  expect(html).toContain('Ridgeview &lt;b&gt;Condominiums&lt;/b&gt;');
  for (const absent of ['<script', 'style="', other.invoiceNumber, '77.31']) expect(html).not.toContain(absent);
  const pdf = await open(`${path}/pdf`);
  expect([pdf.status, pdf.headers['content-type'], pdf.bytes.subarray(0, 5).toString()]).toEqual([
    200,
    'application/pdf',
    '%PDF-',
  ]);
});

test('responses to a link prevent search engine indexing, caching, framing, scripts, and cookies', async () => {
  const path = await renew((await books.invoice({ customerId })).id);
  for (const url of [path, `${path}/pdf`, `${path}/logo`, `/d/${'x'.repeat(22)}`]) {
    const { headers } = await open(url);
    expect(headers).toMatchObject({
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; img-src 'self'; /);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('script-src');
    expect(headers['set-cookie']).toBeUndefined();
  }
});

test('guessed links, partial links, and links of other companies open nothing and get the same response', async () => {
  const path = await renew((await books.invoice({ customerId })).id);
  const guesses = [`/d/${'A'.repeat(22)}`, path.slice(0, -1), `${path}x`, '/d/1', "/d/' or 1=1"];
  const answers = await Promise.all(guesses.map((url) => open(encodeURI(url))));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
});

test('only hashes of links are stored', async () => {
  const path = await renew((await books.invoice({ customerId })).id);
  const secret = path.split('/').at(-1) ?? '';
  const rows = await t.inCompany(t.world.company.companyId, (tx) =>
    tx.rows(sql<{ text: string }>`select l::text as text from document_link l where company_id = ${tx.companyId}`),
  );
  expect(rows.some(({ text }) => text.includes(secret) || text.includes(Buffer.from(secret).toString('hex')))).toBe(
    false,
  );
});

test('a new link replaces earlier ones, and a revoked link opens nothing', async () => {
  const { id: invoiceId } = await books.invoice({ customerId });
  const first = await renew(invoiceId);
  const second = await renew(invoiceId);
  expect([(await open(first)).status, (await open(second)).status]).toEqual([404, 200]);
  await t.call(calls.revokeLink, { token: token(), params: { documentId: invoiceId } });
  expect([(await open(second)).status, (await open(`${second}/pdf`)).status]).toEqual([404, 404]);
  const { link } = await t.call(invoiceCalls.sending, { token: token(), params: { id: invoiceId } });
  expect(link.isLive).toBe(false);
});

test("a document's history shows who created, renewed, and revoked its link", async () => {
  const { id: invoiceId, invoiceNumber } = await books.invoice({ customerId });
  await t.call(calls.send, { token: token(), body: { invoiceId } });
  const [mail] = await t.runJobs();
  await renew(invoiceId);
  await renew(invoiceId);
  const back = () => t.call(calls.revokeLink, { token: token(), params: { documentId: invoiceId } });
  await Promise.all([back(), back()]);
  await renew(invoiceId);
  const { reader } = t.world.company;
  const query = { kind: 'invoice', record: String(invoiceId) } as never;
  const history = await t.call(auditCalls.listAudit, { token: reader.token, query });
  const told = (Array.isArray(history) ? history : history.items).filter(({ kind }) => kind === 'invoice link');
  expect(told.map(({ title }) => title)).toEqual(told.map(() => invoiceNumber));
  expect(new Set(told.map(({ userId }) => userId))).toEqual(new Set([t.world.company.bookkeeper.userId]));
  const unnumbered = (link: string | null) => link?.replace(/^\d+, /, '') ?? null;
  const links = ({ changes }: (typeof told)[number]) =>
    changes.filter(({ field }) => field === 'Link').map(({ before, after }) => [unnumbered(before), unnumbered(after)]);
  expect(told.map((entry) => [entry.action, ...links(entry)])).toEqual([
    ['update', [`by email to ${mail?.to}`, null], [null, 'copied']],
    ['update', ['copied', null], [null, 'copied']],
    ['delete', ['copied', null]],
    ['create', [null, 'copied']],
  ]);
});

test('the link in an email opens its invoice', async () => {
  const { id: invoiceId, invoiceNumber } = await books.invoice({ customerId });
  await t.call(calls.send, { token: token(), body: { invoiceId } });
  const [mail] = await t.runJobs();
  const [url = ''] = /https:\/\/books.example\/d\/[\w-]{22}/.exec(mail?.text ?? '') ?? [];
  // The button is a separate paragraph below its sentence.
  expect(mail?.html).toMatch(new RegExp(`</p><p [^>]*><a href="${url}"[^>]*>View and Pay Invoice</a></p><p `));
  expect(String((await open(new URL(url).pathname)).body)).toContain(`Invoice ${invoiceNumber}`);
});

describe('the page for an invoice', () => {
  const line = { description: 'Mowing', itemPrice: 100, quantity: 1, accountId: 140 };
  const save = (id: number, arBillingStatus: number) =>
    t.call(billingCalls.updateInvoice, {
      token: token(),
      body: { id, customerId, invoiceDate: '2026-03-01', arBillingStatus, lineItems: [line] },
    });
  test.each([
    [
      'deleted',
      'This invoice was deleted',
      (id: number) => t.call(billingCalls.deleteInvoice, { token: token(), params: { id } }),
    ],
    ['voided', 'was voided', (id: number) => save(id, VOID)],
    ['changed to a draft', 'is being edited', (id: number) => save(id, DRAFT)],
  ])('the page for an invoice that was %s says so and shows nothing else', async (_, says, change) => {
    const { id } = await books.invoice({ customerId });
    const path = await renew(id);
    await change(id);
    const [page, pdf] = [await open(path), await open(`${path}/pdf`)];
    expect([page.status, pdf.status]).toEqual([410, 410]);
    expect(String(page.body)).toContain(says);
    for (const absent of ['Mowing', 'Ridgeview']) expect(String(page.body)).not.toContain(absent);
  });
});

test('at most one view is recorded per hour, even for simultaneous views, and none for a HEAD request', async () => {
  const { companyId } = t.world.company;
  const path = await renew((await books.invoice({ customerId })).id);
  const before = await countRows(t, companyId, 'document_view');
  await open(path, '10.1.0.1', 'HEAD');
  await Promise.all(Array.from({ length: 8 }, (_, at) => open(path, `10.1.0.${at}`)));
  expect((await countRows(t, companyId, 'document_view')) - before).toBe(1);
  await t.inCompany(companyId, (tx) =>
    tx.rows(sql`update document_view set viewed_at = now() - interval '61 minutes' where company_id = ${tx.companyId}`),
  );
  await open(path);
  expect((await countRows(t, companyId, 'document_view')) - before).toBe(2);
});

test('a network that opens too many links is asked to wait, and other networks are not affected', async () => {
  const path = await renew((await books.invoice({ customerId })).id);
  let last = await open(path, '10.9.9.9');
  for (let count = 0; count < 120; count += 1) last = await open(`/d/${count}`, '10.9.9.9');
  expect([last.status, Number(last.headers['retry-after']) > 0]).toEqual([429, true]);
  expect((await open(path, '10.9.9.9')).status).toBe(429);
  expect((await open(path, '10.9.8.8')).status).toBe(200);
});

test("another company's invoice can't get a link, and a link gives no access to that company's rows", async () => {
  const theirs = factoryFor(t, t.world.other);
  const { id: invoiceId } = await theirs.invoice({ customerId: await theirs.customer() });
  expect((await t.refused(calls.renewLink, { token: token(), params: { documentId: invoiceId } })).status).toBe(404);
  const ours = await renew((await books.invoice({ customerId })).id);
  const client = await t.pool.connect();
  await client.query(`begin; set local app.link = '${'00'.repeat(32)}'`);
  expect((await client.query('select from document_link')).rowCount).toBe(0);
  await client.query('rollback');
  client.release();
  expect(String((await open(ours)).body)).toContain('Harbor Supply');
});

test("an invoice's page shows the company's logo if there is one", async () => {
  const { administrator, companyId } = t.world.company;
  const path = await renew((await books.invoice({ customerId })).id);
  expect([(await open(`${path}/logo`)).status, String((await open(path)).body).includes('<img')]).toEqual([404, false]);
  const side = { width: 8, height: 8, channels: 3 as const, background: '#0d5c7d' };
  const bytes = await sharp({ create: side }).png().toBuffer();
  const { documentId } = await upload(t, administrator.token, { name: 'logo.png', bytes });
  const body = { displayname: 'Harbor Supply', emailAddress: 'office@harbor.example', logo: { documentId } };
  await t.call(settingsCalls.updateCompany, { token: administrator.token, params: { id: companyId }, body });
  expect(String((await open(path)).body)).toContain(`<img src="${path}/logo" alt="">`);
  const logo = await open(`${path}/logo`);
  expect([logo.status, logo.headers['content-type']]).toEqual([200, 'image/png']);
});

test('a link shows its creation date and expires after the number of days set by the company', async () => {
  const { administrator, companyId } = t.world.company;
  const settings = (linkDays: number) =>
    t.call(calls.saveSendingSettings, { token: administrator.token, body: { linkDays } });
  const { id } = await books.invoice({ customerId });
  const path = await renew(id);
  const linkOf = async () => (await t.call(invoiceCalls.sending, { token: token(), params: { id } })).link;
  const today = formatDate(todayIn('America/New_York'));
  expect(String((await open(path)).body)).toContain(`This link was created on ${today}.`);
  expect(await linkOf()).toMatchObject({ isLive: true, madeAt: expect.any(String), endsAt: null });
  expect((await settings(30)).linkDays).toBe(30);
  expect(String((await open(path)).body)).toMatch(/This link was created on [\d/]+ and is valid until [\d/]+\./);
  expect((await linkOf()).endsAt).not.toBeNull();
  await t.inCompany(companyId, (tx) =>
    tx.rows(sql`
      update document_link set created_at = now() - interval '31 days'
      where company_id = ${companyId} and document_id = ${id}`),
  );
  const over = [await open(path), await open(`${path}/pdf`), await open(`${path}/logo`)];
  expect(over.map(({ status }) => status)).toEqual([410, 410, 410]);
  expect(String(over[0]?.body)).toContain('This link has expired');
  expect(String(over[0]?.body)).toContain('Ask the sender for a new link.');
  expect(await linkOf()).toMatchObject({ isLive: false, madeAt: null });
  expect((await settings(0)).linkDays).toBeNull();
  expect((await open(path)).status).toBe(200);
  const bad = { token: administrator.token, body: { linkDays: 3651 } };
  expect((await t.refused(calls.saveSendingSettings, bad)).status).toBe(400);
});
