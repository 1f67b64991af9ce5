// Tells which files of a built program wait for each other before any of them can begin.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Each file with the files beside it that it needs before it begins. Imports that are called later do not count. */
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

/** The files of a folder that stand in a circle of imports, or between two circles; none in a sound build. */
export function circlesIn(folder: string): string[] {
  const needs = needsOf(folder);
  const left = new Set(needs.keys());
  const isLeft = (file: string): boolean => left.has(file);
  // A circle has neither a beginning nor an end, so taking away both as often as there are any leaves circles alone.
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
