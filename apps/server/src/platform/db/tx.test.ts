import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, connect, type Server, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHECKING, SALES } from '@evenkeel/core/books/accounts';
import { post } from '../../books/ledger/journal.ts';
import { journal, openTestBooks, POSTER } from '../../books/ledger/testing/books.ts';
import type { TestBooks } from '../../books/ledger/testing/books.ts';
import { openPool } from './connect.ts';
import { databaseCode } from './errors.ts';
import { COMPANY } from './query.ts';
import { inCompany, installation, readCompany } from './tx.ts';

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
});
afterAll(() => books.close());

const addCategory = (name: string) =>
  sql`insert into account_category (company_id, category_name) values (${books.companyId}, ${name})`;
const isCategory = async (name: string): Promise<boolean> => {
  const { rowCount } = await books.owner.query('select from account_category where category_name = $1', [name]);
  return rowCount === 1;
};
const raised = (code: string) => sql.raw(`do $$ begin raise exception 'raised' using errcode = '${code}'; end $$`);

test.each(['runtime', 'owner'] as const)(
  'just-in-time compilation is off in connections with the %s role',
  async (as) => {
    const pool = openPool({ connection: { connectionString: books.databaseUrl }, as });
    const { rows } = await pool.query<{ jit: string }>('show jit');
    await pool.end();
    expect(rows).toEqual([{ jit: 'off' }]);
  },
);

test('requests start no parallel workers, and the work of the owner does', async () => {
  const workersOf = async (as: 'runtime' | 'owner') => {
    const pool = openPool({ connection: { connectionString: books.databaseUrl }, as });
    const { rows } = await pool.query<{ workers: string }>(
      `select current_setting('max_parallel_workers_per_gather') as workers`,
    );
    await pool.end();
    return Number(rows[0]?.workers);
  };
  expect(await workersOf('runtime')).toBe(0);
  expect(await workersOf('owner')).toBeGreaterThan(0);
});

describe('a transaction in a company', () => {
  test('a transaction is rolled back if its work throws, and its queued writes are not sent', async () => {
    const work = books.inCompany(async (tx) => {
      await tx.rows(addCategory('thrown'));
      tx.atEnd(addCategory('kept and thrown'));
      throw new Error('rolled back on purpose');
    });
    await expect(work).rejects.toThrow('rolled back on purpose');
    expect([await isCategory('thrown'), await isCategory('kept and thrown')]).toEqual([false, false]);
  });

  test('commands are planned once, reads are planned for each value, and connections keep no settings', async () => {
    const settings = sql<{ plans: string; scans: string }>`
      select current_setting('plan_cache_mode') as plans, current_setting('enable_seqscan') as scans`;
    const command = await books.inCompany((tx) => tx.row(settings));
    const read = await readCompany(books.pool, books.companyId, (tx) => tx.row(settings));
    expect(command).toEqual({ plans: 'force_generic_plan', scans: 'off' });
    expect(read).toEqual({ plans: 'force_custom_plan', scans: 'on' });
    const after = await Promise.all(Array.from({ length: 8 }, () => installation(books.pool, settings)));
    expect(after.flat()).toEqual(Array.from({ length: 8 }, () => ({ plans: 'auto', scans: 'on' })));
  });

  test('a transaction is rolled back if a queued write fails at the end', async () => {
    const work = books.inCompany(async (tx) => {
      await tx.rows(addCategory('before'));
      tx.atEnd(addCategory('twice'));
      tx.atEnd(addCategory('twice'));
      return 'done';
    });
    expect(databaseCode(await work.catch((error: unknown) => error))).toBe('23505');
    expect([await isCategory('before'), await isCategory('twice')]).toEqual([false, false]);
  });

  test("a queued write's error is reported instead of the error of a read that was sent with the write", async () => {
    const work = books.inCompany(async (tx) => {
      tx.atEnd(addCategory('kept twice'), addCategory('kept twice'));
      return tx.row(sql`select 1 as one`);
    });
    expect(databaseCode(await work.catch((error: unknown) => error))).toBe('23505');
    expect(await isCategory('kept twice')).toBe(false);
  });

  test('if one of the statements that are sent together fails, the error names it, not an aborted one', async () => {
    const work = books.inCompany((tx) => Promise.all([tx.row(raised('57014')), tx.rows(sql`select 1 as one`)]));
    expect(databaseCode(await work.catch((error: unknown) => error))).toBe('57014');
  });

  test('statements run in order, so one that follows a lock sees the changes that the lock waited for', async () => {
    const id = await books.inCompany(async (tx) => {
      await tx.rows(addCategory('before the wait'));
      return (
        await tx.row(sql<{ id: number }>`select id from account_category
        where company_id = ${COMPANY} and category_name = 'before the wait'`)
      )?.id;
    });
    const one = sql`where company_id = ${COMPANY} and id = ${id}`;
    let waited: Promise<unknown> | undefined;
    await books.inCompany(async (first) => {
      await first.rows(sql`update account_category set category_name = 'after the wait' ${one}`);
      waited = books.inCompany((second) =>
        second.inOrder([
          sql`select id from account_category ${one} for update`,
          sql<{ name: string }>`select category_name as name from account_category ${one}`,
        ]),
      );
      await sleep(100);
    });
    expect(await waited).toEqual([[{ id }], [{ name: 'after the wait' }]]);
  });

  test('a statement for a company is rejected outside a company transaction', async () => {
    const mine = sql`select company_id as id from ledger_head where company_id = ${COMPANY}`;
    expect(await books.inCompany((tx) => tx.rows(mine))).toEqual([{ id: books.companyId }]);
    await expect(installation(books.pool, mine)).rejects.toThrow('needs a company');
  });

  test('an ID that is not an integer is rejected before a connection is requested', async () => {
    for (const id of [1.5, NaN, Infinity]) {
      await expect(inCompany(books.pool, id, async () => undefined)).rejects.toThrow(
        'the company ID is not an integer',
      );
    }
  });

  test('a transaction commits its own writes and the queued writes, and a later read sees them', async () => {
    const answer = await books.inCompany(async (tx) => {
      await tx.rows(addCategory('first'));
      tx.atEnd(addCategory('last'));
      return tx.row(sql`select count(*)::int as count from account_category where category_name = 'last'`);
    });
    expect(answer).toEqual({ count: 1 });
    expect([await isCategory('first'), await isCategory('last')]).toEqual([true, true]);
  });

  test('read mode rejects writes, and all of its statements see the same snapshot', async () => {
    const names = sql<{ count: number }>`select count(*)::int as count from account_category
      where company_id = ${books.companyId} and category_name = 'meanwhile'`;
    await readCompany(books.pool, books.companyId, async (tx) => {
      expect(await tx.row(names)).toEqual({ count: 0 });
      await books.inCompany((other) => other.rows(addCategory('meanwhile')));
      expect(await tx.row(names)).toEqual({ count: 0 });
    });
    expect(await isCategory('meanwhile')).toBe(true);
    const write = readCompany(books.pool, books.companyId, (tx) => tx.rows(addCategory('never')));
    expect(databaseCode(await write.catch((error: unknown) => error))).toBe('25006');
  });
});

describe('retries', () => {
  test.each(['40001', '40P01'])(
    'a transaction is retried after %s until it succeeds on the third attempt',
    async (code) => {
      let tries = 0;
      const name = `after ${code}`;
      await books.inCompany(async (tx) => {
        tries += 1;
        await tx.rows(addCategory(name));
        if (tries < 3) await tx.rows(raised(code));
      });
      expect(tries).toBe(3);
      expect(await isCategory(name)).toBe(true);
    },
  );

  test('a transaction is also retried if a parallel statement reported the failure first', async () => {
    let tries = 0;
    const answers = await books.inCompany((tx) => {
      tries += 1;
      return Promise.all([tx.row(tries < 3 ? raised('40001') : sql`select 1 as one`), tx.rows(sql`select 2 as two`)]);
    });
    expect([tries, answers]).toEqual([3, [{ one: 1 }, [{ two: 2 }]]]);
  });

  test('a transaction is attempted at most 5 times, but only once if it violates a key', async () => {
    const tries = { '40001': 0, '23505': 0 };
    for (const code of ['40001', '23505'] as const) {
      const work = books.inCompany(async (tx) => {
        tries[code] += 1;
        await tx.rows(raised(code));
      });
      expect(databaseCode(await work.catch((error: unknown) => error))).toBe(code);
    }
    expect(tries).toEqual({ '40001': 5, '23505': 1 });
  });

  test('a dead connection is not used again', async () => {
    const dead = books.inCompany((tx) => tx.rows(sql`select pg_terminate_backend(pg_backend_pid())`));
    await expect(dead).rejects.toThrow(/terminat/i);
    const alive = await Promise.all(
      Array.from({ length: 12 }, () => books.inCompany((tx) => tx.row(sql`select 1 as one`))),
    );
    expect(alive).toEqual(Array.from({ length: 12 }, () => ({ one: 1 })));
  });
});

test('a read returns before its transaction ends, and the next read waits for the connection', async () => {
  const pool = openPool({ connection: { connectionString: books.databaseUrl }, as: 'runtime', max: 1 });
  const read = () => readCompany(pool, books.companyId, (tx) => tx.one(sql<{ one: number }>`select 1 as one`));
  try {
    expect([await read(), pool.idleCount]).toEqual([{ one: 1 }, 0]);
    expect(await Promise.all([read(), read()])).toEqual([{ one: 1 }, { one: 1 }]);
  } finally {
    await pool.end();
  }
});

describe('round trips', () => {
  let proxy: Server;
  let turns = 0;

  /** Forwards bytes and counts how often the client sends data after the server has responded. */
  beforeAll(async () => {
    const { hostname, port } = new URL(books.databaseUrl);
    const host = decodeURIComponent(hostname);
    proxy = createServer((client) => {
      let heard = true;
      const target = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(Number(port), host);
      client.on('data', (bytes) => {
        if (heard) turns += 1;
        heard = false;
        target.write(bytes);
      });
      target.on('data', (bytes) => {
        heard = true;
        client.write(bytes);
      });
      const end = (socket: Socket) => () => void socket.destroy();
      client.on('close', end(target)).on('error', end(target));
      target.on('close', end(client)).on('error', end(client));
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => proxy.close(resolve)));

  test('a posting takes 3 round trips: begin with two reads, the posting, and commit with two writes', async () => {
    const address = proxy.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy does not listen');
    const { username, pathname } = new URL(books.databaseUrl);
    const connection = { host: '127.0.0.1', port: address.port, user: username, database: pathname.slice(1) };
    const pool = openPool({ connection, as: 'runtime', max: 1 });
    const { companyId } = books;
    const command = () =>
      inCompany(pool, companyId, async (tx) => {
        const one = sql`select from account where company_id = ${companyId} and id = ${CHECKING} for update`;
        await Promise.all([tx.rows(one), tx.rows(sql`select 1`)]);
        await post({ tx, userId: POSTER }, [journal('2026-05-05', [CHECKING, SALES], 1)]);
        tx.atEnd(addCategory(crypto.randomUUID()));
        tx.atEnd(addCategory(crypto.randomUUID()));
      });
    try {
      await command();
      turns = 0;
      await command();
      expect(turns).toBe(3);
    } finally {
      await pool.end();
    }
  });
});

describe('a connection that is lost', () => {
  test('a connection that is lost while checked out but idle does not end the process', async () => {
    const connection = { connectionString: books.databaseUrl };
    const pool = openPool({ connection, as: 'owner', max: 1 });
    try {
      const client = await pool.connect();
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      // A lost client emits 'error' before 'end'. Here, only the pool's own listener handles it.
      const lost = new Promise<void>((resolve) => client.once('end', resolve));
      await books.owner.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await lost;
      client.release(true);
      expect((await pool.query<{ one: number }>('select 1 as one')).rows).toEqual([{ one: 1 }]);
    } finally {
      await pool.end();
    }
  });
});
