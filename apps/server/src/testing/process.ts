import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { inject } from 'vitest';
import { openPool } from '../db/connect.ts';
import { serverRoot } from '../root.ts';

/** A program of ours in a process of its own, as an operator runs it. */
export interface Program {
  child: ChildProcess;
  /** Its output so far. */
  out(): string;
  err(): string;
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
  /** Waits until the output so far contains the pattern; answers the match. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Starts `main.ts` or `cli.ts` with nothing of this process's environment but what is given. */
export function runProgram(file: 'main.ts' | 'cli.ts', args: string[], environment: Record<string, string>): Program {
  const child = spawn(process.execPath, ['--import', 'tsx', join(serverRoot(), 'src', file), ...args], {
    cwd: join(serverRoot(), '..', '..'),
    env: { PATH: process.env['PATH'] ?? '', NODE_NO_WARNINGS: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const says = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(out);
        if (found !== null) resolve(found);
      };
      child.stdout.on('data', look);
      const complain = (): void => {
        look();
        reject(new Error(`the program ended without ${String(pattern)}:\n${out}\n${err}`));
      };
      void ended.then(complain);
      look();
    });
  return { child, out: () => out, err: () => err, ended, says };
}

let empties = 0;

/** A database without schema for a program to start on; `drop` it after. */
export async function emptyDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const { server, template } = inject('ground');
  const name = `${template}_${process.pid}_empty${(empties += 1)}`;
  const maintenance = openPool({ connection: { connectionString: `${server}/postgres` }, as: 'owner', max: 1 });
  await maintenance.query(`create database ${name}`);
  const drop = async (): Promise<void> => {
    await maintenance.query(`drop database if exists ${name} with (force)`);
    await maintenance.end();
  };
  return { url: `${server}/${name}`, drop };
}
