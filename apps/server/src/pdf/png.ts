import { crc32, deflateSync } from 'node:zlib';

/**
 * PNG pictures (W3C PNG, third edition) as a page takes them: unpacked, laid on white and made small. The PDF library
 * reads them too, but unpacks without a bound and mistakes transparent pictures of few colours.
 */

/** A picture as its chunks say it. */
export interface Png {
  width: number;
  height: number;
  /** Bits a sample. */
  depth: number;
  /** 0 gray, 2 RGB, 3 palette, 4 gray and alpha, 6 RGB and alpha. */
  color: number;
  isInterlaced: boolean;
  palette: Buffer;
  /** Of a palette the alpha of its colours; else the one colour that is not shown. */
  transparency: Buffer;
  /** The pixels, packed. */
  packed: Buffer;
}

const SIGNATURE = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1');
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** The chunks of a picture; undefined for what is none, or not whole. */
export function readPng(bytes: Buffer): Png | undefined {
  if (!bytes.subarray(0, 8).equals(SIGNATURE)) return undefined;
  const first = new Map<string, Buffer>();
  const pixels: Buffer[] = [];
  for (let at = 8; at + 12 <= bytes.length && !first.has('IEND');) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (at + 12 + length > bytes.length) return undefined;
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (type === 'IDAT') pixels.push(body);
    else if (!first.has(type)) first.set(type, body);
    at += 12 + length;
  }
  const one = (type: string): Buffer => first.get(type) ?? Buffer.alloc(0);
  const head = one('IHDR');
  if (!first.has('IEND') || head.length !== 13) return undefined;
  const [depth = 0, color = 0, compression, filter, interlace] = head.subarray(8);
  const png = {
    width: head.readUInt32BE(0),
    height: head.readUInt32BE(4),
    depth,
    color,
    isInterlaced: interlace === 1,
    palette: one('PLTE'),
    transparency: one('tRNS'),
    packed: Buffer.concat(pixels),
  };
  const isKnown = DEPTHS[color]?.includes(depth) === true && compression === 0 && filter === 0;
  const hasColors = color !== 3 || png.palette.length >= 3;
  return isKnown && hasColors && png.width > 0 && png.height > 0 && (interlace ?? 2) < 2 ? png : undefined;
}

/** Part of the rows and columns of a picture: all of them, or one of the seven passes of an interlaced one. */
interface Pass {
  x: number;
  y: number;
  dx: number;
  dy: number;
  width: number;
  height: number;
  rowBytes: number;
}

const WHOLE = [[0, 0, 1, 1]] as const;
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

function passesOf(png: Png): Pass[] {
  const bits = (CHANNELS[png.color] ?? 1) * png.depth;
  return (png.isInterlaced ? ADAM7 : WHOLE).flatMap(([x, y, dx, dy]) => {
    const [width, height] = [Math.ceil((png.width - x) / dx), Math.ceil((png.height - y) / dy)];
    return width < 1 || height < 1 ? [] : [{ x, y, dx, dy, width, height, rowBytes: Math.ceil((width * bits) / 8) }];
  });
}

/** How many bytes the pixels are, unpacked. */
export function unpackedBytes(png: Png): number {
  return passesOf(png).reduce((all, { height, rowBytes }) => all + height * (1 + rowBytes), 0);
}

/** A picture without alpha: three bytes a pixel, row by row. */
export interface Rgb {
  width: number;
  height: number;
  pixels: Buffer;
}

/** The picture on white. `unpacked` has the length that unpackedBytes says. */
export function onWhite(png: Png, unpacked: Buffer): Rgb {
  const { width, height } = png;
  const pixels = Buffer.alloc(width * height * 3, 255);
  const put = pixelReader(png);
  const step = Math.max(1, ((CHANNELS[png.color] ?? 1) * png.depth) / 8);
  let at = 0;
  for (const pass of passesOf(png)) {
    let above: Buffer = Buffer.alloc(pass.rowBytes);
    for (let row = 0; row < pass.height; row += 1) {
      const line = unpacked.subarray(at + 1, at + 1 + pass.rowBytes);
      unfilter(line, { above, step, filter: unpacked[at] ?? 0 });
      for (let column = 0; column < pass.width; column += 1) {
        put(line, column, { pixels, at: ((pass.y + row * pass.dy) * width + pass.x + column * pass.dx) * 3 });
      }
      above = line;
      at += 1 + pass.rowBytes;
    }
  }
  return { width, height, pixels };
}

interface Filtered {
  above: Buffer;
  step: number;
  filter: number;
}

/**
 * Undoes what was taken off each byte before packing (section 9.2), in place. A loop for each filter: a picture has
 * millions of bytes, and what is asked of each one is most of the time that it takes.
 */
function unfilter(line: Buffer, { above, step, filter }: Filtered): void {
  const { length } = line;
  if (filter === 1) {
    for (let at = step; at < length; at += 1) line[at] = (line[at] ?? 0) + (line[at - step] ?? 0);
  } else if (filter === 2) {
    for (let at = 0; at < length; at += 1) line[at] = (line[at] ?? 0) + (above[at] ?? 0);
  } else if (filter === 3) {
    for (let at = 0; at < length; at += 1) {
      const left = at < step ? 0 : (line[at - step] ?? 0);
      line[at] = (line[at] ?? 0) + ((left + (above[at] ?? 0)) >> 1);
    }
  } else if (filter === 4) {
    // Without anything at the left the byte above is the nearest.
    for (let at = 0; at < step && at < length; at += 1) line[at] = (line[at] ?? 0) + (above[at] ?? 0);
    for (let at = step; at < length; at += 1) {
      const near = nearest(line[at - step] ?? 0, above[at] ?? 0, above[at - step] ?? 0);
      line[at] = (line[at] ?? 0) + near;
    }
  }
}

/** Of the bytes at the left, above and in the corner the one nearest to left + above - corner. */
function nearest(left: number, up: number, corner: number): number {
  const byLeft = Math.abs(up - corner);
  const byUp = Math.abs(left - corner);
  const byCorner = Math.abs(left + up - 2 * corner);
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

interface Place {
  pixels: Buffer;
  at: number;
}

/** Reads a sample of a line by its number. */
function sampleReader(depth: number): (line: Buffer, index: number) => number {
  if (depth === 8) return (line, index) => line[index] ?? 0;
  if (depth === 16) return (line, index) => (line[2 * index] ?? 0) * 256 + (line[2 * index + 1] ?? 0);
  const most = 2 ** depth - 1;
  return (line, index) => {
    const bit = index * depth;
    return ((line[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & most;
  };
}

/** Reads the pixel of a column of a line and puts it, on white, at its place. */
function pixelReader({ depth, color, palette, transparency }: Png) {
  const channels = CHANNELS[color] ?? 1;
  const most = 2 ** depth - 1;
  const sample = sampleReader(depth);
  const [isGray, hasAlpha] = [channels < 3, channels % 2 === 0];
  const canHide = !hasAlpha && transparency.length >= 2 * channels;
  const hidden = (channel: number): number => transparency.readUInt16BE(2 * channel);
  const isPlain = most === 255;
  const onPaper = (value: number, alpha: number): number =>
    isPlain && alpha === 1 ? value : Math.round(255 + ((value / most) * 255 - 255) * alpha);
  return (line: Buffer, column: number, { pixels, at }: Place): void => {
    const first = column * channels;
    if (color === 3) {
      const index = sample(line, first);
      const alpha = (transparency[index] ?? 255) / 255;
      for (let part = 0; part < 3; part += 1) {
        pixels[at + part] = Math.round(255 + ((palette[index * 3 + part] ?? 0) - 255) * alpha);
      }
      return;
    }
    const value = sample(line, first);
    const [green, blue] = isGray ? [value, value] : [sample(line, first + 1), sample(line, first + 2)];
    const isHidden = canHide && value === hidden(0) && (isGray || (green === hidden(1) && blue === hidden(2)));
    const alpha = isHidden ? 0 : hasAlpha ? sample(line, first + channels - 1) / most : 1;
    pixels[at] = onPaper(value, alpha);
    pixels[at + 1] = onPaper(green, alpha);
    pixels[at + 2] = onPaper(blue, alpha);
  };
}

/** The picture with a pixel for each square of so many. */
export function shrunk({ width, height, pixels }: Rgb, square: number): Rgb {
  const small = { width: Math.ceil(width / square), height: Math.ceil(height / square) };
  const made = Buffer.alloc(small.width * small.height * 3);
  for (let y = 0; y < small.height; y += 1) {
    for (let x = 0; x < small.width; x += 1) {
      const [right, bottom] = [Math.min(width, (x + 1) * square), Math.min(height, (y + 1) * square)];
      for (let part = 0; part < 3; part += 1) {
        let [total, count] = [0, 0];
        for (let row = y * square; row < bottom; row += 1) {
          for (let column = x * square; column < right; column += 1) {
            total += pixels[(row * width + column) * 3 + part] ?? 0;
            count += 1;
          }
        }
        made[(y * small.width + x) * 3 + part] = Math.round(total / count);
      }
    }
  }
  return { ...small, pixels: made };
}

/** As a plain PNG, of 8 bits and without alpha. */
export function writePng({ width, height, pixels }: Rgb): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const rowBytes = width * 3;
  const rows = Buffer.alloc(height * (1 + rowBytes));
  for (let row = 0; row < height; row += 1) {
    pixels.copy(rows, row * (1 + rowBytes) + 1, row * rowBytes, (row + 1) * rowBytes);
  }
  return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND')]);
}

/** A chunk: its length, type, body and checksum. */
export function chunk(type: string, body: Buffer = Buffer.alloc(0)): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}
