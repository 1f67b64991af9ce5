import bidiFactory from 'bidi-js';
import type { Content } from 'pdfmake/interfaces.js';
import { facesFor, leading, ROBOTO } from './faces.ts';

const bidi = bidiFactory();

/** The line height of text in documents, as a multiple of Roboto's line height. */
export const LINE_HEIGHT = 1.2;

/** The replacement for a character that is in no font. */
const MISSING = '\ufffd';

/** The maximum word length. A longer word with wide letters could be wider than a column in a printed document. */
const LONGEST_WORD = 18;

/** No letter of Roboto is wider than this multiple of the font size, in either weight. */
export const WIDEST = 1.2;

/**
 * The number of letters per line of right-to-left text. Such text is broken into lines here, because its words are
 * reordered line by line.
 */
const RTL_LINE = 28;

/** A piece of text in one font and one direction. */
interface Piece {
  text: string;
  font: string;
  level: number;
}

/** Removes control characters, which have no glyph, and combines each composed character into a single character. */
export function plain(text: string): string {
  return text.normalize('NFC').replace(/[^\n\P{Cc}]|[\u200b\ufeff]/gu, '');
}

const isSilent = (letter: string): boolean => /\p{Default_Ignorable_Code_Point}/u.test(letter);
const isRtl = (text: string): boolean => /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(text);

/**
 * Prepares users' text for the PDF library: each character gets a font that has it, and right-to-left words are put in
 * visual order. All text of a document must be passed in before the document is drawn, because this is when the fonts
 * are loaded.
 */
export class Typesetter {
  readonly #fontOf: (letter: string, text: string) => string | undefined;
  /** The characters that are in no font, as U+…, in the order in which they occur. */
  readonly missing: readonly string[];

  private constructor(fontOf: (letter: string, text: string) => string | undefined, texts: readonly string[]) {
    this.#fontOf = fontOf;
    const letters = texts.flatMap((text) => [...text].filter((letter) => this.#lacks(letter, text)));
    this.missing = [...new Set(letters)].map(
      (letter) => `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
    );
  }

  static async for(texts: readonly string[]): Promise<Typesetter> {
    const all = texts.map(plain);
    return new Typesetter(await facesFor(all), all);
  }

  #lacks(letter: string, text: string): boolean {
    return letter !== '\n' && !isSilent(letter) && this.#fontOf(letter, text) === undefined;
  }

  /**
   * Returns text that wraps. A word with more than `longest` letters is broken between letters instead of being cut
   * off. `room` is the width of the column as a multiple of the font size, if it is known. The library measures text
   * that wraps word by word, and other text as a whole, so text that certainly fits doesn't wrap.
   */
  set(text: string, { longest = LONGEST_WORD, room = 0 } = {}): Content {
    const clean = plain(text);
    const parts = isRtl(clean) ? this.#rightToLeft(clean) : this.#pieces(clean, clean);
    const isSimple = parts.every(({ font }) => font === ROBOTO);
    const words = parts.flatMap(({ text: part, font }) => part.split(/(?<=\s)/).map((word) => wordIn(word, font)));
    const whole = words.map((word) => word.text).join('');
    if (isSimple && whole.length * WIDEST <= room) return { text: whole, noWrap: true };
    if (isSimple && words.every((word) => word.text.length <= longest)) return { text: whole };
    return {
      text: words.map((word) =>
        word.font === ROBOTO && word.text.length > longest ? { ...word, wordBreak: 'break-all' as const } : word,
      ),
    };
  }

  /**
   * Splits text into pieces that each have a single font and level. `whole` determines the form in which a character is
   * written.
   */
  #pieces(text: string, whole: string, levels?: Uint8Array): Piece[] {
    const pieces: Piece[] = [];
    let at = 0;
    for (const letter of text) {
      const level = levels?.[at] ?? 0;
      at += letter.length;
      const font = letter === '\n' ? ROBOTO : this.#fontOf(letter, whole);
      if (font === undefined && isSilent(letter)) continue;
      const last = pieces.at(-1);
      const isSpace = letter === ' ' && level % 2 === 1;
      const follows = last !== undefined && last.level === level && !isSpace && !(last.text === ' ' && level % 2 === 1);
      // A combining mark stays together with its letter.
      if (last !== undefined && follows && (last.font === (font ?? ROBOTO) || /\p{M}/u.test(letter))) {
        last.text += font === undefined ? MISSING : letter;
      } else pieces.push({ text: font === undefined ? MISSING : letter, font: font ?? ROBOTO, level });
    }
    return pieces;
  }

  /**
   * Returns the lines of text that contains right-to-left words. Each line has its pieces in visual order from left to
   * right.
   */
  #rightToLeft(text: string): Piece[] {
    const lines = text.split('\n').flatMap((paragraph) => {
      // Each line has the direction of its paragraph, regardless of its first word.
      const [whole] = bidi.getEmbeddingLevels(paragraph).paragraphs;
      const direction = whole?.level === 1 ? ('rtl' as const) : ('ltr' as const);
      return brokenLines(paragraph).map((line) => ({ line, direction }));
    });
    return lines.flatMap(({ line, direction }, index): Piece[] => {
      const embedding = bidi.getEmbeddingLevels(line, direction);
      const mirrored = bidi.getMirroredCharactersMap(line, embedding.levels);
      // Levels and mirrored characters are counted in code units, so each half of a surrogate pair counts.
      const signs = line.split('').map((unit, place) => mirrored.get(place) ?? unit);
      const seen = inSight(this.#pieces(signs.join(''), text, embedding.levels));
      return index === lines.length - 1 ? seen : [...seen, { text: '\n', font: ROBOTO, level: 0 }];
    });
  }
}

function wordIn(text: string, font: string) {
  const lead = leading.get(font);
  return lead === undefined ? { text, font } : { text, font, lineHeight: LINE_HEIGHT * lead };
}

/** Returns lines with at most RTL_LINE letters. A word is broken only if it is longer than a line. */
function brokenLines(line: string): string[] {
  const lines: string[] = [''];
  for (const word of line.split(/(?<=\s)/).flatMap(brokenWord)) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && (last + word).trimEnd().length > RTL_LINE) lines.push(word);
    else lines[lines.length - 1] = last + word;
  }
  return lines.map((each) => each.trimEnd());
}

const LETTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * The library breaks words between letters only in Roboto. Any other long word would exceed its column and the page.
 */
function brokenWord(word: string): string[] {
  if (word.trimEnd().length <= RTL_LINE) return [word];
  const parts: string[] = [''];
  for (const { segment } of LETTERS.segment(word)) {
    const last = parts.at(-1) ?? '';
    if (last !== '' && (last + segment).trimEnd().length > RTL_LINE) parts.push(segment);
    else parts[parts.length - 1] = last + segment;
  }
  return parts;
}

/** Reverses the pieces of each level and above, from the highest level down (Unicode bidi, rule L2). */
function inSight(pieces: readonly Piece[]): Piece[] {
  let order = pieces.flatMap(turned);
  const highest = Math.max(0, ...pieces.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1) {
    const next: Piece[] = [];
    for (let at = 0; at < order.length;) {
      let end = at;
      while ((order[end]?.level ?? -1) >= level) end += 1;
      next.push(...(end > at ? order.slice(at, end).toReversed() : order.slice(at, at + 1)));
      at = Math.max(end, at + 1);
    }
    order = next;
  }
  return order;
}

/**
 * The PDF library reverses every piece that has Arabic or Hebrew characters. Digits in these pieces run from left to
 * right, so each digit is a separate piece. Pieces that the library doesn't reverse, such as characters between words,
 * are reversed here.
 */
function turned(piece: Piece): Piece[] {
  const letters = [...piece.text];
  const isTurned = /[\p{Script=Hebrew}\p{Script=Arabic}\u0660-\u0669]/u.test(piece.text);
  if (piece.level % 2 === 0) return isTurned ? letters.map((text) => ({ ...piece, text })) : [piece];
  return isTurned ? [piece] : [{ ...piece, text: letters.toReversed().join('') }];
}
