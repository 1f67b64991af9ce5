import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

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
