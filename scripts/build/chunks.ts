// Finds circular imports between the files in a built program.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** For each file, the files in the same folder that it imports before it can run. Dynamic imports do not count. */
type Needs = ReadonlyMap<string, readonly string[]>;

function needsOf(folder: string): Needs {
  const files = readdirSync(folder).filter((name) => /\.m?js$/.test(name));
  return new Map(
    files.map((name) => {
      const code = readFileSync(join(folder, name), 'utf8');
      const found = [...code.matchAll(/\b(?:import|from)\s*["']\.\/([^"']+)["']/g)].flatMap(([, file]) => file ?? []);
      return [name, found.filter((file) => files.includes(file))];
    }),
  );
}

/**
 * Returns the files in a folder that are in an import cycle or between two cycles. A correct build has no such files.
 */
export function circlesIn(folder: string): string[] {
  const needs = needsOf(folder);
  const left = new Set(needs.keys());
  const isLeft = (file: string): boolean => left.has(file);
  // Files in a cycle always have importers and imports, so repeatedly removing the files without importers or without
  // imports leaves only cycles.
  let before = Infinity;
  while (left.size < before) {
    before = left.size;
    const needed = new Set([...left].flatMap((file) => needs.get(file) ?? []));
    for (const file of left) {
      if (!needed.has(file) || !needs.get(file)?.some(isLeft)) left.delete(file);
    }
  }
  return [...left].map((file) => `${file} needs ${needs.get(file)?.filter(isLeft).join(' and ') ?? ''}`);
}
