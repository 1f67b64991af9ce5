import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { billingCalls } from '@evenkeel/contract/billing';
import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { closingCalls } from '@evenkeel/contract/closing';
import { expenseCalls } from '@evenkeel/contract/expenses';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { scheduledCalls as calls } from '@evenkeel/contract/scheduled';
import { addDays, addMonths, formatDate, type IsoDate } from '@evenkeel/core/dates';
import { DRAFT, OPEN, SENT } from '@evenkeel/core/documents/invoice';
import { fillPeriodWords, periodWordFault } from '@evenkeel/core/period-words';
import { todayIn } from '../../platform/clock.ts';
import { COMPANY } from '../../platform/db/query.ts';
import { verifyCompany } from '../health/books-verify.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { type Factory, factoryFor, makeInactive, setTimeZone } from '../../testing/factories.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { makeDue } from './making.ts';

let t: TestApp;
let company: WorldCompany;
let make: Factory;
let today: IsoDate;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  company = await t.createCompany();
  make = factoryFor(t, company);
  today = await zoned();
});

const zoned = async () => {
  const [row] = await t.inCompany(company.companyId, (tx) =>
    tx.rows(sql<{ zone: string }>`select time_zone as zone from company where company_id = ${COMPANY}`),
  );
  return todayIn(row?.zone ?? 'UTC');
};
type Given = Record<string, unknown>;
const rule = (start: IsoDate, given: Given = {}) => {
  const [weekday, monthDay] = [new Date(`${start}T00:00:00Z`).getUTCDay(), Number(start.slice(8))];
  return { unit: 'month', every: 1, start, weekday, monthDay, end: { kind: 'never' }, ...given };
};
const line = { description: 'Retainer', itemPrice: 500, quantity: 1, accountId: 140 };
/** Creates a template for a monthly invoice for 500.00 that starts today. */
async function template({ document, ...given }: { document?: Given } & Given = {}) {
  const customerId = (document?.['customerId'] as number | undefined) ?? (await make.customer('Blue Heron'));
  const body = {
    schedule: rule(today),
    makes: 'posted',
    ...given,
    document: { customerId, invoiceDate: today, lineItems: [line], ...document },
  };
  return t.call(calls.createScheduledInvoice, { token: make.token, body: body as never });
}
const get = (id: number) => t.call(calls.getScheduledInvoice, { token: make.token, params: { id } });
const act = (id: number, body: Given) =>
  t.call(calls.actOnScheduledInvoice, { token: make.token, params: { id }, body: body as never });
const refusedAct = (id: number, body: Given) =>
  t.refused(calls.actOnScheduledInvoice, { token: make.token, params: { id }, body: body as never });
const due = () => makeDue(t.services, company.companyId);
/** Simulates a server that has been down since `start`, so that none of the template's dates are settled. */
const downSince = (id: number, start: IsoDate) =>
  t.inCompany(company.companyId, (tx) =>
    tx.rows(sql`update template set next_n = 0, base_n = 0, start_date = ${start}, next_date = ${start}
      where company_id = ${COMPANY} and id = ${id}`),
  );
const invoices = async () => {
  const all = await t.call(billingCalls.listInvoices, { token: make.token, query: { status: 'all' } });
  const rows = Array.isArray(all) ? all : all.items;
  return rows.toSorted((a, b) => a.id - b.id);
};
const close = (date: IsoDate | null) =>
  t.inCompany(company.companyId, (tx) =>
    tx.rows(sql`update ledger_head set closing_date = ${date} where company_id = ${COMPANY}`),
  );
const faults = async () => (await verifyCompany(t.pool, company.companyId)).faults;

describe('a recurring template', () => {
  test('a template shows its next twelve dates with the amount and creates the first document today', async () => {
    const made = await template();
    expect(made.document.dueDate).toBe(null);
    expect(made).toMatchObject({ name: 'Blue Heron', state: 'active', amount: 50_000, amountNow: 50_000, made: 0 });
    expect(made.next).toHaveLength(12);
    expect(made.next[0]).toEqual({ n: 0, date: today, isSkipped: false });
    await due();
    await due();
    const after = await get(made.id);
    expect(after).toMatchObject({ made: 1, nextDate: addMonths(today, 1), state: 'active' });
    const [invoice] = await invoices();
    expect(await invoices()).toHaveLength(1);
    expect(invoice).toMatchObject({ invoiceDate: today, invoiceAmount: 50_000, arBillingStatus: 2 });
    expect(after.occurrences).toEqual([
      {
        n: 0,
        date: today,
        state: 'made',
        reason: '',
        madeOn: today,
        sourceId: invoice?.id,
        number: invoice?.invoiceNumber,
      },
    ]);
    expect(await faults()).toEqual([]);
  });

  test('a template starts today if its rule started earlier', async () => {
    const start = addDays(today, -65);
    const { next } = await template({ schedule: rule(start, { unit: 'week', weekday: 1 }) });
    expect(next[0]?.date ?? '').toMatch(/./);
    expect((next[0]?.date ?? '') >= today).toBe(true);
    await due();
    expect((await invoices()).length).toBeLessThan(2);
  });

  test('a template moves service and due dates along with the document date and can create drafts', async () => {
    const start = addDays(today, -3);
    const document = { dueDate: addDays(start, 10), lineItems: [{ ...line, serviceDate: addDays(start, -2) }] };
    const { id } = await template({ document, makes: 'draft', schedule: rule(start, { unit: 'day', every: 3 }) });
    await due();
    const [row] = await invoices();
    const invoice = await t.call(billingCalls.getInvoice, { token: make.token, params: { id: row?.id ?? 0 } });
    expect(invoice).toMatchObject({ arBillingStatus: DRAFT, invoiceDate: today, dueDate: addDays(today, 10) });
    expect(invoice.lineItems[0]?.serviceDate).toBe(addDays(today, -2));
    expect((await get(id)).made).toBe(1);
  });

  test('posted documents are sent once, even with several runners, and a missing address is reported', async () => {
    const { id } = await template({ makes: 'sent' });
    const customerId = await make.customer('Silent Oak');
    // Simulates a template imported from another program.
    await t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`update entity set email_address = '' where company_id = ${COMPANY} and id = ${customerId}`),
    );
    const other = await template({ makes: 'sent', document: { customerId } });
    const problem = "Silent Oak doesn't have an email address";
    expect([(await get(id)).sendProblem, other.sendProblem, other.makes]).toEqual(['', problem, 'sent']);
    await Promise.all([due(), due(), due()]);
    await due();
    const [first, second] = await invoices();
    expect([first?.arBillingStatus, second?.arBillingStatus]).toEqual([SENT, OPEN]);
    const mails = (await t.runJobs()).map(({ to, subject }) => [to, subject]);
    const subject = expect.stringContaining(`Invoice ${first?.invoiceNumber}`);
    expect(mails).toEqual([['billing@fairlawn.example', subject]]);
    expect((await get(id)).occurrences).toMatchObject([{ state: 'made', reason: '' }]);
    expect((await get(other.id)).occurrences).toMatchObject([{ state: 'made', reason: problem }]);
    expect(await faults()).toEqual([]);
  });

  test('a template uses current prices unless its prices are fixed', async () => {
    const productID = await make.product({ salesPrice: 50, taxable: false });
    const lineItems = [{ description: 'Mowing', productId: productID, itemPrice: 50, quantity: 2 }];
    const own = await template({ document: { lineItems } });
    const fixed = await template({ document: { lineItems }, fixesPrices: true });
    const given = { name: 'Mowing', description: 'Mowing', taxable: false, GLAccountID: 141, salesPrice: 60 };
    await t.call(catalogueCalls.updateProduct, { token: make.token, body: { ...given, productID } });
    expect([(await get(own.id)).amountNow, (await get(fixed.id)).amountNow]).toEqual([12_000, 10_000]);
    await due();
    expect((await invoices()).map(({ invoiceAmount }) => invoiceAmount)).toEqual([12_000, 10_000]);
    expect(await faults()).toEqual([]);
  });

  test('an invalid template is rejected with the invalid fields of its document or rule', async () => {
    const customerId = await make.customer();
    const refused = (change: Given) =>
      t.refused(calls.createScheduledInvoice, {
        token: make.token,
        body: {
          schedule: rule(today),
          makes: 'posted',
          document: { customerId, invoiceDate: today, lineItems: [line] },
          ...change,
        } as never,
      });
    const wrong = { customerId, invoiceDate: today, lineItems: [{ ...line, accountId: null }] };
    expect(await refused({ document: wrong })).toMatchObject({
      status: 422,
      fields: { 'document.lineItems.0.accountId': 'Please Select an Account' },
    });
    expect(await refused({ schedule: rule(today, { every: 0 }) })).toMatchObject({
      status: 422,
      fields: { schedule: 'Please enter an interval from 1 to 999' },
    });
  });

  test('a changed template affects only future documents and creates no document twice', async () => {
    const { id, rowVersion, ...saved } = await template({ schedule: rule(today, { unit: 'day' }) });
    await due();
    const stale = { id, rowVersion, schedule: rule(today, { unit: 'week' }), makes: 'posted' };
    const document = { customerId: saved.entityId, invoiceDate: today, lineItems: [{ ...line, itemPrice: 600 }] };
    const refused = await t.refused(calls.updateScheduledInvoice, {
      token: make.token,
      body: { ...stale, document } as never,
    });
    expect(refused.status).toBe(409);
    const { rowVersion: now } = await get(id);
    const changed = await t.call(calls.updateScheduledInvoice, {
      token: make.token,
      body: { ...stale, rowVersion: now, document } as never,
    });
    expect(changed).toMatchObject({ amount: 60_000, made: 1, nextDate: addDays(today, 7) });
    expect(changed.next[0]).toEqual({ n: 1, date: addDays(today, 7), isSkipped: false });
    await due();
    expect((await invoices()).map(({ invoiceAmount }) => invoiceAmount)).toEqual([50_000]);
  });

  test('a deleted template creates no more documents, and the existing ones stay', async () => {
    const { id } = await template();
    await due();
    await t.call(calls.deleteScheduledInvoice, { token: make.token, params: { id } });
    await downSince(id, addDays(today, -40));
    await due();
    expect(await invoices()).toHaveLength(1);
    expect((await t.refused(calls.getScheduledInvoice, { token: make.token, params: { id } })).status).toBe(404);
  });
});

describe('after server downtime', () => {
  test('each missed document is created once on its own date and in order, even by three runners', async () => {
    const start = addDays(today, -28);
    const { id } = await template({ schedule: rule(today, { unit: 'week' }) });
    await downSince(id, start);
    await Promise.all([due(), due(), due()]);
    const rows = await invoices();
    const dates = rows.map(({ invoiceDate }) => invoiceDate);
    expect(dates).toEqual(Array.from({ length: 5 }, (_, at) => addDays(start, 7 * at)));
    expect(await get(id)).toMatchObject({ made: 5, due: 0, state: 'active' });
    expect(await faults()).toEqual([]);
  });

  test('after five documents on one day, no more are created until a user continues', async () => {
    const { id } = await template({ schedule: rule(today, { unit: 'day' }) });
    await downSince(id, addDays(today, -7));
    await due();
    expect(await get(id)).toMatchObject({ made: 5, due: 3, state: 'stopped' });
    await due();
    expect(await invoices()).toHaveLength(5);
    await act(id, { action: 'makeMissed', rowVersion: (await get(id)).rowVersion });
    await due();
    expect(await get(id)).toMatchObject({ made: 8, due: 0, state: 'active' });
    expect((await invoices()).map(({ invoiceDate }) => invoiceDate)).toEqual(
      Array.from({ length: 8 }, (_, at) => addDays(today, at - 7)),
    );
  });

  test('if more than twelve documents were missed, they are created or skipped only after a user decides', async () => {
    const [one, other] = [
      await template({ schedule: rule(today, { unit: 'day' }) }),
      await template({ schedule: rule(today, { unit: 'day' }) }),
    ];
    for (const { id } of [one, other]) await downSince(id, addDays(today, -13));
    await due();
    expect(await invoices()).toEqual([]);
    expect(await get(one.id)).toMatchObject({ state: 'asks', due: 14, made: 0 });
    await act(one.id, { action: 'makeMissed', rowVersion: (await get(one.id)).rowVersion });
    const { rowVersion } = await get(other.id);
    expect(await act(other.id, { action: 'skipMissed', rowVersion })).toMatchObject({
      state: 'active',
      due: 0,
      made: 0,
    });
    await due();
    expect(await get(one.id)).toMatchObject({ state: 'active', made: 14 });
    expect(await get(other.id)).toMatchObject({ made: 0, nextDate: addDays(today, 1) });
  });

  test('a date on or before the closing date is held with a reason, and is not moved or dropped', async () => {
    const { id } = await template({ schedule: rule(today, { unit: 'day' }) });
    await downSince(id, addDays(today, -2));
    const closed = addDays(today, -1);
    await close(closed);
    await due();
    const held = await get(id);
    const reason = `The books are closed through ${formatDate(closed)}`;
    expect(held).toMatchObject({ state: 'held', held: 2, made: 1 });
    expect(held.occurrences.map(({ state, reason: why }) => [state, why])).toEqual([
      ['made', ''],
      ['held', reason],
      ['held', reason],
    ]);
    const { token } = company.administrator;
    const onHold = async (date: IsoDate) =>
      (await t.call(closingCalls.closingChecklist, { token, query: { date } })).held;
    const of = { templateId: id, kind: 'invoice', name: held.name };
    expect(await onHold(today)).toEqual([{ ...of, first: addDays(today, -2), count: 2, amount: 100_000 }]);
    expect(await onHold(addDays(today, -2))).toMatchObject([{ count: 1, amount: 50_000 }]);
    expect(await onHold(addDays(today, -3))).toEqual([]);
    const refused = await t.refused(calls.actOnScheduledInvoice, {
      token: make.token,
      params: { id },
      body: { action: 'make', n: 0 } as never,
    });
    expect(refused).toMatchObject({ status: 422, code: 'closed' });
    await act(id, { action: 'make', n: 0, on: today });
    expect(await onHold(today)).toEqual([{ ...of, first: closed, count: 1, amount: 50_000 }]);
    expect(await act(id, { action: 'skip', n: 1 })).toMatchObject({ held: 0, made: 2, state: 'active' });
    expect(await onHold(today)).toEqual([]);
    expect((await invoices()).map(({ invoiceDate }) => invoiceDate)).toEqual([today, today]);
    await close(null);
    await due();
    expect(await invoices()).toHaveLength(2);
  });

  test('a document with an error is held, affects no others, and can be created once it is fixed', async () => {
    const customerId = await make.customer('Gone');
    const [gone, other] = [await template({ document: { customerId } }), await template()];
    await makeInactive(t, company.companyId, customerId);
    await due();
    const problem = 'This customer is inactive. Make it active, or select another one';
    expect(await get(gone.id)).toMatchObject({ state: 'held', problem });
    expect(await get(other.id)).toMatchObject({ made: 1 });
    await t.inCompany(company.companyId, (tx) =>
      tx.rows(sql`update entity set deleted = false where company_id = ${COMPANY} and id = ${customerId}`),
    );
    expect(await act(gone.id, { action: 'make', n: 0 })).toMatchObject({ state: 'active', made: 1, held: 0 });
  });
});

describe('user actions on a template', () => {
  test('a user can skip a date, undo the skip, pause and resume, and run the next date immediately', async () => {
    const start = addDays(today, 2);
    const { id } = await template({ schedule: rule(start, { unit: 'day', end: { kind: 'after', count: 3 } }) });
    const skipped = await act(id, { action: 'skip', n: 1 });
    expect(skipped.next).toEqual([
      { n: 0, date: start, isSkipped: false },
      { n: 1, date: addDays(start, 1), isSkipped: true },
      { n: 2, date: addDays(start, 2), isSkipped: false },
    ]);
    expect((await act(id, { action: 'unskip', n: 1 })).next.map(({ isSkipped }) => isSkipped)).toEqual([
      false,
      false,
      false,
    ]);
    await act(id, { action: 'skip', n: 0 });
    expect(await act(id, { action: 'pause' })).toMatchObject({ state: 'paused', nextDate: addDays(start, 1) });
    expect(await act(id, { action: 'resume' })).toMatchObject({ state: 'active' });
    const run = await act(id, { action: 'run', n: 1 });
    expect(run).toMatchObject({ made: 1, nextDate: addDays(start, 2), nextN: 2 });
    expect((await invoices()).map(({ invoiceDate }) => invoiceDate)).toEqual([today]);
    await act(id, { action: 'run', n: 2 });
    expect(await get(id)).toMatchObject({ state: 'ended', nextDate: null, nextN: null, made: 2 });
    expect((await refusedAct(id, { action: 'run', n: 3 })).status).toBe(409);
  });

  test('dates skipped in a form are saved with the template and replace any dates skipped earlier', async () => {
    const start = addDays(today, 2);
    const schedule = rule(start, { unit: 'day' });
    const [first, second, third] = [start, addDays(start, 1), addDays(start, 2)];
    const skipsOf = ({ occurrences }: { occurrences: readonly { date: IsoDate; state: string }[] }) =>
      occurrences.map(({ date, state }) => `${date} ${state}`);
    const made = await template({ schedule, skips: [first, third, addDays(start, 500)] });
    expect(skipsOf(made)).toEqual([`${third} skipped`, `${first} skipped`]);
    expect(made).toMatchObject({ nextDate: second, nextN: 1 });
    expect(await get(made.id)).toEqual(made);
    const save = async (change: Given) => {
      const { id, rowVersion, makes, document } = await get(made.id);
      const { customerId } = document;
      const body = { id, rowVersion, makes, schedule, document: { customerId, invoiceDate: start, lineItems: [line] } };
      return t.call(calls.updateScheduledInvoice, { token: make.token, body: { ...body, ...change } as never });
    };
    expect(skipsOf(await save({}))).toEqual([`${third} skipped`, `${first} skipped`]);
    const changed = await save({ skips: [second] });
    expect(skipsOf(changed)).toEqual([`${second} skipped`]);
    expect(changed).toMatchObject({ nextDate: first, nextN: 0 });
    expect(await get(made.id)).toEqual(changed);
    // A changed rule keeps the skipped dates that it still includes.
    const everySecond = await save({ schedule: { ...schedule, every: 2, start: second } });
    expect(skipsOf(everySecond)).toEqual([`${second} skipped`]);
    expect(everySecond.nextDate).toBe(addDays(second, 2));
    expect(skipsOf(await save({ schedule: { ...schedule, every: 2, start: first } }))).toEqual([]);
    expect(await faults()).toEqual([]);
  });

  test('if two tabs create the document for a date, only one succeeds, and the other shows who did', async () => {
    const { id, nextN } = await template({ schedule: rule(addDays(today, 3)) });
    const both = await Promise.allSettled([1, 2].map(() => act(id, { action: 'run', n: nextN })));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await invoices()).map(({ invoiceDate }) => invoiceDate)).toEqual([today]);
    expect(await refusedAct(id, { action: 'run', n: nextN })).toMatchObject({
      status: 409,
      message: `Bob Person already created the document for ${formatDate(addDays(today, 3))}. Reload the page.`,
    });
    await act(id, { action: 'skip', n: 1 });
    expect(await refusedAct(id, { action: 'run', n: 1 })).toMatchObject({
      status: 409,
      message: `Bob Person already skipped ${formatDate(addMonths(addDays(today, 3), 1))}. Reload the page.`,
    });
  });

  test("a user can't run a date that the schedule has already created", async () => {
    const { id } = await template();
    await due();
    expect(await refusedAct(id, { action: 'run', n: 0 })).toMatchObject({
      status: 409,
      message: `The document for ${formatDate(today)} was already created automatically. Reload the page.`,
    });
    expect(await refusedAct(id, { action: 'run' })).toMatchObject({ status: 422 });
    expect(await invoices()).toHaveLength(1);
  });

  test('if two tabs decide about missed dates, only the first decision counts, and the other is rejected', async () => {
    const { id } = await template({ schedule: rule(today, { unit: 'day' }) });
    await downSince(id, addDays(today, -20));
    const { rowVersion } = await get(id);
    await act(id, { action: 'skipMissed', rowVersion });
    expect(await refusedAct(id, { action: 'makeMissed', rowVersion })).toMatchObject({ status: 409, code: 'stale' });
    expect(await refusedAct(id, { action: 'makeMissed' })).toMatchObject({ status: 422 });
    await due();
    expect(await invoices()).toHaveLength(0);
  });

  test("a read-only user can't change anything", async () => {
    const { id } = await template();
    const { reader } = company;
    expect((await t.call(calls.listScheduledInvoices, { token: reader.token })).map((one) => one.id)).toEqual([id]);
    const refused = await t.refused(calls.actOnScheduledInvoice, {
      token: reader.token,
      params: { id },
      body: { action: 'run' } as never,
    });
    expect(refused.status).toBe(403);
  });
});

test.each(['Pacific/Pago_Pago', 'Pacific/Kiritimati'])(
  "in the time zone %s, scheduled invoices use the company's date",
  async (zone) => {
    await setTimeZone(t, company, zone);
    const here = todayIn(zone);
    const { id } = await template({ schedule: rule(addDays(here, 1), { unit: 'day' }) });
    await downSince(id, here);
    await due();
    expect((await invoices()).map(({ invoiceDate }) => invoiceDate)).toEqual([here]);
    expect((await get(id)).occurrences).toMatchObject([{ madeOn: here }]);
  },
);

test("period words in lines use each document's date, and unknown words are rejected", async () => {
  const start = addMonths(today, -2);
  const description = 'Retainer {month} to {month+2} {year}';
  const { id } = await template({ document: { lineItems: [{ ...line, description }] }, schedule: rule(start) });
  await downSince(id, start);
  await due();
  const made = await Promise.all(
    (await invoices()).map((row) => t.call(billingCalls.getInvoice, { token: make.token, params: { id: row.id } })),
  );
  expect(made).toHaveLength(3);
  for (const { invoiceDate, lineItems } of made) {
    expect(lineItems[0]?.description).toBe(fillPeriodWords(description, invoiceDate));
  }
  const { token } = make;
  const entry = [true, false].map((debit) => {
    return { accountID: debit ? 160 : 140, debit, amount: 10, description: 'Rent {quarter}' };
  });
  const journal = { schedule: rule(today), makes: 'posted', document: { generalLedgerEntries: entry } };
  await t.call(calls.createScheduledJournal, { token, body: journal as never });
  const vendorId = await make.vendor('Summit');
  const bought = { description: 'Lease {year}', lineItemAmount: 10, accountId: 160 };
  const bill = { vendorId, invoiceNumber: 'L', invoiceDate: today, lineItems: [bought] };
  await t.call(calls.createScheduledBill, { token, body: { ...journal, document: bill } as never });
  await due();
  const bills = await t.call(expenseCalls.listExpenses, { token, query: { status: 'all' } });
  const [row] = Array.isArray(bills) ? bills : bills.items;
  const leased = await t.call(expenseCalls.getExpense, { token, params: { id: row?.id ?? 0 } });
  expect(leased.lineItems[0]?.description).toBe(`Lease ${today.slice(0, 4)}`);
  const entries = await t.call(ledgerCalls.accountEntries, { token, params: { customerAccountId: 160 }, query: {} });
  const texts = (Array.isArray(entries) ? entries : entries.items).map((each) => each.description);
  expect(texts).toContain(fillPeriodWords('Rent {quarter}', today));
  const customerId = await make.customer();
  const wrong = { customerId, invoiceDate: today, lineItems: [line, { ...line, description: 'For {week}' }] };
  const body = { ...journal, document: wrong } as never;
  const refusal = await t.refused(calls.createScheduledInvoice, { token, body });
  expect([refusal.status, refusal.message]).toEqual([422, periodWordFault('{week}')]);
  expect(Object.keys(refusal.fields ?? {})).toEqual(['document.lineItems.1.description']);
});

test("each scheduled bill gets its own number, and bills can't be created as drafts", async () => {
  const vendorId = await make.vendor('Valley Properties');
  const document = {
    vendorId,
    invoiceNumber: 'RENT',
    invoiceDate: today,
    lineItems: [{ description: 'Rent', lineItemAmount: 1500, accountId: 160 }],
  };
  const body = { schedule: rule(today), makes: 'posted', document };
  const refused = await t.refused(calls.createScheduledBill, {
    token: make.token,
    body: { ...body, makes: 'draft' } as never,
  });
  expect(refused).toMatchObject({ status: 422, fields: { makes: "A bill can't be saved as a draft" } });
  const sent = { token: make.token, body: { ...body, makes: 'sent' } as never };
  expect(await t.refused(calls.createScheduledBill, sent)).toMatchObject({ message: 'Only invoices can be sent' });
  const { id } = await t.call(calls.createScheduledBill, { token: make.token, body: body as never });
  await due();
  const made = await t.call(calls.getScheduledBill, { token: make.token, params: { id } });
  expect(made.occurrences).toMatchObject([{ state: 'made', number: `RENT ${formatDate(today)}` }]);
  const bill = await t.call(expenseCalls.getExpense, {
    token: make.token,
    params: { id: made.occurrences[0]?.sourceId ?? 0 },
  });
  expect(bill).toMatchObject({ invoiceAmount: 150_000, invoiceDate: today, postingDate: today });
  expect(await faults()).toEqual([]);
});

test.each(['posted', 'draft'])('scheduled journal entries are created with the status %s', async (makes) => {
  const token = company.administrator.token;
  const document = {
    generalLedgerEntries: [
      { accountID: 160, debit: true, amount: 75, description: 'Depreciation' },
      { accountID: 140, debit: false, amount: 75, description: 'Depreciation' },
    ],
  };
  const body = { name: 'Depreciation', schedule: rule(today), makes, document };
  const { id, amount } = await t.call(calls.createScheduledJournal, { token, body: body as never });
  expect(amount).toBe(7_500);
  await due();
  const { occurrences } = await t.call(calls.getScheduledJournal, { token, params: { id } });
  expect(occurrences).toMatchObject([{ state: 'made', madeOn: today }]);
  const drafts = await t.call(ledgerCalls.listDrafts, { token });
  expect(drafts).toHaveLength(makes === 'draft' ? 1 : 0);
  if (makes === 'draft') {
    expect(drafts[0]?.transactionID).toBe(occurrences[0]?.sourceId);
    const body = { ...document, transactionID: drafts[0]?.transactionID, postingDate: today };
    const { transactionID } = await t.call(ledgerCalls.postTransaction, { token, body: body as never });
    const posted = await t.call(calls.getScheduledJournal, { token, params: { id } });
    expect(posted.occurrences).toMatchObject([{ sourceId: transactionID }]);
  }
  expect(await faults()).toEqual([]);
});
