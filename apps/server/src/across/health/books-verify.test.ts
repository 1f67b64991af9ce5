import { documentKinds } from '@evenkeel/core/documents/side';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AR, CHECKING, SALES } from '@evenkeel/core/books/accounts';
import { COMPANY } from '../../platform/db/query.ts';
import { inCompany, type Tx } from '../../platform/db/tx.ts';
import { onCitus } from '../../testing/databases.ts';
import { liveLinesOf } from '../../books/ledger/journal.ts';
import { rebuildCompany } from '../../features/accounting/rebuild.ts';
import { type TestBooks, entry, journal, openTestBooks, request } from '../../books/ledger/testing/books.ts';
import { type Fault, verifyCompany, verifyWithin, wholeChainFaults } from './books-verify.ts';

let books: TestBooks;

/** Five journal entries. Entry 3 also has a customer, a profit center, a location, and a description. */
beforeAll(async () => {
  books = await openTestBooks();
  await books.inCompany(async (tx) => {
    await tx.rows(sql`
      insert into profit_center (company_id, id, name) values (${COMPANY}, 1, 'North'), (${COMPANY}, 2, 'South')`);
    await tx.rows(sql`
      insert into location (company_id, id, name) values (${COMPANY}, 1, 'Here'), (${COMPANY}, 2, 'There')`);
    await tx.rows(sql`
      insert into entity (company_id, id, kind, displayname, name)
      values (${COMPANY}, 501, 0, 'Acme', 'Acme'), (${COMPANY}, 502, 0, 'Bolt', 'Bolt')`);
  });
  await books.post([journal('2026-01-05', [CHECKING, SALES], 100), journal('2026-01-06', [CHECKING, SALES], 200)]);
  const more = { entityId: 501, profitCenterId: 1, locationId: 1, description: 'Lamp' };
  await books.post([
    request({ type: 'journal', id: 0 }, '2026-02-03', [entry(CHECKING, 300, more), entry(SALES, -300, more)]),
  ]);
  await books.post([journal('2026-03-05', [CHECKING, SALES], 400), journal('2026-03-05', [CHECKING, SALES], 500)]);
});
afterAll(() => books.close());

/**
 * Changes the database directly (as the owner, with triggers and foreign keys turned off), runs a check, and rolls
 * back.
 */
async function behindTheBack<T>(statements: readonly string[], look: (tx: Tx) => Promise<T[]>): Promise<T[]> {
  const found: T[] = [];
  const undo = new Error('undo');
  await inCompany(books.owner, books.companyId, async (tx) => {
    await tx.rows(sql`set local session_replication_role = replica`);
    for (const statement of statements) await tx.rows(sql.raw(statement));
    found.push(...(await look(tx)));
    throw undo;
  }).catch((error: unknown) => {
    if (error !== undo) throw error;
  });
  return found;
}

const faultsAfter = (...statements: string[]): Promise<Fault[]> =>
  behindTheBack(statements, async (tx) => (await verifyWithin(tx)).faults);

/** Citus rejects moving a row to another company, and does not support timestamps in such updates. */
const isOpenToChange = ({ name, type }: { name: string; type: string }): boolean =>
  !onCitus || (name !== 'company_id' && type !== 'timestamp with time zone');

/** Changes the stored value by one byte or unit, depending on the column type. */
const altered: Record<string, string> = {
  bigint: '$ + 1',
  integer: '$ + 1',
  date: '$ + 1',
  text: `overlay($ placing 'X' from length($) for 1)`,
  'timestamp with time zone': `$ + interval '1 microsecond'`,
  bytea: 'set_byte($, 0, get_byte($, 0) # 1)',
  '"char"': `'A'`,
};

/** New values for columns that the general change would make invalid, for example because of a constraint. */
const special: Record<string, string> = {
  source_type: `'payment'`,
  basis: `'A'`,
  reverses: '1',
  company_id: 'OTHER',
  'journal_transaction.description': `'altered'`,
};

const columnsOf = async (table: string): Promise<{ name: string; type: string }[]> =>
  (
    await books.owner.query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, null) as type from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
      [table],
    )
  ).rows;

test('correct books with a chain of 5 entries and 10 lines have no problems', async () => {
  const found = await verifyCompany(books.pool, books.companyId);
  expect(found).toEqual({
    companyId: books.companyId,
    transactions: 5,
    lines: 10,
    lastHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    faults: [],
  });
  expect(await verifyCompany(books.owner, books.companyId)).toEqual(found);
  expect(await verifyCompany(books.pool, books.otherId)).toMatchObject({ transactions: 0, lastHash: '', faults: [] });
});

describe('a changed value in entry 3', () => {
  test('a change to any column of journal_transaction is reported for entry 3', async () => {
    const columns = await columnsOf('journal_transaction');
    expect(columns).toHaveLength(11);
    for (const { name, type } of columns.filter(isOpenToChange)) {
      const value = (special[`journal_transaction.${name}`] ?? special[name] ?? altered[type] ?? '')
        .replaceAll('$', name)
        .replace('OTHER', String(books.otherId));
      const [first] = await faultsAfter(
        `update journal_transaction set ${name} = ${name === 'posting_no' || name === 'id' ? '1000' : value}
          where company_id = ${books.companyId} and posting_no = 3`,
      );
      const named = first === undefined ? undefined : [first.transactionId, first.postingNo].includes(3);
      expect({ name, named, message: first?.message }).toEqual({ name, named: true, message: expect.any(String) });
    }
  });

  test('a change to any column of journal_line is reported for entry 3', async () => {
    const columns = await columnsOf('journal_line');
    expect(columns).toHaveLength(13);
    for (const { name, type } of columns.filter(isOpenToChange)) {
      const value = (special[name] ?? altered[type] ?? '')
        .replaceAll('$', name)
        .replace('OTHER', String(books.otherId));
      const [first] = await faultsAfter(
        `update journal_line set ${name} = ${['id', 'line_no', 'transaction_id'].includes(name) ? '1000' : value}
          where company_id = ${books.companyId} and transaction_id = 3 and line_no = 2`,
      );
      expect({ name, first }).toEqual({
        name,
        first: expect.objectContaining({ check: 'chain', transactionId: 3, postingNo: 3 }),
      });
    }
  });

  // Citus does not allow a row function in an update.
  test.skipIf(onCitus)(
    'a change with a recalculated hash is reported for entry 4, which no longer fits the chain',
    async () => {
      const faults = await faultsAfter(
        `update journal_line set description = 'Lamq' where company_id = ${books.companyId} and transaction_id = 3`,
        `update journal_transaction t set hash = ledger_hash(t, array(select l from journal_line l
        where l.company_id = t.company_id and l.transaction_id = t.id order by l.line_no))
        where t.company_id = ${books.companyId} and t.id = 3`,
      );
      expect(faults).toEqual([
        { check: 'chain', transactionId: 4, postingNo: 4, message: 'it does not follow the entry before it' },
        // The text in the search index no longer matches the changed line.
        {
          check: 'search',
          message: 'journal entry with the ID 3: its words, dates, or amounts differ from the search index',
          record: { kind: 'journal', id: 3 },
        },
      ]);
    },
  );
});

describe('other problems', () => {
  const checksAfter = async (...statements: string[]) => [
    ...new Set((await faultsAfter(...statements)).map((fault) => fault.check)),
  ];
  const company = () => `company_id = ${books.companyId}`;

  test('checking the chain in parts of any length gives the same result', async () => {
    const pieces = [1, 2, 3, 4, 5, 9];
    const changes = [
      `delete from journal_transaction where ${company()} and id = 3`,
      `update journal_line set description = 'x' where ${company()} and transaction_id in (2, 5)`,
    ];
    const found = await behindTheBack(changes, async (tx) => {
      const all: unknown[] = [];
      for (const piece of pieces) all.push(await wholeChainFaults((work) => work(tx), piece));
      return all;
    });
    const altered = (postingNo: number) =>
      expect.objectContaining({ postingNo, message: 'its columns do not match its hash' });
    const missing = expect.objectContaining({ postingNo: 3, message: 'it is missing before transaction 4' });
    expect(found).toEqual(pieces.map(() => [altered(2), altered(5), missing]));
  });

  test('the check of the ledger head finds that the last entry is missing', async () => {
    const gone = await checksAfter(
      `delete from journal_line where ${company()} and transaction_id = 5`,
      `delete from journal_transaction where ${company()} and id = 5`,
    );
    expect(gone).toEqual(['totals', 'search', 'head']);
  });

  test('a missing entry in the middle and its lines are reported', async () => {
    const faults = await faultsAfter(`delete from journal_transaction where ${company()} and id = 3`);
    expect(faults).toContainEqual({ check: 'chain', postingNo: 3, message: 'it is missing before transaction 4' });
    expect(faults).toContainEqual({ check: 'ids', transactionId: 3, message: 'line 5 has no transaction' });
  });

  test('an entry that is out of balance by 1 cent is reported with the amount', async () => {
    const faults = await faultsAfter(`update journal_line set amount_cents = 301 where ${company()} and id = 5`);
    expect(faults).toContainEqual({
      check: 'balance',
      transactionId: 3,
      postingNo: 3,
      message: 'it does not balance on the accrual basis: 1 cents',
    });
  });

  const spans = [
    ['M', 'month 2026-03-01', '2026-03-01'],
    ['D', 'day 2026-03-05', '2026-03-05'],
  ] as const;
  test.each(spans)(
    'a wrong or missing total (%s) is reported with its account and its period: %s',
    async (grain, name, begins) => {
      const record = { kind: 'account', id: CHECKING };
      const total = `${company()} and grain = '${grain}' and begins = '${begins}' and account_id = ${CHECKING}`;
      const named = (what: string) => [
        { check: 'totals', message: `account ${CHECKING}, ${name}, basis B: total ${what}`, record },
      ];
      const altered = (what: string) => faultsAfter(`update ledger_total set ${what} where ${total}`);
      expect(await altered('amount_cents = amount_cents + 1')).toEqual(named('901 instead of 900 cents'));
      expect(await altered('line_count = line_count + 1')).toEqual(named('3 instead of 2 lines'));
      expect(await faultsAfter(`delete from ledger_total where ${total}`)).toEqual(named('0 instead of 900 cents'));
    },
  );

  test.each(['D', 'M'])('a total (%s) for a day or month without lines is reported', async (grain) => {
    const faults = await faultsAfter(
      `insert into ledger_total
        (company_id, grain, begins, account_id, basis, profit_center_id, location_id, amount_cents, line_count)
        values (${books.companyId}, '${grain}', '2026-04-01', 101, 'C', 0, 0, 7, 1)`,
    );
    const name = grain === 'D' ? 'day' : 'month';
    expect(faults).toEqual([
      {
        check: 'totals',
        message: `account 101, ${name} 2026-04-01, basis C: total 7 instead of 0 cents`,
        record: { kind: 'account', id: 101 },
      },
    ]);
  });

  test('a wrong counter is reported', async () => {
    expect(await checksAfter(`update ledger_head set next_line_id = 12 where ${company()}`)).toEqual(['head']);
    expect(await checksAfter(`update ledger_head set last_hash = 'x' where ${company()}`)).toEqual(['head']);
    expect(await checksAfter(`delete from ledger_head where ${company()}`)).toEqual(['head']);
  });

  test('a reversal that differs from its original is reported', async () => {
    const source = { type: 'journal', id: 1 } as const;
    const [line] = await books.inCompany((tx) => tx.rows(liveLinesOf([source])));
    expect(line?.amount).toBe(100);
    const faults = await faultsAfter(`update journal_line set reverses = 1 where ${company()} and id = 5`);
    expect(faults).toContainEqual({ check: 'reversals', transactionId: 3, message: 'line 5 does not negate line 1' });
  });

  test('receivables without an invoice and receivables on the cash basis are reported', async () => {
    const invoice = request({ type: 'invoice', id: 9 }, '2026-05-05', [
      entry(AR, 100, { basis: 'A' }),
      entry(SALES, -100, { basis: 'A' }),
    ]);
    await books.post([invoice], books.otherId);
    const accrual = await verifyCompany(books.pool, books.otherId);
    expect(accrual.faults).toEqual([
      {
        check: 'control accounts',
        message: 'accounts receivable are 100 cents, but open invoices less unapplied payments are 0',
        record: { kind: 'account', id: AR },
      },
      {
        check: 'documents',
        transactionId: 1,
        postingNo: 1,
        message: 'it belongs to invoice 9, which does not exist',
      },
    ]);
    await books.post([journal('2026-05-05', [AR, SALES], 5)], books.otherId);
    const { faults } = await verifyCompany(books.pool, books.otherId);
    expect(faults[1]?.message).toBe(`account ${AR} is 5 cents on the cash basis, not 0`);
  });

  test('a number that was used by a missing document is reported', async () => {
    const draft = { source: { type: 'payment' as const, id: 1 }, postings: [], number: documentKinds.payment };
    await books.post([draft], books.otherId);
    const { faults } = await verifyCompany(books.pool, books.otherId);
    expect(faults).toContainEqual({ check: 'numbers', message: 'payment number 1 is missing' });
  });
});

test('rebuild corrects missing and wrong totals', async () => {
  await books.owner.query(`update ledger_total set amount_cents = 1 where company_id = $1 and account_id = $2`, [
    books.companyId,
    CHECKING,
  ]);
  await books.owner.query(`delete from ledger_total where company_id = $1 and account_id = $2`, [
    books.companyId,
    SALES,
  ]);
  expect((await verifyCompany(books.pool, books.companyId)).faults.length).toBeGreaterThan(0);
  // Posts to two accounts on four days in three months.
  expect(await rebuildCompany(books.owner, books.companyId)).toEqual({ companyId: books.companyId, totals: 14 });
  expect((await verifyCompany(books.pool, books.companyId)).faults).toEqual([]);
});

test('the live lines of an edited document are compared with the journal, and rebuild restores them', async () => {
  const source = { type: 'reconciliation', id: 77 } as const;
  await books.post([request(source, '2026-04-05', [entry(CHECKING, 100), entry(SALES, -100)])]);
  const live = () => books.inCompany((tx) => tx.rows(liveLinesOf([source])));
  const [debit, credit] = await live();
  const reversing = [
    entry(CHECKING, -100, { reverses: debit?.id ?? 0 }),
    entry(SALES, 100, { reverses: credit?.id ?? 0 }),
  ];
  await books.post([request(source, '2026-04-05', [...reversing, entry(CHECKING, 90), entry(SALES, -90)])]);
  const lines = await live();
  expect(lines.map((line) => line.amount)).toEqual([90, -90]);
  const ids = `{${lines.map((line) => line.id).join(',')}}`;
  const row = `where company_id = ${books.companyId}`;
  const told = async (statement: string) => {
    return (await faultsAfter(statement)).filter(({ check }) => check === 'live lines').map(({ message }) => message);
  };
  const name = 'the live lines of reconciliation 77 are';
  expect(await told(`update journal_live set line_ids = '{7}' ${row}`)).toEqual([`${name} {7} instead of ${ids}`]);
  expect(await told(`delete from journal_live ${row}`)).toEqual([`${name} not stored instead of ${ids}`]);
  const more = `insert into journal_live values (${books.companyId}, 'journal', 1, '{1}')`;
  expect(await told(more)).toEqual(['the live lines of journal 1 are {1} instead of {1,2}']);
  await books.owner.query(`delete from journal_live ${row}`);
  await rebuildCompany(books.owner, books.companyId);
  expect((await verifyCompany(books.pool, books.companyId)).faults).toEqual([]);
  expect(await live()).toEqual(lines);
});
