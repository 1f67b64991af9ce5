import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs a program of this folder in a new process, with these arguments. Returns the message that it sends. */
export function answerOf<Answer>(program: string, ...args: readonly (string | number)[]): Promise<Answer> {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), args.map(String));
  return new Promise((resolve, reject) => {
    child.once('message', (answer: Answer) => resolve(answer));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)));
  });
}
