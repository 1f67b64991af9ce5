import { type Chapter, duration } from './figures.ts';
import type { RunningServer } from './server.ts';

const MOST_MS = 3000;

/**
 * Measures the creation of the demo company, with two years of books, which are written in the normal batches. The
 * company is created only once.
 */
export async function measureDemo(server: RunningServer): Promise<Chapter> {
  const before = server.cpu();
  const began = performance.now();
  await server.command('demo');
  const took = performance.now() - began;
  const database = ((server.cpu()['PostgreSQL'] ?? 0) - (before['PostgreSQL'] ?? 0)) / 1000;
  const text = `\`evenkeel demo\`, start of the program included: ${duration(took)}.`;
  const why =
    `PostgreSQL used ${duration(database)} of processor time. About 2,150 events are written in one transaction, in ` +
    '240 batches, one after the other, so the program and PostgreSQL wait for each other. At the end, all tables are ' +
    'analyzed, which takes longer in a database with many entries.';
  const aims = [{ wanted: 'The demo company is made within 3 s', seen: duration(took), isMet: took <= MOST_MS, why }];
  return { title: 'The demo company', text, aims };
}
