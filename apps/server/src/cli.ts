import { parseArgs } from 'node:util';
import { companyCreate } from './cli/company.ts';
import { type Command, type CommandContext, UsageError } from './cli/command.ts';
import { lazyDatabase } from './cli/database.ts';
import { exportCommand } from './cli/export.ts';
import { migrateCommand } from './cli/migrate.ts';
import { rebuildCommand } from './cli/rebuild.ts';
import { verifyCommand } from './cli/verify.ts';
import { readConfig } from './config.ts';

/** Every command, one line each. */
const commands: readonly Command[] = [companyCreate, migrateCommand, verifyCommand, rebuildCommand, exportCommand];

const say = (line: string): void => void process.stderr.write(`${line}\n`);

function listOfCommands(): string {
  const lines = commands.map(({ name, usage }) => `  ${name} ${usage}`.trimEnd());
  return ['Usage: npm run --silent evenkeel -- <command> [--json]', ...lines].join('\n');
}

/** The command that the first one or two words name, and what follows them. */
function find(words: readonly string[]): { command: Command; rest: string[] } | undefined {
  for (const count of [2, 1]) {
    const command = commands.find(({ name }) => name === words.slice(0, count).join(' '));
    if (command !== undefined) return { command, rest: words.slice(count) };
  }
  return undefined;
}

function parse(command: Command, rest: string[]): Pick<CommandContext, 'options' | 'positionals'> {
  try {
    const options = { ...command.options, json: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ args: rest, options, allowPositionals: true });
    return { options: values, positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function runCommand(words: readonly string[]): Promise<number> {
  const found = find(words);
  if (found === undefined) throw new UsageError(words[0] === undefined ? 'no command' : `no command "${words[0]}"`);
  const { command, rest } = found;
  try {
    const parsed = parse(command, rest);
    const config = readConfig(process.env);
    const { database, close } = lazyDatabase(config, say);
    try {
      const { result, exitCode = 0 } = await command.run({ ...parsed, config, say, database });
      process.stdout.write(`${JSON.stringify(result)}\n`);
      return exitCode;
    } finally {
      await close();
    }
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${error.message}\nUsage: ${command.name} ${command.usage}`);
    throw error;
  }
}

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  if (words.length === 0 || words[0] === '--help' || words[0] === 'help') {
    say(listOfCommands());
    process.exitCode = words.length === 0 ? 1 : 0;
    return;
  }
  try {
    process.exitCode = await runCommand(words);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    if (error instanceof UsageError) say(listOfCommands());
    process.exitCode = 1;
  }
}

await main();
