import { deflateSync } from 'node:zlib';
import { chunk } from '../png.ts';

/** Pictures made for tests, by rules written apart from those that read them. */

export interface Samples {
  /** Row by row, column by column, the samples of a pixel. */
  rows: readonly (readonly (readonly number[])[])[];
  color: number;
  depth: number;
  isInterlaced?: boolean;
  /** The filter of the next row, 0 to 4. */
  filterOf?: () => number;
  palette?: Buffer | undefined;
  transparency?: Buffer | undefined;
}

/** Which of the seven passes a pixel goes with, by its place in a square of eight. */
const PASSES = ['16462646', '77777777', '56565656', '77777777', '36463646', '77777777', '56565656', '77777777'];

/** A PNG of the samples. */
export function pngOf({ rows, color, depth, isInterlaced = false, filterOf = () => 0, ...extra }: Samples): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(rows[0]?.length ?? 0, 0);
  head.writeUInt32BE(rows.length, 4);
  head.set([depth, color, 0, 0, isInterlaced ? 1 : 0], 8);
  const passes = isInterlaced ? [1, 2, 3, 4, 5, 6, 7] : [0];
  const unpacked = passes.flatMap((pass) => {
    const inPass = (x: number, y: number): boolean => pass === 0 || PASSES[y % 8]?.[x % 8] === String(pass);
    const kept = rows.map((row, y) => row.filter((_, x) => inPass(x, y))).filter((row) => row.length > 0);
    return filtered(
      kept.map((row) => bytesOf(row.flat(), depth)),
      stepOf(rows, depth),
      filterOf,
    );
  });
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    ...(extra.palette === undefined ? [] : [chunk('PLTE', extra.palette)]),
    ...(extra.transparency === undefined ? [] : [chunk('tRNS', extra.transparency)]),
    chunk('IDAT', deflateSync(Buffer.concat(unpacked))),
    chunk('IEND'),
  ]);
}

const stepOf = (rows: Samples['rows'], depth: number): number => Math.max(1, ((rows[0]?.[0]?.length ?? 1) * depth) / 8);

/** Samples one behind the other, the first in the highest bits. */
function bytesOf(samples: readonly number[], depth: number): number[] {
  const bits = samples.map((sample) => sample.toString(2).padStart(depth, '0')).join('');
  return (bits.match(/.{1,8}/g) ?? []).map((eight) => Number.parseInt(eight.padEnd(8, '0'), 2));
}

function filtered(lines: readonly number[][], step: number, filterOf: () => number): Buffer[] {
  return lines.map((line, y) => {
    const filter = filterOf();
    const at = (x: number, row: number): number => (x < 0 ? 0 : (lines[row]?.[x] ?? 0));
    const made = line.map((value, x) => {
      const [a, b, c] = [at(x - step, y), at(x, y - 1), at(x - step, y - 1)];
      const foretold = [0, a, b, Math.floor((a + b) / 2), paeth(a, b, c)];
      return (value - (foretold[filter] ?? 0)) & 255;
    });
    return Buffer.from([filter, ...made]);
  });
}

/** Of left, above and above left the one nearest to a + b - c, in this order. */
function paeth(a: number, b: number, c: number): number {
  const by = (value: number): number => Math.abs(a + b - c - value);
  return [a, b, c].toSorted((one, other) => by(one) - by(other))[0] ?? 0;
}

/** A JPEG's head and end, without a picture between: nothing here looks at that. */
export function jpegOf(width: number, height: number, { frame = 0xc0, bits = 8 } = {}): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16BE(height, 0);
  size.writeUInt16BE(width, 2);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, frame, 0, 17, bits]),
    size,
    Buffer.from([3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9]),
  ]);
}
