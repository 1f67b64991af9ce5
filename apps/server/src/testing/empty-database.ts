import { inject } from 'vitest';
import { openPool } from '../db/connect.ts';

let empties = 0;

/** A database without schema for a program to start on; `drop` it after. */
export async function emptyDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const { server, template } = inject('ground');
  const name = `${template}_${process.pid}_empty${(empties += 1)}`;
  const maintenance = openPool({ connection: { connectionString: `${server}/postgres` }, as: 'owner', max: 1 });
  await maintenance.query(`create database ${name}`);
  const drop = async (): Promise<void> => {
    await maintenance.query(`drop database if exists ${name} with (force)`);
    await maintenance.end();
  };
  return { url: `${server}/${name}`, drop };
}
