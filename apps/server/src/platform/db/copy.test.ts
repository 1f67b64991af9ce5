import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { openClient } from './connect.ts';
import { copyIn, copyOut } from './copy.ts';

const { server } = inject('ground');

test('40 MB of data that is copied to a slow reader arrives unchanged', async () => {
  const client = await openClient({ connectionString: `${server}/postgres` });
  const rows = 200_000;
  const text = (n: number): string => `${n}\t${'x'.repeat(50 + (n % 300))}\t${n}\n`;
  const wanted = createHash('sha256');
  for (let n = 1; n <= rows; n += 1) wanted.update(text(n));
  const seen = createHash('sha256');
  let chunks = 0;
  try {
    const statement = `copy (select n, repeat('x', 50 + n % 300), n from generate_series(1, ${rows}) n) to stdout`;
    for await (const chunk of copyOut(client, statement)) {
      seen.update(chunk);
      chunks += 1;
      if (chunks % 5 === 0) await setTimeout(1);
    }
  } finally {
    await client.end();
  }
  expect(chunks).toBeGreaterThan(5);
  expect(seen.digest('hex')).toBe(wanted.digest('hex'));
});

test('if a reader stops early, its connection ends', async () => {
  const client = await openClient({ connectionString: `${server}/postgres` });
  const statement = "copy (select repeat('x', 1000) from generate_series(1, 100000)) to stdout";
  for await (const chunk of copyOut(client, statement)) if (chunk.length > 0) break;
  await client.end();
});

test('if a source fails, no rows are copied, and its error is thrown', async () => {
  const client = await openClient({ connectionString: `${server}/postgres` });
  async function* source(): AsyncGenerator<Buffer> {
    yield Buffer.from('1\n');
    await setTimeout(1);
    throw new Error('the disk is gone');
  }
  try {
    await client.query('create temporary table copied (n int)');
    await expect(copyIn(client, 'copy copied from stdin', source())).rejects.toThrow('the disk is gone');
    const broken = copyIn(client, 'copy copied from stdin', Readable.from([Buffer.from('no number\n')]));
    await expect(broken).rejects.toThrow('invalid input syntax for type integer');
    expect(await copyIn(client, 'copy copied from stdin', Readable.from([Buffer.from('2\n3\n')]))).toBe(2);
    expect((await client.query('select n from copied order by n')).rows).toEqual([{ n: 2 }, { n: 3 }]);
  } finally {
    await client.end();
  }
});
