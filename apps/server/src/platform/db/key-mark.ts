import { existsSync, renameSync } from 'node:fs';
import { sql } from 'kysely';
import type { Config } from '../config.ts';
import type { Services } from '../http/context.ts';
import { type Box, keyFileOf, KeyError, markOf, openBox, readKey } from './box.ts';
import type { Pool } from './connect.ts';
import { inInstallation, installation } from './tx.ts';

const NAME = 'key mark';
const RETIRED = 'retired key ';

/** The mark of the key that sealed the values of this database; undefined while none is known. */
export async function knownMark(pool: Pool): Promise<string | undefined> {
  const [known] = await installation(pool, sql<{ value: string }>`select value from installation where key = ${NAME}`);
  return known?.value;
}

/** Held while keys are rotated: whoever reads marks behind it sees them as they are after that. */
export const KEY_LOCK = sql`hashtext('evenkeel key rotation')`;

/** The statements that replace one key's mark by another's, in the transaction that seals everything again. */
export const replaceMark = (old: string, mark: string) => [
  sql`
    insert into installation (key, value) values (${NAME}, ${mark})
    on conflict (key) do update set value = excluded.value`,
  sql`delete from installation where key = ${RETIRED + mark}`,
  sql`
    insert into installation (key, value) values (${RETIRED + old}, now()::text)
    on conflict (key) do update set value = excluded.value`,
];

/** The file of a new key until all values are sealed with it. */
export const newKeyFileOf = (dataDir: string): string => `${keyFileOf(dataDir)}.new`;

/** A key file that was replaced: it still opens the backups of before. */
export const oldKeyFileOf = (dataDir: string, mark: string): string => `${keyFileOf(dataDir)}.${mark.slice(0, 8)}`;

/** Ends a rotation whose values are all sealed with the new key: the new file takes the place of the old one. */
export function promoteKey(dataDir: string, mark: string | undefined): void {
  const [file, next] = [keyFileOf(dataDir), newKeyFileOf(dataDir)];
  const key = existsSync(next) ? readKey(next) : undefined;
  if (key === undefined || mark === undefined || markOf(key) !== mark) return;
  const old = readKey(file);
  if (old !== undefined && markOf(old) !== mark) renameSync(file, oldKeyFileOf(dataDir, markOf(old)));
  renameSync(next, file);
}

const REPLACED = 'was replaced by "evenkeel key rotate" and opens no values now. Give this process the new key';

/**
 * The box of an installation. A rotation that was killed behind its commit is ended first. Throws KeyError for a key
 * that was replaced: a process with it would seal values that nobody could open.
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
  other: 'This process has another key than the values that are sealed: give all processes one SECRET_KEY',
  missing: 'This process has no key, and others have sealed values: give all processes one SECRET_KEY',
};

/**
 * Processes that share a database share its key, or each seals what the others cannot read. The first one with a key
 * leaves its mark there; a process whose key has another says so in the log.
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
