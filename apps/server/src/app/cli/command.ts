import type { Config } from '../../platform/config.ts';
import type { Connection, Pool } from '../../platform/db/connect.ts';

/** The database that a command uses. `owner` and `pool` connect to the same database. */
export interface OpenDatabase {
  /** The connection as the schema's owner, for migrations, backup, and restore. */
  connection: Connection;
  /** The pool that uses the runtime role, as requests do. */
  pool: Pool;
}

/** The input to a command. Options are text (or true for a flag), as `node:util` parses them. */
export interface CommandContext {
  config: Config;
  /** The environment variables, if the command calls a server. */
  environment?: Readonly<Record<string, string | undefined>>;
  options: Readonly<Record<string, string | boolean | undefined>>;
  positionals: readonly string[];
  /** Writes progress to stderr, because stdout must contain only the result. */
  say: (line: string) => void;
  /**
   * Opens and migrates the database in DATABASE_URL, the running server's database, or a database that is started for
   * this command.
   */
  database: () => Promise<OpenDatabase>;
}

/** The result of a command: one JSON object for stdout, and the exit code if it is not 0. */
export interface CommandResult {
  result: unknown;
  /** The text for stdout instead of the JSON object, if another format was requested. */
  text?: string;
  exitCode?: number;
}

/** A command that is run with `npm run --silent evenkeel -- <name> …`. Add new commands to the table in cli.ts. */
export interface Command {
  /** The name of the command, which has one or two words. */
  name: string;
  /** The text that comes after the name in the list of commands. */
  usage: string;
  options: Readonly<Record<string, { type: 'string' | 'boolean' }>>;
  /** The exit code if the command is used incorrectly. Defaults to 1. */
  usageExitCode?: number;
  run: (context: CommandContext) => Promise<CommandResult>;
}

/** The error if a command is used incorrectly. The command's usage is shown with the error. */
export class UsageError extends Error {}

/** Returns the text of a required option. */
export function requiredOption(context: CommandContext, name: string): string {
  const value = context.options[name];
  if (typeof value !== 'string' || value === '') throw new UsageError(`--${name} is missing`);
  return value;
}

/** Returns the text of an option, or undefined if it was not given. */
export function optionalOption(context: CommandContext, name: string): string | undefined {
  const value = context.options[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
