import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authCalls } from '@evenkeel/contract/auth';
import { billingCalls } from '@evenkeel/contract/billing';
import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { entityCalls } from '@evenkeel/contract/entities';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { scheduledCalls } from '@evenkeel/contract/scheduled';
import { searchCalls } from '@evenkeel/contract/search';
import { workItemCalls } from '@evenkeel/contract/workitems';
import { writeOffCalls } from '@evenkeel/contract/writeoffs';
import { addDays, isoDate } from '@evenkeel/core/dates';
import { openClient } from '../../platform/db/connect.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { inCompany } from '../../platform/db/tx.ts';
import { rebuildWithin } from '../../features/accounting/rebuild.ts';
import { verifyWithin } from '../health/books-verify.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { onCitus } from '../../testing/databases.ts';
import { type Factory, factoryFor } from '../../testing/factories.ts';
import { addPerson, type WorldCompany } from '../../testing/world.ts';

let t: TestApp;
let company: WorldCompany;
let make: Factory;
let token: string;

beforeAll(async () => {
  t = await startTestApp();
  company = await t.createCompany();
  make = factoryFor(t, company);
  ({ token } = company.administrator);
});
afterAll(() => t.close());

/** Returns the results as `kind: text`. */
async function found(text: string, person: { token: string } = { token }): Promise<string[]> {
  const results = await t.call(searchCalls.search, { token: person.token, body: text });
  return results.map(({ itemType, itemText }) => `${itemType}: ${itemText}`);
}

const journal = (description: string, amount: number, other = description) =>
  t.call(ledgerCalls.postTransaction, {
    token,
    body: {
      postingDate: '2026-03-03',
      generalLedgerEntries: [true, false].map((debit) => ({
        description: debit ? description : other,
        postingDate: '2026-03-03',
        amount,
        accountID: debit ? 153 : 101,
        debit,
      })),
    },
  });

async function faults(): Promise<string[]> {
  const { faults: all } = await t.inCompany(company.companyId, verifyWithin);
  return all.map(({ check, message }) => `${check}: ${message}`);
}

describe('a search over all records', () => {
  test('a search returns each of the ten kinds with its number, name, and other identifying lines', async () => {
    const customerId = await make.customer('Quillfeather Farm');
    const vendorId = await make.vendor('Quillfeather Seeds');
    // Creates a payment before there is any invoice that the payment could be applied to.
    const paid = await make.payment({ customerId, paymentAmount: 40 });
    const billPaid = await make.billPayment({ vendorId, paymentAmount: 30 });
    const invoice = await make.invoice({ customerId, amount: 1250 });
    const bill = await make.bill({ vendorId, amount: 80, invoiceNumber: 'QF-77' });
    const productID = await make.product({ name: 'Quillfeather mulch' });
    const packageBody = { name: 'Quillfeather deal', description: 'Spring', packageDealDiscountType: 0 };
    const packageLineItems = [{ productID, quantity: 1 }];
    const { packageID } = await t.call(catalogueCalls.createPackage, {
      token,
      body: { ...packageBody, packageLineItems },
    });
    const { transactionID } = await journal('Quillfeather deposit', 75);
    const account = await t.call(ledgerCalls.setupAccount, {
      token,
      body: { customerAccountID: 0, masterAccountID: 140, accountNameLabel: 'Quillfeather', accountNumberLabel: '' },
    });
    const results = await t.call(searchCalls.search, { token, body: { text: 'quillfeather' } });
    expect(results.toSorted((a, b) => a.itemType - b.itemType)).toEqual([
      line(0, customerId, 'Quillfeather Farm', 'billing@fairlawn.example', '$1,210.00'),
      line(1, vendorId, 'Quillfeather Seeds', 'orders@valley.example', '$50.00'),
      line(
        2,
        invoice.id,
        `Invoice ${invoice.invoiceNumber}`,
        'Quillfeather Farm',
        '3/10/2026',
        '$1,250.00',
        '$1,250.00 open',
      ),
      line(3, bill.id, 'Bill QF-77', 'Quillfeather Seeds', '3/10/2026', '$80.00', '$80.00 open'),
      line(4, productID, 'Quillfeather mulch', 'Mowing', '$50.00'),
      line(5, packageID, 'Quillfeather deal', 'Spring'),
      line(6, paid.id, 'Payment 1', 'Quillfeather Farm', '3/20/2026', '$40.00', '$40.00 unapplied'),
      line(7, billPaid.id, 'Bill payment 1', 'Quillfeather Seeds', '3/20/2026', '$30.00', '$30.00 unapplied'),
      line(8, transactionID, `Journal entry ${transactionID}`, 'Quillfeather deposit', '3/3/2026', '$75.00'),
      line(9, account.customerAccountID, 'Quillfeather', 'Income'),
    ]);
    // The account, which matches exactly, comes first. Next are other names that begin with the text, and then records
    // with these names.
    expect((await found('quillfeather')).slice(0, 5).map((each) => Number(each[0]))).toEqual([9, 0, 1, 4, 5]);
  });

  test('a search accepts the text in three formats, and finds nothing for fewer than 3 characters', async () => {
    await make.customer('Bo Abernathy');
    const ask = async (body: string | { text?: string; searchText?: string }) =>
      (await t.call(searchCalls.search, { token, body })).length;
    expect(await Promise.all(['abernathy', { text: 'abernathy' }, { searchText: 'abernathy' }].map(ask))).toEqual([
      1, 1, 1,
    ]);
    expect(await Promise.all(['', 'bo', ' bo ', {}, { text: '' }].map(ask))).toEqual([0, 0, 0, 0, 0]);
    expect((await t.refused(searchCalls.search, { token, body: 7 as never })).status).toBe(400);
  });

  test('a search finds the beginnings and middles of words, ignoring case and accents', async () => {
    await make.customer('Société Générale Õunapuu');
    for (const text of ['societe', 'SOCIÉTÉ', 'ociét', 'nera', 'ounapuu', 'société õuna', 'NAPUU gén']) {
      expect([text, await found(text)]).toEqual([text, ['0: Société Générale Õunapuu']]);
    }
    expect(await found('societe nothing')).toEqual([]);
    expect(await found('s%cie')).toEqual([]);
    expect(await found('s_ciete')).toEqual([]);
  });

  test('a search corrects one typing error in long words, but only if nothing else is found', async () => {
    await make.customer('Wexcombe Orchard');
    for (const text of ['wexcmbe', 'wexcoombe', 'wexcpmbe', 'wecxombe', 'qexcombe', 'orchad', 'wexco orchsrd']) {
      expect([text, await found(text)]).toEqual([text, ['0: Wexcombe Orchard']]);
    }
    for (const text of ['wexb', 'wecxmobe', 'wxcmbe']) expect([text, await found(text)]).toEqual([text, []]);
    const marked = async (text: string) =>
      (await t.call(searchCalls.search, { token, body: text })).map(({ isClosest }) => isClosest);
    expect([await marked('wexcmbe'), await marked('wexcombe')]).toEqual([[true], [undefined]]);
  });

  test("if the search text is in only one of a record's secondary lines, the result shows that line", async () => {
    const body = {
      name: 'Ptarmigan Holdings',
      displayname: 'Ridge Farm',
      dba: 'Ridge Eggs',
      emailAddress: 'a@b.example',
    };
    const { id: customerId } = await t.call(entityCalls.createCustomer, { token, body });
    await make.payment({
      customerId,
      paymentAmount: 40,
      paymentRefNo: 'WIRE-5512',
      paymentDescription: 'for spring eggs',
    });
    const linesOf = async (text: string) =>
      (await t.call(searchCalls.search, { token, body: text })).map(({ searchDisplayItems: [, ...lines] }) => lines);
    expect(await linesOf('ptarmigan')).toEqual([['($40.00)', 'Ptarmigan Holdings']]);
    expect(await linesOf('ridge eggs')).toEqual([
      ['($40.00)', 'Ridge Eggs'],
      ['3/20/2026', '$40.00', '$40.00 unapplied', 'for spring eggs'],
    ]);
    expect((await linesOf('ridge farm'))[0]).toEqual(['($40.00)']);
    expect(await linesOf('wire-5512')).toEqual([['3/20/2026', '$40.00', '$40.00 unapplied', 'WIRE-5512']]);
    await journal('Rent of June', 75, 'Owed to Grebe');
    expect(await linesOf('grebe')).toEqual([['3/3/2026', '$75.00', 'Owed to Grebe']]);
  });
});

const line = (itemType: number, itemId: number, itemText: string, ...searchDisplayItems: string[]) => ({
  itemId,
  itemType,
  itemText,
  searchDisplayItems,
});

describe('search results are ordered', () => {
  test('results are ordered by exact number match, prefix match, open status, and date, newest first', async () => {
    const vendorId = await make.vendor('Order of Things');
    const bill = (invoiceNumber: string, invoiceDate: string) => make.bill({ vendorId, invoiceNumber, invoiceDate });
    const paid = await bill('X9-7100', '2026-05-01');
    await make.billPayment({
      vendorId,
      paymentAmount: 100,
      paymentApplications: [{ invoiceId: paid.id, amount: 100 }],
    });
    await bill('X8-7100', '2026-01-01');
    await bill('X8-7100', '2026-02-01');
    await bill('7100-late', '2026-03-01');
    await bill('7100', '2025-01-01');
    expect(await found('7100')).toEqual([
      '9: Gain on Sale of Assets',
      '3: Bill 7100',
      '3: Bill 7100-late',
      '3: Bill X8-7100',
      '3: Bill X8-7100',
      '3: Bill X9-7100',
    ]);
    const days = await t.call(searchCalls.search, { token, body: 'X8-7100' });
    expect(days.map(({ searchDisplayItems }) => searchDisplayItems[1])).toEqual(['2/1/2026', '1/1/2026']);
  });
});

describe('amounts and dates', () => {
  test.each([
    ['1,234', ['4,1']],
    ['1,234.56', ['4,1']],
    ['$1,234.5', ['4,1']],
    ['1234.56', ['4,1']],
    ['(1,234.56)', ['4,1']],
    ['>4000', ['5,1']],
    ['> 4,321.09', []],
    ['>=4321.09', ['5,1']],
    ['<= .', []],
    ['almanac <1,000', ['6,1']],
    ['almanac march 2024', ['4,1']],
    ['almanac mar 5, 2024', ['4,1']],
    ['almanac 5 march 2024', ['4,1']],
    ['almanac 3/5/2024', ['4,1']],
    ['almanac 2024-03-05', ['4,1']],
    ['almanac 3/2024', ['4,1']],
    ['almanac 2024-03', ['4,1']],
    ['almanac 2024', ['4,1']],
    ['almanac 2023', ['5,1']],
    ['almanac last week', ['6,1']],
    ['almanac today', []],
  ])('a search for %s finds %j', async (text, marks) => {
    const own = await almanac();
    const results = await t.call(searchCalls.search, { token: own, body: text });
    const marksOf = results
      .filter(({ itemType }) => itemType === 2)
      .map(({ searchDisplayItems: [, , amount] }) => amount);
    const AMOUNTS: Record<string, string> = { '4,1': '$1,234.56', '5,1': '$4,321.09', '6,1': '$999.00' };
    expect(marksOf).toEqual(marks.map((mark) => AMOUNTS[mark]));
  });
});

/** A company with three invoices: 1,234.56 on 3/5/2024, 4,321.09 in 2023, and 999.00 seven days ago. */
function almanac(): Promise<string> {
  made ??= (async () => {
    const own = await t.createCompany();
    const factory = factoryFor(t, own);
    const customerId = await factory.customer('Almanac Ltd');
    const today = isoDate(
      (
        await t.inCompany(own.companyId, (tx) =>
          tx.one(sql<{ day: string }>`
            select (now() at time zone time_zone)::date::text as day from company
            where company_id = ${own.companyId}`),
        )
      ).day,
    );
    const dated = [
      [1234.56, '2024-03-05'],
      [4321.09, '2023-11-30'],
      [999, addDays(today, -7)],
    ] as const;
    for (const [amount, day] of dated) {
      await factory.invoice({ customerId, amount, invoiceDate: day, dueDate: day });
    }
    return own.administrator.token;
  })();
  return made;
}
let made: Promise<string> | undefined;

describe('a saved record is found by the next request', () => {
  test('a work item is found only while it is unbilled, and a write-off is found by its own number', async () => {
    const customerId = await make.customer('Pipit Court');
    const { id: elsewhere } = await make.invoice({ customerId, amount: 80 });
    const item = { workitemDate: '2026-04-02', serviceDate: '2026-04-02', accountId: 140, taxable: false };
    const saved = await t.call(workItemCalls.createWorkItem, {
      token,
      body: { id: 0, customerId, ...item, description: `Hedge ${'long '.repeat(300)}`, itemPrice: 45, quantity: 2 },
    });
    const seen = await t.call(searchCalls.search, { token, body: 'pipit hedge 90.00' });
    expect(seen).toMatchObject([
      line(12, saved.id, `Hedge ${'long '.repeat(300)}`.trim(), 'Pipit Court', '4/2/2026', '$90.00'),
    ]);
    const [billed] = (await t.call(workItemCalls.billWorkItems, { token, body: [{ id: customerId }] })) as {
      invoiceId: number;
    }[];
    expect(await found('hedge')).toEqual([]);
    await t.call(billingCalls.deleteInvoice, { token, params: { id: billed?.invoiceId ?? 0 } });
    expect(await found('hedge')).toHaveLength(1);
    const renamed = { name: 'Wagtail Court', displayname: 'Wagtail Court', emailAddress: 'a@b.example' };
    await t.call(entityCalls.updateCustomer, { token, params: { id: customerId }, body: renamed });
    expect([await found('pipit'), (await found('wagtail hedge')).length]).toEqual([[], 1]);
    await t.call(workItemCalls.deleteWorkItem, { token, params: { id: saved.id } });
    expect(await found('hedge')).toEqual([]);

    const written = { invoiceId: elsewhere, amount: 80, writeOffDate: '2026-05-01' };
    const made = await t.call(writeOffCalls.createWriteOff, { token, body: written });
    if (Array.isArray(made)) throw new Error('expected a single write-off');
    expect(await found(made.writeOffNumber)).toEqual([`16: Write-off ${made.writeOffNumber}`]);
    expect((await found('wagtail')).map((text) => text.slice(0, 2)).toSorted()).toEqual(['0:', '16', '2:']);
    const query = { q: 'wagtail', limit: '10' };
    const listed = await t.call(writeOffCalls.listWriteOffs, { token, query });
    expect(listed).toMatchObject({ total: 1, sums: { amount: 8000 }, items: [{ invoiceId: elsewhere }] });
    await t.call(writeOffCalls.deleteWriteOff, { token, params: { id: made.id } });
    expect(await found(made.writeOffNumber)).toEqual([]);
    expect(await faults()).toEqual([]);
  });

  test('a scheduled document is found by its next date, even when paused, but not after deletion', async () => {
    const every = {
      unit: 'month',
      every: 1,
      start: '2099-01-01',
      weekday: 4,
      monthDay: 1,
      end: { kind: 'never' },
    } as const;
    const rule = { schedule: every, makes: 'posted' } as const;
    const date = { invoiceDate: '2099-01-01' };
    const rent = [{ description: 'Rent', accountId: 140, itemPrice: 700, quantity: 1 }];
    const seed = [{ description: 'Seed', accountId: 153, lineItemAmount: 30 }];
    const wear = [true, false].map((debit) => {
      return { description: 'Wear', postingDate: '2099-01-01', amount: 5, accountID: debit ? 153 : 101, debit };
    });
    const [customerId, vendorId] = [await make.customer('Siskin House'), await make.vendor('Siskin Supply')];
    const { id } = await t.call(scheduledCalls.createScheduledInvoice, {
      token,
      body: { name: 'Quillfeather rent', ...rule, document: { customerId, ...date, lineItems: rent } },
    });
    await t.call(scheduledCalls.createScheduledBill, {
      token,
      body: {
        name: 'Quillfeather seed',
        ...rule,
        document: { vendorId, invoiceNumber: 'S', ...date, lineItems: seed },
      },
    });
    await t.call(scheduledCalls.createScheduledJournal, {
      token,
      body: {
        name: 'Quillfeather wear',
        ...rule,
        document: { postingDate: '2099-01-01', generalLedgerEntries: wear },
      },
    });
    const shown = async () => {
      const all = await t.call(searchCalls.search, { token, body: 'quillfeather' });
      const ours = all.filter(({ itemType }) => itemType > 12).toSorted((x, y) => x.itemType - y.itemType);
      return ours.map(({ itemType, searchDisplayItems }) => [itemType, ...searchDisplayItems].join(', '));
    };
    const others = ['14, Siskin Supply, Next 1/1/2099, $30.00', '15, Next 1/1/2099, $5.00'];
    expect(await shown()).toEqual(['13, Siskin House, Next 1/1/2099, $700.00', ...others]);
    const params = { id };
    await t.call(scheduledCalls.actOnScheduledInvoice, { token, params, body: { action: 'pause' } });
    expect((await shown())[0]).toBe('13, Siskin House, Paused, $700.00');
    expect(await found('siskin 700')).toEqual(['13: Quillfeather rent']);
    const gone = await t.call(scheduledCalls.createScheduledInvoice, {
      token,
      body: { name: 'Linnet', ...rule, document: { customerId, ...date, lineItems: rent } },
    });
    expect(await found('linnet')).toHaveLength(1);
    await t.call(scheduledCalls.deleteScheduledInvoice, { token, params: { id: gone.id } });
    expect([await found('linnet'), await faults()]).toEqual([[], []]);
  });

  test('searches use the current text after a record is created, edited, paid, deleted, or restored', async () => {
    const customerId = await make.customer('Kestrel Yard');
    const { id } = await make.invoice({ customerId, amount: 310.25 });
    expect(await found('kestrel')).toHaveLength(2);
    expect(await found('kestrel 310.25')).toHaveLength(1);
    const invoice = await t.call(billingCalls.getInvoice, { token, params: { id } });
    const lineItems = [{ description: 'Work', itemPrice: 411.5, quantity: 1, accountId: 140 }];
    await t.call(billingCalls.updateInvoice, {
      token,
      body: { id, customerId, invoiceDate: invoice.invoiceDate, dueDate: invoice.dueDate, lineItems },
    });
    expect([await found('kestrel 310.25'), (await found('kestrel 411.50')).length]).toEqual([[], 1]);
    const renamed = { name: 'Sparrowhawk Yard', displayname: 'Sparrowhawk Yard', emailAddress: 'a@b.example' };
    await t.call(entityCalls.updateCustomer, { token, params: { id: customerId }, body: renamed });
    expect([await found('kestrel'), (await found('sparrowhawk')).length]).toEqual([[], 2]);
    const applied = [{ invoiceId: id, amount: 411.5 }];
    const payment = await make.payment({ customerId, paymentAmount: 411.5, paymentApplications: applied });
    expect(await found('sparrowhawk')).toHaveLength(3);
    await t.call(billingCalls.deletePayment, { token, params: { id: payment.id } });
    await t.call(billingCalls.deleteInvoice, { token, params: { id } });
    expect(await found('sparrowhawk')).toEqual(['0: Sparrowhawk Yard']);
    await t.call(entityCalls.deleteCustomer, { token, params: { id: customerId } });
    expect(await found('sparrowhawk')).toEqual([]);
    await t.call(entityCalls.updateCustomer, {
      token,
      params: { id: customerId },
      body: { ...renamed, deleted: false },
    });
    expect(await found('sparrowhawk')).toEqual(['0: Sparrowhawk Yard']);
    expect(await faults()).toEqual([]);
  });

  test("documents are found by a customer's new name, even if 6 invoices are posted during the rename", async () => {
    const customerId = await make.customer('Bittern Marsh');
    const names = ['Heron Marsh', 'Egret Marsh', 'Stork Marsh'];
    const renaming = (async () => {
      for (const name of names) {
        const body = { name, displayname: name, emailAddress: 'a@b.example' };
        await t.call(entityCalls.updateCustomer, { token, params: { id: customerId }, body });
      }
    })();
    await Promise.all([renaming, ...Array.from({ length: 6 }, () => make.invoice({ customerId }))]);
    expect(await found('stork marsh')).toHaveLength(7);
    expect(await faults()).toEqual([]);
  });
});

test('an account register finds the lines of a deleted invoice by its number, but a search does not', async () => {
  const customerId = await make.customer('Dunlin Shore');
  const { id, invoiceNumber } = await make.invoice({ customerId, amount: 12 });
  await t.call(billingCalls.deleteInvoice, { token, params: { id } });
  const kept = await make.invoice({ customerId, amount: 13 });
  expect((await found(invoiceNumber)).filter((text) => text.startsWith('2:'))).toEqual([]);
  const linesOf = async (q: string) => {
    const query = { q, showReversed: 'true' as const };
    const entries = await t.call(ledgerCalls.accountEntries, { token, params: { customerAccountId: '138' }, query });
    return (Array.isArray(entries) ? entries : entries.items).map(({ number }) => number);
  };
  expect(await linesOf(invoiceNumber)).toEqual([invoiceNumber, invoiceNumber]);
  expect(await linesOf('dunlin')).toEqual([invoiceNumber, invoiceNumber, kept.invoiceNumber]);
});

describe('permissions of a user', () => {
  const kindsOf = async (person: { token: string }): Promise<number[]> => {
    const results = await t.call(searchCalls.search, { token: person.token, body: 'quillfeather' });
    return results.map(({ itemType }) => itemType).toSorted((a, b) => a - b);
  };

  test.each([
    ['Customers', [0]],
    ['Vendors', [1]],
    ['Billing', [2, 6, 13]],
    ['Expenses', [3, 7, 14]],
    ['Products', [4, 5]],
    ['Accounting', [8, 9, 15]],
    ['Dashboard', []],
    ['Reports', []],
    ['Banking', []],
  ])('a user with only View %s finds only records of the kinds %j', async (area, expected) => {
    for (const right of ['View', 'Manage']) {
      const roleName = `${right} ${area} alone`;
      await t.inCompany(company.companyId, (tx) =>
        tx.rows(sql`insert into role (company_id, role_name, permissions)
          values (${company.companyId}, ${roleName}, ${[`${right} ${area}`]}::text[])`),
      );
      const slug = crypto.randomUUID().slice(0, 8);
      const person = await addPerson(t.pool, { companyId: company.companyId, slug, roleName, firstName: 'Pat' });
      expect([right, await kindsOf(person)]).toEqual([right, expected]);
    }
  });

  test("a user without permission finds nothing, and no user finds another company's records", async () => {
    expect(await kindsOf(company.stranger)).toEqual([]);
    expect(await kindsOf(company.reader)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 14, 15]);
    const other = await t.createCompany();
    expect(await kindsOf(other.administrator)).toEqual([]);
  });

  test("a search by amount, date, number, or mistyped word never finds another company's records", async () => {
    const own = await make.invoice({ customerId: await make.customer('Whimbrel Reach'), amount: 8765.43 });
    const other = await t.createCompany();
    const theirs = factoryFor(t, other);
    const { invoiceNumber } = await theirs.invoice({ customerId: await theirs.customer('Curlew'), amount: 12 });
    const both = [{ token }, other.administrator];
    const of = (text: string) => Promise.all(both.map((person) => found(text, person)));
    const ours = `2: Invoice ${own.invoiceNumber}`;
    for (const text of ['8,765.43', '>8765.42 3/10/2026', 'wihmbrel 8,765']) {
      expect([text, await of(text)]).toEqual([text, [[ours], []]]);
    }
    expect(await of('whimbrle')).toEqual([['0: Whimbrel Reach', ours], []]);
    // Each of the two companies has an invoice with this number.
    const [, found10001] = await of(invoiceNumber);
    expect(found10001?.filter((text) => text.startsWith('2:'))).toEqual([`2: Invoice ${invoiceNumber}`]);
    const [mine] = await t.call(searchCalls.search, { token: other.administrator.token, body: invoiceNumber });
    expect(mine?.searchDisplayItems[0]).toBe('Curlew');
  });

  test('after a role changes, the next search finds only the kinds that the role can view', async () => {
    const roleName = 'Changing';
    const roleProperties = ['View Billing', 'View Customers'];
    const { id } = await t.call(authCalls.createRole, { token, body: { roleName, roleProperties } });
    const permissions = (...names: string[]) =>
      t.call(authCalls.updateRole, { token, body: { id, roleName, roleProperties: names } });
    const slug = crypto.randomUUID().slice(0, 8);
    const person = await addPerson(t.pool, { companyId: company.companyId, slug, roleName, firstName: 'Pat' });
    expect(await kindsOf(person)).toEqual([0, 2, 6, 13]);
    await permissions('View Customers', 'Manage Products');
    expect(await kindsOf(person)).toEqual([0, 4, 5]);
    await permissions();
    expect(await kindsOf(person)).toEqual([]);
  });
});

test.skipIf(onCitus)(
  'without the word index, results are the same, and the next startup creates the index',
  async () => {
    const texts = ['quillfeather', 'société õuna', 'wexcmbe', '7100', 'quillfeather 1,250'];
    const all = () => Promise.all(texts.map((text) => found(text)));
    const owner = await openClient({ connectionString: t.databaseUrl });
    const isThere = async () =>
      (await owner.query(`select from pg_indexes where indexname = 'search_entry_words'`)).rowCount === 1;
    try {
      const before = await all();
      expect([before.map(({ length }) => length > 0), await isThere()]).toEqual([texts.map(() => true), true]);
      await owner.query(`drop operator family search_words_ops using gin cascade`);
      await owner.query(`create or replace function search_has(text, text) returns boolean
      language sql immutable strict parallel safe as 'select $1 like $2'`);
      expect([await all(), await isThere()]).toEqual([before, false]);
      await migrate({ connectionString: t.databaseUrl });
      expect([await all(), await isThere()]).toEqual([before, true]);
    } finally {
      await owner.end();
    }
  },
);

test('verify reports a search entry that was changed, deleted, or added directly, and rebuild fixes it', async () => {
  const { companyId } = company;
  const owner = await openClient({ connectionString: t.databaseUrl });
  const pool = t.services.pool;
  try {
    for (const [said, change] of [
      [
        /^search: customer with the ID \d+: its words, dates, or amounts differ from the search index$/,
        `update search_entry set words = ' other ' where company_id = ${companyId} and kind = 0 and id < 5`,
      ],
      [
        /^search: billing invoice with the ID \d+: searches do not find it$/,
        `delete from search_entry where company_id = ${companyId} and kind = 2 and id < 10`,
      ],
      [
        /^search: product with the ID 999999: searches find it but should not$/,
        `insert into search_entry select company_id, 4, 999999, key, words, amount_cents, day, is_open
        from search_entry where company_id = ${companyId} and kind = 1 limit 1`,
      ],
    ] as const) {
      await owner.query(change);
      expect(await faults()).toContainEqual(expect.stringMatching(said));
    }
    await owner.query(`grant delete on ledger_total to evenkeel_app; grant delete on journal_live to evenkeel_app`);
    await inCompany(pool, companyId, rebuildWithin);
    expect(await faults()).toEqual([]);
  } finally {
    await owner.end();
  }
});

test('document numbers are found with a kind and punctuation, and phone numbers in any format', async () => {
  const token = company.administrator.token;
  const body = {
    displayname: 'Dunn & Fay, Inc.',
    name: 'Dunn & Fay, Inc.',
    emailAddress: 'office@dunn.example',
    phones: [{ displayNumber: '555-0116', phoneType: 'Work', primary: true }],
  };
  const { id: customerId } = await t.call(entityCalls.createCustomer, { token, body });
  const { invoiceNumber } = await make.invoice({ customerId });
  const payment = await make.payment({
    customerId,
    paymentAmount: 5,
    paymentCheckNo: '88123',
    paymentApplications: [],
  });
  const vendorId = await make.vendor('Dunn Freight');
  await make.bill({ vendorId, invoiceNumber: 'B-7719' });
  const invoice = `2: Invoice ${invoiceNumber}`;
  for (const text of ['Invoice _', '#_', 'invoice #_', '_,', 'Invoice No. _.', '"_"', 'bill _']) {
    expect([text, await found(text.replace('_', invoiceNumber))]).toEqual([text, expect.arrayContaining([invoice])]);
  }
  expect(await found('bill B-7719,')).toEqual(['3: Bill B-7719']);
  expect(await found('check #88123')).toEqual([`6: Payment ${payment.paymentNumber}`]);
  expect(await found('invoice dunn fay')).toContain(invoice);
  for (const text of ['Dunn & Fay, Inc.', '(Dunn Fay)', '5550116', '555-0116', '555.0116']) {
    expect([text, await found(text)]).toEqual([text, expect.arrayContaining(['0: Dunn & Fay, Inc.'])]);
  }
});
