/** Logo rules that the form and the server share. */

/** The image types, identified by their first bytes, that documents and all browsers can show without running code. */
export const LOGO_TYPES: readonly string[] = ['image/png', 'image/jpeg'];

const MEGABYTE = 1_048_576;
const MOST_MB = 2;
/**
 * The maximum number of pixels. A printed logo needs far fewer at 300 dots per inch, and the limit keeps the unpacked
 * image small.
 */
export const LOGO_MOST_PIXELS = 4_000_000;

export const LOGO_UNREADABLE = "The logo can't be read. Save the image again as a PNG or JPEG.";

/**
 * Returns the reason why a file of this type (detected from its bytes) and size (bytes) cannot be the logo, or
 * undefined if it can.
 */
export function checkLogo({ contentType, size }: { contentType: string; size: number }): string | undefined {
  if (!LOGO_TYPES.includes(contentType)) return 'The logo must be a PNG or JPEG image';
  return size > MOST_MB * MEGABYTE ? `The logo can be at most ${MOST_MB} MB` : undefined;
}

/** Returns the error for a logo that has too many pixels, or undefined. */
export function checkLogoSides({ width, height }: { width: number; height: number }): string | undefined {
  return width * height > LOGO_MOST_PIXELS ? 'The logo can be at most 4 megapixels' : undefined;
}
