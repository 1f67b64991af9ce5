import { sql } from 'kysely';
import type { Services } from '../http/context.ts';
import { installation } from './tx.ts';

const NAME = 'key mark';

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
  const [known] = await installation(pool, sql<{ value: string }>`select value from installation where key = ${NAME}`);
  if (known === undefined || known.value === mine) return;
  log.warn(toldOf[mine === undefined ? 'missing' : 'other']);
}
