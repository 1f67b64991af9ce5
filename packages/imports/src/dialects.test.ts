import { describe, expect, it } from 'vitest';
import type { SourceBooks } from './books.ts';
import { balancesAt, entriesOf, monthEndsOf, partyBalances } from './prove.ts';
import { read } from './read.ts';
import { type TestCompany, testCompany } from './testing/company.ts';
import { type Dialect, dialects } from './testing/dialects.ts';
import { styleOf } from './testing/files.ts';

/** A torture run uses new companies each time. The seed is part of the test's name. To repeat a run, set SEED. */
const RUNS = Number(process.env['TORTURE_RUNS'] ?? 0);
const isTorture = RUNS > 0;
const FIRST_SEED = Number(process.env['SEED'] ?? 0) || (isTorture ? Date.now() % 1_000_000 : 1);
const SEEDS = Array.from({ length: Math.max(1, Math.min(40, RUNS)) }, (_, index) => FIRST_SEED + index);

/**
 * Returns the month-end balances of each account that has entries. Accounts are identified by their names in the
 * dialect.
 */
function expected(company: TestCompany, dialect: Dialect): Map<string, readonly number[]> {
  const entries = company.transactions.flatMap(({ date, lines }) =>
    lines.map(({ account, amount }) => ({ account: dialect.nameOf(account), date, amount })),
  );
  return new Map(balancesAt(entries, monthEndsOf(company.transactions.map(({ date }) => date))));
}

function found(books: SourceBooks, dialect: Dialect): Map<string, readonly number[]> {
  const labels = new Map(books.accounts.map((account) => [account.key, dialect.labelOf(account)]));
  const entries = entriesOf(books.transactions).map((entry) => ({
    ...entry,
    account: labels.get(entry.account) ?? '?',
  }));
  return new Map(balancesAt(entries, monthEndsOf([...books.transactions].map(({ date }) => date))));
}

/** Returns each customer's balance. Commas are removed, because hledger's tags can't contain them. */
function owed(company: TestCompany, dialect: Dialect): Map<string, number> {
  const balances = new Map<string, number>();
  for (const { party, lines } of company.transactions) {
    for (const line of lines) {
      if (line.account.type !== 'Accounts Receivable') continue;
      const name = (line.party ?? party).toLowerCase();
      const key = dialect.name === 'hledger' ? name.replaceAll(/[;,]/g, ' ').replace(/\s+/g, ' ').trim() : name;
      balances.set(key, (balances.get(key) ?? 0) + line.amount);
    }
  }
  return new Map([...balances].filter(([, amount]) => amount !== 0));
}

describe('the General Ledger without an account list', () => {
  const [, , ledger] = dialects;

  it.each(SEEDS)(
    'the General Ledger has the expected trial balance, with signs from the transactions (seed %i)',
    (seed) => {
      if (ledger === undefined) throw new Error('no dialect');
      const company = testCompany(seed);
      const [file] = ledger.write(company, styleOf(seed));
      const { books } = read(file === undefined ? [] : [file]);
      expect(books.refusals).toEqual([]);
      expect(Object.fromEntries(found(books, ledger))).toEqual(Object.fromEntries(expected(company, ledger)));
    },
  );
});

describe.each(dialects)('$name', (dialect) => {
  it('a workbook gives the expected trial balance, even if the results of formulas are missing', () => {
    const company = testCompany(FIRST_SEED, 100);
    const { books } = read(dialect.write(company, { ...styleOf(2), isWorkbook: true }));
    expect(books.refusals).toEqual([]);
    expect(Object.fromEntries(found(books, dialect))).toEqual(Object.fromEntries(expected(company, dialect)));
  });

  it.each(SEEDS)('the import has the expected trial balance and receivables at 72 month ends (seed %i)', (seed) => {
    const company = testCompany(seed);
    const { books } = read(dialect.write(company, styleOf(seed * 31 + dialects.indexOf(dialect))));
    expect(books.refusals).toEqual([]);
    expect(books.questions).toEqual([]);
    const wanted = expected(company, dialect);
    expect([...wanted.values()][0]).toHaveLength(72);
    expect(Object.fromEntries(found(books, dialect))).toEqual(Object.fromEntries(wanted));
    expect(partyBalances(books.accounts, entriesOf(books.transactions), 'receivable')).toEqual(owed(company, dialect));
  });
});
