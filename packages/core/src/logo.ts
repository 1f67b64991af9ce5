/** Rules for a company's logo, shared by the form and the server. */

/** Kinds that paper and every browser show without running anything of them, by their first bytes. */
export const LOGO_TYPES: readonly string[] = ['image/png', 'image/jpeg'];

const MEGABYTE = 1_048_576;
const MOST_MB = 2;
/** A page has it at 300 dots an inch with far fewer; what is unpacked of it stays small. */
export const LOGO_MOST_PIXELS = 4_000_000;

export const LOGO_UNREADABLE = "The logo can't be read. Save the image as PNG or JPEG again.";

/** Why a file of this kind (judged by its bytes) and size (bytes) cannot be the logo; undefined when it can. */
export function checkLogo({ contentType, size }: { contentType: string; size: number }): string | undefined {
  if (!LOGO_TYPES.includes(contentType)) return 'The logo must be a PNG or JPEG image';
  return size > MOST_MB * MEGABYTE ? `The logo can be at most ${MOST_MB} MB` : undefined;
}

/** The refusal of a logo by its sides in pixels. */
export function checkLogoSides({ width, height }: { width: number; height: number }): string | undefined {
  return width * height > LOGO_MOST_PIXELS ? 'The logo can be at most 4 megapixels' : undefined;
}
