import { sql } from 'kysely';
import { COMPANY, type Runnable } from '../db/query.ts';
import { type FaultRow, MOST_FAULTS } from '../subledger/verify.sql.ts';

/** A table whose rows are sealed (migrations/always/seals.sql). */
export interface SealedTable {
  name: string;
  /** Columns of its key besides the company. */
  keys: string[];
  /** The column that tells whose rows they are. */
  owner: 'company_id' | 'user_id' | 'id';
}

/** The sealed tables as the catalogue has them, so that none is forgotten. */
export function sealedTables(): Runnable<SealedTable> {
  return sql<SealedTable>`
    select c.relname::text as name,
      array(select a.attname::text from unnest(p.conkey) with ordinality k (no, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.no
        where a.attname <> 'company_id' or cardinality(p.conkey) = 1 order by k.place) as keys,
      coalesce((select a.attname::text from pg_attribute a where a.attrelid = c.oid
        and a.attname in ('company_id', 'user_id') order by a.attname limit 1), 'id') as owner
    from pg_attribute s
    join pg_class c on c.oid = s.attrelid and c.relkind in ('r', 'p')
    join pg_constraint p on p.conrelid = c.oid and p.contype = 'p'
    where s.attname = 'seal' and c.relnamespace = 'public'::regnamespace
    order by c.relname`;
}

/** Rows whose columns do not give their seal: somebody changed or wrote them behind the product. */
export function sealFaults({ name, keys, owner }: SealedTable): Runnable<FaultRow> {
  const key = sql.join(
    keys.map((column) => sql`r.${sql.id(column)}::text`),
    sql` || ', ' || `,
  );
  // A user, or a link, that is no other company's may have been taken from this one.
  const isNoOthers = (user: string) => sql`not exists (
    select from membership m where m.user_id = ${sql.ref(`r.${user}`)} and m.company_id <> ${COMPANY})`;
  const ours = owner === 'company_id' ? sql`r.company_id = ${COMPANY}` : isNoOthers(owner);
  return sql<FaultRow>`
    select null::bigint as "transactionId", null::bigint as "postingNo",
      ${name.replaceAll('_', ' ')}::text || ' ' || ${key} || case when r.seal is null
        then ' was not saved by Evenkeel' else ' is not as it was saved' end as message
    from ${sql.table(name)} r
    where ${ours} and r.seal is distinct from seal_of(r)
    order by 3 limit ${MOST_FAULTS}`;
}

/** Every member is a user, with the rights of the role that he has and the time zone of the company. */
export function memberFaults(): Runnable<FaultRow> {
  return sql<FaultRow>`
    select null::bigint as "transactionId", null::bigint as "postingNo", 'member ' || m.user_id || case
      when u.id is null then ' is no user'
      else ' has other rights than the role, or another time zone or rule than the company' end as message
    from membership m
    left join app_user u on u.id = m.user_id
    left join role r on r.company_id = ${COMPANY} and r.id = m.role_id
    left join company c on c.company_id = ${COMPANY}
    where m.company_id = ${COMPANY} and (u.id is null or (m.role_name, m.system_role, m.permissions, m.time_zone,
      m.second_factor_rule)
      is distinct from (r.role_name, r.system_role, r.permissions, c.time_zone, c.second_factor_rule))
    order by m.user_id limit ${MOST_FAULTS}`;
}
