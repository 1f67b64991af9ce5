import sharp from 'sharp';
import type { Letterhead } from './letter.ts';
import { MOST_POINTS, type Picture, type RawPicture, type Sides } from './picture.ts';
import { requireNoTransaction } from '../waits.ts';

// The library can read many image formats, some of which can refer to files and addresses. The two formats allowed here
// can't.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer'] });
// Each image is read only once, so the library's cache would only waste memory.
sharp.cache(false);
// One thread is used per image. Otherwise, the library would use every processor.
sharp.concurrency(1);

/** Rejects images that are truncated or have a wrong checksum. */
const STRICT = { failOn: 'warning' } as const;

/**
 * Returns the size of a PNG or JPEG in pixels, or undefined for any other file and for an image that `forPaper` can't
 * convert. Calls `isTooLarge` before anything is unpacked, because an image of a few bytes can claim to have any size.
 */
export async function bitmapSides(bytes: Buffer, isTooLarge: (sides: Sides) => boolean): Promise<Sides | undefined> {
  requireNoTransaction('A picture');
  try {
    const { width, height } = await sharp(bytes, { ...STRICT, limitInputPixels: false }).metadata();
    if (!isTooLarge({ width, height })) await Promise.all([sharp(bytes, STRICT).stats(), forPaper(bytes)]);
    return { width, height };
  } catch {
    return undefined;
  }
}

const POINTS_AN_INCH = 72;
const PRINTED_DPI = 300;
const mostPixels = (points: number): number => Math.floor((points / POINTS_AN_INCH) * PRINTED_DPI);

/**
 * Converts an image for printed documents: upright, on a white background, and with no more pixels than printing needs.
 * `bitmapSides` must have accepted the image. The PDF library can also read images, but it unpacks them without a limit
 * and misreads transparent images that have few colors.
 */
export async function forPaper(bytes: Buffer): Promise<Picture> {
  requireNoTransaction('A picture');
  const picture = sharp(bytes)
    .autoOrient()
    .toColourspace('srgb')
    .flatten({ background: '#ffffff' })
    .resize({
      width: mostPixels(MOST_POINTS.width),
      height: mostPixels(MOST_POINTS.height),
      fit: 'inside',
      withoutEnlargement: true,
    });
  const kind = (await sharp(bytes).metadata()).format === 'jpeg' ? 'jpeg' : 'png';
  return { kind, bytes: await (kind === 'jpeg' ? picture.jpeg({ quality: 92 }) : picture.png()).toBuffer() };
}

/**
 * All of a company's documents have the same logo. Resizing an image takes longer than reading it, so each logo is
 * resized only once.
 */
const ready = new Map<string, Picture>();
const MOST_READY = 64;

/** Returns the printable picture for an upload, if it has already been created. */
export const readyPicture = (digest: string): Picture | undefined => ready.get(digest);

/**
 * Returns the picture for a printed document, or undefined if it can't be drawn. Must be called outside a transaction.
 */
export async function drawable(picture: Picture | RawPicture | undefined): Promise<Picture | undefined> {
  if (picture === undefined || !('onFault' in picture)) return picture;
  const { digest, bytes, onFault } = picture;
  try {
    const made = ready.get(digest) ?? (await forPaper(Buffer.from(bytes)));
    ready.delete(digest);
    ready.set(digest, made);
    const [oldest] = ready.keys();
    if (ready.size > MOST_READY && oldest !== undefined) ready.delete(oldest);
    return made;
  } catch (error) {
    onFault(error);
    return undefined;
  }
}

/** Returns a document with its logo in a form that can be drawn, or without the logo. */
export async function withDrawable<Paper extends { company: Letterhead }>(paper: Paper): Promise<Paper> {
  const { logo, ...company } = paper.company;
  const drawn = await drawable(logo);
  return { ...paper, company: { ...company, ...(drawn && { logo: drawn }) } };
}
