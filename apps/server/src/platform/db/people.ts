import { sql } from 'kysely';
import { COMPANY, type Runnable } from './query.ts';

/**
 * The company's people with their names, as a table of a query inside another: `(select u.name from ${PEOPLE} u where
 * u.id = a.user_id)`. They are read by themselves (`offset 0`), since a distributed database looks up no user for each
 * row of a company; it takes them into no statement with an outer join.
 */
export const PEOPLE = sql`(
  select u.id, trim(u.first_name || ' ' || u.last_name) as name
  from membership m join app_user u on u.id = m.user_id
  where m.company_id = ${COMPANY} offset 0)`;

/** The name of one of the company's people. */
export const personName = (userId: number): Runnable<{ name: string }> => sql<{ name: string }>`
  select u.name from ${PEOPLE} u where u.id = ${userId}`;
