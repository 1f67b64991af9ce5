import { createRequire } from 'node:module';
import type * as Pdfmake from 'pdfmake';
import type { Content, TDocumentDefinitions } from 'pdfmake/interfaces.js';
import { faces, keys, latin } from './faces.ts';

/**
 * The PDF library, including its in-memory files, which its types omit. The library looks for a file in memory before
 * it opens any file. Only this module uses the library, which can't open any URL or file.
 */
type Library = typeof Pdfmake & {
  virtualfs: { writeFileSync(name: string, content: Buffer): void };
};

const require = createRequire(import.meta.url);
let library: Library | undefined;

/** The library is loaded on first use. It is large, and a process that prints nothing should start without it. */
function load(): Library {
  if (library !== undefined) return library;
  const loaded: Library = require('pdfmake');
  loaded.setUrlAccessPolicy(() => false);
  loaded.setLocalAccessPolicy(() => false);
  return (library = loaded);
}

/** The beginning of a part of a document, where the library records the position. */
export type Start = Content & { positions?: readonly { pageNumber: number }[] };

/** Returns the first page of each part. The pages are known by the time the library draws the footers. */
export function firstPages(starts: readonly Start[]): number[] {
  return starts.map(({ positions }) => positions?.[0]?.pageNumber ?? 1);
}

/**
 * Draws a document. Users' text must be passed through a Typesetter, and must never be in other properties of the
 * definition.
 */
export async function drawPdf(definition: TDocumentDefinitions): Promise<Uint8Array> {
  const pdfmake = load();
  await latin();
  for (const [name, key] of keys) pdfmake.virtualfs.writeFileSync(name, key);
  pdfmake.setFonts(Object.fromEntries(faces));
  return pdfmake.createPdf(definition).getBuffer();
}
