import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { type Config, readConfig } from '../platform/config.ts';
import type { Tuning } from '../platform/http/context.ts';

/** The operator's defaults, with the mail of tests kept apart. */
export function testConfig(changes: Partial<Config> = {}): Config {
  const dataDir = join(tmpdir(), 'evenkeel-test-data');
  const environment = { DATA_DIR: dataDir, LOG_LEVEL: 'silent', PUBLIC_URL: 'https://books.example' };
  return { ...readConfig({ ...environment, SECRET_KEY: '5a'.repeat(32) }), ...changes };
}

/** Cheap where production is dear on purpose. */
export const testTuning: Tuning = {
  passwordCost: { memoryCost: 8, timeCost: 1 },
  answerFloorMs: 0,
  requestsPerMinute: Number.POSITIVE_INFINITY,
};
