// Runs tests at a set time, both in the program and in its PostgreSQL, with Debian's libfaketime.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../checkout.mjs';
import { startSystemPostgres } from './system-postgres.ts';
import { findTool } from './tools.ts';

/** Instants at which the day, month, or year differs between time zones, each with the time until the next change. */
export const instants = {
  'the last minute of a day in UTC': '2026-11-18T23:59:00Z',
  'the last minute of a day in New York': '2026-11-19T04:59:00Z',
  'the last minute of a month in UTC': '2026-11-30T23:59:00Z',
  'the last minute of a month in New York': '2026-12-01T04:59:00Z',
  'the last minute of a quarter in UTC': '2027-03-31T23:59:00Z',
  'the last minute of a quarter in New York': '2027-04-01T03:59:00Z',
  'the last minute of a year in UTC, December 31': '2026-12-31T23:59:00Z',
  'the last minute of a year in New York': '2027-01-01T04:59:00Z',
  'the minute before clocks spring forward in New York': '2027-03-14T06:59:00Z',
  'the minute before clocks fall back in New York': '2026-11-01T05:59:00Z',
  'noon on February 29': '2028-02-29T12:00:00Z',
  'the last minute of February 29 in New York': '2028-03-01T04:59:00Z',
} as const;

export type Instant = keyof typeof instants;

/** Returns the environment variables that make a program and its children use the clock in a file (`setClock`). */
export function clockVariables(file: string): Record<string, string> {
  const { path, missing } = findTool('faketime');
  if (missing !== undefined) throw new Error(missing);
  const library = execFileSync(path, ['-m', '-f', '+0', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' }).trim();
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    // Timeouts behave the same as when a machine's clock is changed.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}

/** Sets the difference between the clock and the real time, in seconds. Programs use the new time within a second. */
export const setClock = (file: string, seconds: number): void =>
  writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`);

/** Returns the difference between a file's clock and the real time, in seconds. */
export const clockOf = (file: string): number => Number(readFileSync(file, 'utf8'));

/** Runs test files on the system's PostgreSQL, each at its instant. Returns vitest's exit code and output. */
export async function testAt(plan: Readonly<Record<string, Instant>>): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-clock-'));
  // PostgreSQL, which does not run as root, must also be able to read the file.
  chmodSync(folder, 0o755);
  const file = join(folder, 'clock');
  const moments = Object.entries(plan).map(([path, instant]): [string, number] => [
    path,
    Date.parse(instants[instant]),
  ]);
  setClock(file, Math.round(((moments[0]?.[1] ?? 0) - Date.now()) / 1000));
  const faked = clockVariables(file);
  const postgres = await startSystemPostgres(faked);
  if (postgres.missing !== undefined) throw new Error(postgres.missing);
  // The environment is the same as for `npm test`, even when `npm run torture` runs this function.
  const { TORTURE: _, TORTURE_RUNS: __, TESTED_ELSEWHERE: ___, ...own } = process.env;
  const ofTests = { CLOCK_FILE: file, CLOCK_PLAN: JSON.stringify(Object.fromEntries(moments)) };
  const env = { ...own, ...faked, ...ofTests, EVENKEEL_TEST_SERVER: postgres.url };
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--no-file-parallelism', ...Object.keys(plan)];
  const child = spawn(process.execPath, args, { cwd: root, env });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => said.push(text.toString()));
  try {
    const status = await new Promise<number | null>((done) => child.on('close', done));
    return { status, said: said.join('') };
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface Outcome {
  status: number | null;
  said: string;
}
