import { inject } from 'vitest';
import { isoDate } from '@evenkeel/core/dates';
import type { Posted, PostedEntry, Posting, PostingRequest } from '@evenkeel/core/books/ledger';
import { cents } from '@evenkeel/core/money';
import { openPool, type Pool } from '../../../platform/db/connect.ts';
import { inCompany } from '../../../platform/db/tx.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { createDatabase, dropDatabase } from '../../../testing/databases.ts';
import { post, refusalOf } from '../journal.ts';
import type { Source } from '@evenkeel/core/documents/side';

/** A separate database for a test file, with the two companies of the test world and empty ledgers. */
export interface TestBooks {
  databaseUrl: string;
  /** The pool that requests use. */
  pool: Pool;
  /** The pool that migrations use. In tests, its user is a superuser, so row-level security doesn't apply. */
  owner: Pool;
  companyId: number;
  otherId: number;
  inCompany<T>(work: (tx: Tx) => Promise<T>, companyId?: number): Promise<T>;
  post(requests: readonly PostingRequest[], companyId?: number): Promise<Posted[]>;
  close(): Promise<void>;
}

export const POSTER = 7;

let made = 0;

export async function openTestBooks(): Promise<TestBooks> {
  const { server, template, world } = inject('ground');
  const name = `${template}_books_${process.pid}_${(made += 1)}`;
  await createDatabase(server, name, template);
  const databaseUrl = `${server}/${name}`;
  const connection = { connectionString: databaseUrl };
  const pool = openPool({ connection, as: 'runtime' });
  const owner = openPool({ connection, as: 'owner', max: 2 });
  const { companyId } = world.company;
  return {
    databaseUrl,
    pool,
    owner,
    companyId,
    otherId: world.other.companyId,
    inCompany: (work, id = companyId) => inCompany(pool, id, work),
    post: (requests, id = companyId) =>
      inCompany(pool, id, (tx) => post({ tx, userId: POSTER }, requests)).catch((error: unknown) => {
        throw refusalOf(error) ?? error;
      }),
    close: async () => {
      await pool.end();
      await owner.end();
      await dropDatabase(server, name);
    },
  };
}

/** Returns an entry of `amount` cents. A positive amount is a debit. */
export function entry(accountId: number, amount: number, more: Partial<PostedEntry> = {}): PostedEntry {
  return {
    accountId,
    amount: cents(amount),
    basis: 'B',
    description: '',
    entityId: null,
    profitCenterId: null,
    locationId: null,
    reverses: null,
    ...more,
  };
}

export function posting(date: string, entries: PostedEntry[], description = ''): Posting {
  return { postingDate: isoDate(date), description, entries };
}

/** Returns a request for one transaction of a document. */
export function request(source: Source, date: string, entries: PostedEntry[]): PostingRequest {
  return { source, postings: [posting(date, entries)] };
}

/** Returns a request for a journal entry of `amount` cents from `credit` to `debit`. */
export function journal(date: string, [debit, credit]: [number, number], amount: number) {
  return request({ type: 'journal', id: 0 }, date, [entry(debit, amount), entry(credit, -amount)]);
}
