import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { callCommand } from './call.ts';
import { completionCommand } from './completion.ts';
import { keyRotate } from './key.ts';
import { reportCommand } from './report.ts';
import { runLine } from './run.ts';

const commands = [callCommand, keyRotate, reportCommand];

async function evenkeel(...words: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runLine([...commands, completionCommand(commands)], words, {
    environment: {},
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/** Returns the completions that bash offers for the last word of a command line. */
function completed(script: string, ...words: string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  const call = `COMP_WORDS=(evenkeel ${line}); COMP_CWORD=${words.length}; _evenkeel; echo "\${COMPREPLY[*]}"`;
  return execFileSync('bash', ['-c', `${script}\n${call}`], { encoding: 'utf8' })
    .trim()
    .split(' ')
    .filter(Boolean);
}

test('bash completes commands, operations with their parameters, reports, and options', async () => {
  const { code, out } = await evenkeel('completion', 'bash');
  expect(code).toBe(0);
  expect(completed(out, '')).toEqual(['call', 'key', 'report', 'completion']);
  expect(completed(out, 're')).toEqual(['report']);
  expect(completed(out, 'key', '')).toEqual(['rotate']);
  expect(completed(out, 'call', 'getSalestaxI')).toEqual(['getSalestaxId']);
  expect(completed(out, 'call', 'getSalestaxId', '')).toEqual(
    expect.arrayContaining(['id=', '--json', '--rehearse', '--address']),
  );
  expect(completed(out, 'call', 'getSalestaxId', 'i')).toEqual(['id=']);
  expect(completed(out, 'report', 'profitAndL')).toEqual(['profitAndLoss']);
  expect(completed(out, 'report', 'profitAndLoss', '--f')).toEqual(['--from', '--format']);
});

test('zsh first loads its support for bash completion, and other shells are rejected', async () => {
  const [bash, zsh] = [await evenkeel('completion', 'bash'), await evenkeel('completion', 'zsh')];
  expect(zsh.out).toBe(`autoload -U +X bashcompinit && bashcompinit\n${bash.out}`);
  expect(await evenkeel('completion', 'fish')).toMatchObject({ code: 2, out: '' });
});
