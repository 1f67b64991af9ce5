import { documentKinds } from '@evenkeel/core/documents/side';
import type { DocumentKind } from '@evenkeel/core/kinds/kind';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AR, CHECKING, SALES, SALES_TAX_PAYABLE, SERVICE_INCOME } from '@evenkeel/core/books/accounts';
import type { Posted, PostingRequest } from '@evenkeel/core/books/ledger';
import { databaseCode } from '../../platform/db/errors.ts';
import { onCitus } from '../../testing/databases.ts';
import { liveLinesBySource, liveLinesOf, openJournal } from './journal.ts';
import { POSTER, type TestBooks, entry, journal, openTestBooks, posting, request } from './testing/books.ts';

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
});
afterAll(() => books.close());

interface Counts {
  transactions: number;
  lines: number;
  totals: number;
  nextLine: number;
  nextInvoice: number;
}

async function counts(): Promise<Counts> {
  const { rows } = await books.owner.query<Counts>(
    `select (select count(*) from journal_transaction where company_id = $1) as transactions,
      (select count(*) from journal_line where company_id = $1) as lines,
      (select coalesce(sum(line_count), 0)::bigint from ledger_total where company_id = $1) as totals,
      next_line_id as "nextLine", coalesce((
        select next_number from number_sequence where company_id = $1 and kind = 'invoice'), 10001) as "nextInvoice"
      from ledger_head where company_id = $1`,
    [books.companyId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('no head');
  return row;
}

/** Runs work that must fail, and checks that nothing was written. */
async function refusedWithoutTrace(work: () => Promise<unknown>): Promise<unknown> {
  const before = await counts();
  const error = await work().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  expect(await counts()).toEqual(before);
  return error;
}

const NOTHING: Posted = { transactions: [], number: undefined };

/** Posts requests and returns the IDs of their transactions. */
async function idsOf(requests: readonly PostingRequest[]): Promise<number[]> {
  return (await books.post(requests)).flatMap(({ transactions }) => transactions.map(({ id }) => id));
}

// Several statements in a single string run as one transaction.
const asOwner = (text: string) => books.owner.query(text);

describe('rejected postings', () => {
  test('rejects a posting of 100.00 against 99.99 before the posting reaches the database', async () => {
    const unbalanced = request({ type: 'invoice', id: 1 }, '2026-05-05', [entry(AR, 10_000), entry(SALES, -9_999)]);
    const error = await refusedWithoutTrace(() => books.post([unbalanced]));
    expect(String(error)).toContain('does not balance on the accrual basis: 1 cents');
  });

  test('rejects a posting that balances only on the accrual basis', async () => {
    const entries = [entry(AR, 10_000, { basis: 'A' }), entry(SALES, -10_000)];
    const error = await refusedWithoutTrace(() =>
      books.post([request({ type: 'invoice', id: 1 }, '2026-05-05', entries)]),
    );
    expect(String(error)).toContain('on the cash basis: -10000 cents');
  });

  test('rejects a posting to another company’s ledger', async () => {
    const write = () =>
      books.inCompany((tx) =>
        tx.rows(sql`insert into journal_transaction
        values (${books.otherId}, 900, 900, '2026-05-05', 'journal', 1, 'x', 7, now(), '', '')`),
      );
    expect(databaseCode(await refusedWithoutTrace(write))).toBe('42501');
    const asked = books.inCompany((tx) => openJournal(tx), 999_999);
    await expect(asked).rejects.toThrow('has no ledger');
  });

  test('rejects a posting to an account that does not exist', async () => {
    const error = await refusedWithoutTrace(() => books.post([journal('2026-05-05', [CHECKING, 999_999], 100)]));
    expect(error).toMatchObject({ code: 'rule', message: "The selected account doesn't exist" });
  });

  test('rejects a second balance of 90 trillion dollars in one month as out of range', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    const two = [journal('2026-05-05', [CHECKING, SALES], most), journal('2026-05-06', [CHECKING, SALES], most)];
    const error = await refusedWithoutTrace(() => books.post(two));
    expect(error).toMatchObject({ code: 'rule', message: 'Amount is out of range' });
  });

  test('rejects a document without an ID, because ID 0 is for journal entries', async () => {
    const invoice = request({ type: 'invoice', id: 0 }, '2026-05-05', [entry(AR, 1), entry(SALES, -1)]);
    await refusedWithoutTrace(() => books.post([invoice]));
  });

  test('rejects lines inserted with SQL by the owner or in a request, unless they balance', async () => {
    const insert = (id: number, amounts: number[]) => `
      insert into journal_transaction
        values (${books.companyId}, ${id}, ${id}, '2026-05-05', 'journal', 1, 'x', 7, now(), '', '');
      insert into journal_line values ${amounts
        .map(
          (amount, at) => `(${books.companyId}, ${9000 + at}, ${id}, ${at + 1}, '2026-05-05', 101, ${amount}, 'B', '')`,
        )
        .join(',')}`;
    expect(databaseCode(await refusedWithoutTrace(() => asOwner(insert(900, [100, -99]))))).toBe('EK002');
    expect(databaseCode(await refusedWithoutTrace(() => asOwner(insert(900, [100]))))).toBe('EK002');
    const asRequest = (text: string) =>
      books.inCompany((tx) => tx.inOrder(text.split(';').map((each) => sql.raw(each))));
    expect(databaseCode(await refusedWithoutTrace(() => asRequest(insert(900, [100, -99]))))).toBe('EK002');
  });
});

describe('posting to the journal', () => {
  test('an invoice for 108.25 with tax gets number 10001, consecutive line IDs, and both descriptions', async () => {
    const before = await counts();
    const lines = [
      entry(AR, 10_825, { basis: 'A' }),
      entry(SALES, -10_000, { basis: 'A', description: 'Consulting' }),
      entry(SALES_TAX_PAYABLE, -825, { basis: 'A' }),
    ];
    const invoice = { type: 'invoice', id: 41 } as const;
    const asked = { ...request(invoice, '2026-05-05', lines), number: documentKinds.invoice };
    const [{ number, transactions: [made] } = NOTHING] = await books.post([asked]);
    expect(number).toBe('10001');
    expect(Math.abs((made?.createdAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(made?.lines.map((line) => line.id)).toEqual([0, 1, 2].map((at) => before.nextLine + at));
    const rows = await books.inCompany((tx) => tx.rows(liveLinesOf([invoice])));
    const live = liveLinesBySource(rows)(invoice);
    expect(live.map((line) => line.id)).toEqual([0, 1, 2].map((at) => before.nextLine + at));
    expect(live.map((line) => line.description)).toEqual(['Invoice 10001', 'Consulting', 'Invoice 10001']);
    expect(live.map((line) => line.amount)).toEqual([10_825, -10_000, -825]);
    expect(liveLinesBySource(rows)({ type: 'invoice', id: 42 })).toEqual([]);
  });

  test('a request with neither postings nor a number changes nothing', async () => {
    const before = await counts();
    const zero = request({ type: 'invoice', id: 5 }, '2026-05-05', [entry(AR, 0), entry(SALES, 0)]);
    expect(await books.post([zero])).toEqual([{ transactions: [], number: undefined }]);
    expect(await counts()).toEqual(before);
  });

  test('a draft takes the next invoice number and posts nothing', async () => {
    const before = await counts();
    const asked = { source: { type: 'invoice', id: 6 }, postings: [], number: documentKinds.invoice } as const;
    expect(await books.post([asked])).toEqual([{ number: String(before.nextInvoice), transactions: [] }]);
    expect(await counts()).toEqual({ ...before, nextInvoice: before.nextInvoice + 1 });
  });

  test("documents of several kinds in one posting get numbers from their kinds' own sequences", async () => {
    const memo: DocumentKind = { ...documentKinds.reconciliation, label: 'Memo', firstNumber: 501 };
    const { invoice, payment } = documentKinds;
    const named = async (kinds: readonly DocumentKind[]) => {
      const requests = kinds.map((number, at) => {
        const entries = [entry(CHECKING, 100), entry(SALES, -100)];
        return { ...request({ type: number.source, id: 100 + at }, '2026-05-05', entries), number };
      });
      const posted = await books.post(requests, books.otherId);
      return posted.map(({ number, transactions: [made] }) => [number, made?.description]);
    };
    expect(await named([memo, invoice, memo, payment, invoice])).toEqual([
      ['501', 'Memo 501'],
      ['10001', 'Invoice 10001'],
      ['502', 'Memo 502'],
      ['1', 'Payment 1'],
      ['10002', 'Invoice 10002'],
    ]);
    expect(await named([invoice, memo])).toEqual([
      ['10003', 'Invoice 10003'],
      ['503', 'Memo 503'],
    ]);
    const { rows } = await books.owner.query(
      'select kind, next_number as next from number_sequence where company_id = $1 order by kind',
      [books.otherId],
    );
    expect(rows).toEqual([
      { kind: 'invoice', next: 10_004 },
      { kind: 'payment', next: 2 },
      { kind: 'reconciliation', next: 504 },
    ]);
  });

  test('a journal entry with source 0 gets its own ID as the source', async () => {
    const [id = 0] = await idsOf([journal('2026-05-05', [CHECKING, SALES], 500)]);
    const rows = await books.inCompany((tx) => tx.rows(liveLinesOf([{ type: 'journal', id }])));
    expect(rows.map((row) => row.amount)).toEqual([500, -500]);
  });

  test('two documents with three transactions are posted in the requested order', async () => {
    const posted = await books.post([
      {
        source: { type: 'payment', id: 3 },
        postings: [
          posting('2026-05-06', [entry(CHECKING, 700), entry(SALES, -700)]),
          posting('2026-05-07', [entry(CHECKING, 300), entry(SALES, -300)]),
        ],
      },
      journal('2026-05-08', [CHECKING, SALES], 100),
    ]);
    const [[first = 0] = [], ...others] = posted.map(({ transactions }) => transactions.map(({ id }) => id));
    expect([posted[0]?.transactions[1]?.id, ...others]).toEqual([first + 1, [first + 2]]);
  });

  test("a transaction's hash is the SHA-256 digest of the previous hash and its columns", async () => {
    const note = 'Zoë \\ "q" | ; 日本';
    await books.post([
      request({ type: 'journal', id: 0 }, '2026-06-30', [entry(CHECKING, 5, { description: note }), entry(SALES, -5)]),
    ]);
    const { rows } = await books.owner.query<
      { previous_hash: Buffer; hash: Buffer; at: string } & Record<string, number>
    >(
      `select *, encode(timestamptz_send(created_at), 'hex') as at from journal_transaction
      where company_id = $1 order by posting_no desc limit 1`,
      [books.companyId],
    );
    const lines = await books.owner.query<Record<string, number | string>>(
      'select * from journal_line where company_id = $1 and transaction_id = $2 order by line_no',
      [books.companyId, rows[0]?.['id']],
    );
    const days = ((Date.UTC(2026, 5, 30) - Date.UTC(2000, 0, 1)) / 86_400_000).toString(16).padStart(8, '0');
    const t = rows[0];
    if (t === undefined) throw new Error('nothing was posted');
    const text = (value: unknown): string => `${Buffer.byteLength(String(value))}:${String(value)}`;
    const canonical = [
      `${books.companyId}|${t['id']}|${t['posting_no']}|${days}|journal|${t['id']}|${POSTER}|${t.at}|`,
      `${t.previous_hash.toString('hex')}|0:`,
      ...lines.rows.map(
        (l) =>
          `|${l['company_id']}|${l['id']}|${l['transaction_id']}|${l['line_no']}|${days}|${l['account_id']}|` +
          `${l['amount_cents']}|B|||||${text(l['description'])}`,
      ),
    ].join('');
    const expected = createHash('sha256').update(t.previous_hash).update(canonical).digest('hex');
    expect(t.hash.toString('hex')).toBe(expected);
  });

  test("a line can be reversed only once and by its exact amount, and a reversal can't be reversed", async () => {
    const source = { type: 'invoice', id: 77 } as const;
    await books.post([
      request(source, '2026-05-05', [entry(AR, 900, { basis: 'A' }), entry(SALES, -900, { basis: 'A' })]),
    ]);
    const live = await books.inCompany((tx) => tx.rows(liveLinesOf([source])));
    const [a, b] = live;
    if (a === undefined || b === undefined) throw new Error('nothing is live');
    const reversing = (amount: number, account = SALES) =>
      request(source, '2026-05-05', [
        entry(AR, -amount, { basis: 'A', reverses: a.id }),
        entry(account, amount, { basis: 'A', reverses: b.id }),
      ]);
    expect(databaseCode(await refusedWithoutTrace(() => books.post([reversing(899)])))).toBe('EK002');
    expect(databaseCode(await refusedWithoutTrace(() => books.post([reversing(900, SERVICE_INCOME)])))).toBe('EK002');
    const transactionIds = await idsOf([reversing(900)]);
    expect(await books.inCompany((tx) => tx.rows(liveLinesOf([source])))).toEqual([]);
    expect(await refusedWithoutTrace(() => books.post([reversing(900)]))).toMatchObject({ code: 'conflict' });
    const { rows } = await books.owner.query<{ id: number }>(
      'select id from journal_line where company_id = $1 and transaction_id = $2 order by line_no',
      [books.companyId, transactionIds[0]],
    );
    const again = [entry(AR, 900, { basis: 'A', reverses: rows[0]?.id ?? 0 }), entry(SALES, -900, { basis: 'A' })];
    expect(databaseCode(await refusedWithoutTrace(() => books.post([request(source, '2026-05-05', again)])))).toBe(
      'EK002',
    );
  });

  test.each(['journal_line', 'journal_transaction'])('%s is append-only, even for the table owner', async (table) => {
    const tries = [
      `update ${table} set description = 'other'`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
      // Citus does not send this statement to any of its servers.
      ...(onCitus ? [] : [`update ${table} set description = 'other' where false`]),
    ];
    for (const statement of tries)
      expect(databaseCode(await refusedWithoutTrace(() => asOwner(statement)))).toBe('EK004');
  });

  test('a posted transaction accepts no more lines, even if they balance', async () => {
    const transactionIds = await idsOf([journal('2026-05-05', [CHECKING, SALES], 500)]);
    const add = (from: number) => `insert into journal_line values
      (${books.companyId}, 9100, ${transactionIds[0]}, ${from}, '2026-05-05', 101, 100, 'B', ''),
      (${books.companyId}, 9101, ${transactionIds[0]}, ${from + 1}, '2026-05-05', 101, -100, 'B', '')`;
    expect(databaseCode(await refusedWithoutTrace(() => asOwner(add(3))))).toBe('EK002');
    expect(databaseCode(await refusedWithoutTrace(() => asOwner(add(1))))).toBe('23505');
  });
});

describe('rejected lines inserted by hand', () => {
  const line = (id: number, transaction: number, [no, amount, reverses]: [number, number, string]) =>
    `(${books.companyId}, ${id}, ${transaction}, ${no}, '2026-05-05', 101, ${amount}, 'B', '', null, null, null,
      ${reverses})`;
  const pair = (transaction: number, reverses = 'null') => {
    const lines = [line(9200, transaction, [1, 100, 'null']), line(9201, transaction, [2, -100, reverses])];
    return `insert into journal_line values ${lines.join(', ')}`;
  };

  test('a line whose transaction does not exist or belongs to another company is rejected', async () => {
    const { rows } = await books.owner.query<{ id: number }>(
      `insert into journal_transaction select company_id, 8000, 8000, '2026-05-05', 'journal', 1, 'x', 7, now(), '', ''
       from company where company_id <> $1 limit 1 returning id`,
      [books.companyId],
    );
    expect(rows).toHaveLength(1);
    for (const transaction of [7999, 8000]) {
      expect(databaseCode(await refusedWithoutTrace(() => asOwner(pair(transaction))))).toBe('23503');
    }
  });

  test('a reversal of a line that does not exist is rejected', async () => {
    const transaction = `insert into journal_transaction
      values (${books.companyId}, 910, 910, '2026-05-05', 'journal', 1, 'x', 7, now(), '', '');`;
    expect(databaseCode(await refusedWithoutTrace(() => asOwner(transaction + pair(910, '123456'))))).toBe('EK002');
  });
});

describe('closed books', () => {
  test('a posting on the closing date is rejected with that date, and accepted with an override', async () => {
    await books.owner.query(`update ledger_head set closing_date = '2026-03-31' where company_id = $1`, [
      books.companyId,
    ]);
    const onClosing = [journal('2026-03-31', [CHECKING, SALES], 500)];
    expect(await refusedWithoutTrace(() => books.post(onClosing))).toMatchObject({
      code: 'closed',
      message: 'The books are closed through 3/31/2026',
    });
    await refusedWithoutTrace(() => books.post([journal('2026-04-01', [CHECKING, SALES], 1), ...onClosing]));
    await books.post([journal('2026-04-01', [CHECKING, SALES], 500)]);
    await books.post(onClosing.map((each) => ({ ...each, reason: 'Late bill' })));
  });
});
