import sharp from 'sharp';
import { MOST_POINTS, type Picture, type Sides } from './picture.ts';

// The library reads many image formats, some of which can refer to files and addresses. The two formats here can't.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer'] });
// Each image is read once, so the library's cache would only use memory.
sharp.cache(false);
// One thread per image. Otherwise, the library would use every processor.
sharp.concurrency(1);

/** Rejects images that are truncated or have a wrong checksum. */
const STRICT = { failOn: 'warning' } as const;

/**
 * Returns the size of a PNG or JPEG in pixels, or undefined for any other file and for an image that `forPaper` can't
 * convert. Calls `isTooLarge` before anything is unpacked, because an image of a few bytes can claim any size.
 */
export async function bitmapSides(bytes: Buffer, isTooLarge: (sides: Sides) => boolean): Promise<Sides | undefined> {
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
 * Converts an image that passed `bitmapSides` for printed documents: upright, on white, and with no more pixels than
 * print well. The PDF library can read images too, but it unpacks without a limit and misreads transparent ones with
 * few colors.
 */
export async function forPaper(bytes: Buffer): Promise<Picture> {
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
