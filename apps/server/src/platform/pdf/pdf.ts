import { createRequire } from 'node:module';
import { resolve, sep } from 'node:path';
import type * as Pdfmake from 'pdfmake';
import type { TDocumentDefinitions } from 'pdfmake/interfaces.js';
import { faces, fontFolder, made } from './faces.ts';

/** The one door to the PDF library: it can open no URL, and no file but its fonts (docs/security.md, rule 11). */

/** The library, with its files in memory that its types leave out: what is there is found before any file is opened. */
type Library = typeof Pdfmake & {
  virtualfs: { existsSync(name: string): boolean; writeFileSync(name: string, content: Buffer): void };
};

const require = createRequire(import.meta.url);
let library: Library | undefined;

/** Loaded on first use: the library is large, and a process that prints nothing should start without it. */
function load(): Library {
  if (library !== undefined) return library;
  const loaded: Library = require('pdfmake');
  loaded.setUrlAccessPolicy(() => false);
  loaded.setLocalAccessPolicy((path) => resolve(path).startsWith(`${fontFolder}${sep}`));
  return (library = loaded);
}

/** Draws a document. Texts of people go through a Typesetter, never into any other member of the definition. */
export async function drawPdf(definition: TDocumentDefinitions): Promise<Uint8Array> {
  const pdfmake = load();
  for (const [name, bytes] of made)
    if (!pdfmake.virtualfs.existsSync(name)) pdfmake.virtualfs.writeFileSync(name, bytes);
  pdfmake.setFonts(Object.fromEntries(faces));
  return pdfmake.createPdf(definition).getBuffer();
}
