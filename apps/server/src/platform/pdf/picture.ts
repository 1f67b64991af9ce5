import type { Content } from 'pdfmake/interfaces.js';

/** A width and height in pixels or points. */
export interface Sides {
  width: number;
  height: number;
}

/** An image for a printed document: a small PNG without transparency, or a JPEG, created by `forPaper`. */
export interface Picture {
  kind: 'png' | 'jpeg';
  bytes: Uint8Array;
}

/**
 * A picture as it was uploaded. After the transaction in which it was read, `drawable` converts it for printed
 * documents.
 */
export interface RawPicture extends Picture {
  /** The SHA-256 hash in hexadecimal. */
  digest: string;
  /** Receives the reason why the picture can't be drawn. The document is then printed without it. */
  onFault: (error: unknown) => void;
}

/** The largest space that any document has for an image, in points. */
export const MOST_POINTS: Sides = { width: 180, height: 56 };

/** Returns the image at the largest size that fits into a box in points. */
export function pictureContent({ kind, bytes }: Picture, box: Sides): Content {
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return { image: `data:image/${kind};base64,${base64}`, fit: [box.width, box.height] };
}
