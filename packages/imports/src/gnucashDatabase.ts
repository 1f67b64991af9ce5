import { refusalAt } from './books.ts';
import {
  type GnuCashAccount,
  gnucashBooks,
  type GnuCashContents,
  type GnuCashSplit,
  type GnuCashTransaction,
} from './gnucashBooks.ts';
import type { Reader } from './reader.ts';
import type { SqliteFile } from './sqlite.ts';

const TABLES = ['books', 'commodities', 'accounts', 'transactions', 'splits'];

const ACCOUNTS = `
  SELECT a.guid, a.name, a.account_type, coalesce(a.parent_guid, ''),
    CASE WHEN c.namespace IN ('CURRENCY', 'ISO4217') THEN c.mnemonic
      ELSE coalesce(c.namespace || ':' || c.mnemonic, '') END,
    coalesce(a.code, ''), coalesce(a.description, ''), coalesce(a.hidden, 0), a.rowid
  FROM accounts a LEFT JOIN commodities c ON c.guid = a.commodity_guid
  ORDER BY a.rowid`;

/** The accounts of scheduled transactions have their own root. */
const TEMPLATE_ACCOUNTS = `
  WITH RECURSIVE template (guid) AS (
    SELECT root_template_guid FROM books
    UNION SELECT a.guid FROM accounts a JOIN template ON a.parent_guid = template.guid
  )
  SELECT guid FROM template`;

// Amounts are text, because a number in JavaScript can't represent every integer in SQLite.
const SPLITS = `
  SELECT t.guid, coalesce(t.post_date, ''), coalesce(t.num, ''), coalesce(t.description, ''), t.rowid,
    s.account_guid, s.value_num || '/' || s.value_denom, s.quantity_num || '/' || s.quantity_denom,
    coalesce(s.memo, ''), s.rowid
  FROM transactions t JOIN splits s ON s.tx_guid = t.guid
  ORDER BY t.post_date, t.rowid, s.rowid`;

const ORPHANS = `
  SELECT s.rowid FROM splits s LEFT JOIN transactions t ON t.guid = s.tx_guid WHERE t.guid IS NULL ORDER BY s.rowid`;

/** Returns the ISO date in `2025-03-04 10:59:00`, or in `20250304105900` from GnuCash 2.6 and earlier. */
const dateText = (text: string): string => text.replace(/^(\d{4})(\d\d)(\d\d)\d{6}$/, '$1-$2-$3');

function contentsOf(name: string, database: SqliteFile): GnuCashContents {
  const missing = TABLES.find((table) => !database.tables.has(table));
  if (missing !== undefined) {
    throw refusalAt(name, `The SQLite database isn't a GnuCash file: it has no table '${missing}'.`);
  }
  const template = new Set([...database.rows(TEMPLATE_ACCOUNTS)].map(([id]) => String(id)));
  const accounts = [...database.rows(ACCOUNTS)].map((row): GnuCashAccount => {
    const [id = '', account = '', type = '', parent = '', currency = '', code = '', description = ''] = row.map(String);
    return {
      id,
      name: account,
      type,
      parent,
      currency,
      code,
      description,
      isHidden: row[7] === 1,
      row: Number(row[8]),
    };
  });
  for (const [orphan] of database.rows(ORPHANS)) {
    throw refusalAt({ file: name, row: Number(orphan) }, 'The split has no transaction. Correct it in GnuCash first.');
  }
  let templates = 0;

  function* transactions(): Generator<GnuCashTransaction> {
    let current: (GnuCashTransaction & { splits: GnuCashSplit[] }) | undefined;
    const isTemplate = (): boolean => current?.splits.some(({ account }) => template.has(account)) === true;
    for (const row of database.rows(SPLITS)) {
      const [id = '', date = '', number = '', description = '', , account = '', value = '', quantity = '', memo = ''] =
        row.map(String);
      if (current?.id !== id) {
        if (isTemplate()) templates += 1;
        else if (current !== undefined) yield current;
        current = { id, date: dateText(date), number, description, splits: [], row: Number(row[4]) };
      }
      current.splits.push({ account, value, quantity, memo, row: Number(row[9]) });
    }
    if (isTemplate()) templates += 1;
    else if (current !== undefined) yield current;
  }

  return {
    accounts: accounts.filter(({ id }) => !template.has(id)),
    transactions: transactions(),
    templates: () => templates,
  };
}

/** The reader for GnuCash's SQLite databases. The rows in messages are row numbers in the database. */
export const gnucashDatabase: Reader = {
  format: 'gnucash-sqlite',
  label: 'GnuCash database',
  system: 'GnuCash',
  isList: true,
  recognizes: ({ database }) => database !== undefined,
  read: ({ name, database }) => {
    if (database === undefined) throw new Error(`${name} is not a database`);
    const open = database();
    try {
      return gnucashBooks(name, contentsOf(name, open));
    } finally {
      open.close();
    }
  },
};
