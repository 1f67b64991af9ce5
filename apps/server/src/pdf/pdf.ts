import { createRequire } from 'node:module';
import { dirname, resolve, sep } from 'node:path';
import type * as Pdfmake from 'pdfmake';
import type { Content, TDocumentDefinitions } from 'pdfmake/interfaces.js';

/** The one door to the PDF library: it can open no URL, and no file but its fonts (docs/security.md, rule 11). */

const fontFolder = dirname(createRequire(import.meta.url).resolve('pdfmake/fonts/Roboto/Roboto-Regular.ttf'));
const font = (name: string): string => resolve(fontFolder, `Roboto-${name}.ttf`);

let library: Promise<typeof Pdfmake> | undefined;

/** Loaded on first use: the library is large, and a server that prints nothing should start without it. */
function load(): Promise<typeof Pdfmake> {
  library ??= import('pdfmake').then(({ default: pdfmake }) => {
    pdfmake.setUrlAccessPolicy(() => false);
    pdfmake.setLocalAccessPolicy((path) => resolve(path).startsWith(`${fontFolder}${sep}`));
    pdfmake.setFonts({
      Roboto: {
        normal: font('Regular'),
        bold: font('Medium'),
        italics: font('Italic'),
        bolditalics: font('MediumItalic'),
      },
    });
    return pdfmake;
  });
  return library;
}

/** Draws a document. Texts of people go through `wrapped` or `plain`, never into any other member of the definition. */
export async function drawPdf(definition: TDocumentDefinitions): Promise<Uint8Array> {
  const pdfmake = await load();
  return pdfmake.createPdf(definition).getBuffer();
}

/** A person's text in one piece: control characters, which have no glyph, are left out. */
export function plain(text: string): string {
  return [...text].filter((sign) => sign === '\n' || !/[\p{Cc}\u200b\ufeff]/u.test(sign)).join('');
}

/** A longer word could leave a column of a printed paper, were all its letters wide. */
const LONGEST_WORD = 18;

/** A person's text that wraps: a word longer than the column is broken between letters instead of cut off. */
export function wrapped(text: string, longest = LONGEST_WORD): Content {
  const words = plain(text).split(/(?<=\s)/);
  if (words.every((word) => word.length <= longest)) return { text: words.join('') };
  return {
    text: words.map((word) => (word.length <= longest ? { text: word } : { text: word, wordBreak: 'break-all' })),
  };
}
