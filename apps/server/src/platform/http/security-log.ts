import { createHmac, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Pool } from '../db/connect.ts';
import { installation } from '../db/tx.ts';
import type { Pseudonym, Services } from './context.ts';

const NAME = 'log salt';
const SALT_BYTES = 32;
const NAME_LETTERS = 16;

/**
 * Creates pseudonyms with the installation's secret salt, so that all of its processes use the same pseudonym for an
 * account.
 */
export async function openPseudonyms(pool: Pool): Promise<Pseudonym> {
  const salt = randomBytes(SALT_BYTES).toString('hex');
  await installation(
    pool,
    sql`insert into installation (key, value) values (${NAME}, ${salt}) on conflict (key) do nothing`,
  );
  const [kept] = await installation(pool, sql<{ value: string }>`select value from installation where key = ${NAME}`);
  const secret = kept?.value ?? salt;
  return (text) => createHmac('sha256', secret).update(text).digest('hex').slice(0, NAME_LETTERS);
}

/** The security events in the log, as listed in docs/safeguards.md. */
export type SecurityEvent =
  | 'signed in'
  | 'sign-in refused'
  | 'signed out'
  | 'books exported'
  | 'limit reached'
  | 'access refused';

export interface Facts {
  /** An email address, whether or not it has an account. Logged as a pseudonym. */
  account?: string | undefined;
  /** A network address. Logged as a pseudonym. */
  network?: string | undefined;
  [fact: string]: string | number | boolean | undefined;
}

/** Events that an attacker causes are warnings. The others have the same level as requests. */
const WARNINGS: readonly SecurityEvent[] = ['sign-in refused', 'limit reached', 'access refused'];

/** Logs a security event with pseudonyms instead of addresses. */
export function tellEvent(
  { log, pseudonym }: Pick<Services, 'log' | 'pseudonym'>,
  event: SecurityEvent,
  { account, network, ...facts }: Facts,
): void {
  const hidden = {
    ...(account === undefined ? {} : { account: pseudonym(account.trim().toLowerCase()) }),
    ...(network === undefined ? {} : { network: pseudonym(network) }),
  };
  log[WARNINGS.includes(event) ? 'warn' : 'info']({ event, ...hidden, ...facts }, event);
}
