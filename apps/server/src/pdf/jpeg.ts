/** The head of a JPEG (ITU-T T.81 annex B): enough to know that a page can show it. */

const [START, END] = [0xd8, 0xd9];
/** Baseline, extended and progressive pictures; PDF shows no others. */
const FRAMES: readonly number[] = [0xc0, 0xc1, 0xc2];
/** Heads of other frames, and the data: no frame that is known came before. */
const NO_FRAME: readonly number[] = [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf, 0xda, START, END];

/** Width and height in pixels; undefined for what is no whole picture of 8 bits in gray, RGB or CMYK. */
export function jpegSize(bytes: Buffer): { width: number; height: number } | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== START) return undefined;
  for (let at = 2; at + 10 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0;
    const length = bytes.readUInt16BE(at + 2);
    if (bytes[at] !== 0xff || length < 2 || NO_FRAME.includes(marker)) return undefined;
    if (FRAMES.includes(marker)) return frameOf(bytes, at + 4);
    at += 2 + length;
  }
  return undefined;
}

function frameOf(bytes: Buffer, at: number): { width: number; height: number } | undefined {
  const [height, width] = [bytes.readUInt16BE(at + 1), bytes.readUInt16BE(at + 3)];
  const isKnown = bytes[at] === 8 && [1, 3, 4].includes(bytes[at + 5] ?? 0);
  const isWhole = bytes.lastIndexOf(Buffer.from([0xff, END])) > at;
  return isKnown && isWhole && width > 0 && height > 0 ? { width, height } : undefined;
}
