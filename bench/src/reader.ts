// A person of another company who reads its customers, one read after the other: a process of its own, so that no step
// of the load generator counts as a wait. Arguments: the server's address, a token, milliseconds. Answers `Reads`.
import { setTimeout } from 'node:timers/promises';
import { openClient } from './client.ts';

/** Milliseconds of each read, and how many were refused. */
export interface Reads {
  times: number[];
  refused: number;
}

const [url = '', token = '', milliseconds = ''] = process.argv.slice(2);
const client = openClient(url, 1);
const reads: Reads = { times: [], refused: 0 };
const began = performance.now();
for (let from = began; from - began < Number(milliseconds); from = performance.now()) {
  const { status } = await client.send('GET', '/customer?limit=100', { token });
  reads.times.push(performance.now() - from);
  if (status !== 200) reads.refused += 1;
  await setTimeout(10);
}
client.close();
process.send?.(reads);
process.disconnect();
