import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LegalDocuments } from '../http/context.ts';
import { serverRoot } from '../root.ts';

/**
 * The terms and the privacy policy: `terms.pdf` and `privacy.pdf` of the operator's folder where they exist, else the
 * shipped ones. Another terms file is another version, which everybody is asked to accept again.
 */
export async function loadLegal(termsDir: string | undefined): Promise<LegalDocuments> {
  const [terms, privacy] = await Promise.all([read(termsDir, 'terms.pdf'), read(termsDir, 'privacy.pdf')]);
  return { terms, privacy, termsVersion: createHash('sha256').update(terms).digest('hex').slice(0, 16) };
}

async function read(termsDir: string | undefined, name: string): Promise<Uint8Array> {
  const own = termsDir === undefined ? undefined : await readFile(join(termsDir, name)).catch(() => undefined);
  return own ?? readFile(join(serverRoot(), 'assets', name));
}
