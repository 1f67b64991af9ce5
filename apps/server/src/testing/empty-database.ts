import { inject } from 'vitest';
import { createDatabase, dropDatabase } from './databases.ts';

let empties = 0;

/** A database without schema for a program to start on; `drop` it after. */
export async function emptyDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const { server, template } = inject('ground');
  const name = `${template}_${process.pid}_empty${(empties += 1)}`;
  await createDatabase(server, name);
  return { url: `${server}/${name}`, drop: () => dropDatabase(server, name) };
}
