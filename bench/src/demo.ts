import { type Chapter, duration } from './figures.ts';
import type { RunningServer } from './server.ts';

const MOST_MS = 3000;

/**
 * Measures the creation of the demo company, with two years of books, which are written in the normal batches. The
 * company is created only once.
 */
export async function measureDemo(server: RunningServer): Promise<Chapter> {
  const began = performance.now();
  await server.command('demo');
  const took = performance.now() - began;
  const text = `\`evenkeel demo\`, start of the program included: ${duration(took)}.`;
  const aims = [{ wanted: 'The demo company is made within 3 s', seen: duration(took), isMet: took <= MOST_MS }];
  return { title: 'The demo company', text, aims };
}
