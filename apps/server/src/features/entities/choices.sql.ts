import type { EntityChoice } from '@evenkeel/contract/entities';
import { PAYABLE, type Side } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { linesByKind } from '../../books/documents/settlement.sql.ts';
import { searchClause } from '../../platform/db/page.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { shownColumns } from './list.sql.ts';

/**
 * SQL statements for pickers of customers and vendors. They return only a few matches, regardless of how many records
 * there are.
 */

export interface ChoiceAsk {
  side: Side;
  /** Adds the fields that determine tax and due date. */
  withTerms: boolean;
}

/** Whether another active entity has the same name, ignoring case. */
const namesake = sql`exists (
  select from entity o
  where o.company_id = ${COMPANY} and o.kind = e.kind and o.name_key = e.name_key and o.id <> e.id and not o.deleted)`;

/** The account of the first line on the newest posted document for an entity `e`. */
function usualAccount(side: Side): RawBuilder<unknown> {
  const tables = new Map(
    [...linesByKind.values()].filter(({ kind }) => kind.side === side.name).map((one) => [one.name, one]),
  );
  const lines = [...tables.values()].map(
    ({ name, document }) => sql`
    select d.document_date, d.id, l.line_no, l.account_id
    from document d join ${sql.id(name)} l on l.${sql.id(document)} = d.id
    where d.company_id = ${COMPANY} and d.entity_id = e.id and d.side = ${side.name} and d.is_posted and not d.deleted
      and l.company_id = ${COMPANY} and not l.deleted`,
  );
  return sql`(select u.account_id from (${sql.join(lines, sql` union all `)}) u
    order by u.document_date desc, u.id desc, u.line_no limit 1)`;
}

/** Users without permission to view the documents see neither the terms nor the account. */
function shown({ side, withTerms }: ChoiceAsk): RawBuilder<unknown> {
  const account = withTerms && side === PAYABLE ? sql`, ${usualAccount(side)} as "usualAccountId"` : sql``;
  return sql`${shownColumns({ withTerms, withInactive: false })}, ${namesake} as namesake ${account}`;
}

const ofSide = ({ side }: ChoiceAsk): RawBuilder<unknown> =>
  sql`e.company_id = ${COMPANY} and e.kind = ${side.entityKind}`;

/**
 * The highest Unicode character. To find names that begin with a text, a search uses the range from the text to the
 * text followed by this character.
 */
const HIGHEST = String.fromCodePoint(0x10_ffff);

const beginsWith = (text: string): RawBuilder<unknown> =>
  sql`(e.name_key >= lower(${text}::text) and e.name_key < lower(${text}::text) || ${HIGHEST}::text)`;

const inOrder = (limit: number): RawBuilder<unknown> => sql`order by e.name_key, e.id limit ${limit}`;

/** Returns active entities whose name begins with the text, or all active entities for an empty text. */
export function selectBeginning(ask: ChoiceAsk, text: string, limit: number): Runnable<EntityChoice> {
  const which = text === '' ? sql`` : sql`and ${beginsWith(text)}`;
  return sql<EntityChoice>`
    select ${shown(ask)} from entity e where ${ofSide(ask)} and not e.deleted ${which} ${inOrder(limit)}`;
}

/** Returns the other active entities that have every word in the name, email, DBA, or phone. */
export function selectContaining(ask: ChoiceAsk, text: string, limit: number): Runnable<EntityChoice> {
  return sql<EntityChoice>`
    select ${shown(ask)} from entity e
    where ${ofSide(ask)} and not e.deleted and not ${beginsWith(text)}
      ${searchClause(text, { texts: [], lowered: [sql`e.search_text`] })}
    ${inOrder(limit)}`;
}

/** Returns one entity by ID, active or inactive. */
export function selectChoice(ask: ChoiceAsk, id: number): Runnable<EntityChoice> {
  return sql<EntityChoice>`select ${shown(ask)} from entity e where ${ofSide(ask)} and e.id = ${id}`;
}
