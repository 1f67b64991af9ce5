import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoDate } from '@evenkeel/core/dates';
import { cents } from '@evenkeel/core/money';
import { invoicePdf } from './invoice.ts';
import { pagesOf } from './testing/pages.ts';
import { latin } from './faces.ts';
import { readFont } from './fonts.ts';
import { plain, Typesetter, WIDEST } from './typeset.ts';

/** Prints an invoice for these names and returns its page. */
async function printed(...billTo: string[]): Promise<string> {
  const amount = cents(100);
  const names = { name: 'Invoice', shortName: 'Invoice', asks: 'payment' as const, invoiceNumber: '1' };
  const paper = { ...names, invoiceDate: isoDate('2026-05-26'), dueDate: null, lines: [], taxes: [] };
  const sums = { subtotal: amount, total: amount, paid: cents(0), balanceDue: amount };
  const pdf = await invoicePdf({ ...paper, ...sums, company: { name: 'Cedar & Stone', lines: [] }, billTo });
  return (await pagesOf(pdf)).join(' ').replace(/\s+/g, '');
}

/** Returns the pieces of a typeset text, from left to right. */
async function stretches(text: string): Promise<string[]> {
  const { text: set } = (await Typesetter.for([text])).set(text) as { text: string | { text: string }[] };
  return typeof set === 'string' ? [set] : set.map((each) => each.text);
}

describe('names in all scripts', () => {
  it('names are printed in Japanese, Chinese (both forms), Korean, Greek, and Russian, and with accents', async () => {
    const names = [
      '株式会社さくら商事',
      '北京市朝阳区建国路',
      '臺灣龍山寺有限公司',
      '서울특별시강남구',
      'Δημήτρης',
      'Иван',
      'Zoë',
    ];
    const page = await printed(...names);
    for (const name of names) expect(page).toContain(name);
    expect(page).not.toContain('Shownas');
  });

  it('names in Hebrew and Arabic are printed in whole words, so that their letters join', async () => {
    const page = await printed('יוסי כהן', 'أحمد وشركاه');
    for (const word of ['יוסי', 'כהן', 'أحمد', 'وشركاه']) {
      const turned = [...word].toReversed().join('');
      expect([word, page.includes(word) || page.includes(turned)]).toEqual([word, true]);
    }
    expect(await stretches('أحمد وشركاه')).toEqual(['وشركاه', ' ', 'أحمد']);
  });

  it('Hebrew and Arabic names run from right to left, with numbers and Latin words from left to right', async () => {
    const seen = ['(', 'צפון', ')', ' ', 'Acme ', '12', ' ', 'חברת'];
    expect(await stretches('חברת Acme 12 (צפון)')).toEqual(seen);
    expect(await stretches('شارع ١٢٣')).toEqual(['١', '٢', '٣', ' ', 'شارع']);
  });

  it('names keep the order of their words across lines', async () => {
    const words = ['אחד', 'שתיים', 'שלוש', 'ארבע', 'חמש', 'שש', 'שבע', 'שמונה', 'תשע', 'עשר'];
    const lines = (await stretches(words.join(' '))).join('').split('\n');
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.flatMap((line) => line.split(' ').toReversed())).toEqual(words);
  });

  it('names with a word of 200 letters are broken within the column, and marks stay with their letters', async () => {
    for (const letter of ['א', 'ב\u05b8', 'ح']) {
      const lines = (await stretches(`חברת ${letter.repeat(200)}`)).join('').split('\n');
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(30);
      expect(lines.filter((line) => /^\p{M}/u.test(line))).toEqual([]);
    }
  });

  it('names keep the direction of their text even on a line that begins with a Latin word', async () => {
    const lines = (await stretches('חברת הגינה והבית של משפחות Acme סניף')).join('').split('\n');
    expect(lines).toEqual(['משפחות של והבית הגינה חברת', 'סניף Acme']);
  });
});

describe('text that certainly fits', () => {
  it('text is measured as a whole only if its letters fit into the column even at their widest', async () => {
    const medium = createRequire(import.meta.url).resolve('pdfmake/fonts/Roboto/Roboto-Medium.ttf');
    for (const font of [await latin(), readFont(await readFile(medium)).font]) {
      const widths = font.characterSet.map((code) => font.glyphForCodePoint(code).advanceWidth / font.unitsPerEm);
      expect(Math.max(...widths)).toBeLessThan(WIDEST);
    }
    const text = 'Cost of goods\u200d sold \u{1F600}';
    const type = await Typesetter.for([text]);
    const [shown, room] = ['Cost of goods sold \ufffd', 20 * WIDEST];
    expect(type.set(text, { room })).toEqual({ text: shown, noWrap: true });
    expect(type.set(text, { room: room - 0.01 })).toEqual({ text: shown });
  });
});

describe('characters that look the same', () => {
  it('characters with the same glyph are kept, even after a document with the other one', async () => {
    // Roboto has one glyph for both.
    const [increment, delta] = ['\u2206', '\u0394'];
    expect(await printed(`${increment}t`)).toContain(`${increment}t`);
    expect(await printed(`${delta}t`)).toContain(`${delta}t`);
    expect(await printed(`${increment}t`)).toContain(`${increment}t`);
  });
});

describe('characters without a font', () => {
  it('characters that a font’s package lists but its file lacks are without a font: Greek with accents', async () => {
    const page = await printed('\u1f00\u03c1\u03c7\u03ae');
    expect(page).toContain('\ufffd\u03c1\u03c7\u03ae');
    expect(page).toContain('U+1F00');
  });

  it('characters without a font are listed by their numbers: Thai, an emoji, and a hieroglyph', async () => {
    const page = await printed('ไ', 'Smile \u{1F600}', '\u{13000}');
    expect(page).toContain("Theavailablefontsdon'thavethesecharacters,sotheyareshownas\ufffd:U+0E44,U+1F600,U+13000.");
    expect(page).toContain('Smile\ufffd');
  });

  // Promise (input): PDFs contain each character in a text exactly once, including Chinese, Japanese, Korean, Hebrew,
  // and Arabic. [300 random strings]
  it('characters are never split, and none are lost, added, or duplicated in any text', async () => {
    const letters = fc.constantFrom(
      ...'aZ9 .-(א ב\u05b8 ש م ح ١ 株 さ 한 臺 \u{20bb7} \u{1F600} é e\u0301 \u200f \u200d &'.split(' '),
      ' ',
      '\n',
    );
    const counted = (text: string): string =>
      [...text.replace(/[\s)(]|\p{Default_Ignorable_Code_Point}/gu, '')].toSorted().join('');
    await fc.assert(
      fc.asyncProperty(fc.array(letters, { maxLength: 60 }), async (parts) => {
        const text = parts.join('');
        const type = await Typesetter.for([text]);
        const set = (await stretches(text)).join('');
        expect(set.isWellFormed()).toBe(true);
        const missing = new Set(type.missing.map((code) => String.fromCodePoint(Number.parseInt(code.slice(2), 16))));
        const wanted = [...plain(text)].map((letter) => (missing.has(letter) ? '\ufffd' : letter)).join('');
        expect(counted(set)).toBe(counted(wanted));
      }),
      { numRuns: 300 },
    );
  });
});
