import { say } from '../../scripts/checkout.mjs';
import { type Company, newCompany } from './company.ts';
import { figure } from './figures.ts';
import { fillBooks, settle } from './fill.sql.ts';
import type { RunningServer } from './server.ts';

/** A company whose journal has about as many lines as its name indicates. */
export interface Books extends Company {
  /** The size of the journal: 10k, 100k, or 1M. */
  name: string;
  lines: number;
}

/** Creates a company of each size. `use` makes their names different from those of other companies of these sizes. */
export async function makeBooks(server: RunningServer, sizes: readonly number[], use = 'Books'): Promise<Books[]> {
  const all: Books[] = [];
  for (const size of sizes) {
    const name = size >= 1_000_000 ? `${size / 1_000_000}M` : `${size / 1000}k`;
    const company = await newCompany(server, `${use} ${name}`);
    const began = performance.now();
    const lines = await fillBooks(server.raw, company.companyId, size);
    say(`Filled ${name} books: ${lines} lines in ${figure((performance.now() - began) / 1000)} s`);
    all.push({ ...company, name, lines });
  }
  await settle(server.raw);
  return all;
}

/** Returns the smallest and the largest books. */
export function extremes(books: readonly Books[]): { small: Books; large: Books } {
  const [small, large] = [books[0], books.at(-1)];
  if (small === undefined || large === undefined) throw new Error('there is no company');
  return { small, large };
}
