import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defaultExclude, defineConfig } from 'vitest/config';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirst } from './scripts/test/longest-first.ts';

/** `npm run torture` sets TORTURE, which adds the long tests and removes the time limits. */
const torture = Boolean(process.env['TORTURE']);
/** `npm run test:citus` lists the servers of a cluster, which adds the tests that need one. */
const cluster = Boolean(process.env['EVENKEEL_TEST_WORKERS']);
const names = torture ? '{test,torture}' : cluster ? '{test,cluster}' : 'test';

/** `npm test` lists the server tests that it runs separately on the system's PostgreSQL. */
const elsewhere = (process.env['TESTED_ELSEWHERE'] ?? '').split(',').filter((path) => path !== '');

/** `testAt` (scripts/test/instants.ts) sets the clock. */
const clock = process.env['CLOCK_FILE'] === undefined ? [] : ['scripts/test/set-clock.ts'];

/** Returns the files that exist. A project can thus list files before they are created. */
const present = (...files: string[]): string[] => files.filter((file) => existsSync(join(import.meta.dirname, file)));

type Options = NonNullable<TestProjectInlineConfiguration['test']>;

function project(name: string, folder: string, options: Options = {}): TestProjectInlineConfiguration {
  const test: Options = {
    name,
    include: [`${folder}/**/*.${names}.{ts,tsx}`],
    setupFiles: ['scripts/test/same-cases.ts', ...clock],
    // Without this time zone, mistakes with local dates would show only on some machines.
    env: { TZ: 'Pacific/Auckland' },
    testTimeout: torture ? 14_400_000 : 60_000,
    hookTimeout: 120_000,
    ...options,
  };
  return { test };
}

/** One worker more than a small machine has processors, for tests that often wait for processes and disks. */
const waiting: Options = { maxWorkers: 3, sequence: { groupOrder: 1 } };

export default defineConfig({
  test: {
    pool: 'forks',
    execArgv: ['--max-semi-space-size=64'],
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      project('core', 'packages/{client,core,imports,scenario,statements}/src', { pool: 'threads', isolate: false }),
      project('contract', 'packages/contract/src', { pool: 'threads', isolate: false }),
      project('scripts', '{scripts,bench/src}', waiting),
      project('postgres', 'packages/postgres/src', waiting),
      project('server', '{apps/server/src,scenarios}', {
        ...waiting,
        globalSetup: present('apps/server/src/testing/global-setup.ts'),
        exclude: [...defaultExclude, ...elsewhere.map((path) => `${path}{*,**/*}`)],
        // Loading the same modules for each file took a third of the processor time. No file needs isolation, because
        // each has a separate database and undoes its changes to the process.
        isolate: false,
      }),
      {
        ...project('web', 'apps/web/src', {
          environment: 'jsdom',
          // A test opens a screen with all of its dialogs, which takes a long time on a busy machine.
          testTimeout: torture ? 14_400_000 : 240_000,
          setupFiles: present(
            'scripts/test/same-cases.ts',
            ...clock,
            'apps/web/src/testing/setup.ts',
            'apps/web/src/testing/each-file.ts',
          ),
          isolate: false,
        }),
        // Matches the build in apps/web/vite.config.ts.
        resolve: {
          alias: [{ find: /^zod$/, replacement: join(import.meta.dirname, 'packages/contract/src/light.ts') }],
        },
      },
      project('e2e', 'e2e/src', {
        include: [torture ? 'e2e/src/**/*.torture.ts' : 'e2e/src/**/*.e2e.ts'],
        globalSetup: present('e2e/src/global-setup.ts'),
        // Runs after all other projects. The journeys share one running Evenkeel and one browser, each in a separate
        // company.
        ...waiting,
        sequence: { groupOrder: 2 },
        isolate: false,
        // The tests take a long time on a busy machine.
        testTimeout: 600_000,
        hookTimeout: 300_000,
        expect: { poll: { timeout: 30_000 } },
      }),
    ],
  },
});
