import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';

/** Returns the server's folder, which contains migrations/ and assets/, in the source tree and in the bundle. */
export function serverRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'migrations'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('the migrations folder is missing');
    folder = parent;
  }
  return folder;
}

const Packed = z.object({ version: z.string() });
let known: string | undefined;

/** Returns the version of Evenkeel. */
export function version(): string {
  known ??= Packed.parse(JSON.parse(readFileSync(join(serverRoot(), 'package.json'), 'utf8'))).version;
  return known;
}
