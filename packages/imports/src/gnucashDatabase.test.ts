import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { balancesAt, entriesOf, monthEndsOf, partyBalances } from './prove.ts';
import { read } from './read.ts';
import { testCompany } from './testing/company.ts';
import loadSqlite from 'sql.js';
import { companyDatabase, databaseOf } from './testing/gnucash.ts';

const SMALL = `
  INSERT INTO accounts VALUES ('a', 'Assets', 'ASSET', 'usd', 'root', '', null, 0),
    ('b', 'Checking', 'BANK', 'usd', 'a', '1000', 'Main account', 0),
    ('i', 'Sales', 'INCOME', 'usd', 'root', '', '', 1);
  INSERT INTO transactions VALUES ('t1', 'usd', '7', '2025-03-04 10:59:00', 'Ann');
  INSERT INTO splits VALUES ('s3', 't1', 'b', 'Deposit', 12345, 100, 12345, 100),
    ('s4', 't1', 'i', '', -24690, 200, -12345, 100);`;

const reading = async (bytes: Uint8Array) => read([{ name: 'books.gnucash', bytes }], {}, await loadSqlite());

const refusalOf = async (...statements: string[]): Promise<string | undefined> =>
  (await reading(await databaseOf(SMALL, ...statements))).books.refusals[0]?.text;

describe('GnuCash database', () => {
  it('accounts and transactions are read with exact amounts, and scheduled transactions are skipped', async () => {
    const { books, files } = await reading(await databaseOf(SMALL));
    expect(files).toMatchObject([{ format: 'gnucash-sqlite', counts: { accounts: 3, transactions: 1 } }]);
    expect(books.accounts).toMatchObject([
      { name: 'Assets' },
      { name: 'Assets:Checking', number: '1000', description: 'Main account', isActive: true },
      { name: 'Sales', isActive: false },
    ]);
    expect(books.transactions.at(0)).toMatchObject({
      id: 't1',
      number: '7',
      date: '2025-03-04',
      memo: 'Ann',
      lines: [
        { account: 'b', amount: 12_345, memo: 'Deposit' },
        { account: 'i', amount: -12_345 },
      ],
    });
    expect(books.warnings.map(({ text }) => text)).toEqual([
      "books.gnucash: 1 scheduled transaction doesn't post and won't be imported",
    ]);
  });

  it('dates from GnuCash 2.6, which have no punctuation, are read', async () => {
    const { books } = await reading(await databaseOf(SMALL, `UPDATE transactions SET post_date = '20240229050000'`));
    expect(books.transactions.at(0)?.date).toBe('2024-02-29');
  });

  it.each([
    [
      'an amount that is off by one cent',
      `UPDATE splits SET value_num = 12346, quantity_num = 12346 WHERE guid = 's3'`,
      /rows 3 and 4: Transaction 7 dated 3\/4\/2025 doesn't balance: its debits are greater than its credits by 0\.01/,
    ],
    [
      'a fraction of a cent',
      `UPDATE splits SET value_denom = 1000 WHERE guid = 's3'`,
      /row 3: The amount 12345\/1000 in Assets:Checking is not a whole number of cents/,
    ],
    [
      'another currency',
      `UPDATE accounts SET commodity_guid = 'eur' WHERE guid = 'b'`,
      /row 3: The account Assets:Checking is in EUR\. Only US dollars can be imported/,
    ],
    [
      'a quantity that differs from the value',
      `UPDATE splits SET quantity_num = 1 WHERE guid = 's3'`,
      /row 3: The split in Assets:Checking has the value 123\.45 and a different quantity/,
    ],
    [
      'a split without a transaction',
      `DELETE FROM transactions WHERE guid = 't1'`,
      /row 3: The split has no transaction/,
    ],
    ['a split without an account', `DELETE FROM accounts WHERE guid = 'b'`, /row 3: The split has no account/],
    ['a missing table', 'DROP TABLE commodities', /isn't a GnuCash file: it has no table 'commodities'/],
    [
      'a view instead of a table',
      'ALTER TABLE splits RENAME TO old; CREATE VIEW splits AS SELECT * FROM old',
      /it has no table 'splits'/,
    ],
    ['a missing column', 'ALTER TABLE splits DROP COLUMN memo', /can't be read/],
  ])('rejects a GnuCash database with %s', async (_, statement, words) => {
    expect(await refusalOf(statement)).toMatch(words);
  });

  it('reading ends if an account is its own parent', async () => {
    const { books } = await reading(await databaseOf(SMALL, `UPDATE accounts SET parent_guid = 'b' WHERE guid = 'a'`));
    expect(books.transactions).toHaveLength(1);
  });

  it('rejects damaged GnuCash databases without throwing an exception', async () => {
    const bytes = await databaseOf(SMALL);
    for (let at = 16; at < bytes.length; at += 509) {
      const damaged = bytes.slice();
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      const { books } = await reading(damaged);
      // If the file isn't rejected, the changed byte must not affect any amount.
      if (books.refusals.length === 0 && books.transactions.length > 0) {
        expect(books.transactions.at(0)?.lines.map(({ amount }) => amount)).toEqual([12_345, -12_345]);
      }
    }
    expect((await reading(bytes.slice(0, 3000))).books.refusals[0]?.text).toContain("can't be read");
    expect((await reading(strToU8('SQLite format 3\0'))).books.refusals[0]?.text).toContain("can't be read");
  });

  it('a company that is read from a GnuCash database has the expected receivables and 72 trial balances', async () => {
    const company = testCompany(1);
    const { transactions } = company;
    const { books } = await reading((await companyDatabase(company)).bytes);
    expect(books.refusals).toEqual([]);
    const months = monthEndsOf(transactions.map(({ date }) => date));
    expect(months).toHaveLength(72);
    const own = transactions.flatMap(({ date, lines }) =>
      lines.map(({ account, amount }) => ({ account: `account-${company.accounts.indexOf(account)}`, date, amount })),
    );
    expect(new Map(balancesAt(entriesOf(books.transactions), months))).toEqual(new Map(balancesAt(own, months)));
    const receivable = `account-${company.accounts.findIndex(({ type }) => type === 'Accounts Receivable')}`;
    const byParty = partyBalances(books.accounts, entriesOf(books.transactions), 'receivable');
    expect([...byParty.values()].reduce((sum, amount) => sum + amount, 0)).toBe(
      own.filter(({ account }) => account === receivable).reduce((sum, { amount }) => sum + amount, 0),
    );
  });

  it('a database in an archive is read after SQLite is loaded', async () => {
    const bytes = zipSync({ 'books.gnucash': await databaseOf(SMALL) });
    expect((await reading(bytes)).books.transactions).toHaveLength(1);
  });
});
