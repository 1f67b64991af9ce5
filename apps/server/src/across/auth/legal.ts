import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../../platform/config.ts';
import type { LegalDocuments } from '../../platform/http/context.ts';
import { serverRoot } from '../../platform/root.ts';

const names = ['terms.pdf', 'privacy.pdf'] as const;

/**
 * Loads the terms and the privacy policy: `terms.pdf` and `privacy.pdf` from the operator's folder if they exist, and
 * otherwise the built-in documents. A different terms file is a new version, which every user is asked to accept.
 * Throws ConfigError if the folder is missing, contains neither file, or contains a file that is not a PDF, so that the
 * wrong terms are never shown.
 */
export async function loadLegal(termsDir: string | undefined): Promise<LegalDocuments> {
  if (termsDir !== undefined) await requireOne(termsDir);
  const [terms, privacy] = await Promise.all([read(termsDir, 'terms.pdf'), read(termsDir, 'privacy.pdf')]);
  return { terms, privacy, termsVersion: createHash('sha256').update(terms).digest('hex').slice(0, 16) };
}

async function requireOne(termsDir: string): Promise<void> {
  const found = await readdir(termsDir).catch((error: unknown) => {
    throw new ConfigError(`TERMS_DIR: can't read the folder ${termsDir} (${codeOf(error)})`);
  });
  if (names.some((name) => found.includes(name))) return;
  throw new ConfigError(`TERMS_DIR: ${termsDir} contains neither ${names.join(' nor ')}`);
}

async function read(termsDir: string | undefined, name: (typeof names)[number]): Promise<Uint8Array> {
  const own = termsDir === undefined ? undefined : await readOwn(join(termsDir, name));
  return own ?? readFile(join(serverRoot(), 'assets', name));
}

async function readOwn(path: string): Promise<Uint8Array | undefined> {
  const bytes = await readFile(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new ConfigError(`TERMS_DIR: can't read ${path} (${codeOf(error)})`);
  });
  if (bytes === undefined || bytes.subarray(0, 5).toString('latin1') === '%PDF-') return bytes;
  throw new ConfigError(`TERMS_DIR: ${path} is not a PDF`);
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
