import { searchedKinds } from '@evenkeel/core/words/searched';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { type FaultRow, MOST_FAULTS, recordOf } from '../documents/verify.sql.ts';

/** The last checked entry in the chain. */
export interface ChainEnd {
  postingNo: number;
  hash: Buffer;
}

/**
 * Selects the entry that is `most` positions after a posting number, or the last entry if there are fewer. Selects
 * nothing at the end of the chain.
 */
export function chainEndBehind(postingNo: number, most: number): Runnable<ChainEnd> {
  return sql<ChainEnd>`
    select posting_no as "postingNo", hash from (
      select posting_no, hash from journal_transaction
      where company_id = ${COMPANY} and posting_no > ${postingNo}
      order by posting_no limit ${most}) piece
    order by posting_no desc limit 1`;
}

// The columns are passed as a row of the table, because the rows of a distributed table have the types of its shards.

/**
 * Finds problems in a section of the chain. Lists first the entries whose stored columns no longer match their hash,
 * and then the breaks between entries: missing posting numbers, which the message includes, and entries that don't
 * contain the hash of the previous entry.
 */
export function chainFaults(behind: ChainEnd, through: number): Runnable<FaultRow & { isAltered: boolean }> {
  return sql<FaultRow & { isAltered: boolean }>`
    with entry as (
      select t.id, t.posting_no, t.previous_hash,
        lag(t.posting_no, 1, ${behind.postingNo}::bigint) over chain + 1 as expected_no,
        lag(t.hash, 1, ${behind.hash}::bytea) over chain as hash_before,
        ledger_hash(row(t.*)::journal_transaction, array(
          select row(l.*)::journal_line from journal_line l where l.company_id = ${COMPANY} and l.transaction_id = t.id
          order by l.line_no)) is distinct from t.hash as altered
      from journal_transaction t
      where t.company_id = ${COMPANY} and t.posting_no > ${behind.postingNo} and t.posting_no <= ${through}
      window chain as (order by t.posting_no))
    select altered as "isAltered", case when altered or posting_no = expected_no then id end as "transactionId",
      case when altered then posting_no else expected_no end as "postingNo",
      case when altered then 'its columns do not match its hash'
        when posting_no <> expected_no then 'it is missing before transaction ' || id
        else 'it does not follow the entry before it' end as message
    from entry
    where altered or previous_hash <> hash_before or posting_no <> expected_no
    order by altered desc, posting_no
    limit ${MOST_FAULTS}`;
}

/**
 * Finds transactions that don't balance on both bases, that have no lines, or whose lines have a wrong number or date.
 */
export function balanceFaults(): Runnable<FaultRow> {
  return sql<FaultRow>`
    select t.id as "transactionId", t.posting_no as "postingNo",
      case when s.count is null then 'it has no lines'
        when s.accrual <> 0 then 'it does not balance on the accrual basis: ' || s.accrual || ' cents'
        when s.cash <> 0 then 'it does not balance on the cash basis: ' || s.cash || ' cents'
        when s.dated then 'a line has another posting date'
        else 'its lines are not numbered from 1' end as message
    from journal_transaction t
    left join lateral (
      select count(*), coalesce(sum(l.amount_cents) filter (where l.basis <> 'C'), 0) as accrual,
        coalesce(sum(l.amount_cents) filter (where l.basis <> 'A'), 0) as cash,
        bool_or(l.posting_date <> t.posting_date) as dated, min(l.line_no) as first, max(l.line_no) as last
      from journal_line l
      where l.company_id = ${COMPANY} and l.transaction_id = t.id
      having count(*) > 0) s on true
    where t.company_id = ${COMPANY}
      and (s.count is null or s.accrual <> 0 or s.cash <> 0 or s.dated or s.first <> 1 or s.last <> s.count)
    order by t.posting_no
    limit ${MOST_FAULTS}`;
}

/**
 * Finds dates whose lines don't add up to zero on each basis. If there are no dates like this, the lines up to any date
 * also add up to zero.
 */
export function dateFaults(): Runnable<FaultRow> {
  return sql<FaultRow>`
    select null::bigint as "transactionId", null::bigint as "postingNo",
      'the lines of ' || posting_date || ' add up to ' || accrual || ' cents on the accrual basis and ' || cash
        || ' on the cash basis' as message
    from (
      select l.posting_date, coalesce(sum(l.amount_cents) filter (where l.basis <> 'C'), 0) as accrual,
        coalesce(sum(l.amount_cents) filter (where l.basis <> 'A'), 0) as cash
      from journal_line l where l.company_id = ${COMPANY} group by l.posting_date) day
    where accrual <> 0 or cash <> 0
    order by posting_date
    limit ${MOST_FAULTS}`;
}

/** Finds gaps in the IDs of transactions and lines, which start at 1, and finds lines without a transaction. */
export function idFaults(): Runnable<FaultRow> {
  return sql<FaultRow>`
    select * from (
      select id as "transactionId", posting_no as "postingNo", 'transaction IDs before it are missing' as message
      from (select id, posting_no, lag(id, 1, 0::bigint) over (order by id) as before
        from journal_transaction where company_id = ${COMPANY}) t
      where id <> before + 1
      union all
      select transaction_id, null, 'line IDs before ' || id || ' are missing'
      from (select id, transaction_id, lag(id, 1, 0::bigint) over (order by id) as before
        from journal_line where company_id = ${COMPANY}) l
      where id <> before + 1
      union all
      select l.transaction_id, null, 'line ' || l.id || ' has no transaction'
      from journal_line l
      where l.company_id = ${COMPANY} and not exists (
        select from journal_transaction t where t.company_id = ${COMPANY} and t.id = l.transaction_id)) fault
    order by 1
    limit ${MOST_FAULTS}`;
}

/**
 * Finds incorrect reversals. A reversal must refer to a line that isn't a reversal, and negate it exactly. A line can
 * be reversed only once.
 */
export function reversalFaults(): Runnable<FaultRow> {
  return sql<FaultRow>`
    select l.transaction_id as "transactionId", null::bigint as "postingNo",
      'line ' || l.id || ' does not negate line ' || l.reverses as message
    from journal_line l
    left join journal_line r on r.company_id = ${COMPANY} and r.id = l.reverses
    where l.company_id = ${COMPANY} and l.reverses is not null
      and (r.id is null or r.reverses is not null or r.id >= l.id
        or (l.account_id, l.amount_cents, l.basis) <> (r.account_id, -r.amount_cents, r.basis)
        or (l.entity_id, l.profit_center_id, l.location_id)
          is distinct from (r.entity_id, r.profit_center_id, r.location_id))
    union all
    select min(transaction_id), null, 'line ' || reverses || ' is reversed more than once'
    from journal_line where company_id = ${COMPANY} and reverses is not null
    group by reverses having count(*) > 1
    order by 1
    limit ${MOST_FAULTS}`;
}

/** Computes a company's totals by day and month from its lines, as they should be in ledger_total. */
export function totalsOfLines() {
  return sql`
    with day as (
      select l.company_id, l.posting_date as begins, l.account_id, l.basis,
        coalesce(l.profit_center_id, 0) as profit_center_id, coalesce(l.location_id, 0) as location_id,
        sum(l.amount_cents) as amount_cents, count(*) as line_count
      from journal_line l
      where l.company_id = ${COMPANY}
      group by 1, 2, 3, 4, 5, 6)
    select company_id, 'D'::"char" as grain, begins, account_id, basis, profit_center_id, location_id,
      amount_cents::bigint as amount_cents, line_count
    from day
    union all
    select company_id, 'M', ledger_month_of(begins), account_id, basis, profit_center_id, location_id,
      sum(amount_cents)::bigint, sum(line_count)::bigint
    from day
    group by 1, 3, 4, 5, 6, 7`;
}

/** Finds differences between ledger_total and the lines. */
export function totalFaults(): Runnable<FaultRow> {
  return sql<FaultRow>`
    with wanted as (${totalsOfLines()})
    select null::bigint as "transactionId", null::bigint as "postingNo",
      'account ' || account_id || case grain when 'D' then ', day ' else ', month ' end || begins || ', basis '
      || basis::text || ': total ' || case when w.amount_cents = t.amount_cents
        then t.line_count || ' instead of ' || w.line_count || ' lines'
        else coalesce(t.amount_cents, 0) || ' instead of ' || coalesce(w.amount_cents, 0) || ' cents' end as message,
      ${recordOf('account', sql`account_id`)} as record
    from wanted w
    full join (select * from ledger_total where company_id = ${COMPANY}) t
      using (grain, begins, account_id, basis, profit_center_id, location_id)
    where (w.amount_cents, w.line_count) is distinct from (t.amount_cents, t.line_count)
    order by account_id, begins, grain, basis
    limit ${MOST_FAULTS}`;
}

/**
 * Computes the live lines of a company's documents from its journal lines, and whether any line of each document was
 * ever reversed.
 */
function liveOfDocuments() {
  return sql`
    select t.company_id, t.source_type, t.source_id, bool_or(l.reverses is not null) as is_edited,
      coalesce(array_agg(l.id order by l.id) filter (where l.reverses is null and r.reverses is null), '{}') as line_ids
    from journal_transaction t
    join journal_line l on l.company_id = ${COMPANY} and l.transaction_id = t.id
    left join journal_line r on r.company_id = ${COMPANY} and r.reverses = l.id
    where t.company_id = ${COMPANY}
    group by 1, 2, 3`;
}

/** Selects the documents that journal_live should contain. */
export function liveOfEdited() {
  return sql`
    select company_id, source_type, source_id, line_ids from (${liveOfDocuments()}) every
    where company_id = ${COMPANY} and is_edited`;
}

/** Finds differences between journal_live and the lines. A document without reversals needs no row. */
export function liveFaults(): Runnable<FaultRow> {
  return sql<FaultRow>`
    with wanted as (${liveOfDocuments()})
    select null::bigint as "transactionId", null::bigint as "postingNo",
      'the live lines of ' || source_type || ' ' || source_id || ' are ' || coalesce(k.line_ids::text, 'not stored')
        || ' instead of ' || coalesce(w.line_ids, '{}')::text as message,
      ${recordOf(sql`source_type`, sql`source_id`)} as record
    from wanted w
    full join (select * from journal_live where company_id = ${COMPANY}) k using (source_type, source_id)
    where case when k.line_ids is null then w.is_edited else k.line_ids <> coalesce(w.line_ids, '{}') end
    order by source_type, source_id
    limit ${MOST_FAULTS}`;
}

const SEARCHED = searchedKinds();
const SEARCHED_NAMES = SEARCHED.map(({ name }) => name.toLowerCase());
/** The kinds of records that a search finds, by their names in the audit log. */
const SEARCHED_RECORDS = SEARCHED.map(({ record }) => record);

/** Selects the queries in the functions search_of_…, which take a company as their argument. */
export function searchQueries(): Runnable<{ query: string }> {
  return sql<{ query: string }>`
    select p.prosrc as query from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proname like 'search_of_%' order by p.proname`;
}

/**
 * Returns the search entries that should exist for the company's records. The queries are inlined because Citus can't
 * plan functions that read tables.
 */
export function searchWanted(queries: readonly { query: string }[]): RawBuilder<unknown> {
  const wanted = queries.map(({ query }) => {
    const parts = query.split(/\bcompany\b/).map((text) => sql.raw(text));
    return sql`(${sql.join(parts, sql`${COMPANY}::bigint`)})`;
  });
  return sql`(${sql.join(wanted, sql` union all `)})
    w (company_id, kind, id, key, words, amount_cents, day, is_open)`;
}

/** Finds differences between search_entry and the records. */
export function searchFaults(queries: readonly { query: string }[]): Runnable<FaultRow> {
  return sql<FaultRow>`
    select null::bigint as "transactionId", null::bigint as "postingNo",
      coalesce((${SEARCHED_NAMES}::text[])[kind + 1], 'kind ' || kind) || ' with the ID ' || id
        || case when w.key is null then ': searches find it but should not'
          when s.key is null then ': searches do not find it'
          else ': its words, dates, or amounts differ from the search index' end as message,
      ${recordOf(sql`(${SEARCHED_RECORDS}::text[])[kind + 1]`, sql`id`)} as record
    from ${searchWanted(queries)}
    full join (select * from search_entry where company_id = ${COMPANY}) s using (kind, id)
    where (w.key, w.words, w.amount_cents, w.day, w.is_open)
      is distinct from (s.key, s.words, s.amount_cents, s.day, s.is_open)
    order by kind, id
    limit ${MOST_FAULTS}`;
}

/** Checks that the head's counters and hash continue directly from the last entry. */
export function headFaults(): Runnable<FaultRow> {
  return sql<FaultRow>`
    with ends as (
      select
        (select coalesce(max(id), 0) + 1 from journal_transaction where company_id = ${COMPANY}) as transaction_id,
        (select coalesce(max(id), 0) + 1 from journal_line where company_id = ${COMPANY}) as line_id,
        (select coalesce(max(posting_no), 0) + 1 from journal_transaction
          where company_id = ${COMPANY}) as posting_no,
        coalesce((select hash from journal_transaction where company_id = ${COMPANY}
          order by posting_no desc limit 1), ''::bytea) as hash)
    select null::bigint as "transactionId", null::bigint as "postingNo",
      case when h.company_id is null then 'there is no ledger head'
        when h.last_hash <> e.hash then 'the last hash differs from the hash of the last entry'
        when h.next_transaction_id <> e.transaction_id then 'the next transaction ID should be ' || e.transaction_id
        when h.next_line_id <> e.line_id then 'the next line ID should be ' || e.line_id
        else 'the next posting number should be ' || e.posting_no end as message
    from ends e
    left join ledger_head h on h.company_id = ${COMPANY}
    where h.company_id is null or h.last_hash <> e.hash or (h.next_transaction_id, h.next_line_id, h.next_posting_no)
      <> (e.transaction_id, e.line_id, e.posting_no)`;
}

/** Selects the size of the journal and the end of its chain. */
export function ledgerSize(): Runnable<{ transactions: number; lines: number; lastHash: string }> {
  return sql<{ transactions: number; lines: number; lastHash: string }>`
    select (select count(*) from journal_transaction where company_id = ${COMPANY}) as transactions,
      (select count(*) from journal_line where company_id = ${COMPANY}) as lines,
      coalesce((select encode(last_hash, 'hex') from ledger_head where company_id = ${COMPANY}), '') as "lastHash"`;
}

/** Selects all companies in the installation. Only the schema's owner can see them (policy owner_lists). */
export function selectCompanyIds(): Runnable<{ companyId: number }> {
  return sql<{ companyId: number }>`select company_id as "companyId" from company order by company_id`;
}
