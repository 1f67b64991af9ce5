import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';

/** The number of the last check from a bank account. */
interface LastCheckRow {
  bankAccountId: number;
  checkNumber: string;
  /** Whether the check is also the bank account's last payment. */
  isLatest: boolean;
}

/**
 * Selects the last check from each bank account among its last 50 payments to vendors and refunds to customers. If none
 * of these payments has a check number, selects the last check in the imported history.
 */
export const selectLastChecks = (): Runnable<LastCheckRow> => sql<LastCheckRow>`
  select b.id as "bankAccountId", c.check_number as "checkNumber", c.place = 1 as "isLatest"
  from banking_account b
  cross join lateral (
    select check_number, place from (
      select check_number, place from (
        select p.check_number, row_number() over (order by p.id desc) as place from payment p
        where p.company_id = ${COMPANY} and p.bank_account_id = b.id and not p.deleted and p.amount_cents <> 0
          and (p.side = 'payable') = (p.amount_cents > 0)
        order by p.id desc limit 50) own
      union all (
      select m.source ->> 'number', 51 from move_in_record m
      where m.company_id = ${COMPANY} and m.kind = 'check' and m.record_id = b.id and not m.is_undone
      order by m.move_id desc limit 1)) o
    where o.check_number ~ '^[0-9]{1,18}$'
    order by place limit 1) c
  where b.company_id = ${COMPANY}
  order by b.id`;
