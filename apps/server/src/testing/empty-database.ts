import { inject } from 'vitest';
import { createDatabase, dropDatabase } from './databases.ts';

let empties = 0;

/** Creates a database without a schema, for a program to start on. Call `drop` afterward. */
export async function emptyDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const { server, template } = inject('ground');
  const name = `${template}_${process.pid}_empty${(empties += 1)}`;
  await createDatabase(server, name);
  return { url: `${server}/${name}`, drop: () => dropDatabase(server, name) };
}
