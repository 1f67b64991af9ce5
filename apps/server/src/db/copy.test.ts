import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { openClient } from './connect.ts';
import { copyOut } from './copy.ts';

const { server } = inject('ground');

test('40 MB copied out to a slow reader arrive as they were sent', async () => {
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
