import { sql } from 'kysely';
import { COMPANY, type Runnable } from './query.ts';

/**
 * The company's users with their names, as a table for a subquery: `(select u.name from ${PEOPLE} u where u.id =
 * a.user_id)`. The users are read separately (`offset 0`), because a distributed database can't look up a user for each
 * of a company's rows. Such a database doesn't accept this table in a statement with an outer join.
 */
export const PEOPLE = sql`(
  select u.id, trim(u.first_name || ' ' || u.last_name) as name
  from membership m join app_user u on u.id = m.user_id
  where m.company_id = ${COMPANY} offset 0)`;

/** Selects the name of one of the company's users. */
export const personName = (userId: number): Runnable<{ name: string }> => sql<{ name: string }>`
  select u.name from ${PEOPLE} u where u.id = ${userId}`;
