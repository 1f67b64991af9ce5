import { existsSync, renameSync } from 'node:fs';
import { sql } from 'kysely';
import type { Config } from '../config.ts';
import type { Services } from '../http/context.ts';
import { type Box, keyFileOf, KeyError, markOf, openBox, readKey } from './box.ts';
import type { Pool } from './connect.ts';
import { inInstallation, installation } from './tx.ts';

const NAME = 'key mark';
const RETIRED = 'retired key ';

/**
 * Returns the fingerprint of the key that encrypted this database's values, or undefined if no fingerprint is known.
 */
export async function knownMark(pool: Pool): Promise<string | undefined> {
  const [known] = await installation(pool, sql<{ value: string }>`select value from installation where key = ${NAME}`);
  return known?.value;
}

/** The lock that a key rotation holds. A fingerprint that is read under this lock is up to date. */
export const KEY_LOCK = sql`hashtext('evenkeel key rotation')`;

/**
 * Returns the statements that replace one key's fingerprint with another's, for the transaction that encrypts
 * everything again.
 */
export const replaceMark = (old: string, mark: string) => [
  sql`
    insert into installation (key, value) values (${NAME}, ${mark})
    on conflict (key) do update set value = excluded.value`,
  sql`delete from installation where key = ${RETIRED + mark}`,
  sql`
    insert into installation (key, value) values (${RETIRED + old}, now()::text)
    on conflict (key) do update set value = excluded.value`,
];

/** The file for a new key, until all values are encrypted with it. */
export const newKeyFileOf = (dataDir: string): string => `${keyFileOf(dataDir)}.new`;

/** The file for a replaced key, which can still decrypt earlier backups. */
export const oldKeyFileOf = (dataDir: string, mark: string): string => `${keyFileOf(dataDir)}.${mark.slice(0, 8)}`;

/**
 * Completes a rotation by replacing the old key file with the new key file. By then, all values must be encrypted with
 * the new key.
 */
export function promoteKey(dataDir: string, mark: string | undefined): void {
  const [file, next] = [keyFileOf(dataDir), newKeyFileOf(dataDir)];
  const key = existsSync(next) ? readKey(next) : undefined;
  if (key === undefined || mark === undefined || markOf(key) !== mark) return;
  const old = readKey(file);
  if (old !== undefined && markOf(old) !== mark) renameSync(file, oldKeyFileOf(dataDir, markOf(old)));
  renameSync(next, file);
}

const REPLACED =
  'was replaced by "evenkeel key rotate" and can no longer decrypt values. Give this process the new key';

/**
 * Opens an installation's box. Completes a rotation that was killed after its commit. Throws KeyError for a key that
 * has been replaced, because no other process could decrypt the values that this process would encrypt.
 */
export async function openInstallationBox(config: Config, pool: Pool): Promise<Box> {
  await inInstallation(pool, (run) => run(sql`select pg_advisory_xact_lock_shared(${KEY_LOCK})`));
  if (config.secretKey === undefined) promoteKey(config.dataDir, await knownMark(pool));
  const box = openBox(config);
  const mark = box.mark();
  if (mark === undefined) return box;
  const retired = await installation(pool, sql`select key from installation where key = ${RETIRED + mark}`);
  if (retired.length === 0) return box;
  throw new KeyError(`${config.secretKey === undefined ? keyFileOf(config.dataDir) : 'SECRET_KEY'} ${REPLACED}`);
}

const toldOf = {
  other: 'The stored values were encrypted with a different key. Set the same SECRET_KEY for all processes',
  missing:
    'This process has no key, but other processes have encrypted values. Set the same SECRET_KEY for all processes',
};

/**
 * Compares keys, because processes that share a database must share its key. Otherwise, they can't read each other's
 * values. The first process with a key stores the key's fingerprint. A process with a different key logs a warning.
 */
export async function compareKeys({ pool, box, log }: Pick<Services, 'pool' | 'box' | 'log'>): Promise<void> {
  const mine = box.mark();
  if (mine !== undefined) {
    await installation(
      pool,
      sql`insert into installation (key, value) values (${NAME}, ${mine}) on conflict (key) do nothing`,
    );
  }
  const known = await knownMark(pool);
  if (known === undefined || known === mine) return;
  log.warn(toldOf[mine === undefined ? 'missing' : 'other']);
}
