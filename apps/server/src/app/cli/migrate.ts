import type { Command } from './command.ts';

/** Migrates the schema to the latest version. */
export const migrateCommand: Command = {
  name: 'migrate',
  usage: '',
  options: {},
  run: async (context) => {
    await context.database();
    return { result: { ok: true } };
  },
};
