import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { type FaultRow, MOST_FAULTS, recordOf } from '../../books/documents/verify.sql.ts';

/**
 * Verifies the audit log: every row belongs to a lane, its hash matches its columns and the previous row, no lane has
 * gaps, and each lane ends at the position stored for it.
 */
export function auditFaults(): Runnable<FaultRow> {
  return sql<FaultRow>`
    with entry as (
      select a.id, a.lane, a.lane_no,
        lag(a.lane_no, 1, 0::bigint) over chain + 1 as expected_no,
        audit_hash(row(a.*)::audit_log, lag(a.hash, 1, ''::bytea) over chain) is distinct from a.hash as altered
      from audit_log a
      where a.company_id = ${COMPANY} and a.lane is not null and a.lane_no is not null
      window chain as (partition by a.lane order by a.lane_no)),
    ends as (select lane, max(lane_no) + 1 as next_no from entry group by lane)
    select null::bigint as "transactionId", null::bigint as "postingNo", message,
      case when id is not null then ${recordOf('audit log', sql`id`)} end as record from (
      select 1 as place, id, 'row ' || id || ' was not written by Evenkeel' as message
      from audit_log where company_id = ${COMPANY} and (lane is null or lane_no is null)
      union all
      select 2, id, 'rows before ' || id || ' are missing' from entry where lane_no > expected_no
      union all
      select 3, id, 'row ' || id || ' was changed, or does not follow the previous row'
      from entry where altered and lane_no <= expected_no
      union all
      select 4, null, 'lane ' || lane || case
        when h.company_id is null then ' has no stored end'
        when e.lane is null or e.next_no < h.next_no then ' is missing its last rows'
        when e.next_no > h.next_no then ' continues after its stored end'
        else ' does not end with the stored last row' end
      from ends e
      full join (select * from audit_lane where company_id = ${COMPANY}) h using (lane)
      where coalesce(e.next_no, 1) is distinct from h.next_no or coalesce((
        select a.hash from audit_log a
        where a.company_id = ${COMPANY} and a.lane = h.lane and a.lane_no = h.next_no - 1), '') <> h.last_hash) fault
    order by place, id
    limit ${MOST_FAULTS}`;
}
