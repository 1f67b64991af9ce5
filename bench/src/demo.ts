import type { Chapter } from './figures.ts';
import { duration, median } from './figures.ts';
import type { RunningServer } from './server.ts';

const ROUNDS = 3;
const MOST_MS = 3000;

/** Times the demo company: two years of books through the batches that everything uses. */
export async function measureDemo(server: RunningServer): Promise<Chapter> {
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    await server.command('demo', '--reset');
    took.push(performance.now() - began);
  }
  const seen = median(took);
  const text = `\`evenkeel demo --reset\`, start of the program included: ${took.map(duration).join(', ')}.`;
  const aims = [{ wanted: 'The demo company is made within 3 s', seen: duration(seen), isMet: seen <= MOST_MS }];
  return { title: 'The demo company', text, aims };
}
