import { isoDate } from '@evenkeel/core/dates';
import { Dice } from '@evenkeel/core/dice';
import { cents } from '@evenkeel/core/money';
import { strToU8 } from 'fflate';
import { describe, expect, it } from 'vitest';
import { identified } from './identity.ts';
import { entriesOf, monthEndsOf, prove, provePartyBalances, proveTrialBalances } from './prove.ts';
import { read } from './read.ts';
import { testCompany } from './testing/company.ts';
import { dialects } from './testing/dialects.ts';
import { styleOf } from './testing/files.ts';

const [classic, since2026] = dialects;
const company = testCompany(3, 300);
const files = since2026?.write(company, styleOf(1)) ?? [];
const { books } = read(files);
const ledger = entriesOf(books.transactions);

describe('prove', () => {
  it('prove compares the balance of every account at 72 month ends', () => {
    const proof = prove(books, ledger);
    const accounts = new Set(ledger.map(({ account }) => account)).size;
    expect(proof).toMatchObject({ isProved: true, compared: accounts * 72, differences: [], partyDifferences: [] });
    expect(proof.monthEnds).toHaveLength(72);
  });

  it('a one-cent difference is reported with the account, the first month, the amounts, and the row', () => {
    const dice = new Dice(1);
    for (let round = 0; round < 20; round += 1) {
      const at = dice.between(0, ledger.length - 1);
      const wrong = ledger.map((entry, index) =>
        index === at ? { ...entry, amount: cents(entry.amount + 1) } : entry,
      );
      const { isProved, differences } = prove(books, wrong);
      const entry = ledger[at];
      expect(isProved).toBe(false);
      expect(differences).toMatchObject([{ account: entry?.account, difference: 1 }]);
      expect(differences[0]?.monthEnd.slice(0, 7)).toBe(entry?.date.slice(0, 7));
      expect(differences[0]?.candidates.length).toBeGreaterThan(0);
    }
  });

  it('a missing transaction comes first among the rows that may explain the difference', () => {
    const [, , , missing] = books.transactions;
    const rest = entriesOf([...books.transactions].filter((_, at) => at !== 3));
    const { differences } = prove(books, rest);
    expect(differences.length).toBeGreaterThanOrEqual(2);
    for (const { account, candidates, difference } of differences) {
      const line = missing?.lines.find((one) => one.account === account);
      if (line?.amount === -difference) expect(candidates[0]?.amount).toBe(line.amount);
    }
  });

  it('a receivable under the wrong customer is reported as a difference for both customers', () => {
    const receivable = books.accounts.find(({ role }) => role === 'receivable')?.key;
    const at = ledger.findIndex(({ account, party }) => account === receivable && party !== company.customers[0]);
    const wrong = ledger.map((entry, index) =>
      index === at ? { ...entry, party: company.customers[0] ?? '' } : entry,
    );
    const { differences, partyDifferences } = prove(books, wrong);
    expect([
      differences,
      partyDifferences.length,
      partyDifferences.reduce((sum, one) => sum + one.difference, 0),
    ]).toEqual([[], 2, 0]);
  });

  it('the compared months run from the first entry to the last', () => {
    expect(monthEndsOf(['2024-01-31', '2024-03-01'].map(isoDate))).toEqual(['2024-01-31', '2024-02-29', '2024-03-31']);
    expect(monthEndsOf([])).toEqual([]);
  });
});

describe('proveTrialBalances', () => {
  const JOURNAL =
    'Blue Inc\nJournal\nAll Dates\n\nDate,Transaction Type,Num,Name,Memo/Description,Account,Debit,Credit\n' +
    '05/31/2024,Sales Receipt,1,Ann,,Checking,100.00,\n,,,Ann,,Sales,,100.00\n,,,,,,100.00,100.00\n' +
    '08/31/2024,Sales Receipt,2,Ann,,Checking,30.00,\n,,,Ann,,Sales,,30.00\n,,,,,,30.00,30.00\n' +
    'TOTAL,,,,,,130.00,130.00\n';
  const ACCOUNTS =
    'Blue Inc\nAccount List\n\nFull name,Type,Detail type\nChecking,Bank,Checking\nSales,Income,Sales\n' +
    'Retained Earnings,Equity,Retained Earnings\n';
  const BALANCE =
    'Blue Inc\nTrial Balance\n"As of August 31, 2024"\n\n,Debit,Credit\nChecking,130.00,\n' +
    'Retained Earnings,,100.00\nSales,,30.00\nTOTAL,130.00,130.00\n';
  const all = [
    ['j.csv', JOURNAL],
    ['a.csv', ACCOUNTS],
    ['t.csv', BALANCE],
  ].map(([name = '', text = '']) => ({ name, bytes: strToU8(text) }));

  it('income in earlier fiscal years is part of retained earnings', () => {
    const found = read(all).books;
    expect(found.refusals).toEqual([]);
    expect(proveTrialBalances(found, 7)).toEqual([]);
    expect(
      proveTrialBalances(found, 1).map(({ accountName, report, transactions, place }) => [
        accountName,
        report,
        transactions,
        place.row,
      ]),
    ).toEqual([
      ['Retained Earnings', -10_000, 0, 7],
      ['Sales', -3000, -13_000, 8],
    ]);
  });

  it('a customer balance that does not agree with the transactions is reported as a difference', () => {
    const aging =
      'Blue Inc\nOpen Invoices\n"As of August 31, 2024"\n\n' +
      ',Date,Transaction type,Num,Due date,Open balance\nAnn,,,,,\n' +
      ',08/31/2024,Invoice,3,09/30/2024,5.00\nTotal for Ann,,,,,5.00\n';
    const found = read([...all, { name: 'o.csv', bytes: strToU8(aging) }]).books;
    expect(provePartyBalances(found)).toEqual([
      { side: 'receivable', party: 'ann', source: 500, ledger: 0, difference: -500 },
    ]);
  });
});

describe('identified', () => {
  it('transactions keep their identity when the file is read again, and identical transactions stay separate', () => {
    const again = read(files).books.transactions;
    const identities = [...identified(books.system, books.transactions)].map(({ identity }) => identity);
    expect([...identified(books.system, again)].map(({ identity }) => identity)).toEqual(identities);
    expect(new Set(identities).size).toBe(books.transactions.length);
    const byDate = [...books.transactions].toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
    const of = (isByDate: boolean) => [...identified(books.system, byDate, isByDate)].map(({ identity }) => identity);
    expect(of(true)).toEqual(of(false));
  });

  it('transactions without IDs keep their identity when a later file has more of them', () => {
    const short = testCompany(3, 300);
    const first = { ...short, transactions: short.transactions.slice(0, 200) };
    const of = (one: typeof short): string[] => {
      const found = read(classic?.write(one, styleOf(1)) ?? []).books;
      return [...identified(found.system, found.transactions)].map(({ identity }) => identity);
    };
    expect(of(short).slice(0, 200)).toEqual(of(first));
  });
});
