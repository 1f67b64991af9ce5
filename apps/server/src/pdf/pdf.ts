/// <reference path="./pdfmake.d.ts" />
import { resolve, sep } from 'node:path';
import type * as Pdfmake from 'pdfmake';
import type { TDocumentDefinitions } from 'pdfmake/interfaces.js';
import { faces, fontFolder, made } from './faces.ts';

/** The one door to the PDF library: it can open no URL, and no file but its fonts (docs/security.md, rule 11). */

let library: Promise<typeof Pdfmake> | undefined;

/** Loaded on first use: the library is large, and a server that prints nothing should start without it. */
function load(): Promise<typeof Pdfmake> {
  library ??= import('pdfmake').then(({ default: pdfmake }) => {
    pdfmake.setUrlAccessPolicy(() => false);
    pdfmake.setLocalAccessPolicy((path) => resolve(path).startsWith(`${fontFolder}${sep}`));
    return pdfmake;
  });
  return library;
}

/** Draws a document. Texts of people go through a Typesetter, never into any other member of the definition. */
export async function drawPdf(definition: TDocumentDefinitions): Promise<Uint8Array> {
  const pdfmake = await load();
  for (const [name, bytes] of made)
    if (!pdfmake.virtualfs.existsSync(name)) pdfmake.virtualfs.writeFileSync(name, bytes);
  pdfmake.setFonts(Object.fromEntries(faces));
  return pdfmake.createPdf(definition).getBuffer();
}
