import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { sql } from 'kysely';
import type { PoolClient } from 'pg';
import { factors } from '../../across/auth/second-factor.sql.ts';
import { secretPlace } from '../../across/auth/second-factor.ts';
import { filedForms, payers, taxIdPlaces, vendorTaxes } from '../../across/taxes/forms.sql.ts';
import { webhookSecretPlace } from '../../across/webhooks/webhooks.ts';
import { onlinePlace } from '../../across/online/connection.ts';
import { connections } from '../../across/online/online.sql.ts';
import { endpoints } from '../../across/webhooks/webhooks.sql.ts';
import { bankingAccounts } from '../../features/banking/accounts.sql.ts';
import { filePlace } from '../../features/banking/import.ts';
import { placeOf } from '../../features/banking/numbers.ts';
import { fileAccounts } from '../../features/banking/statements.sql.ts';
import { keyOf } from '../../platform/config.ts';
import { Box, keyFileOf, KeyError, markOf, type Place, readKey, writeKey } from '../../platform/db/box.ts';
import { type Connection, openClient, SERVER_NAME } from '../../platform/db/connect.ts';
import {
  KEY_LOCK,
  knownMark,
  newKeyFileOf,
  oldKeyFileOf,
  promoteKey,
  replaceMark,
} from '../../platform/db/key-mark.ts';
import { proofKeyPlace, type ProofKeyRow, selectProofKeys } from '../../platform/db/proof-key.ts';
import { type Runnable, statementOf } from '../../platform/db/query.ts';
import { type Tx, within } from '../../platform/db/tx.ts';
import { listCompanies } from './backup.ts';
import { type Command, type CommandContext, optionalOption } from './command.ts';

const RUNNING = 'A server is using this database. Stop every server first, then rotate the key';
const NO_KEY = 'There is no key to rotate because no values have been encrypted yet';
const NOT_IT = 'The current key is not the key that encrypted the values in this database';

/**
 * Encrypts everything again with a new key in one transaction and replaces the key. If a run is interrupted, repeat it:
 * the old key is valid until the commit, and the new key is valid afterward. Throws while a server is running.
 */
export const keyRotate: Command = {
  name: 'key rotate',
  usage: '[--new-key FILE]',
  options: { 'new-key': { type: 'string' } },
  run: async (context) => {
    const { config, say } = context;
    const { connection, pool } = await context.database();
    await requireNoServer(connection);
    const known = await knownMark(pool);
    if (config.secretKey === undefined) promoteKey(config.dataDir, known);
    const keys = keysOf(context, known);
    if (keys.isDone) return { result: { ...keys.shown, sealed: 0, unreadable: 0 } };
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query(statementOf(sql`select pg_advisory_xact_lock(${KEY_LOCK})`));
      await client.query(
        'lock table banking_account, bank_file_account, proof_key, second_factor in share row exclusive mode',
      );
      const counts = await sealAgain(client, await companiesOf(connection), keys);
      for (const statement of replaceMark(keys.old.mark, keys.next.mark)) await client.query(statementOf(statement));
      await requireNoServer(connection);
      await client.query('commit');
      if (config.secretKey === undefined) promoteKey(config.dataDir, keys.next.mark);
      tellDone(context, keys);
      if (counts.unreadable > 0) say(`${counts.unreadable} values were already unreadable and were not changed`);
      return { result: { ...keys.shown, ...counts } };
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    } finally {
      client.release(true);
    }
  },
};

function tellDone({ config, say }: CommandContext, { file, old }: Keys): void {
  if (config.secretKey === undefined) {
    say(`Earlier backups need the old key: ${oldKeyFileOf(config.dataDir, old.mark)}`);
    return;
  }
  say(`Set SECRET_KEY to the contents of ${file} for every process. Keep the old key for earlier backups`);
}

/** The owner can see the connections that use its own login, regardless of their role. */
async function requireNoServer(connection: Connection): Promise<void> {
  const owner = await openClient(connection);
  try {
    const { rows } = await owner.query(
      'select from pg_stat_activity where datname = current_database() and application_name = $1 limit 1',
      [SERVER_NAME],
    );
    if (rows.length > 0) throw new Error(RUNNING);
  } finally {
    await owner.end();
  }
}

async function companiesOf(connection: Connection): Promise<number[]> {
  const owner = await openClient(connection);
  try {
    return await listCompanies(owner);
  } finally {
    await owner.end();
  }
}

interface MarkedBox {
  box: Box;
  mark: string;
}

interface Keys {
  old: MarkedBox;
  next: MarkedBox;
  /** The file for the new key. */
  file: string;
  /** Whether an earlier run encrypted everything with the new key. */
  isDone: boolean;
  shown: { key: string; mark: string };
}

const boxOf = (key: Buffer): MarkedBox => ({ box: new Box('', key), mark: markOf(key) });

/** Returns the current key and the new key. Creates the new key unless an interrupted run has already created it. */
function keysOf(context: CommandContext, known: string | undefined): Keys {
  const { config } = context;
  const present = config.secretKey ?? readKey(keyFileOf(config.dataDir));
  if (present === undefined) throw new Error(NO_KEY);
  const named = optionalOption(context, 'new-key');
  if (config.secretKey !== undefined && named === undefined) {
    throw new Error('If SECRET_KEY is set, --new-key FILE is required. The file is created if it does not exist');
  }
  const file = config.secretKey === undefined ? newKeyFileOf(config.dataDir) : resolve(named ?? '');
  const given = named === undefined ? undefined : readAnyKey(resolve(named));
  const key = given ?? makeNewKey(file, config.secretKey !== undefined);
  if (config.secretKey === undefined && given !== undefined) writeKey(file, given);
  const [old, next] = [boxOf(present), boxOf(key)];
  const isDone = known === next.mark;
  if (!isDone && old.mark === next.mark) throw new Error('The new key is the same as the current key');
  if (!isDone && known !== undefined && known !== old.mark) throw new KeyError(NOT_IT);
  return { old, next, file, isDone, shown: { key: file, mark: next.mark.slice(0, 8) } };
}

function makeNewKey(file: string, isText: boolean): Buffer {
  const kept = isText ? undefined : readKey(file);
  if (kept !== undefined) return kept;
  const key = randomBytes(32);
  writeKey(file, isText ? Buffer.from(`${key.toString('hex')}\n`) : key);
  return key;
}

/** Returns the content of a key file as bytes or in SECRET_KEY format, or undefined if the file does not exist. */
function readAnyKey(file: string): Buffer | undefined {
  if (!existsSync(file)) return undefined;
  const bytes = readFileSync(file);
  const key = bytes.length === 32 ? bytes : keyOf(bytes.toString('latin1').trim());
  if (key === undefined) throw new KeyError(`The key file ${file} must contain 32 bytes, or 64 hexadecimal digits`);
  return key;
}

/** An encrypted value and the SQL statement that replaces it. */
interface Sealed {
  place: Place;
  value: Buffer;
  put: (value: Buffer) => Runnable<unknown>;
}

/** Returns the tax IDs of a company, its vendors, and its filed 1099 forms. */
async function sealedTaxIds(tx: Tx): Promise<Sealed[]> {
  const { companyId } = tx;
  const [vendors, payer, forms] = await tx.inOrder([vendorTaxes.find({}), payers.find({}), filedForms.find({})]);
  const all = [
    ...vendors.map(({ vendorId, taxIdBox: value }) => ({
      value,
      place: taxIdPlaces.vendor(companyId, vendorId),
      put: (taxIdBox: Buffer) => vendorTaxes.update({ vendorId }, { taxIdBox }),
    })),
    ...payer.map(({ taxIdBox: value }) => ({
      value,
      place: taxIdPlaces.payer(companyId),
      put: (taxIdBox: Buffer) => payers.update({}, { taxIdBox }),
    })),
    ...forms.map(({ id, taxIdBox: value }) => ({
      value,
      place: taxIdPlaces.filed(companyId, id),
      put: (taxIdBox: Buffer) => filedForms.update({ id }, { taxIdBox }),
    })),
  ];
  return all.flatMap(({ value, ...each }) => (value === null ? [] : [{ value, ...each }]));
}

async function sealAgain(client: PoolClient, companies: readonly number[], { old, next }: Keys) {
  const counts = { sealed: 0, unreadable: 0 };
  const again = function* (all: readonly Sealed[]): Generator<Runnable<unknown>> {
    for (const { place, value, put } of all) {
      const text = old.box.open(place, value);
      counts[text === undefined ? 'unreadable' : 'sealed'] += 1;
      if (text !== undefined) yield put(next.box.seal(place, text));
    }
  };
  for (const companyId of companies) {
    await within(client, companyId, async (tx) => {
      const accounts = (await tx.rows(bankingAccounts.find({}))).flatMap(({ id, sealedNumber: value }): Sealed[] =>
        value === null
          ? []
          : [
              {
                place: placeOf(companyId, id),
                value,
                put: (sealedNumber) => bankingAccounts.update({ id }, { sealedNumber }),
              },
            ],
      );
      const files = (await tx.rows(fileAccounts.find({}))).map(({ id, bankAccountId, sealedNumber: value }): Sealed => {
        const put = (sealedNumber: Buffer) => fileAccounts.update({ id }, { sealedNumber });
        return { place: filePlace(companyId, bankAccountId), value, put };
      });
      const webhooks = (await tx.rows(endpoints.find({}))).flatMap(({ id, secretBox, oldSecretBox }): Sealed[] => {
        const boxes = [
          { value: secretBox, place: webhookSecretPlace(companyId, id), put: (box: Buffer) => ({ secretBox: box }) },
          {
            value: oldSecretBox,
            place: webhookSecretPlace(companyId, id, 'old_secret_box'),
            put: (box: Buffer) => ({ oldSecretBox: box }),
          },
        ];
        return boxes.flatMap(({ value, place, put }) =>
          value === null ? [] : [{ value, place, put: (box) => endpoints.update({ id }, put(box)) }],
        );
      });
      const taxIds = await sealedTaxIds(tx);
      const online = (await tx.rows(connections.find({}))).flatMap(({ keyBox, secretBox }): Sealed[] =>
        keyBox === null || secretBox === null
          ? []
          : [
              {
                value: keyBox,
                place: onlinePlace(companyId, 'key_box'),
                put: (box) => connections.update({}, { keyBox: box }),
              },
              {
                value: secretBox,
                place: onlinePlace(companyId, 'secret_box'),
                put: (box) => connections.update({}, { secretBox: box }),
              },
            ],
      );
      const sealed = [...accounts, ...files, ...webhooks, ...taxIds, ...online];
      for (const statement of again(sealed)) await tx.rows(statement);
    });
  }
  const secrets = (
    await client.query<FactorRow>(
      statementOf(sql<FactorRow>`
    select f.user_id as "userId", f.box_company_id as "boxCompanyId", f.secret_box as "secretBox"
    from second_factor f order by f.user_id`),
    )
  ).rows.map(({ userId, boxCompanyId, secretBox: value }): Sealed => {
    const put = (secretBox: Buffer) => factors.update({ userId }, { secretBox });
    return { place: secretPlace({ userId, boxCompanyId }), value, put };
  });
  const proofs = (await client.query<ProofKeyRow>(statementOf(selectProofKeys()))).rows.map(
    ({ id, privateKeyBox: value }): Sealed => ({
      place: proofKeyPlace(id),
      value,
      put: (box) => sql`update proof_key set private_key_box = ${box} where id = ${id}`,
    }),
  );
  for (const statement of again([...secrets, ...proofs])) await client.query(statementOf(statement));
  return counts;
}

interface FactorRow {
  userId: number;
  boxCompanyId: number;
  secretBox: Buffer;
}
