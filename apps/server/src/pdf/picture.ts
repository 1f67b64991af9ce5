import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { inflate, inflateSync } from 'node:zlib';
import type { Content } from 'pdfmake/interfaces.js';
import { jpegSize } from './jpeg.ts';
import { onWhite, type Png, readPng, shrunk, unpackedBytes, writePng } from './png.ts';

/** A picture on a paper: the bytes of a PNG or JPEG that `pictureSize` has found good. */
export interface Picture {
  bytes: Uint8Array;
}

/** Sides in pixels. */
export interface Sides {
  width: number;
  height: number;
}

const unpack = promisify(inflate);

/**
 * The sides of a PNG or JPEG that a page can show; undefined for any other. `isTooLarge` is asked before anything is
 * unpacked: a picture of a few bytes may say that it is as large as a house.
 */
export async function pictureSize(bytes: Buffer, isTooLarge: (sides: Sides) => boolean): Promise<Sides | undefined> {
  const png = readPng(bytes);
  if (png === undefined) return jpegSize(bytes);
  const sides = { width: png.width, height: png.height };
  if (isTooLarge(sides)) return sides;
  const wanted = unpackedBytes(png);
  const got = await unpack(png.packed, { maxOutputLength: wanted }).then(
    ({ length }) => length,
    () => 0,
  );
  return got === wanted ? sides : undefined;
}

const POINTS_AN_INCH = 72;
const PRINTED_DPI = 300;

/** The picture as large as fits into a box (points), at no more dots than print well. */
export function pictureContent({ bytes }: Picture, box: Sides): Content {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const png = readPng(all);
  const fit: [number, number] = [box.width, box.height];
  if (png === undefined) return { image: `data:image/jpeg;base64,${all.toString('base64')}`, fit };
  const name = `${box.width}x${box.height} ${createHash('sha256').update(all).digest('hex')}`;
  const image = ready.get(name) ?? `data:image/png;base64,${plainPng(png, box).toString('base64')}`;
  keepReady(name, image);
  return { image, fit };
}

/** Millions of dots take a second to make small, and a company's papers have one logo: this thread makes it once. */
const ready = new Map<string, string>();
const MOST_READY = 16;

function keepReady(name: string, image: string): void {
  ready.delete(name);
  ready.set(name, image);
  const [oldest] = ready.keys();
  if (ready.size > MOST_READY && oldest !== undefined) ready.delete(oldest);
}

function plainPng(png: Png, box: Sides): Buffer {
  const dots = PRINTED_DPI / POINTS_AN_INCH;
  const square = Math.max(1, Math.floor(Math.max(png.width / box.width, png.height / box.height) / dots));
  const whole = onWhite(png, inflateSync(png.packed, { maxOutputLength: unpackedBytes(png) }));
  return writePng(square === 1 ? whole : shrunk(whole, square));
}
