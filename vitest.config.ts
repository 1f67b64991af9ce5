import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defaultExclude, defineConfig } from 'vitest/config';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirst } from './scripts/test/longest-first.ts';

/** `npm run torture` sets TORTURE: what is too long for every day is then there too, and no test is timed. */
const torture = Boolean(process.env['TORTURE']);
/** `npm run test:citus` names the servers of a cluster: what needs one is there too. */
const cluster = Boolean(process.env['EVENKEEL_TEST_WORKERS']);
const names = torture ? '{test,torture}' : cluster ? '{test,cluster}' : 'test';

/** `npm test` names the server's tests that it runs by themselves, on the system's PostgreSQL. */
const elsewhere = (process.env['TESTED_ELSEWHERE'] ?? '').split(',').filter((path) => path !== '');

/** `testAt` (scripts/test/instants.ts) sets the clock. */
const clock = process.env['CLOCK_FILE'] === undefined ? [] : ['scripts/test/set-clock.ts'];

/** Files that a project names here are used once they exist. */
const present = (...files: string[]): string[] => files.filter((file) => existsSync(join(import.meta.dirname, file)));

type Options = NonNullable<TestProjectInlineConfiguration['test']>;

function project(name: string, folder: string, options: Options = {}): TestProjectInlineConfiguration {
  const test: Options = {
    name,
    include: [`${folder}/**/*.${names}.{ts,tsx}`],
    setupFiles: ['scripts/test/same-cases.ts', ...clock],
    // Without a time zone of its own, a mistake with local dates would show only on some machines.
    env: { TZ: 'Pacific/Auckland' },
    testTimeout: torture ? 14_400_000 : 60_000,
    hookTimeout: 120_000,
    ...options,
  };
  return { test };
}

/** One more than a small machine has processors, for tests that wait as much as they work: on processes, on disks. */
const waiting: Options = { maxWorkers: 3, sequence: { groupOrder: 1 } };

export default defineConfig({
  test: {
    pool: 'forks',
    execArgv: ['--max-semi-space-size=64'],
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      project('core', 'packages/{core,scenario,statements}/src', { pool: 'threads', isolate: false }),
      project('contract', 'packages/contract/src', { pool: 'threads', isolate: false }),
      project('scripts', '{scripts,bench/src}', waiting),
      project('postgres', 'packages/postgres/src', waiting),
      project('server', '{apps/server/src,scenarios}', {
        ...waiting,
        globalSetup: present('apps/server/src/testing/global-setup.ts'),
        exclude: [...defaultExclude, ...elsewhere.map((path) => `${path}{*,**/*}`)],
        // A third of the processor's time went into loading the same modules for each file. None needs its own: each
        // has a database of its own, and puts back what it changes in the process.
        isolate: false,
      }),
      {
        ...project('web', 'apps/web/src', {
          environment: 'jsdom',
          // A screen with all that opens on it; a busy machine is slow, not wrong.
          testTimeout: torture ? 14_400_000 : 240_000,
          setupFiles: present(
            'scripts/test/same-cases.ts',
            ...clock,
            'apps/web/src/testing/setup.ts',
            'apps/web/src/testing/each-file.ts',
          ),
          isolate: false,
        }),
        // As the build does: apps/web/vite.config.ts.
        resolve: {
          alias: [{ find: /^zod$/, replacement: join(import.meta.dirname, 'packages/contract/src/light.ts') }],
        },
      },
      project('e2e', 'e2e/src', {
        include: torture ? [] : ['e2e/src/**/*.e2e.ts'],
        globalSetup: present('e2e/src/global-setup.ts'),
        // After all else: the journeys share one running Evenkeel and one browser, each in a company of its own.
        ...waiting,
        sequence: { groupOrder: 2 },
        isolate: false,
        // A busy machine is slow, not wrong.
        testTimeout: 600_000,
        hookTimeout: 300_000,
        expect: { poll: { timeout: 30_000 } },
      }),
    ],
  },
});
