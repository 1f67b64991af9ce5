import { sql } from 'kysely';
import { table } from '../../platform/db/table.ts';
import { isFactorMissing, isFactorRequired, isOpen } from '../../platform/http/session.ts';
import { STEP_SECONDS, STEPS_ASIDE } from './totp.ts';

export const factors = table('second_factor', {
  userId: 'user_id',
  boxCompanyId: 'box_company_id',
  secretBox: 'secret_box',
  salt: 'salt',
  lastStep: 'last_step',
  confirmedAt: 'confirmed_at',
});

/** An authenticator, and the database's time, which all server processes share. */
export interface Factor {
  userId: number;
  /** The company whose key encrypted the secret, if the user belongs to several. */
  boxCompanyId: number;
  secretBox: Buffer;
  salt: Buffer;
  confirmedAt: Date | null;
  /** The database's time in seconds since 1970. */
  now: number;
}

export const findFactor = (userId: number) => sql<Factor>`
  select ${factors.columns('f', ['userId', 'boxCompanyId', 'secretBox', 'salt', 'confirmedAt'])},
    floor(extract(epoch from clock_timestamp()))::float8 as now
  from second_factor f where f.user_id = ${userId}`;

/** Saves a new secret that is waiting for its first code. Writes nothing if an authenticator is already on. */
export const beginFactor = (
  userId: number,
  { boxCompanyId, secretBox, salt }: Pick<Factor, 'boxCompanyId' | 'secretBox' | 'salt'>,
) => sql<{
  userId: number;
}>`
  insert into second_factor as f (user_id, box_company_id, secret_box, salt)
  values (${userId}, ${boxCompanyId}, ${secretBox}, ${salt})
  on conflict (user_id) do update
    set box_company_id = excluded.box_company_id, secret_box = excluded.secret_box, salt = excluded.salt,
      last_step = 0, created_at = now()
    where f.confirmed_at is null
  returning f.user_id as "userId"`;

/**
 * Turns on the authenticator whose secret produced the code. After two simultaneous setups, only the second secret
 * works.
 */
export const confirmFactor = ({ userId, secretBox }: Factor, step: number) =>
  factors.update({ userId, secretBox, confirmedAt: null }, { confirmedAt: sql`now()`, lastStep: step }, ['userId']);

/** The newest time step whose code is accepted, according to the database's clock when the row is updated. */
const newestStep = sql`floor(extract(epoch from clock_timestamp()) / ${STEP_SECONDS}) + ${STEPS_ASIDE}`;

/**
 * Accepts the code for a time step once. Only one of two simultaneous requests gets the row. The last step never
 * decreases, so setting the clock back does not make an old code valid again. Until the clock catches up, recovery
 * codes can be used.
 */
export const consumeTimeStep = ({ userId, secretBox }: Factor, step: number) => sql<{ userId: number }>`
  update second_factor set last_step = ${step}
  where user_id = ${userId} and secret_box = ${secretBox} and confirmed_at is not null
    and last_step < ${step} and ${step} <= ${newestStep}
  returning user_id as "userId"`;

/** Deletes the authenticator and the recovery codes. */
export const deleteFactor = (userId: number) => sql<{ userId: number }>`
  delete from second_factor where user_id = ${userId} and confirmed_at is not null returning user_id as "userId"`;

export const deleteCodes = (userId: number) => sql`delete from recovery_code where user_id = ${userId}`;

export const insertCodes = (userId: number, hashes: readonly Buffer[]) => sql`
  insert into recovery_code (user_id, code_hash) select ${userId}, unnest(${[...hashes]}::bytea[])`;

/** Uses a code. Only one of two simultaneous requests gets the row. */
export const useCode = (userId: number, hash: Buffer) => sql<{ userId: number }>`
  update recovery_code set used_at = now() where user_id = ${userId} and code_hash = ${hash} and used_at is null
  returning user_id as "userId"`;

/** Counts the unused recovery codes. */
export const countCodes = (userId: number) => sql<{ codesLeft: number }>`
  select count(*)::int as "codesLeft" from recovery_code where user_id = ${userId} and used_at is null`;

/** Locks the authenticator, so that only one request at a time can replace its codes. */
export const lockFactor = (userId: number) => factors.find({ userId }, { lock: 'for update' });

/** Returns whether one of the user's companies requires two-step verification that the user does not have. */
export const findMissing = (userId: number) => sql<{ isMissing: boolean }>`
  select coalesce(bool_or(${isFactorMissing}), false) as "isMissing"
  from membership m where m.user_id = ${userId} and ${isOpen}`;

/** Returns the state of two-step verification for the user's account page. */
export const factorState = (userId: number) => sql<{ since: Date | null; codesLeft: number; isRequired: boolean }>`
  select f.confirmed_at as since,
    (select count(*) from recovery_code c
      where c.user_id = u.id and c.used_at is null and f.confirmed_at is not null)
      ::int as "codesLeft",
    exists (select from membership m where m.user_id = u.id and ${isOpen} and ${isFactorRequired}) as "isRequired"
  from app_user u left join second_factor f on f.user_id = u.id
  where u.id = ${userId}`;
