import { parseArgs } from 'node:util';
import { readConfig } from '../../platform/config.ts';
import { type Command, type CommandContext, UsageError } from './command.ts';
import { lazyDatabase } from './database.ts';

/** The input and output for a command line: the process's own, or a test's. */
export interface Terminal {
  environment: Record<string, string | undefined>;
  /** Writes the result as one line of JSON. */
  out(line: string): void;
  /** Writes progress and errors. */
  err(line: string): void;
}

function listOf(commands: readonly Command[]): string {
  const lines = commands.map(({ name, usage }) => `  ${name} ${usage}`.trimEnd());
  return ['Usage: npm run --silent evenkeel -- <command> [--json]', ...lines].join('\n');
}

/** Finds the command whose name is the first word or the first two words, and returns the remaining words. */
function find(commands: readonly Command[], words: readonly string[]): { command: Command; rest: string[] } {
  for (const count of [2, 1]) {
    const command = commands.find(({ name }) => name === words.slice(0, count).join(' '));
    if (command !== undefined) return { command, rest: words.slice(count) };
  }
  throw new UsageError(`unknown command "${words[0] ?? ''}"\n${listOf(commands)}`);
}

function parse(command: Command, rest: string[]): Pick<CommandContext, 'options' | 'positionals'> {
  try {
    const options = { json: { type: 'boolean' }, ...command.options } as const;
    const { values, positionals } = parseArgs({ args: rest, options, allowPositionals: true });
    return { options: values, positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function runCommand(command: Command, rest: string[], terminal: Terminal): Promise<number> {
  const say = (line: string): void => terminal.err(line);
  const parsed = parse(command, rest);
  const config = readConfig(terminal.environment);
  const { database, close } = lazyDatabase(config, say);
  try {
    const { environment } = terminal;
    const { result, text, exitCode = 0 } = await command.run({ ...parsed, config, environment, say, database });
    terminal.out(text ?? JSON.stringify(result));
    return exitCode;
  } finally {
    await close();
  }
}

/**
 * Describes an error in a sentence. For a file error, the sentence has the file name and the reason instead of the
 * system's error code and call.
 */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [, reason] = /^E[A-Z]+: ([^,]+),/.exec(error.message) ?? [];
  const path = 'path' in error ? error.path : undefined;
  return reason !== undefined && typeof path === 'string' ? `${path}: ${reason}` : error.message;
}

/**
 * Runs one command line and returns the exit code. An error is printed as one clear line, followed by the usage if it
 * helps.
 */
export async function runLine(commands: readonly Command[], words: readonly string[], terminal: Terminal) {
  if (words.length === 0 || words[0] === '--help' || words[0] === 'help') {
    terminal.err(listOf(commands));
    return words.length === 0 ? 1 : 0;
  }
  let usage = '';
  let usageExitCode = 1;
  try {
    const { command, rest } = find(commands, words);
    usageExitCode = command.usageExitCode ?? 1;
    usage = `\nUsage: ${command.name} ${command.usage}`.trimEnd();
    return await runCommand(command, rest, terminal);
  } catch (error) {
    const message = wordsOf(error);
    terminal.err(error instanceof UsageError ? `${message}${usage}` : message);
    return error instanceof UsageError ? usageExitCode : 1;
  }
}
