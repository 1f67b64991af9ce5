import type { Command } from './command.ts';

/** Brings the schema up to date. */
export const migrateCommand: Command = {
  name: 'migrate',
  usage: '',
  options: {},
  run: async (context) => {
    await context.database();
    return { result: { ok: true } };
  },
};
