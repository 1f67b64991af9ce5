import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { type Config, readConfig } from '../platform/config.ts';
import type { Tuning } from '../platform/http/context.ts';

/** Returns the operator's default settings, with a separate folder for emails from tests. */
export function testConfig(changes: Partial<Config> = {}): Config {
  const dataDir = join(tmpdir(), 'evenkeel-test-data');
  const environment = { DATA_DIR: dataDir, LOG_LEVEL: 'silent', PUBLIC_URL: 'https://books.example' };
  return { ...readConfig({ ...environment, SECRET_KEY: '5a'.repeat(32) }), ...changes };
}

/** Low costs for operations that are deliberately expensive in production. */
export const testTuning: Tuning = {
  passwordCost: { memoryCost: 8, timeCost: 1 },
  answerFloorMs: 0,
  requestsPerMinute: Number.POSITIVE_INFINITY,
};
