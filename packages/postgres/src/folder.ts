import { mkdir, mkdtemp, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

/**
 * Creates a folder and its parents with this mode. An existing folder is not changed. Throws a one-line message that
 * starts with the name of the setting. Does not use Node's `recursive` option, which never returns in places where the
 * kernel does not allow folders (/proc).
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
    // If two processes create the same folder at the same time, the second process finds the folder.
    const code = codeOf(error);
    if (code === 'EEXIST') return;
    throw new Error(`${setting}: can't create a folder at ${path} (${code})`, { cause: error });
  }
}

/** Throws a one-line message that starts with the name of the setting if the folder is not writable. */
export async function requireWritable(setting: string, path: string): Promise<void> {
  try {
    await rmdir(await mkdtemp(join(path, '.writable-')));
  } catch (error) {
    throw new Error(`${setting}: can't write to ${path} (${codeOf(error)})`, { cause: error });
  }
}
