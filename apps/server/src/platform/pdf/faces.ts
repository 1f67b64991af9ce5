import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Font } from 'fontkit';
import { readFont } from './fonts.ts';

const require = createRequire(import.meta.url);

/** Returns the font reduced to the characters in the text, with its variable axes fixed. The package has no types. */
const subsetFont: (
  font: Buffer,
  text: string,
  options: { targetFormat: 'truetype'; variationAxes: Record<string, number> },
) => Promise<Buffer> = require('subset-font');

export const ROBOTO = 'Roboto';

/** A font for pdfmake: names in `keys`. */
interface Face {
  normal: string;
  bold: string;
  italics: string;
  bolditalics: string;
}

/** The line height of each font relative to Roboto, so that line spacing is the same in all scripts. */
export const leading = new Map<string, number>();

/** The keys of the fonts read so far, by name. See `readFont`. */
export const keys = new Map<string, Buffer>();

/** A part of a Noto font: a separate file with some of its characters. */
interface Part {
  name: string;
  file: string;
  letters: string;
  /** Undefined until the part is needed. */
  read?: Promise<void>;
  has: (code: number) => boolean;
}

type Letters = ReadonlyMap<number, Part>;

const STYLES: Face = { normal: 'Regular', bold: 'Medium', italics: 'Italic', bolditalics: 'MediumItalic' };

/**
 * Every font needed so far, by name. Roboto is used for the characters that it has. For all other characters, parts of
 * other fonts are read on demand.
 */
export const faces = new Map<string, Face>([[ROBOTO, STYLES]]);

let robotoFont: Promise<Font> | undefined;
const families = new Map<string, Promise<Letters>>();

/** Returns the font and stores its key under the name. */
function keep(name: string, bytes: Buffer): Font {
  const { font, key } = readFont(bytes);
  keys.set(name, key);
  return font;
}

const lineOf = ({ ascent, descent, lineGap, unitsPerEm }: Font): number => (ascent - descent + lineGap) / unitsPerEm;

const roboto = async (style: string): Promise<Font> =>
  keep(style, await readFile(require.resolve(`pdfmake/fonts/Roboto/Roboto-${style}.ttf`)));

/** Reads Roboto in all its styles and returns the regular one. */
export function latin(): Promise<Font> {
  const { normal, bold, italics, bolditalics } = STYLES;
  robotoFont ??= Promise.all([roboto(normal), roboto(bold), roboto(italics), roboto(bolditalics)]).then(
    ([regular]) => regular,
  );
  return robotoFont;
}

/** Returns the parts of a Noto font, keyed by character, as its package lists them. */
function lettersOf(family: string): Promise<Letters> {
  const known = families.get(family);
  if (known !== undefined) return known;
  const folder = dirname(require.resolve(`@fontsource-variable/${family}/package.json`));
  const read = readFile(join(folder, 'unicode.json'), 'utf8').then((text) => {
    const letters = new Map<number, Part>();
    for (const [key, ranges] of Object.entries<string>(JSON.parse(text))) {
      const name = `${family}-${key.replace(/[[\]]/g, '')}`;
      const codes = ranges.split(',').flatMap(codesOf);
      const file = join(folder, 'files', `${name}-wght-normal.woff2`);
      const part = { name, file, letters: String.fromCodePoint(...codes), has: () => false };
      for (const code of codes) letters.set(code, part);
    }
    return letters;
  });
  families.set(family, read);
  return read;
}

/** Returns the numbers in "U+4e00-4e03" or "U+4e00". */
function codesOf(range: string): number[] {
  const [first = '', last = first] = range.trim().replace('U+', '').split('-');
  const from = Number.parseInt(first, 16);
  return Array.from({ length: Number.parseInt(last, 16) - from + 1 }, (_, index) => from + index);
}

/** Returns the characters of a font, or none if a part lacks all characters that its package lists. */
function lettersIn(font: Font): ReadonlySet<number> {
  try {
    return new Set(font.characterSet);
  } catch {
    return new Set();
  }
}

/** Reads a part in both weights. The fonts are variable, but a PDF needs fonts with a fixed weight. */
async function read(part: Part): Promise<void> {
  const bytes = await readFile(part.file);
  const weight = (wght: number) =>
    subsetFont(bytes, part.letters, { targetFormat: 'truetype', variationAxes: { wght } });
  const [normal, bold] = await Promise.all([weight(400), weight(700)]);
  const names = { normal: `${part.name}-400`, bold: `${part.name}-700` };
  const font = keep(names.normal, normal);
  keep(names.bold, bold);
  leading.set(part.name, lineOf(await latin()) / lineOf(font));
  const letters = lettersIn(font);
  part.has = (code) => letters.has(code);
  faces.set(part.name, { ...names, italics: names.normal, bolditalics: names.bold });
}

/**
 * Vazirmatn has a glyph for each Arabic letter. Noto composes letters from several glyphs. The text looks right, but a
 * search can't find it.
 */
const RIGHT_TO_LEFT = ['noto-sans-hebrew', 'vazirmatn', 'noto-sans-arabic'];
const [CHINESE, TAIWAN, JAPANESE, KOREAN] = ['noto-sans-sc', 'noto-sans-tc', 'noto-sans-jp', 'noto-sans-kr'] as const;

/**
 * Some characters are written differently depending on the country. Text with kana is Japanese, text with hangul is
 * Korean, and any other text is Chinese.
 */
function eastern(text: string): string[] {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return [JAPANESE, CHINESE, TAIWAN, KOREAN];
  if (/\p{Script=Hangul}/u.test(text)) return [KOREAN, CHINESE, TAIWAN, JAPANESE];
  return [CHINESE, TAIWAN, JAPANESE, KOREAN];
}

/**
 * Loads the fonts that the text needs. Returns a function that takes a character in a text and returns its font, or
 * undefined if no font has the character. Loads nothing if Roboto has all characters.
 */
export async function facesFor(
  texts: readonly string[],
): Promise<(letter: string, text: string) => string | undefined> {
  const usual = await latin();
  const found = new Map<string, string | undefined>();
  const keyOf = (letter: string, text: string): string => `${letter}${eastern(text)[0] ?? ''}`;
  for (const text of texts) {
    for (const letter of text) {
      const code = letter.codePointAt(0) ?? 0;
      if (usual.hasGlyphForCodePoint(code) || found.has(keyOf(letter, text))) continue;
      found.set(keyOf(letter, text), await partFor(code, [...RIGHT_TO_LEFT, ...eastern(text)]));
    }
  }
  return (letter, text) => {
    if (usual.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0)) return ROBOTO;
    // Truncated text may no longer contain the characters that identify its country.
    const keys = [keyOf(letter, text), ...[JAPANESE, KOREAN, CHINESE].map((family) => letter + family)];
    return keys.map((key) => found.get(key)).find((font) => font !== undefined);
  };
}

async function partFor(code: number, order: readonly string[]): Promise<string | undefined> {
  for (const family of order) {
    const part = (await lettersOf(family)).get(code);
    if (part === undefined) continue;
    part.read ??= read(part);
    await part.read;
    if (part.has(code)) return part.name;
  }
  return undefined;
}
