import initSqlJs from 'sql.js';
import type { ImportFile } from '../zip.ts';
import type { TestCompany } from './company.ts';

/** The tables of GnuCash 5 that matter for books, with US dollars, euros, and a scheduled transaction. */
const TABLES = `
  CREATE TABLE books (guid text(32) PRIMARY KEY NOT NULL, root_account_guid text(32), root_template_guid text(32));
  CREATE TABLE commodities (guid text(32) PRIMARY KEY NOT NULL, namespace text(2048), mnemonic text(2048));
  CREATE TABLE accounts (guid text(32) PRIMARY KEY NOT NULL, name text(2048), account_type text(2048),
    commodity_guid text(32), parent_guid text(32), code text(2048), description text(2048), hidden integer);
  CREATE TABLE transactions (guid text(32) PRIMARY KEY NOT NULL, currency_guid text(32), num text(2048),
    post_date text(19), description text(2048));
  CREATE TABLE splits (guid text(32) PRIMARY KEY NOT NULL, tx_guid text(32), account_guid text(32), memo text(2048),
    value_num bigint, value_denom bigint, quantity_num bigint, quantity_denom bigint);
  INSERT INTO books VALUES ('book', 'root', 'template');
  INSERT INTO commodities
    VALUES ('usd', 'CURRENCY', 'USD'), ('eur', 'CURRENCY', 'EUR'), ('tpl', 'template', 'template');
  INSERT INTO accounts VALUES ('root', 'Root Account', 'ROOT', null, null, '', '', 0),
    ('template', 'Template Root', 'ROOT', null, null, '', '', 0), ('x', 'x', 'BANK', 'tpl', 'template', '', '', 0);
  INSERT INTO transactions VALUES ('monthly', 'usd', '', '2025-01-01 10:59:00', 'Rent');
  INSERT INTO splits VALUES ('s1', 'monthly', 'x', '', 0, 1, 0, 1), ('s2', 'monthly', 'x', '', 0, 1, 0, 1);`;

/** Returns the bytes of a GnuCash database after these statements have run. */
export async function databaseOf(...statements: string[]): Promise<Uint8Array> {
  const sqlite = await initSqlJs();
  const database = new sqlite.Database();
  for (const statement of [TABLES, ...statements]) database.exec(statement);
  const bytes = database.export();
  database.close();
  return bytes;
}

/** GnuCash's own types. All other accounts in the test are assets in GnuCash. */
const TYPES: Partial<Record<string, string>> = {
  'Accounts Receivable': 'RECEIVABLE',
  'Accounts Payable': 'PAYABLE',
  Bank: 'BANK',
  Income: 'INCOME',
  Expense: 'EXPENSE',
};

const quoted = (value: string | number): string => `'${String(value).replaceAll("'", "''")}'`;
const row = (table: string, values: (string | number)[]): string =>
  `INSERT INTO ${table} VALUES (${values.map(quoted).join(', ')});`;

/** Writes a company's books as a GnuCash database. Account n of the company has the ID `account-n`. */
export async function companyDatabase({ accounts, transactions }: TestCompany): Promise<ImportFile> {
  const idOf = new Map(accounts.map(({ name }, index) => [name, `account-${index}`]));
  const rows = ['BEGIN;'];
  for (const { name, number, type } of accounts) {
    const end = name.lastIndexOf(':');
    const parent = idOf.get(name.slice(0, Math.max(0, end)));
    const leaf = parent === undefined ? name : name.slice(end + 1);
    rows.push(
      row('accounts', [idOf.get(name) ?? '', leaf, TYPES[type] ?? 'ASSET', 'usd', parent ?? 'root', number, '', 0]),
    );
  }
  for (const { id, date, number, party, lines } of transactions) {
    rows.push(row('transactions', [`t${id}`, 'usd', number, `${date} 10:59:00`, party]));
    for (const { account, amount } of lines) {
      const split = `split-${rows.length}`;
      rows.push(row('splits', [split, `t${id}`, idOf.get(account.name) ?? '', '', amount, 100, amount, 100]));
    }
  }
  return { name: 'books.gnucash', bytes: await databaseOf([...rows, 'COMMIT;'].join('\n')) };
}
