// Reads another company's customers, one request after another. This is a separate process, so that work in the load
// generator isn't measured as waiting time. Arguments: the server's URL, a token, and milliseconds. Sends `Reads`.
import { setTimeout } from 'node:timers/promises';
import { openClient } from './client.ts';

/** The duration of each read in milliseconds, and the number of rejected reads. */
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
