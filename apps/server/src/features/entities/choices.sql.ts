import type { EntityChoice } from '@evenkeel/contract/entities';
import type { Side } from '@evenkeel/core/documents/side';
import { type RawBuilder, sql } from 'kysely';
import { searchClause } from '../../platform/db/page.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { shownColumns } from './list.sql.ts';

/** Customers or vendors to pick from: few of those that match, whatever their number. */

export interface ChoiceAsk {
  side: Side;
  /** Adds the fields that decide tax and due date. */
  withTerms: boolean;
}

/** Another that is active has the same name, however it is capitalised. */
const namesake = sql`exists (
  select from entity o
  where o.company_id = ${COMPANY} and o.kind = e.kind and o.name_key = e.name_key and o.id <> e.id and not o.deleted)`;

const shown = ({ withTerms }: ChoiceAsk): RawBuilder<unknown> =>
  sql`${shownColumns({ withTerms, withInactive: false })}, ${namesake} as namesake`;

const ofSide = ({ side }: ChoiceAsk): RawBuilder<unknown> =>
  sql`e.company_id = ${COMPANY} and e.kind = ${side.entityKind}`;

/** The highest character there is: what begins with a text lies between it and it with this behind. */
const HIGHEST = String.fromCodePoint(0x10_ffff);

const beginsWith = (text: string): RawBuilder<unknown> =>
  sql`(e.name_key >= lower(${text}::text) and e.name_key < lower(${text}::text) || ${HIGHEST}::text)`;

const inOrder = (limit: number): RawBuilder<unknown> => sql`order by e.name_key, e.id limit ${limit}`;

/** The active ones whose name begins with the text; all of them for an empty one. */
export function selectBeginning(ask: ChoiceAsk, text: string, limit: number): Runnable<EntityChoice> {
  const which = text === '' ? sql`` : sql`and ${beginsWith(text)}`;
  return sql<EntityChoice>`
    select ${shown(ask)} from entity e where ${ofSide(ask)} and not e.deleted ${which} ${inOrder(limit)}`;
}

/** The other active ones that have every word in name, e-mail, DBA or phone. */
export function selectContaining(ask: ChoiceAsk, text: string, limit: number): Runnable<EntityChoice> {
  return sql<EntityChoice>`
    select ${shown(ask)} from entity e
    where ${ofSide(ask)} and not e.deleted and not ${beginsWith(text)}
      ${searchClause(text, { texts: [], lowered: [sql`e.search_text`] })}
    ${inOrder(limit)}`;
}

/** One by its id, a deactivated one too. */
export function selectChoice(ask: ChoiceAsk, id: number): Runnable<EntityChoice> {
  return sql<EntityChoice>`select ${shown(ask)} from entity e where ${ofSide(ask)} and e.id = ${id}`;
}
