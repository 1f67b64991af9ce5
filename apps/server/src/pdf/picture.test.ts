import { deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { invoicePdf, type InvoicePaper } from './invoice.ts';
import { jpegSize } from './jpeg.ts';
import { pictureContent, pictureSize } from './picture.ts';
import { chunk, onWhite, readPng } from './png.ts';
import { jpegOf, pngOf } from './testing/pictures.ts';
import { cents } from '@evenkeel/core/money';
import { isoDate } from '@evenkeel/core/dates';

const numRuns = Number(process.env['TORTURE_RUNS'] ?? 150);
const never = () => false;
const KINDS: [color: number, depth: number][] = [
  ...[1, 2, 4, 8, 16].map((depth): [number, number] => [0, depth]),
  ...[8, 16].flatMap((depth): [number, number][] => [
    [2, depth],
    [4, depth],
    [6, depth],
  ]),
  ...[1, 2, 4, 8].map((depth): [number, number] => [3, depth]),
];

it('a picture of any kind, filter and order of rows is on white what its samples say', async () => {
  const drawn = fc.record({
    kind: fc.constantFrom(...KINDS),
    width: fc.integer({ min: 1, max: 13 }),
    height: fc.integer({ min: 1, max: 13 }),
    isInterlaced: fc.boolean(),
    seed: fc.integer({ min: 1, max: 1_000_000 }),
  });
  const check = async ({
    kind: [color, depth],
    width,
    height,
    isInterlaced,
    seed,
  }: typeof drawn extends fc.Arbitrary<infer T> ? T : never) => {
    // Samples from a seed, so that a counterexample is short.
    let state = seed;
    const next = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
    const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[color] ?? 1;
    const most = 2 ** depth - 1;
    const colors = Array.from({ length: most + 1 }, () => [next(256), next(256), next(256)]);
    const palette = color === 3 ? Buffer.from(colors.flat()) : undefined;
    const alphas = color === 3 ? Buffer.from([next(256), next(256)]) : undefined;
    const rows = Array.from({ length: height }, () =>
      Array.from({ length: width }, () => Array.from({ length: channels }, () => next(most + 1))),
    );
    const bytes = pngOf({ rows, color, depth, isInterlaced, filterOf: () => next(5), palette, transparency: alphas });
    expect(await pictureSize(bytes, never)).toEqual({ width, height });
    const png = readPng(bytes);
    if (png === undefined) throw new Error('not read');
    const { pixels } = onWhite(png, inflateSync(png.packed));
    const wanted = rows.flat().flatMap((samples) => {
      const [first = 0] = samples;
      const [shown, alpha] =
        color === 3
          ? [colors[first] ?? [], (alphas?.[first] ?? 255) / 255]
          : [
              (channels < 3 ? [first, first, first] : samples.slice(0, 3)).map((each) => (each / most) * 255),
              channels % 2 === 0 ? (samples.at(-1) ?? 0) / most : 1,
            ];
      return shown.map((value) => Math.round(255 + (value - 255) * alpha));
    });
    expect([...pixels]).toEqual(wanted);
  };
  await fc.assert(fc.asyncProperty(drawn, check), { numRuns });
});

const gray = (width: number, height: number) =>
  pngOf({ rows: Array.from({ length: height }, () => Array.from({ length: width }, () => [80])), color: 0, depth: 8 });

it('the one colour that a picture does not show is white on paper', () => {
  const rows = [[[10], [200]]];
  const png = readPng(pngOf({ rows, color: 0, depth: 8, transparency: Buffer.from([0, 10]) }));
  if (png === undefined) throw new Error('not read');
  expect([...onWhite(png, inflateSync(png.packed)).pixels]).toEqual([255, 255, 255, 200, 200, 200]);
});

it('what is no whole picture, or unpacks to more or less than it says, is none', async () => {
  const good = gray(20, 10);
  expect(await pictureSize(good, never)).toEqual({ width: 20, height: 10 });
  const head = good.subarray(0, 33);
  const packed = (size: number) => Buffer.concat([head, chunk('IDAT', deflateSync(Buffer.alloc(size))), chunk('IEND')]);
  expect(await pictureSize(packed(210), never)).toEqual({ width: 20, height: 10 });
  const changed = (at: number, value: number) => {
    const other = Buffer.from(good);
    other[at] = value;
    return other;
  };
  const bad = [
    good.subarray(0, good.length - 13),
    packed(209),
    packed(211),
    packed(50_000_000),
    Buffer.concat([head, chunk('IDAT', Buffer.from('no zlib')), chunk('IEND')]),
    Buffer.concat([head, chunk('IEND')]),
    // Depth, color (a palette without one), interlacing; a width of none.
    changed(24, 3),
    changed(25, 3),
    changed(28, 2),
    changed(19, 0),
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    Buffer.alloc(0),
  ];
  for (const bytes of bad) expect(await pictureSize(bytes, never)).toBeUndefined();
});

it('a picture that says it is too large is not unpacked', async () => {
  const large = gray(1, 1);
  large.writeUInt32BE(100_000, 16);
  large.writeUInt32BE(100_000, 20);
  expect(await pictureSize(large, ({ width }) => width > 2000)).toEqual({ width: 100_000, height: 100_000 });
});

it('a JPEG says its sides; progressive too, but lossless, arithmetic, cut off or of 12 bits is none', () => {
  expect(jpegSize(jpegOf(300, 120))).toEqual({ width: 300, height: 120 });
  expect(jpegSize(jpegOf(300, 120, { frame: 0xc2 }))).toEqual({ width: 300, height: 120 });
  for (const frame of [0xc3, 0xc9, 0xda]) expect(jpegSize(jpegOf(300, 120, { frame }))).toBeUndefined();
  expect(jpegSize(jpegOf(300, 120, { bits: 12 }))).toBeUndefined();
  expect(jpegSize(jpegOf(300, 120).subarray(0, -2))).toBeUndefined();
  expect(jpegSize(jpegOf(0, 120))).toBeUndefined();
});

const paper = (logo: Buffer): InvoicePaper => ({
  company: { name: 'Cedar & Stone', lines: ['2140 Quarry Road'], logo: { bytes: logo } },
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

it('an invoice has the logo above the name, a PNG as one plain picture, a JPEG as it is', async () => {
  const text = async (logo: Buffer) => Buffer.from(await invoicePdf(paper(logo))).toString('latin1');
  const png = await text(pngOf({ rows: [[[0, 0, 0, 128]]], color: 6, depth: 8 }));
  expect([png.match(/\/Subtype \/Image/g)?.length, png.includes('/SMask')]).toEqual([1, false]);
  const jpeg = await text(jpegOf(300, 120));
  expect(jpeg).toMatch(/\/Width 300\s+\/Height 120[^]*\/Filter \/DCTDecode/);
});

it('of a picture with far more dots than are printed a page gets those that are', () => {
  const content = pictureContent({ bytes: gray(451, 140) }, { width: 45, height: 14 });
  const image = typeof content === 'object' && 'image' in content ? content.image : '';
  const made = readPng(Buffer.from(image.slice('data:image/png;base64,'.length), 'base64'));
  expect([made?.width, made?.height]).toEqual([226, 70]);
  if (made === undefined) throw new Error('not read');
  expect(new Set(onWhite(made, inflateSync(made.packed)).pixels)).toEqual(new Set([80]));
});

it('a picture in as many pieces as 2 MB hold is read as fast as it is long', async () => {
  const whole = gray(10, 10);
  const pieces = (type: string) => Array.from({ length: 170_000 }, () => chunk(type));
  const cut = whole.length - 12;
  for (const type of ['IDAT', 'tEXt']) {
    const bytes = Buffer.concat([whole.subarray(0, cut), ...pieces(type), whole.subarray(cut)]);
    expect(await pictureSize(bytes, never)).toEqual({ width: 10, height: 10 });
  }
});

it('the largest logo is made small once, whatever papers it stands on', () => {
  const samples = Buffer.alloc(2000 * (1 + 2000 * 8), 4);
  const head = Buffer.from('000007d0000007d01006000000', 'hex');
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const body = [chunk('IHDR', head), chunk('IDAT', deflateSync(samples)), chunk('IEND')];
  const bytes = Buffer.concat([signature, ...body]);
  const took = () => {
    const began = performance.now();
    expect(pictureContent({ bytes }, { width: 180, height: 56 })).toMatchObject({ fit: [180, 56] });
    return performance.now() - began;
  };
  const [first, second] = [took(), took()];
  expect([first, second, second < first / 10]).toEqual([first, second, true]);
});
