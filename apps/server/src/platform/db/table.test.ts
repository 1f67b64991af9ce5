import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { openTestBooks, type TestBooks } from '../../books/ledger/testing/books.ts';
import { databaseCode } from './errors.ts';
import { pageClauses, searchClause } from './page.ts';
import { COMPANY, drawnApart, type Runnable, statementOf, takeIds } from './query.ts';
import { table } from './table.ts';

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
});
afterAll(() => books.close());

const categories = table('account_category', { id: 'id', name: 'category_name', rowVersion: 'row_version' });
const roles = table('role', { id: 'id', roleName: 'role_name', permissions: 'permissions' });
const products = table('product', {
  id: 'id',
  name: 'name',
  description: 'description',
  price: 'sales_price_cents',
  taxable: 'taxable',
  type: 'product_service_type',
  accountId: 'gl_account_id',
  startDate: 'start_date',
  active: 'active',
});
const entities = table('entity', {
  id: 'id',
  kind: 'kind',
  name: 'name',
  displayname: 'displayname',
  details: 'details',
});
const people = entities.typed<{ details: readonly { street: string }[] }>();

const depot = { kind: 0, name: 'Depot', displayname: 'Depot' };

describe('a table', () => {
  test("a table writes and reads rows under the program's names, with money, dates, and JSON unchanged", async () => {
    const wanted = {
      name: 'Rake',
      description: 'A rake',
      price: cents(1995),
      taxable: true,
      type: 1,
      accountId: 140,
      startDate: isoDate('2026-02-28'),
    };
    const [written, read] = await books.inCompany(async (tx) => [
      await tx.row(products.insert(wanted, ['id', 'price', 'startDate', 'active'])),
      await tx.row(products.find({ name: 'Rake' })),
    ]);
    expect(written).toEqual({ id: expect.any(Number), price: 1995, startDate: '2026-02-28', active: true });
    expect(read).toEqual({ ...wanted, id: written?.id, active: true });
    const details = [{ street: '1 "Main" St \\' }];
    await books.inCompany((tx) => tx.rows(people.insert({ ...depot, details })));
    expect(await books.inCompany((tx) => tx.row(people.find({ name: 'Depot' })))).toMatchObject({ details });
  });

  test('a table updates matching rows with values or an expression, and returns the requested fields', async () => {
    const answer = await books.inCompany(async (tx) => {
      const made = await tx.row(categories.insert({ name: 'Changed' }, ['id']));
      const changes = { name: 'Changed again', rowVersion: sql`row_version + 1` };
      return tx.rows(categories.update({ id: made?.id ?? 0 }, changes, ['name', 'rowVersion']));
    });
    expect(answer).toEqual([{ name: 'Changed again', rowVersion: 2 }]);
  });

  test('a statement with fixed text is named, but one with a user’s sort order or search words is not', async () => {
    // The number of names is limited, and other tests in this process have used some of them. In this copy of the
    // module, none have been used.
    const path = './query.ts?anew';
    const fresh: { statementOf: typeof statementOf } = await import(path);
    const nameOf = (query: Runnable<unknown>) => fresh.statementOf(query, 1).name;
    const column = { expression: sql`name`, type: 'text' as const };
    const { orderBy } = pageClauses({ sort: 'name' }, { name: column }, { id: sql`id`, initial: column });
    const search = searchClause('a word', { texts: [sql`name`] });
    expect(nameOf(roles.find({ id: 1 }))).toMatch(/^s\d+$/);
    expect(nameOf(sql`select id from role ${orderBy}`)).toBeUndefined();
    expect(nameOf(sql`select id from role where true ${search}`)).toBeUndefined();
  });

  test('3 rows are inserted with the same statement text as 2 rows, including string arrays and JSON', async () => {
    const permissions = ['View Billing', 'a "quoted" \\ one', ''];
    const rows = [1, 2, 3].map((each) => ({ roleName: `Many ${each}`, permissions }));
    expect(statementOf(roles.insertMany(rows), 1).text).toBe(statementOf(roles.insertMany(rows.slice(1)), 1).text);
    const [only] = await books.inCompany((tx) =>
      tx.rows(roles.insertMany([{ roleName: 'Only', permissions }], ['id'])),
    );
    expect(await books.inCompany((tx) => tx.row(roles.find({ id: only?.id ?? 0 })))).toMatchObject({ permissions });
    const made = await books.inCompany((tx) => tx.rows(roles.insertMany(rows, ['id', 'roleName'])));
    expect(made.map((role) => role.roleName)).toEqual(['Many 1', 'Many 2', 'Many 3']);
    const read = await books.inCompany((tx) => tx.rows(roles.find({ id: made.map((role) => role.id) })));
    expect(read.map((role) => role.permissions)).toEqual([permissions, permissions, permissions]);
    const details = [{ street: 'A' }, { street: 'B' }];
    await books.inCompany((tx) => tx.rows(people.insertMany([{ ...depot, name: 'Many', details }])));
    expect(await books.inCompany((tx) => tx.row(people.find({ name: 'Many' })))).toMatchObject({ details });
  });

  test('a table updates many rows in one statement, each with different values', async () => {
    const names = ['One', 'Two'].map((name) => ({ name: `Upd ${name}` }));
    const made = await books.inCompany((tx) => tx.rows(categories.insertMany(names, ['id'])));
    const changes = made.map(({ id }, index) => ({ id, name: `Updated ${index}` }));
    await books.inCompany((tx) => tx.rows(categories.updateMany(changes, ['id'])));
    const read = await books.inCompany((tx) =>
      tx.rows(categories.find({ id: made.map(({ id }) => id) }, { orderBy: sql`id` })),
    );
    expect(read.map(({ name }) => name)).toEqual(['Updated 0', 'Updated 1']);
  });

  test('a table reads, updates, and deletes no rows that belong to another company', async () => {
    const id = await books.inCompany(
      async (tx) => (await tx.row(categories.insert({ name: 'Theirs' }, ['id'])))?.id ?? 0,
      books.otherId,
    );
    const touched = await books.inCompany(async (tx) => [
      await tx.rows(categories.find({ id })),
      await tx.rows(categories.update({ id }, { name: 'Mine' }, ['id'])),
      await tx.rows(categories.delete({ id })),
    ]);
    expect(touched).toEqual([[], [], []]);
    expect(await books.inCompany((tx) => tx.row(categories.find({ id })), books.otherId)).toMatchObject({
      name: 'Theirs',
    });
  });

  test('every statement includes company_id, regardless of row-level security', () => {
    const statements = [
      categories.find({ id: 1 }),
      categories.insert({ name: 'x' }),
      categories.insertMany([{ name: 'x' }]),
      categories.update({ id: 1 }, { name: 'x' }),
      categories.updateMany([{ id: 1, name: 'x' }], ['id']),
      categories.delete({ id: 1 }),
    ];
    for (const statement of statements) {
      const { text, values } = statementOf(statement, 4711);
      expect(text).toMatch(/company_id"? = \$\d|\(("company_id"|company_id), /);
      expect(values).toContain(4711);
    }
  });

  test('IDs are assigned in a separate statement from the reads, and inserted where they belong', () => {
    const statement = statementOf(
      sql`select ${takeIds('a_seq', 2)} as a, ${7}::int as b, ${takeIds('b_seq', 0)} as c
        from account where company_id = ${COMPANY}`,
      4711,
    );
    const apart = drawnApart(statement);
    expect(apart?.draw).toEqual({
      text:
        `select (select coalesce(jsonb_agg(nextval('a_seq')), '[]') from generate_series(1, 2)) as "0", ` +
        `(select coalesce(jsonb_agg(nextval('b_seq')), '[]') from generate_series(1, 0)) as "1"`,
      values: [],
    });
    const { text, values } = apart?.with([[11, 12], []]) ?? { text: '', values: [] };
    expect(text.replace(/\s+/g, ' ')).toBe(
      'select $1::jsonb as a, $2::int as b, $3::jsonb as c from account where company_id = $4',
    );
    expect(values).toEqual(['[11,12]', 7, '[]', 4711]);
    expect(drawnApart(statementOf(sql`select ${takeIds('a_seq', 1)} as ids`))).toBeUndefined();
  });

  test('a statement that affects all rows of an installation table is rejected', () => {
    expect(() => table('token', { kind: 'kind' }).delete({})).toThrow('a statement without a condition on token');
  });

  test('a table passes the database’s errors on to its caller', async () => {
    const twice = books.inCompany((tx) => tx.rows(categories.insertMany([{ name: 'Dup' }, { name: 'DUP' }])));
    expect(databaseCode(await twice.catch((error: unknown) => error))).toBe('23505');
  });
});
