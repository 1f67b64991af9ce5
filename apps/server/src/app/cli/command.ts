import type { Config } from '../../platform/config.ts';
import type { Connection, Pool } from '../../platform/db/connect.ts';

/** A database that a command works on; `owner` and `pool` reach the same one. */
export interface OpenDatabase {
  /** As the owner of the schema: migrations, backup, restore. */
  connection: Connection;
  /** Under the runtime role, as requests run. */
  pool: Pool;
}

/** The input of a command. Options stand as text (or true for a flag), as `node:util` parses them. */
export interface CommandContext {
  config: Config;
  options: Readonly<Record<string, string | boolean | undefined>>;
  positionals: readonly string[];
  /** Progress, to stderr: stdout is the result alone. */
  say: (line: string) => void;
  /** Opens (and migrates) the database: DATABASE_URL, the running server's, or one started for this command. */
  database: () => Promise<OpenDatabase>;
}

/** The result of a command: one JSON object for stdout, and the exit code when it is not 0. */
export interface CommandResult {
  result: unknown;
  exitCode?: number;
}

/** One command of `npm run --silent evenkeel -- <name> …`. Add yours to the table in cli.ts. */
export interface Command {
  /** One or two words. */
  name: string;
  /** The words after the name, for the list of commands. */
  usage: string;
  options: Readonly<Record<string, { type: 'string' | 'boolean' }>>;
  run: (context: CommandContext) => Promise<CommandResult>;
}

/** Wrong use of a command: shown with its usage. */
export class UsageError extends Error {}

/** The text of an option that must be there. */
export function requiredOption(context: CommandContext, name: string): string {
  const value = context.options[name];
  if (typeof value !== 'string' || value === '') throw new UsageError(`--${name} is missing`);
  return value;
}

/** The text of an option, or undefined. */
export function optionalOption(context: CommandContext, name: string): string | undefined {
  const value = context.options[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
