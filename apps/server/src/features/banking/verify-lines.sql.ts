import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { type FaultRow, faults, recordOf } from '../../books/documents/verify.sql.ts';
import { ACT_STATES, type BankLineRow, bankLines } from './lines.sql.ts';

/**
 * Finds matches that don't refer to active entries in their account, and matched entries without a bank transaction.
 */
export function matchFaults(): Runnable<FaultRow> {
  return faults(
    sql`'bank transaction ' || coalesce(x.bank_line_id::text, '–') || ': entry ' || x.line_id || case
      when x.basis is null then ' does not exist'
      when x.is_reversed then ' was reversed'
      else ' is not in an account of its match' end`,
    sql`from (
      select m.line_id, l.basis, (select min(b.id) from bank_line b
          where b.company_id = ${COMPANY} and b.act_id = m.act_id) as bank_line_id,
        l.reverses is not null or r.id is not null as is_reversed,
        exists (
          select from bank_line b
          join banking_account a on a.company_id = ${COMPANY} and a.id = b.bank_account_id
          where b.company_id = ${COMPANY} and b.act_id = m.act_id and a.gl_account_id = l.account_id) as is_own
      from bank_match m
      left join journal_line l on l.company_id = ${COMPANY} and l.id = m.line_id
      left join journal_line r on r.company_id = ${COMPANY} and r.reverses = m.line_id
      where m.company_id = ${COMPANY}) x
    where x.basis is distinct from 'B' or x.is_reversed or not x.is_own order by x.line_id`,
    sql`case when x.bank_line_id is not null then ${recordOf('bankline', sql`x.bank_line_id`)} end`,
  );
}

/** Finds matches whose bank transactions and entries have different totals in an account. */
export function matchSumFaults(): Runnable<FaultRow> {
  return faults(
    sql`'match ' || x.id || ' has ' || coalesce(x.bank, 0) || ' cents at the bank and ' || coalesce(x.books, 0)
      || ' in the books'`,
    sql`from (
      select a.id, b.account_id, b.amount as bank, e.amount as books, b.line_id
      from bank_act a
      left join (
        select l.act_id, c.gl_account_id as account_id, sum(l.amount_cents) as amount,
          min(l.id) as line_id
        from bank_line l join banking_account c on c.company_id = ${COMPANY} and c.id = l.bank_account_id
        where l.company_id = ${COMPANY} and l.act_id is not null group by 1, 2) b on b.act_id = a.id
      left join (
        select m.act_id, o.account_id, sum(o.amount_cents) as amount
        from bank_match m join journal_line o on o.company_id = ${COMPANY} and o.id = m.line_id
        where m.company_id = ${COMPANY} group by 1, 2) e on e.act_id = a.id and e.account_id = b.account_id
      where a.company_id = ${COMPANY}
        and (b.act_id is null or (a.kind <> 'exclude' and b.amount is distinct from e.amount))) x
    order by x.id`,
    sql`case when x.line_id is not null then ${recordOf('bankline', sql`x.line_id`)} end`,
  );
}

/**
 * Finds bank transactions whose state differs from their action, and statements with a wrong number of bank
 * transactions.
 */
export function lineStateFaults(): Runnable<FaultRow> {
  return faults(
    sql`'bank transaction ' || l.id || ' is ' || l.state || ', but its action is ' || coalesce(a.kind, 'missing')`,
    sql`from bank_line l
    left join bank_act a on a.company_id = ${COMPANY} and a.id = l.act_id
    left join unnest(${Object.keys(ACT_STATES)}::text[], ${Object.values(ACT_STATES)}::text[]) k (kind, state)
      on k.kind = a.kind
    where l.company_id = ${COMPANY} and l.state <> 'review' and l.state is distinct from k.state
    order by l.id`,
    recordOf('bankline', sql`l.id`),
  );
}

export function statementCountFaults(): Runnable<FaultRow> {
  return faults(
    sql`'bank statement ' || s.id || ' has ' || x.count || ' lines of ' || x.amount || ' cents instead of '
      || s.line_count || ' lines of ' || s.sum_cents`,
    sql`from bank_statement s
    cross join lateral (
      select count(*) as count, coalesce(sum(l.amount_cents), 0) as amount from bank_line l
      where l.company_id = ${COMPANY} and l.statement_id = s.id) x
    where s.company_id = ${COMPANY} and (x.count <> s.line_count or x.amount <> s.sum_cents) order by s.id`,
    recordOf('bankstatement', sql`s.id`),
  );
}

/** Returns up to `limit` bank transactions whose IDs come after the given ID, so that their keys can be checked. */
export function nextLines(behind: number, limit: number): Runnable<BankLineRow> {
  return sql`
    select ${bankLines.columns('l')} from bank_line l
    where l.company_id = ${COMPANY} and l.id > ${behind} order by l.id limit ${limit}`;
}
