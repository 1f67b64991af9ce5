import { auditCalls } from '@evenkeel/contract/audit';
import { entityCalls } from '@evenkeel/contract/entities';
import { formCalls as calls } from '@evenkeel/contract/forms1099';
import { keyCalls } from '@evenkeel/contract/keys';
import { settingsCalls } from '@evenkeel/contract/settings';
import { addMonths, formatDate, partsOf } from '@evenkeel/core/dates';
import { COPY_NOTICE, DISCLOSURES_VERSION, disclosures } from '@evenkeel/core/taxes/copies';
import { sql } from 'kysely';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { todayIn } from '../../platform/clock.ts';
import { pagesOf } from '../../platform/pdf/testing/pages.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { checkingOf, factoryFor } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { sampleCode } from './recipient-page.ts';

const CONTRACTORS = 154;
/** Forms for this year can be filed, and their copies are available for most of the next year. */
const YEAR = partsOf(todayIn('America/New_York')).year;
const SSN = '219-09-0918';
const ADDRESS = {
  addressType: 1,
  address1: '88 Fairlawn Dr',
  city: 'Akron',
  stateId: 36,
  zipCode: '44333',
  countryId: 341,
};

let t: TestApp;
let ours: WorldCompany;
let theirs: WorldCompany;
beforeAll(async () => {
  t = await startTestApp();
  [ours, theirs] = [await companyWith('Cedar & Stone'), await companyWith('Harbor')];
});
afterAll(() => t.close());

async function companyWith(name: string): Promise<WorldCompany> {
  const company = await t.createCompany(name);
  const { token } = company.administrator;
  const phones = [{ phoneID: -1, displayNumber: '(330) 555-0123', primary: true }];
  const body = { addresses: [ADDRESS], phones };
  await t.call(settingsCalls.updateCompany, { token, params: { id: company.companyId }, body });
  const accounts = [{ accountId: CONTRACTORS, box: 'nec1' as const }];
  await t.call(calls.updateFormSettings, { token, body: { taxId: '34-1234567', taxIdKind: 'ein', accounts } });
  return company;
}

async function vendorOf(name: string, email = 'pay@vendor.example', company = ours): Promise<number> {
  const { token } = company.administrator;
  const { id } = await t.call(entityCalls.createVendor, {
    token,
    body: { name, emailAddress: email, addresses: [ADDRESS] },
  });
  const tax = { is1099: true, classification: 'llc' as const, taxId: SSN, taxIdKind: 'ssn' as const };
  await t.call(calls.updateVendorTax, { token, params: { id }, body: tax });
  return id;
}

/** Pays a vendor and files the form for a year. Filing again after another payment is a correction. */
async function filedFor(vendorId: number, { amount = 2500, total = 2500, year = YEAR, company = ours } = {}) {
  const { token } = company.administrator;
  await factoryFor(t, company).bill({
    vendorId,
    postToVendorAccount: false,
    bankAccountId: await checkingOf(t, company.companyId),
    invoiceDate: `${year}-01-02`,
    lineItems: [{ description: 'Work', accountId: CONTRACTORS, lineItemAmount: amount }],
  });
  const forms = [{ vendorId, form: 'nec' as const, reported: total, withheld: 0 }];
  const [filed] = await t.call(calls.fileForms, { token, body: { year, filedDate: `${year + 1}-01-28`, forms } });
  return filed?.id ?? 0;
}

const address = () => `10.9.${randomBytes(1)[0]}.${randomBytes(1)[0]}`;
const open = async (url: string, method: 'GET' | 'HEAD' = 'GET') => {
  const { body, ...answer } = await t.request({ method, url, address: address() });
  return { ...answer, html: String(body) };
};
const press = async (url: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) => {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(fields).toString();
  const answer = await t.request({ method: 'POST', url, headers: { ...type, ...headers }, body, address: address() });
  return { ...answer, html: String(answer.body) };
};

const ask = (vendorId: number, requests = 0, token = ours.administrator.token) =>
  ({ token, body: { vendors: [{ vendorId, requests }] } }) as const;

/** Returns the path of the page in the only email that is waiting. */
async function pathInMail(): Promise<string> {
  const sent = await t.runJobs();
  expect(sent).toHaveLength(1);
  return /\/r\/[\w-]{22}/.exec(sent[0]?.text ?? '')?.[0] ?? '';
}
async function pageFor(vendorId: number): Promise<string> {
  // Confirmations of earlier withdrawals are sent first.
  await t.runJobs();
  await t.call(calls.requestConsent, ask(vendorId));
  return pathInMail();
}
const answersOf = (path: string) => ({ version: String(DISCLOSURES_VERSION), code: sampleCode(path.slice(3)) });
async function consentedPage(vendorId: number): Promise<string> {
  const path = await pageFor(vendorId);
  expect((await press(`${path}/consent`, answersOf(path))).status).toBe(303);
  return path;
}
const send = (id: number, sent = 0, token = ours.administrator.token) =>
  ({ token, body: { forms: [{ id, sent }] } }) as const;
async function rowOf(vendorId: number) {
  const { rows } = await t.call(calls.listForms, { token: ours.administrator.token, query: { year: String(YEAR) } });
  return rows.find((row) => row.vendorId === vendorId);
}
async function auditOf(kind: string) {
  const log = await t.call(auditCalls.listAudit, { token: ours.administrator.token, query: {} });
  return (Array.isArray(log) ? log : log.items).filter((item) => item.kind === kind);
}

test('a vendor consents with the code in the sample PDF after 8 disclosures, and withdraws on the page', async () => {
  const vendorId = await vendorOf('Duarte <b>Tree</b> Service');
  await filedFor(vendorId);
  expect(await rowOf(vendorId)).toMatchObject({ hasEmail: true, consent: { state: 'none', date: null, requests: 0 } });
  const path = await pageFor(vendorId);
  expect(await rowOf(vendorId)).toMatchObject({ consent: { state: 'requested', requests: 1 } });
  const { html, headers, status } = await open(path);
  expect(status).toBe(200);
  expect(html).toContain('Duarte &lt;b&gt;Tree&lt;/b&gt; Service');
  for (const { title } of disclosures({ company: 'x', contact: 'y' })) expect(html).toContain(`<strong>${title}`);
  expect(html).toContain('(330) 555-0123');
  for (const absent of ['<script', 'style="', 'http://', '2,500.00', SSN]) expect(html).not.toContain(absent);
  expect(headers).toMatchObject({
    'x-robots-tag': 'noindex, nofollow',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
  const sample = await open(`${path}/sample`);
  const code = sampleCode(path.slice(3));
  expect((await pagesOf(sample.bytes)).join('\n')).toContain(code);

  const wrong = await press(`${path}/consent`, { ...answersOf(path), code: code === '000000' ? '000001' : '000000' });
  expect([wrong.status, wrong.html.includes('The code is not correct')]).toEqual([422, true]);
  const outdated = await press(`${path}/consent`, { ...answersOf(path), version: '0' });
  expect([outdated.status, outdated.html.includes('The conditions have changed')]).toEqual([422, true]);
  const foreign = await press(`${path}/consent`, answersOf(path), { 'sec-fetch-site': 'cross-site' });
  expect(foreign.status).toBe(403);
  expect(await rowOf(vendorId)).toMatchObject({ consent: { state: 'requested' } });

  expect((await press(`${path}/consent`, answersOf(path))).status).toBe(303);
  expect(await rowOf(vendorId)).toMatchObject({ consent: { state: 'consented' } });
  expect((await open(path)).html).toContain('You consented on');
  expect(await t.refused(calls.requestConsent, ask(vendorId, 1))).toMatchObject({ code: 'rule' });
  expect((await press(`${path}/withdraw`)).status).toBe(303);
  expect((await open(path)).html).toContain('You withdrew your consent on');
  expect(await rowOf(vendorId)).toMatchObject({ consent: { state: 'withdrawn' } });
  const log = await auditOf('form consent');
  expect(log.slice(-3).map(({ action }) => action)).toEqual(['create', 'update', 'update']);
  expect(log.at(-1)).toMatchObject({ byKind: 'link', byName: 'Duarte <b>Tree</b> Service' });
});

test('simultaneous consents record one change, and so do withdrawals by the vendor and a user', async () => {
  const vendorId = await vendorOf('Twice LLC');
  await filedFor(vendorId);
  const path = await pageFor(vendorId);
  const entriesBefore = (await auditOf('form consent')).length;
  const consents = await Promise.all([1, 2, 3].map(() => press(`${path}/consent`, answersOf(path))));
  expect(consents.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect((await auditOf('form consent')).length - entriesBefore).toBe(1);
  const { token } = ours.administrator;
  const [page, user] = await Promise.all([
    press(`${path}/withdraw`),
    t.call(calls.withdrawConsent, { token, params: { id: vendorId } }),
  ]);
  expect([page.status, user.state]).toEqual([303, 'withdrawn']);
  expect((await auditOf('form consent')).length - entriesBefore).toBe(2);
  // A consent and a withdrawal at the same time leave one of the two states, never an error.
  const both = await Promise.all([press(`${path}/consent`, answersOf(path)), press(`${path}/withdraw`)]);
  expect(both.map(({ status }) => status)).toEqual([303, 303]);
  expect(['consented', 'withdrawn']).toContain((await rowOf(vendorId))?.consent.state);
});

test('a withdrawal that a user records is confirmed to the vendor once, by email with its date', async () => {
  const vendorId = await vendorOf('Called Us LLC');
  await filedFor(vendorId);
  const path = await consentedPage(vendorId);
  const { token } = ours.administrator;
  const withdraw = () => t.call(calls.withdrawConsent, { token, params: { id: vendorId } });
  const states = await Promise.all([withdraw(), withdraw()]);
  expect(states.map(({ state }) => state)).toEqual(['withdrawn', 'withdrawn']);
  const sent = await t.runJobs();
  expect(sent.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Paper copies of 1099 forms from /)]);
  const date = formatDate(todayIn('America/New_York'));
  expect(sent[0]?.text).toContain(`was withdrawn on ${date}. You’ll get paper copies`);
  // If the vendor consents again before the confirmation is sent, it isn't sent.
  await press(`${path}/consent`, answersOf(path));
  await withdraw();
  await press(`${path}/consent`, answersOf(path));
  expect(await t.runJobs()).toEqual([]);
  expect(await rowOf(vendorId)).toMatchObject({ consent: { state: 'consented' } });
  // Without an address, the withdrawal is recorded all the same.
  await t.inCompany(ours.companyId, (tx) =>
    tx.rows(sql`update entity set email_address = '' where company_id = ${ours.companyId} and id = ${vendorId}`),
  );
  expect(await withdraw()).toMatchObject({ state: 'withdrawn' });
  expect(await t.runJobs()).toEqual([]);
});

test('a double press emails one request for consent, and another request requires the current number', async () => {
  const vendorId = await vendorOf('Pressed Twice LLC');
  const { token } = ours.administrator;
  const results = await Promise.allSettled([1, 2].map(() => t.call(calls.requestConsent, ask(vendorId))));
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const first = await pathInMail();
  const [again] = await t.call(calls.requestConsent, ask(vendorId, 1));
  expect(again).toMatchObject({ state: 'requested', requests: 2 });
  const second = await pathInMail();
  expect(await Promise.all([first, second].map(async (path) => (await open(path)).status))).toEqual([200, 200]);
  // A response that was lost: the repeated request with its key gets the first response and sends nothing.
  const lost = { ...ask(vendorId, 2), headers: { 'idempotency-key': 'consent-of-a-vendor' } };
  const answers = [await t.call(calls.requestConsent, lost), await t.call(calls.requestConsent, lost)];
  expect(answers[1]).toEqual(answers[0]);
  expect(await t.runJobs()).toHaveLength(1);
  // Vendors from another program can be without an address.
  const silent = await vendorOf('No Address LLC');
  await t.inCompany(ours.companyId, (tx) =>
    tx.rows(sql`update entity set email_address = '' where company_id = ${ours.companyId} and id = ${silent}`),
  );
  expect(await t.refused(calls.requestConsent, ask(silent))).toMatchObject({
    message: "No Address LLC doesn't have an email address",
  });
  expect(await t.refused(calls.withdrawConsent, { token, params: { id: silent } })).toMatchObject({ code: 'rule' });
});

test('a copy requires consent, shows the filed form with a truncated tax ID, and records its opening', async () => {
  const vendorId = await vendorOf('Harlan Excavating LLC');
  const id = await filedFor(vendorId);
  const { token } = ours.administrator;
  expect(await t.refused(calls.sendCopies, send(id))).toMatchObject({ code: 'rule' });
  const path = await consentedPage(vendorId);
  expect((await open(`${path}/forms/${id}/pdf`)).status).toBe(404);
  const results = await Promise.allSettled([1, 2].map(() => t.call(calls.sendCopies, send(id))));
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await rowOf(vendorId)).toMatchObject({ copy: { sent: 1, state: 'queued', openedOn: null } });
  const [mail, ...others] = await t.runJobs();
  expect([others.length, mail?.subject, mail?.to]).toEqual([0, COPY_NOTICE, 'pay@vendor.example']);
  expect(await rowOf(vendorId)).toMatchObject({ copy: { sent: 1, state: 'sent', openedOn: null } });

  const own = /\/r\/[\w-]{22}/.exec(mail?.text ?? '')?.[0] ?? '';
  expect((await open(own)).html).toContain(`Form 1099-NEC ${YEAR}`);
  expect((await open(`${own}/forms/${id}/pdf`, 'HEAD')).status).toBe(200);
  expect(await rowOf(vendorId)).toMatchObject({ copy: { openedOn: null } });
  const pdf = await open(`${own}/forms/${id}/pdf`);
  expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf']);
  const text = (await pagesOf(pdf.bytes)).join('\n');
  for (const part of ['Copy B', '2,500.00', '***-**-0918']) expect(text).toContain(part);
  expect(text).not.toContain(SSN);
  expect((await rowOf(vendorId))?.copy?.openedOn).not.toBeNull();

  // A payment after the filing changes nothing until the correction is filed and sent.
  const corrected = await filedFor(vendorId, { amount: 100, total: 2600 });
  expect((await open(own)).html).not.toContain('Corrected');
  expect(await rowOf(vendorId)).toMatchObject({ copy: null });
  expect(await t.refused(calls.sendCopies, send(id, 1))).toMatchObject({ code: 'conflict' });
  await t.call(calls.sendCopies, send(corrected));
  await t.runJobs();
  const { html } = await open(own);
  expect(html).toContain('This copy replaces the earlier one');
  expect((await open(`${own}/forms/${id}/pdf`)).status).toBe(404);
  expect((await pagesOf((await open(`${own}/forms/${corrected}/pdf`)).bytes)).join('\n')).toContain('CORRECTED');

  // A withdrawal ends later deliveries. Copies that were sent stay.
  await t.call(calls.withdrawConsent, { token, params: { id: vendorId } });
  expect((await open(`${own}/forms/${corrected}/pdf`)).status).toBe(200);
  expect(await t.refused(calls.sendCopies, send(corrected, 1))).toMatchObject({ code: 'rule' });
});

test('a correction rejects only its outdated copy, and undoing a filing removes the copy from the page', async () => {
  const { token } = ours.administrator;
  const [first, second] = [await vendorOf('Alder Roofing'), await vendorOf('Birch Masonry')];
  const [firstForm, secondForm] = [await filedFor(first), await filedFor(second)];
  const path = await consentedPage(first);
  await consentedPage(second);
  await filedFor(second, { amount: 100, total: 2600 });
  const both = { token, body: { forms: [firstForm, secondForm].map((id) => ({ id, sent: 0 })) } };
  const refused = await t.refused(calls.sendCopies, both);
  expect([refused.code, refused.message.startsWith('The copy for Birch Masonry')]).toEqual(['conflict', true]);
  // The other vendor's copy was not sent either, and it can be sent separately.
  expect(await t.runJobs()).toEqual([]);
  await t.call(calls.sendCopies, send(firstForm));
  await t.runJobs();
  const pdf = `${path}/forms/${firstForm}/pdf`;
  expect((await open(pdf)).status).toBe(200);
  await t.call(calls.undoForm, { token, params: { id: firstForm } });
  expect((await open(pdf)).status).toBe(404);
  expect((await open(path)).html).toContain('There are no copies yet');
  expect(await rowOf(first)).toMatchObject({ filed: null, copy: null, consent: { state: 'consented' } });
  // A withdrawal and the delivery of a copy at the same time never fail with an error of the server.
  const again = await filedFor(first, { amount: 50, total: 2550 });
  const [sent, withdrawn] = await Promise.allSettled([
    t.call(calls.sendCopies, send(again)),
    t.call(calls.withdrawConsent, { token, params: { id: first } }),
  ]);
  expect(withdrawn.status).toBe('fulfilled');
  if (sent.status === 'rejected') expect(sent.reason).toMatchObject({ refusal: { code: 'rule' } });
  const emails = await t.runJobs();
  expect(emails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Paper copies of 1099 forms from /)]);
});

test('the database has only the hash of a link, and no tax ID or code of a sample', async () => {
  const path = await pageFor(await vendorOf('Hidden LLC'));
  const token = path.slice(3);
  expect(Buffer.from(token, 'base64url')).toHaveLength(16);
  const [row] = await t.inCompany(ours.companyId, (tx) =>
    tx.rows<{ all: string }>(sql`
      select (select json_agg(l)::text from document_link l where l.company_id = ${ours.companyId}) ||
        (select json_agg(c)::text from form_1099_consent c where c.company_id = ${ours.companyId}) ||
        (select json_agg(m)::text from mail m where m.company_id = ${ours.companyId}) as all`),
  );
  for (const secret of [token, sampleCode(token), SSN, '219090918']) expect(row?.all).not.toContain(secret);
});

test('a withdrawal before the delivery stops the email of a copy', async () => {
  const vendorId = await vendorOf('Quick Change LLC');
  const id = await filedFor(vendorId);
  const path = await consentedPage(vendorId);
  await t.call(calls.sendCopies, send(id));
  await press(`${path}/withdraw`);
  expect(await t.runJobs()).toEqual([]);
  expect(await rowOf(vendorId)).toMatchObject({ copy: { state: 'refused' }, consent: { state: 'withdrawn' } });
});

test('a copy is available through its last day and then no longer', async () => {
  const vendorId = await vendorOf('Juniper Tree Care');
  const id = await filedFor(vendorId);
  const path = await consentedPage(vendorId);
  await t.call(calls.sendCopies, send(id));
  await t.runJobs();
  const pdf = `${path}/forms/${id}/pdf`;
  expect((await open(pdf)).status).toBe(200);
  await t.inCompany(ours.companyId, (tx) =>
    tx.rows(sql`update form_1099 set tax_year = ${YEAR - 3} where company_id = ${ours.companyId} and id = ${id}`),
  );
  const gone = await open(pdf);
  expect([gone.status, gone.html.includes('no longer available')]).toEqual([410, true]);
  const { html } = await open(path);
  expect([html.includes('No longer available since'), html.includes('Download PDF')]).toEqual([true, false]);
  const late = await t.refused(calls.sendCopies, send(id, 1));
  expect(late.message).toContain('too old to be sent electronically');
});

test('a revoked link, a link of another kind, and a link of another company open nothing', async () => {
  const vendorId = await vendorOf('Revoked LLC');
  const id = await filedFor(vendorId);
  const path = await consentedPage(vendorId);
  await t.call(calls.sendCopies, send(id));
  await t.runJobs();
  const token = path.slice(3);
  expect(await Promise.all([`/d/${token}`, `/c/${token}`].map(async (url) => (await open(url)).status))).toEqual([
    404, 404,
  ]);

  const theirVendor = await vendorOf('Chapel Hill', 'pay@chapel.example', theirs);
  const theirForm = await filedFor(theirVendor, { company: theirs });
  await t.call(calls.requestConsent, ask(theirVendor, 0, theirs.administrator.token));
  const theirPath = await pathInMail();
  expect((await open(theirPath)).html).not.toContain('Revoked LLC');
  // The IDs of two companies can be equal, and then the other company's form was not sent.
  expect((await open(`${theirPath}/forms/${id}/pdf`)).status).toBe(404);
  if (theirForm !== id) expect((await open(`${path}/forms/${theirForm}/pdf`)).status).toBe(404);
  const missing = { ...ask(99_999_999), token: theirs.administrator.token };
  expect(await t.refused(calls.requestConsent, missing)).toMatchObject({ code: 'not_found' });

  await t.call(calls.revokeFormLinks, { token: ours.administrator.token, params: { id: vendorId } });
  const pages = ['', '/sample', `/forms/${id}/pdf`].map(async (page) => (await open(`${path}${page}`)).status);
  expect(await Promise.all(pages)).toEqual([404, 404, 404]);
  expect((await press(`${path}/withdraw`)).status).toBe(404);
  expect(await rowOf(vendorId)).toMatchObject({ consent: { state: 'consented' } });
  expect((await open(theirPath)).status).toBe(200);
});

test('a user or API key that can’t manage accounting can’t request, withdraw, revoke, or send', async () => {
  const { administrator, reader } = ours;
  const body = {
    name: 'Vendors only',
    userId: administrator.userId,
    permissions: ['View Vendors', 'Manage Vendors', 'View Accounting'],
    endsOn: addMonths(todayIn('America/New_York'), 6),
  };
  const { key } = await t.call(keyCalls.createApiKey, { token: administrator.token, body: body as never });
  const params = { id: 1 };
  for (const token of [reader.token, key]) {
    const refused = await Promise.all([
      t.refused(calls.requestConsent, ask(1, 0, token)),
      t.refused(calls.withdrawConsent, { token, params }),
      t.refused(calls.revokeFormLinks, { token, params }),
      t.refused(calls.sendCopies, send(1, 0, token)),
    ]);
    expect(refused.map(({ code }) => code)).toEqual(Array.from({ length: 4 }, () => 'forbidden'));
  }
});

test('consents on a page are limited for each network', async () => {
  const path = await pageFor(await vendorOf('Guessing LLC'));
  const from = '10.250.1.1';
  const statuses: number[] = [];
  for (let at = 0; at < 21; at += 1) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { status } = await t.request({
      method: 'POST',
      url: `${path}/consent`,
      headers,
      body: 'code=1',
      address: from,
    });
    statuses.push(status);
  }
  expect([statuses.slice(0, 20).every((status) => status === 422), statuses[20]]).toEqual([true, 429]);
});
