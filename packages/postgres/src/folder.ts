import { mkdir, mkdtemp, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

/**
 * Makes a folder, and those above it, with this mode; one that exists stays as it is. Throws one line that begins with
 * the name of the setting. Not by Node's own `recursive`: where the kernel makes no folder (/proc) that never ends.
 */
export async function makeFolder(setting: string, path: string, mode: number): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  if (found) throw new Error(`${setting}: ${path} is a file, not a folder`);
  const above = dirname(path);
  if (above !== path) await makeFolder(setting, above, mode);
  try {
    await mkdir(path, { mode });
  } catch (error) {
    // Two starts at once make the same folder; the second finds it made.
    const code = codeOf(error);
    if (code === 'EEXIST') return;
    throw new Error(`${setting}: can't create a folder at ${path} (${code})`, { cause: error });
  }
}

/** Throws one line that begins with the name of the setting when nothing can be written to the folder. */
export async function requireWritable(setting: string, path: string): Promise<void> {
  try {
    await rmdir(await mkdtemp(join(path, '.writable-')));
  } catch (error) {
    throw new Error(`${setting}: can't write to ${path} (${codeOf(error)})`, { cause: error });
  }
}
