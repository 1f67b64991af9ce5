import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachmentCalls } from '@evenkeel/contract/uploads';
import { entityCalls as calls } from '@evenkeel/contract/entities';
import { countRows, startTestApp, type TestApp } from '../../testing/app.ts';
import { makeInactive } from '../../testing/factories.ts';
import { upload } from '../../testing/files.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const admin = () => t.world.company.administrator;
const auth = () => ({ token: admin().token });
const companyId = () => t.world.company.companyId;
const good = (name: string) => ({ name, emailAddress: 'office@fairlawn.example' });
const create = (name: string, more: Record<string, unknown> = {}) =>
  t.call(calls.createCustomer, { ...auth(), body: { ...good(name), ...more } });

async function lastAudit() {
  return t.inCompany(companyId(), (tx) =>
    tx.row(
      sql<{ action: string; subjectType: string; subjectId: number; before: unknown; after: unknown }>`
        select action, subject_type as "subjectType", subject_id as "subjectId", before, after
        from audit_log where company_id = ${companyId()} order by id desc limit 1`,
    ),
  );
}

/** Inserts an open invoice and a payment with an unapplied amount, in the same way as the billing code does. */
async function owes(customerId: number, openCents: number, creditCents = 0) {
  await t.inCompany(companyId(), async (tx) => {
    await tx.rows(sql`
      insert into document (company_id, kind, side, document_number, document_date, entity_id, status,
        control_account_id, sales_tax_cents, total_cents, open_cents, entry_date)
      values (${companyId()}, 'invoice', 'receivable', ${`T${customerId}-${openCents}`}, '2026-05-01', ${customerId},
        2, 138, 0, ${openCents}, ${openCents}, '2026-05-01')`);
    if (creditCents === 0) return;
    await tx.rows(sql`
      insert into payment (company_id, side, payment_number, entity_id, payment_date, amount_cents, unapplied_cents,
        payment_account_id, gl_account_id, control_account_id, entry_date)
      values (${companyId()}, 'receivable', ${`T${customerId}`}, ${customerId}, '2026-05-02', ${creditCents},
        ${creditCents}, 104, 104, 138, '2026-05-02')`);
  });
}

describe('customer validation', () => {
  const cases: [string, Record<string, unknown>, string, string][] = [
    ['without a name', { name: ' ' }, 'name', 'Please enter a Customer name'],
    ['without an email', { emailAddress: '' }, 'emailAddress', 'Please enter a valid email address'],
    ['with an invalid email', { emailAddress: 'a@b' }, 'emailAddress', 'Please enter a valid email address'],
    [
      'with a contact without a first name',
      { contacts: [{ contact: { firstName: '', lastName: 'Abernathy' } }] },
      'contacts.0.contact.firstName',
      'Please enter a First name',
    ],
    [
      'with a contact without a last name',
      { contacts: [{ contact: { firstName: 'Ruth' } }] },
      'contacts.0.contact.lastName',
      'Please enter a Last name',
    ],
    [
      'as an individual whose contact has no email',
      { isIndividual: true, contacts: [{ contact: { firstName: 'Ruth', lastName: 'Abernathy' } }] },
      'contacts.0.contact.emailAddress',
      'Please enter a valid email address',
    ],
    [
      'with country 9',
      { addresses: [{ addressType: 1, countryId: 9 }] },
      'addresses.0.countryId',
      'Please Select a Country',
    ],
    ['with tax scenario 77', { salesTaxScenarioId: 77 }, 'salesTaxScenarioId', 'Please Select a Sales Tax Scenario'],
    [
      'with a custom field that is not defined',
      { extendedProperties: [{ baseExtendedPropertyId: 5, propertyValue: 'x' }] },
      'extendedProperties.0.baseExtendedPropertyId',
      "This field doesn't exist",
    ],
  ];
  it.each(cases)('rejects a customer %s and saves nothing', async (_name, change, field, message) => {
    const before = await countRows(t, companyId(), 'entity');
    const refusal = await t.refused(calls.createCustomer, { ...auth(), body: { ...good('Fairlawn'), ...change } });
    expect(refusal.status).toBe(422);
    expect(refusal.fields?.[field]).toBe(message);
    expect(await countRows(t, companyId(), 'entity')).toBe(before);
  });

  it("rejects another company's tax scenario", async () => {
    const { companyId: other } = t.world.other;
    const scenario = await t.inCompany(other, (tx) =>
      tx.row(sql<{ id: number }>`
        insert into sales_tax_scenario (company_id, gl_account_id, filing_frequency) values (${other}, 123, 2)
        returning id`),
    );
    const body = { ...good('Fairlawn'), salesTaxScenarioId: scenario?.id };
    expect((await t.refused(calls.createCustomer, { ...auth(), body })).status).toBe(422);
  });

  it("rejects reads, saves, and deletions by another company's administrator (404)", async () => {
    const customer = await create('Ours alone');
    const { token } = t.world.other.administrator;
    const params = { id: customer.id };
    expect((await t.refused(calls.getCustomer, { token, params })).status).toBe(404);
    expect((await t.refused(calls.updateCustomer, { token, params, body: good('Theirs') })).status).toBe(404);
    expect((await t.refused(calls.deleteCustomer, { token, params })).status).toBe(404);
    expect((await t.call(calls.getCustomer, { ...auth(), params })).name).toBe('Ours alone');
  });
});

describe('a customer', () => {
  it('a new customer gets a name, country 341, IDs for its addresses and contacts, and an audit row', async () => {
    const customer = await create('Fairlawn Heights HOA', {
      phones: [
        { phoneID: -1, displayNumber: '330 555 0101', primary: true },
        { phoneID: -2, displayNumber: '330 555 0102', primary: true },
        { phoneID: -3, displayNumber: '330 555 0103', deleted: true },
      ],
      contacts: [
        { id: -4, isPrimary: true, contact: { firstName: 'Ruth', lastName: 'Abernathy', phoneNumber: '330 555 0104' } },
        { id: -5, isPrimary: true, contact: { firstName: 'Ned', lastName: 'Moss', emailAddress: 'ned@moss.example' } },
      ],
      addresses: [{ addressType: 2, address1: '88 Heights Drive', city: 'Akron', stateId: 36, zipCode: '44333' }],
    });
    expect(customer.displayname).toBe('Fairlawn Heights HOA');
    expect(customer.phones.map((phone) => [phone.phoneID > 0, phone.displayNumber, phone.primary])).toEqual([
      [true, '330 555 0101', false],
      [true, '330 555 0102', true],
    ]);
    expect(customer.contacts.map((contact) => contact.isPrimary)).toEqual([false, true]);
    expect(customer.primaryContactName).toBe('Ned Moss');
    expect(customer.addresses[0]).toMatchObject({
      countryId: 341,
      displayAddress: '88 Heights Drive, Akron, OH 44333',
    });
    const ids = [customer.phones.map((p) => p.phoneID), customer.contacts.map((c) => c.id)].flat();
    expect(new Set([...ids, customer.addresses[0]?.addressID]).size).toBe(5);
    expect(await lastAudit()).toMatchObject({ action: 'create', subjectType: 'customer', subjectId: customer.id });
    expect(await t.call(calls.getCustomer, { ...auth(), params: { id: customer.id } })).toEqual(customer);
  });

  it('for a new customer, the balance and deleted fields are ignored, and a negative ID counts as no ID', async () => {
    const customer = await create('Made up', { id: -4711, currentbalance: 99, deleted: true });
    expect(customer).toMatchObject({ currentbalance: 0, deleted: false });
    expect(customer.id).toBeGreaterThan(0);
  });

  it("an individual gets the contact's name and email", async () => {
    const contact = { firstName: 'Ruth', lastName: 'Abernathy', emailAddress: 'ruth@example.com' };
    const body = { isIndividual: true, contacts: [{ id: -1, contact }] };
    const customer = await t.call(calls.createCustomer, { ...auth(), body });
    expect(customer).toMatchObject({ name: 'Ruth Abernathy', emailAddress: 'ruth@example.com', isIndividual: true });
  });

  it('a new phone number that is marked primary is the only primary one, and the others keep their IDs', async () => {
    const made = await create('Phones', {
      phones: [
        { phoneID: -1, displayNumber: '1', primary: true },
        { phoneID: -2, displayNumber: '2' },
        { phoneID: -3, displayNumber: '3' },
      ],
    });
    const [first, second, third] = made.phones;
    const phones = [
      { ...first },
      { ...second, deleted: true },
      { ...third, primary: true },
      { phoneID: -1, displayNumber: '4' },
    ];
    const params = { id: made.id };
    const saved = await t.call(calls.updateCustomer, { ...auth(), params, body: { ...good('Phones'), phones } });
    expect(saved.phones.map((phone) => [phone.displayNumber, phone.primary])).toEqual([
      ['1', false],
      ['3', true],
      ['4', false],
    ]);
    expect(saved.phones.map((phone) => phone.phoneID).slice(0, 2)).toEqual([first?.phoneID, third?.phoneID]);
    expect(saved.phones[2]?.phoneID).toBeGreaterThan(third?.phoneID ?? 0);
    expect(saved.rowVersion).toBe(made.rowVersion + 1);
  });

  it('a save with an outdated version returns 409 with the current customer and changes nothing', async () => {
    const made = await create('Version one');
    const params = { id: made.id };
    const body = { ...good('Version two'), rowVersion: made.rowVersion };
    await t.call(calls.updateCustomer, { ...auth(), params, body });
    const refusal = await t.refused(calls.updateCustomer, { ...auth(), params, body: { ...body, name: 'Version 3' } });
    expect(refusal).toMatchObject({ status: 409, code: 'stale', current: { name: 'Version two', currentbalance: 0 } });
    expect(await lastAudit()).toMatchObject({ action: 'update', after: { name: 'Version two' } });
  });

  it('a customer without history is deleted, and a second deletion returns 404', async () => {
    const made = await create('Short lived');
    const params = { id: made.id };
    expect(await t.call(calls.deleteCustomer, { ...auth(), params })).toEqual({ ok: true });
    expect((await t.refused(calls.getCustomer, { ...auth(), params })).status).toBe(404);
    expect((await t.refused(calls.deleteCustomer, { ...auth(), params })).status).toBe(404);
    expect(await lastAudit()).toMatchObject({ action: 'delete', subjectId: made.id });
  });

  it('a deleted customer with an invoice becomes inactive, and deleted: false makes it active again', async () => {
    const made = await create('Zulu Works');
    await owes(made.id, 5_000);
    const params = { id: made.id };
    expect((await t.refused(calls.deleteCustomer, { ...auth(), params })).status).toBe(409);
    await makeInactive(t, t.world.company.companyId, made.id);
    expect((await t.call(calls.getCustomer, { ...auth(), params })).deleted).toBe(true);
    const names = async () => {
      const list = await t.call(calls.listCustomers, { ...auth(), query: { limit: '50', q: 'zulu' } });
      return 'items' in list ? list.items.map((row) => row.displayname) : [];
    };
    expect(await names()).toEqual([]);
    const back = await t.call(calls.updateCustomer, {
      ...auth(),
      params,
      body: { ...good('Zulu Works'), deleted: false },
    });
    expect(back).toMatchObject({ deleted: false, currentbalance: 5_000 });
    expect(await names()).toEqual(['Zulu Works']);
  });
});

describe('attachments', () => {
  it.each([
    ['customer', calls.createCustomer, calls.getCustomer, calls.updateCustomer, calls.deleteCustomer],
    ['vendor', calls.createVendor, calls.getVendor, calls.updateVendor, calls.deleteVendor],
  ] as const)('files on a %s are saved, kept by later saves, and removed', async (kind, add, get, update, remove) => {
    const w9 = await upload(t, admin().token, { name: `w9-${kind}.pdf` });
    const deal = await upload(t, admin().token, { name: `deal-${kind}.pdf` });
    const body = { ...good(`Paper ${kind}`), documentLinks: [{ documentId: w9.documentId }] };
    const made = await t.call(add, { ...auth(), body });
    const params = { id: made.id };
    expect(made.documentLinks).toMatchObject([{ documentId: w9.documentId, documentName: `w9-${kind}.pdf` }]);
    const notes = { ...good(`Paper ${kind}`), notes: 'Call first' };
    expect((await t.call(update, { ...auth(), params, body: notes })).documentLinks).toEqual(made.documentLinks);
    const more = { ...notes, documentLinks: [{ documentId: deal.documentId }] };
    expect((await t.call(update, { ...auth(), params, body: more })).documentLinks).toHaveLength(2);
    expect(await lastAudit()).toMatchObject({
      before: { documentLinks: [{ documentName: `w9-${kind}.pdf` }] },
      after: { documentLinks: [{ documentName: `w9-${kind}.pdf` }, { documentName: `deal-${kind}.pdf` }] },
    });
    const off = { ...notes, documentLinks: [{ ...made.documentLinks[0], deleted: true }] };
    await t.call(update, { ...auth(), params, body: off });
    const left = (await t.call(get, { ...auth(), params })).documentLinks;
    expect(left.map(({ documentName }) => documentName)).toEqual([`deal-${kind}.pdf`]);
    await t.call(remove, { ...auth(), params });
    const links = await t.inCompany(companyId(), (tx) =>
      tx.rows(sql`select id from attachment_link
        where company_id = ${companyId()} and owner_kind = ${kind} and owner_id = ${made.id}`),
    );
    expect(links).toEqual([]);
  });

  it("only users who may view customers can read a customer's file", async () => {
    const { documentId } = await upload(t, admin().token, { name: 'contract.pdf' });
    await create('Sealed Contract', { documentLinks: [{ documentId }] });
    const params = { documentId };
    const { reader, stranger } = t.world.company;
    await t.call(attachmentCalls.getDocument, { token: reader.token, params });
    expect((await t.refused(attachmentCalls.getDocument, { token: stranger.token, params })).status).toBe(403);
  });
});

describe('the customer list', () => {
  it('a user with View Customers sees 100.00 + 25.50 unpaid less 5.25 credit as a balance of 120.25', async () => {
    const made = await create('Balance Bros');
    await owes(made.id, 10_000, 525);
    await owes(made.id, 2_550);
    const rowFor = async (token: string) => {
      const list = await t.call(calls.listCustomers, { token });
      return Array.isArray(list) ? list.find((row) => row.id === made.id) : undefined;
    };
    expect(await rowFor(admin().token)).toMatchObject({ displayname: 'Balance Bros', currentbalance: 12_025 });
    expect(await rowFor(t.world.company.reader.token)).toMatchObject({ currentbalance: 12_025 });
    expect(await rowFor(t.world.company.stranger.token)).not.toHaveProperty('currentbalance');
    const { stranger } = t.world.company;
    const refusal = await t.refused(calls.getCustomer, { token: stranger.token, params: { id: made.id } });
    expect(refusal.status).toBe(403);
    const one = await t.call(calls.getCustomer, { ...auth(), params: { id: made.id } });
    expect(one.currentbalance).toBe(12_025);
  });

  it.each(['displayname', 'currentbalance'])(
    'the customer list sorted by %s shows each of 7 customers once in pages of 3',
    async (sort) => {
      const names = ['Page b', 'page A', 'Page c', 'PAGE d', 'Page_e', 'Page f', 'Page g'];
      for (const name of names) await create(`${sort} ${name}`);
      for (const desc of ['false', 'true']) {
        const seen: string[] = [];
        let after: string | null = null;
        do {
          const query: Record<string, string> = {
            limit: '3',
            q: `${sort} page`,
            sort,
            desc,
            ...(after ? { after } : {}),
          };
          const page = await t.call(calls.listCustomers, { ...auth(), query });
          if (!('items' in page)) throw new Error('a bare list');
          expect(page.total).toBe(7);
          seen.push(...page.items.map((row) => row.displayname));
          after = page.next;
        } while (after !== null);
        expect(seen.toSorted()).toEqual(names.map((name) => `${sort} ${name}`).toSorted());
        if (sort === 'displayname') expect(seen.at(desc === 'true' ? -1 : 0)).toBe('displayname page A');
      }
    },
  );

  it('the customer list returns the total balance, with and without inactive customers', async () => {
    const gone = await create('Gone but owing');
    await owes(gone.id, 7_700, 100);
    await makeInactive(t, t.world.company.companyId, gone.id);
    const seen: number[] = [];
    for (const inactive of ['false', 'true']) {
      const rows = await t.call(calls.listCustomers, { ...auth(), query: { inactive } });
      const page = await t.call(calls.listCustomers, { ...auth(), query: { inactive, limit: '3' } });
      if (!Array.isArray(rows) || !('items' in page)) throw new Error('another shape');
      const owed = rows.reduce((sum, row) => sum + Number(row.currentbalance ?? 0), 0);
      expect(page).toMatchObject({ total: rows.length, sums: { currentbalance: owed } });
      seen.push(owed);
    }
    expect((seen[1] ?? 0) - (seen[0] ?? 0)).toBe(7_600);
  });

  it('a customer search treats % and _ literally, and an invalid page is rejected', async () => {
    const query = { limit: '5', q: 'e_e' };
    const page = await t.call(calls.listCustomers, { ...auth(), query });
    expect('items' in page && page.items.every((row) => row.displayname.includes('_'))).toBe(true);
    const refusal = await t.refused(calls.listCustomers, { ...auth(), query: { limit: '5', after: 'nonsense' } });
    expect(refusal.status).toBe(400);
  });
});
