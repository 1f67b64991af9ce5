import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from, to } from 'pg-copy-streams';

/** Runs `copy … to stdout` and yields the bytes in the order in which they arrive. The client must not be pipelined. */
export async function* copyOut(client: pg.Client, text: string): AsyncGenerator<Buffer> {
  yield* client.query(to(text));
}

/**
 * Runs `copy … from stdin` with the bytes of `source` and returns the number of rows. The client must not be pipelined.
 */
export async function copyIn(client: pg.Client, text: string, source: AsyncIterable<Buffer>): Promise<number> {
  const statement = client.query(from(text));
  await pipeline(source, statement);
  return statement.rowCount;
}
