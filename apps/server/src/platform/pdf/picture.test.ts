import { crc32, deflateSync } from 'node:zlib';
import sharp, { type PngOptions } from 'sharp';
import { expect, it } from 'vitest';
import { cents } from '@evenkeel/core/money';
import { isoDate } from '@evenkeel/core/dates';
import { bitmapSides, forPaper } from './bitmap.ts';
import { invoicePdf, type InvoicePaper } from './invoice.ts';

const never = () => false;

interface Plain {
  width?: number;
  height?: number;
  background?: { r: number; g: number; b: number; alpha: number };
}

const half = { r: 0, g: 0, b: 128, alpha: 0.5 };
const plain = ({ width = 30, height = 12, background = half }: Plain = {}) =>
  sharp({ create: { width, height, channels: 4, background } });
const png = (options?: PngOptions) => plain().png(options).toBuffer();
const corner = async (bytes: Uint8Array) => [...(await sharp(bytes).raw().toBuffer()).subarray(0, 3)];

it.each<[string, () => Promise<Buffer>]>([
  ['8-bit', () => png()],
  ['interlaced', () => png({ progressive: true })],
  ['indexed colors', () => png({ palette: true, colours: 2 })],
  ['16-bit', () => plain().toColourspace('rgb16').png().toBuffer()],
])('a semitransparent PNG (%s) keeps its sample values on a white background', async (_, make) => {
  const bytes = await make();
  expect(await bitmapSides(bytes, never)).toEqual({ width: 30, height: 12 });
  const { kind, bytes: made } = await forPaper(bytes);
  expect([kind, (await sharp(made).metadata()).hasAlpha]).toEqual(['png', false]);
  // Blue 128 at half opacity on white. Some libraries round the half up, and others round it down.
  const [red = 0, green = 0, blue = 0] = await corner(made);
  for (const [seen, wanted] of [
    [red, 127],
    [green, 127],
    [blue, 191],
  ] as const)
    expect(Math.abs(seen - wanted)).toBeLessThanOrEqual(1);
});

it('a rotated JPEG becomes upright, and a JPEG with print colors gets screen colors', async () => {
  const side = await plain({ width: 40, height: 20 }).jpeg().withMetadata({ orientation: 6 }).toBuffer();
  const { kind, bytes } = await forPaper(side);
  const { width, height } = await sharp(bytes).metadata();
  expect([kind, width, height]).toEqual(['jpeg', 20, 40]);
  const inks = await plain().toColourspace('cmyk').jpeg().toBuffer();
  expect((await sharp((await forPaper(inks)).bytes).metadata()).space).toBe('srgb');
});

it('a file that is not a complete PNG or JPEG has no size', async () => {
  const [good, jpeg] = [await png(), await plain().jpeg().toBuffer()];
  const changed = (at: number, value: number) => {
    const other = Buffer.from(good);
    other[at] = value;
    return other;
  };
  const bad = [
    good.subarray(0, good.length - 13),
    jpeg.subarray(0, jpeg.length - 30),
    // Each of these images has an invalid value: the depth, the color type, the interlacing, a width of 0, or one byte
    // in the pixel data.
    changed(24, 3),
    changed(25, 3),
    changed(28, 2),
    changed(19, 0),
    changed(good.length - 20, 255 - (good.at(-20) ?? 0)),
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    await plain().webp().toBuffer(),
    await plain().gif().toBuffer(),
    Buffer.alloc(0),
  ];
  for (const bytes of bad) expect(await bitmapSides(bytes, never)).toBeUndefined();
});

/** Returns a PNG chunk: its length, type, body, and checksum. */
function chunk(type: string, body: Buffer = Buffer.alloc(0)): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}

it('an image that claims to be too large is not unpacked', async () => {
  const size = Buffer.from(await png()).subarray(16, 29);
  size.writeUInt32BE(100_000, 0);
  size.writeUInt32BE(100_000, 4);
  const packed = chunk('IDAT', deflateSync(Buffer.alloc(1_000_000)));
  const large = Buffer.concat([(await png()).subarray(0, 8), chunk('IHDR', size), packed, chunk('IEND')]);
  expect(await bitmapSides(large, ({ width }) => width > 2000)).toEqual({ width: 100_000, height: 100_000 });
});

it('an image with as many chunks as fit in 2 MB does not block the event loop', async () => {
  const whole = await png();
  const cut = whole.length - 12;
  const pieces = Array.from({ length: 170_000 }, () => chunk('IDAT'));
  const bytes = Buffer.concat([whole.subarray(0, cut), ...pieces, whole.subarray(cut)]);
  let turns = 0;
  const timer = setInterval(() => (turns += 1));
  await bitmapSides(bytes, never);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(0);
});

const paper = (logo: InvoicePaper['company']['logo']): InvoicePaper => ({
  name: 'Invoice',
  shortName: 'Invoice',
  asks: 'payment',
  company: { name: 'Cedar & Stone', lines: ['2140 Quarry Road'], ...(logo === undefined ? {} : { logo }) },
  billTo: ['Fairlawn Heights HOA'],
  invoiceNumber: '10436',
  invoiceDate: isoDate('2026-05-26'),
  dueDate: null,
  lines: [],
  subtotal: cents(0),
  taxes: [],
  total: cents(0),
  paid: cents(0),
  balanceDue: cents(0),
});

it('an invoice has the logo above the name, with a PNG or JPEG embedded as one image', async () => {
  const text = async (bytes: Buffer) => Buffer.from(await invoicePdf(paper(await forPaper(bytes)))).toString('latin1');
  const shown = await text(await png());
  expect([shown.match(/\/Subtype \/Image/g)?.length, shown.includes('/SMask')]).toEqual([1, false]);
  expect(await text(await plain({ width: 300, height: 120 }).jpeg().toBuffer())).toMatch(/\/Filter \/DCTDecode/);
});

it('a document contains no more pixels of an image than are printed', async () => {
  const bytes = await plain({ width: 2000, height: 622 }).png().toBuffer();
  const { width, height } = await sharp((await forPaper(bytes)).bytes).metadata();
  expect([width, height]).toEqual([749, 233]);
});

const tooLarge = ({ width, height }: { width: number; height: number }) => width * height > 4_000_000;

it('rejects a PNG with one changed bit in its header, unless it can still be printed', async () => {
  const good = await png();
  const broken: string[] = [];
  for (let at = 16; at <= 32; at += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const bytes = Buffer.from(good);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
      const sides = await bitmapSides(bytes, tooLarge);
      if (sides === undefined || tooLarge(sides)) continue;
      await forPaper(bytes).catch(() => broken.push(`byte ${at}, bit ${bit}`));
    }
  }
  expect(broken).toEqual([]);
});
