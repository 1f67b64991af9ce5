import type { Pool } from 'pg';

/** The number of customers, which is also the number of vendors, in a company with a million entries. */
const NAMES = 50_000;

/**
 * Fills a company with about `entries` records that a search can find: 5% customers, 5% vendors, and equal numbers of
 * invoices, bills, and payments. Bypasses triggers and creates the search entries as `rebuild` does. Returns the number
 * of entries.
 */
export async function fillSearch(pool: Pool, companyId: number, entries: number): Promise<number> {
  const names = Math.round((entries / 1_000_000) * NAMES);
  const each = Math.round((entries - 2 * names) / 3);
  const client = await pool.connect();
  try {
    await client.query('begin; set local session_replication_role = replica');
    for (const kind of [0, 1]) {
      await client.query(insertNames, [companyId, names, kind]);
      await client.query(insertDocuments, [companyId, each, kind]);
    }
    await client.query(insertPayments, [companyId, each]);
    await client.query('drop index search_entry_words');
    await client.query(makeEntries, [companyId]);
    await client.query('create index search_entry_words on search_entry using gin (words search_words_ops)');
    await client.query('commit');
    await client.query('vacuum (analyze) entity, document, payment, search_entry');
    const counted = await client.query<{ entries: number }>(
      'select count(*) as entries from search_entry where company_id = $1',
      [companyId],
    );
    return counted.rows[0]?.entries ?? 0;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const insertNames = `
  insert into entity (company_id, kind, displayname, name, email_address)
  select $1::bigint, $3::int, name, name, 'c' || n || '@customer.example'
  from (
    select n, case $3::int when 0 then 'Customer ' else 'Vendor ' end || to_char(n, 'FM00000') as name
    from generate_series(1, $2::int) n) made`;

// Inserts four years of invoices or bills. Two thirds of them are open.
const insertDocuments = `
  with known as (
    select array_agg(id order by id) as ids from entity where company_id = $1 and kind = $3::int)
  insert into document (company_id, kind, side, document_number, document_date, invoice_date, due_date, entity_id,
    status, control_account_id, sales_tax_cents, total_cents, open_cents, applied_cents, entry_date)
  select $1::bigint, case $3::int when 0 then 'invoice' else 'expense' end,
    case $3::int when 0 then 'receivable' else 'payable' end, case $3::int when 0 then '' else 'B-' end || (20000 + n),
    m.day, case $3::int when 0 then null else m.day end, m.day + 30, k.ids[1 + n % cardinality(k.ids)], 2,
    138 + $3::int, 0, m.total, m.open, m.total - m.open, m.day
  from generate_series(1, $2::int) n, known k, lateral (
    select date '2022-01-01' + n * 7 % 1460 as day, 100 + n * 7919::bigint % 90000 as total,
      case n % 3 when 0 then 0 else 100 + n * 7919::bigint % 90000 end as open) m`;

const insertPayments = `
  with known as (
    select array_agg(id order by id) as ids, (select min(id) from banking_account where company_id = $1) as bank
    from entity where company_id = $1 and kind = 0)
  insert into payment (company_id, side, payment_number, reference_number, entity_id, payment_date, amount_cents,
    unapplied_cents, applied_cents, bank_account_id, gl_account_id, control_account_id, entry_date)
  select $1::bigint, 'receivable', n::text, 'ref ' || n, k.ids[1 + n % cardinality(k.ids)],
    date '2022-01-01' + n * 7 % 1460, 100 + n * 7919::bigint % 90000, 0, 100 + n * 7919::bigint % 90000, k.bank, 101,
    138, date '2022-01-01'
  from generate_series(1, $2::int) n, known k`;

const makeEntries = `
  insert into search_entry (company_id, kind, id, key, words, amount_cents, day, is_open)
  select w.company_id, w.kind, w.id, w.key, w.words, w.amount_cents, w.day, w.is_open
  from search_wanted($1::bigint) w
  on conflict do nothing`;
