import type { Pool } from 'pg';

/** The period that the filled books cover: 36 whole months. */
export const BOOKS = {
  from: '2023-01-01',
  lastYear: '2025-01-01',
  to: '2025-12-31',
  end: '2026-01-01',
  days: 1096,
} as const;

/** The lines in 4 transactions: an invoice (3 lines), a customer payment (3 lines), and two costs (2 lines each). */
const LINES_OF_FOUR = 10;

const ACCOUNTS = 40;

/** The number of transactions that are written at a time: a multiple of four, so that a slice starts a new four. */
const SLICE = 400_000;

/**
 * Fills a company with a journal of about `lines` lines, spread evenly over the months: invoices on the accrual basis,
 * their payments on both bases (with the income only on the cash basis), and paid costs on both, in 40 accounts. Each
 * transaction balances on both bases. Bypasses triggers and foreign keys, and omits the hash chain. All other data that
 * reports read is the same as after posting. Returns the number of lines.
 */
export async function fillBooks(pool: Pool, companyId: number, lines: number): Promise<number> {
  const client = await pool.connect();
  const transactions = Math.round(lines / LINES_OF_FOUR) * 4;
  try {
    await client.query('begin; set local session_replication_role = replica');
    for (let from = 1; from <= transactions; from += SLICE) {
      const slice = [companyId, transactions, from, Math.min(from + SLICE - 1, transactions)];
      await client.query(insertTransactions, slice);
      await client.query(insertLines, slice);
    }
    await client.query(insertTotals, [companyId]);
    await client.query(updateHead, [companyId]);
    await client.query('commit');
    const counted = await client.query<{ lines: number }>(
      'select count(*) as lines from journal_line where company_id = $1',
      [companyId],
    );
    return counted.rows[0]?.lines ?? 0;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** Updates the statistics and the visibility map, as autovacuum does. */
export async function settle(pool: Pool): Promise<void> {
  await pool.query('vacuum (analyze) journal_line, journal_transaction, ledger_total');
  await pool.query('checkpoint');
}

const dateOf = (n: string): string =>
  `date '${BOOKS.from}' + ((${n} - 1)::bigint * ${BOOKS.days} / $2::bigint)::integer`;

const insertTransactions = `
  insert into journal_transaction (company_id, id, posting_no, posting_date, source_type, source_id, description,
    created_by, created_at, previous_hash, hash)
  select $1::bigint, n, n, ${dateOf('n')}, 'journal', n,
    (array['Invoice ', 'Payment ', 'Cost ', 'Cost '])[n % 4 + 1] || n, 1, now(), sha256('0'), sha256('0')
  from generate_series($3::bigint, $4::bigint) n`;

// Amounts range from 1 to 900 dollars and differ between neighboring lines. Tax is 5%. Account 101 is the bank, and 138
// the receivables. Income and costs are spread over the accounts of a new company.
const insertLines = `
  insert into journal_line (company_id, id, transaction_id, line_no, posting_date, account_id, amount_cents, basis,
    description)
  with chart as (
    select array_agg(id order by id) filter (where root = 'Income' and not system) as incomes,
      array_agg(id order by id) filter (where root = 'Expense' and not system) as costs
    from account where company_id = $1),
  tax as (select min(gl_account_id) as id from sales_tax_scenario where company_id = $1),
  made as (
    select n, n % 4 as kind, 100 + (n * 7919) % 90000 as net, (100 + (n * 7919) % 90000) / 20 + 1 as tax,
      t.id as tax_id,
      c.incomes[1 + (n / 4) % least(12, cardinality(c.incomes))] as income,
      c.costs[1 + (n / 3) % least(${ACCOUNTS} - 16, cardinality(c.costs))] as cost,
      case when n % 11 = 0 then 102 else 101 end as bank
    from generate_series($3::bigint, $4::bigint) n, chart c, tax t)
  select $1::bigint, ($3 - 1) / 4 * ${LINES_OF_FOUR} + row_number() over (order by m.n, l.no), m.n,
    l.no, ${dateOf('m.n')}, l.account, l.amount, l.basis,
    (array['Invoice ', 'Payment ', 'Cost ', 'Cost '])[m.n % 4 + 1] || m.n
  from made m, lateral (
    select * from (values
      (0, 1, 138::bigint, m.net + m.tax, 'A'::"char"), (0, 2, m.income, -m.net, 'A'), (0, 3, m.tax_id, -m.tax, 'A'),
      (1, 1, m.bank, m.net, 'B'), (1, 2, 138, -m.net, 'A'), (1, 3, m.income, -m.net, 'C'),
      (2, 1, m.cost, m.net / 2, 'B'), (2, 2, m.bank, -(m.net / 2), 'B'),
      (3, 1, m.cost, m.net / 3, 'B'), (3, 2, m.bank, -(m.net / 3), 'B')
    ) v (kind, no, account, amount, basis)
    where v.kind = m.kind) l`;

const insertTotals = `
  insert into ledger_total (company_id, grain, begins, account_id, basis, profit_center_id, location_id, amount_cents,
    line_count)
  with day as (
    select company_id, posting_date as begins, account_id, basis, sum(amount_cents) as amount, count(*) as lines
    from journal_line where company_id = $1
    group by 1, 2, 3, 4)
  select company_id, 'D'::"char", begins, account_id, basis, 0, 0, amount, lines from day
  union all
  select company_id, 'M', ledger_month_of(begins), account_id, basis, 0, 0, sum(amount), sum(lines) from day
  group by 1, 3, 4, 5`;

const updateHead = `
  update ledger_head h set
    next_transaction_id = (select max(id) + 1 from journal_transaction where company_id = h.company_id),
    next_posting_no = (select max(posting_no) + 1 from journal_transaction where company_id = h.company_id),
    next_line_id = (select max(id) + 1 from journal_line where company_id = h.company_id),
    last_hash = sha256('0')
  where h.company_id = $1`;
