import { movingCalls } from '@evenkeel/contract/moving';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import type { WorldCompany } from '../../testing/world.ts';
import { confirmAll, type Mover, openMover, tablesOf } from './testing/moving.ts';

let t: TestApp;
let mover: Mover;
beforeAll(async () => {
  t = await startTestApp();
  mover = openMover(t);
});
afterAll(async () => {
  await mover.close();
  await t.close();
});

const file = (name: string, lines: readonly string[]) => ({ name, bytes: new TextEncoder().encode(lines.join('\n')) });

const PEOPLE = file('people.csv', ['Who,Mail,Pays', 'Ann & Co,ann@example.com,Net 30', 'Bea Ltd,,']);

/** Chooses the kind and the columns of the only file, and waits until it is read again. */
async function choose({ administrator: { token } }: WorldCompany, id: number, mapping: Record<string, number>) {
  const move = await t.call(movingCalls.getMove, { token, params: { id } });
  const sheets = [{ file: move.files[0]?.name ?? '', kind: 'Customers', mapping }];
  await t.call(movingCalls.updateMove, { token, params: { id }, body: { rowVersion: move.rowVersion, sheets } });
  await mover.work();
  return t.call(movingCalls.getMove, { token, params: { id } });
}

test('a spreadsheet with unknown headings uses the columns that the user chose, as does the next one', async () => {
  const home = await t.createCompany();
  const { token } = home.administrator;
  const before = await tablesOf(t, home.companyId);
  const draft = await mover.draft(token, [PEOPLE], 'Spreadsheet');
  expect(draft.files).toMatchObject([
    {
      state: 'rejected',
      sheet: { kind: '', headings: ['Who', 'Mail', 'Pays'], mapping: {}, samples: [PEOPLE_ROW, ['Bea Ltd', '', '']] },
    },
  ]);
  // A required column is missing, so the file stays rejected and keeps its columns.
  const incomplete = await choose(home, draft.id, { email: 1 });
  expect(incomplete.files[0]?.refusal?.text).toContain('Choose the columns for Customer');
  expect(incomplete.files[0]?.sheet).toMatchObject({ kind: 'Customers', mapping: { email: 1 } });
  const mapped = await choose(home, draft.id, { customer: 0, email: 1, terms: 2 });
  expect(mapped).toMatchObject({ files: [{ state: 'recognized' }], parties: { customers: 2 }, blocked: { files: '' } });
  const imported = await mover.run(token, draft.id, 'import');
  expect(imported).toMatchObject({ error: null, status: 'imported', report: { counts: { customers: 2 } } });
  const customers = await t.inCompany(home.companyId, (tx) =>
    tx.rows(sql`
      select displayname as name, email_address as email, terms_days as days from entity
      where company_id = ${home.companyId} and displayname in ('Ann & Co', 'Bea Ltd') order by 1`),
  );
  expect(customers).toEqual([
    { name: 'Ann & Co', email: 'ann@example.com', days: 30 },
    { name: 'Bea Ltd', email: '', days: null },
  ]);
  // The columns are remembered, and the names match the names in the first import.
  const later = file('more people.csv', ['Who,Mail,Pays', 'Ann & Co,ann@example.com,Net 30', 'Cy Inc,,']);
  const again = await mover.draft(token, [later], 'Spreadsheet');
  expect(again).toMatchObject({ files: [{ state: 'recognized' }], parties: { customers: 2, toCreate: 1 } });
  await t.call(movingCalls.deleteMove, { token, params: { id: again.id } });
  expect(await mover.undo(token, imported.id)).toMatchObject({ error: null, status: 'undone' });
  expect(await tablesOf(t, home.companyId)).toEqual(before);
});

test('a customer or product that was renamed in the source is recognized by its ID', async () => {
  const home = await t.createCompany();
  const { token } = home.administrator;
  const names = (table: 'entity' | 'product'): Promise<unknown[]> =>
    t.inCompany(home.companyId, (tx) =>
      tx.rows(sql`
        select name from ${sql.table(table)} where company_id = ${home.companyId} and name ~ '^(Ann|Bea|Bell|Lamp)'
        order by 1`),
    );
  const people = (rows: string[]) => file('people.csv', ['Customer,Email,Customer ID', ...rows]);
  const goods = (rows: string[]) => file('goods.csv', ['Product,Price,Income Account,ID', ...rows]);
  const accounts = file('accounts.csv', ['Account,Type', 'Shop Sales,Income']);
  const bring = async (files: Parameters<Mover['draft']>[1]) => {
    const ready = await confirmAll(t, token, await mover.draft(token, files, 'Spreadsheet'));
    return mover.run(token, ready.id, 'import');
  };
  const first = await bring([people(['Ann,,C-1', 'Bea,,C-2']), goods(['Bell,5.00,Shop Sales,P-1']), accounts]);
  expect(first).toMatchObject({ error: null, report: { counts: { customers: 2, products: 1 } } });
  const written = await tablesOf(t, home.companyId);
  const renamed = [people(['Ann Lee,,C-1', 'Bea,,C-2']), goods(['Bell XL,5.00,Shop Sales,P-1']), accounts];
  const second = await bring(renamed);
  expect(second).toMatchObject({ error: null, report: { counts: { customers: 0, products: 0 } } });
  expect(await tablesOf(t, home.companyId)).toEqual(written);
  // If a record has a new ID but the same name as another record, the user is still asked about the names.
  await bring([people(['Bea,,C-9', 'Ann,,C-1']), goods(['Lamp,7.00,Shop Sales,P-2']), accounts]);
  expect(await names('entity')).toEqual([{ name: 'Ann' }, { name: 'Bea' }]);
  expect(await names('product')).toEqual([{ name: 'Bell' }, { name: 'Lamp' }]);
  const twice = await mover.draft(token, [people(['Cy,,C-5', 'Di,,C-5'])], 'Spreadsheet');
  expect(twice.files[0]?.refusal?.text).toContain('row 3: The ID C-5 is also in row 2');
});

test('open invoices without a journal are rejected, and the message says what to do instead', async () => {
  const { token } = (await t.createCompany()).administrator;
  const invoices = file('invoices.csv', ['Customer,Invoice Number,Date,Open Balance', 'Ann,7,1/31/2026,50.00']);
  const draft = await mover.draft(token, [invoices], 'Spreadsheet');
  expect(draft).toMatchObject({ files: [{ state: 'recognized' }], documents: { invoices: 1 } });
  expect(draft.blocked.files).toBe(
    "Add the journal entries for the open invoices and bills. If you don't have a journal, enter the documents " +
      'under Opening Balances, where you can paste rows.',
  );
});

const PEOPLE_ROW = ['Ann & Co', 'ann@example.com', 'Net 30'];

test("one company's choice of columns is not used in another company", async () => {
  const [one, other] = [await t.createCompany(), await t.createCompany()];
  const draft = await mover.draft(one.administrator.token, [PEOPLE], 'Spreadsheet');
  await choose(one, draft.id, { customer: 0 });
  const elsewhere = await mover.draft(other.administrator.token, [PEOPLE], 'Spreadsheet');
  expect(elsewhere.files).toMatchObject([{ state: 'rejected', sheet: { kind: '' } }]);
});
