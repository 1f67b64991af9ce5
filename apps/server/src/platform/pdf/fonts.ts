import { createRequire } from 'node:module';
import type * as Fontkit from 'fontkit';

// The types of the font library omit these.
declare module 'fontkit' {
  interface Font {
    /** The glyphs that the font has read so far, by number. */
    _glyphs: object;
  }
  /** Adds a format. `probe` returns whether a file has the format, and the constructor returns the font. */
  function registerFormat(format: {
    probe(file: Uint8Array): boolean;
    new (stream: { buffer: Uint8Array }): object;
  }): void;
}

// The PDF library must know the format below, so this loads the same copy of the font library.
const library: typeof Fontkit = createRequire(import.meta.url)('fontkit');

/**
 * The fonts read so far, by the key that stands for each of them. The PDF library would read the file of a font for
 * each document and decode its tables again, which took more than half of the time of a printed report. Given the key
 * instead of the file, it receives the font that has already been read.
 */
const fonts = new Map<Uint8Array, Fontkit.Font>();

library.registerFormat(
  class {
    static probe = (file: Uint8Array): boolean => fonts.has(file);

    constructor({ buffer }: { buffer: Uint8Array }) {
      const font = fonts.get(buffer);
      if (font === undefined) throw new Error('the key of a font that has not been read');
      // A glyph belongs to the first character that used it. If that were a character of an earlier document, copied
      // text could contain ∆ (increment) where this document has Δ (delta).
      font._glyphs = {};
      return font;
    }
  },
);

/** Reads a font file. Returns the font and the key by which the PDF library finds it. */
export function readFont(file: Buffer): { font: Fontkit.Font; key: Buffer } {
  const font = library.create(file);
  if (!('hasGlyphForCodePoint' in font)) throw new Error('a font collection instead of a single font');
  const key = Buffer.from('font');
  fonts.set(key, font);
  return { font, key };
}
