import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

describe('the speed of reading', () => {
  it('is 10,000 lines of each format within 300 ms and 100,000 lines within 3 s of the processor', () => {
    const script = join(import.meta.dirname, 'testing/time-readings.ts');
    const printed = execFileSync(process.execPath, ['--import', 'tsx', script], { encoding: 'utf8' });
    const times: Record<string, number> = JSON.parse(printed);
    expect(Object.keys(times)).toHaveLength(16);
    const limit = (name: string): number => (name.endsWith(' 10,000 lines') ? 300 : 3000);
    expect(Object.entries(times).filter(([name, milliseconds]) => milliseconds >= limit(name))).toEqual([]);
  });
});
