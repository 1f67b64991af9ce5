import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { type Cents, fromPlain } from '@evenkeel/core/money';
import { root, say } from '../../../scripts/checkout.mjs';
import type { RunningServer } from '../server.ts';
import type { Poster } from './peer.ts';

const FOLDER = '/usr/share/ledgersmb';
export const LEDGERSMB = 'LedgerSMB';
const PROCESSES = 2;

interface Process {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Sends a line, and returns the line with which the program answers. */
  ask: (line: string) => Promise<string>;
}

/** Starts ledgersmb.pl on Evenkeel's PostgreSQL. Resolves when it is ready. */
async function startProcess({ database: { connection } }: RunningServer, ...args: readonly string[]): Promise<Process> {
  const { host, port, user, password = '' } = connection;
  const env = { ...process.env, PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: password };
  const child = spawn('perl', [join(root, 'bench/src/peers/ledgersmb.pl'), 'ledgersmb', ...args], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text) => (errors = `${errors}${text}`.slice(-1000)));
  const waiting: { resolve: (line: string) => void; reject: (error: Error) => void }[] = [];
  createInterface(child.stdout).on('line', (line) => waiting.shift()?.resolve(line));
  child.on('exit', (code) => {
    for (const { reject } of waiting) reject(new Error(`ledgersmb.pl ended with ${code}: ${errors}`));
  });
  const answer = () => new Promise<string>((resolve, reject) => waiting.push({ resolve, reject }));
  await answer();
  const ask = (line: string): Promise<string> => {
    child.stdin.write(`${line}\n`);
    return answer();
  };
  return { child, ask };
}

/** Creates a database of LedgerSMB, and starts two processes that post invoices with LedgerSMB's code. */
export async function startLedgerSmb(server: RunningServer): Promise<Poster> {
  if (!existsSync(FOLDER)) return { name: LEDGERSMB, missing: 'LedgerSMB is not installed (Debian: ledgersmb)' };
  say('Preparing LedgerSMB…');
  const processes = [await startProcess(server, 'create')];
  while (processes.length < PROCESSES) processes.push(await startProcess(server));
  let turn = 0;
  return {
    name: LEDGERSMB,
    post: async (): Promise<Cents> => {
      const at = (turn += 1) % PROCESSES;
      return fromPlain(Number((await processes[at]?.ask('post')) ?? Number.NaN).toFixed(2));
    },
    stop: async () => {
      for (const { child } of processes) {
        const ended = once(child, 'exit');
        child.stdin.end();
        await ended;
      }
    },
  };
}
