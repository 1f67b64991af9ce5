import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from, to } from 'pg-copy-streams';

/** `copy … to stdout` → the bytes of its text, in order. The client must not be a pipelining one. */
export async function* copyOut(client: pg.Client, text: string): AsyncGenerator<Buffer> {
  yield* client.query(to(text));
}

/** `copy … from stdin` fed with `source`; answers the number of rows. The client must not be a pipelining one. */
export async function copyIn(client: pg.Client, text: string, source: AsyncIterable<Buffer>): Promise<number> {
  const statement = client.query(from(text));
  await pipeline(source, statement);
  return statement.rowCount;
}
