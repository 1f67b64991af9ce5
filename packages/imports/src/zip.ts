import { Gunzip, unzipSync } from 'fflate';
import { refusalAt } from './books.ts';
import { MAX_FILES, MAX_RATIO, MAX_UNPACKED, SMALL_ENTRY } from './limits.ts';

/** The name and contents of a file. */
export interface ImportFile {
  name: string;
  bytes: Uint8Array;
}

const startsWith = (bytes: Uint8Array, ...start: number[]): boolean => start.every((byte, at) => bytes[at] === byte);

/** Returns whether the bytes are a ZIP archive, which includes Excel workbooks. */
export const isZip = (bytes: Uint8Array): boolean => startsWith(bytes, 0x50, 0x4b, 3, 4);

/** Returns whether the bytes are gzip data. */
export const isGzip = (bytes: Uint8Array): boolean => startsWith(bytes, 0x1f, 0x8b);

/**
 * Returns the entries in an archive whose names `wants` accepts. Sizes are checked before anything is unpacked. Throws
 * a Refusal if the archive is damaged or would exceed the limits when unpacked.
 */
export function unzip({ name, bytes }: ImportFile, wants: (entry: string) => boolean): Map<string, Uint8Array> {
  let total = 0;
  let count = 0;
  const filter = (entry: { name: string; size: number; originalSize: number }): boolean => {
    if (!wants(entry.name) || entry.name.endsWith('/')) return false;
    total += entry.originalSize;
    count += 1;
    const isDense = entry.originalSize > SMALL_ENTRY && entry.originalSize > entry.size * MAX_RATIO;
    if (isDense || total > MAX_UNPACKED || count > MAX_FILES * 10) {
      throw refusalAt(name, 'The file is too large after unpacking. Export a shorter date range.');
    }
    return true;
  };
  try {
    return new Map(Object.entries(unzipSync(bytes, { filter })));
  } catch (error) {
    throw asRefusal(error, name);
  }
}

/** Returns the contents of a gzip file. Throws a Refusal if the file is damaged or contains too much data. */
export function gunzip({ name, bytes }: ImportFile): Uint8Array {
  const parts: Uint8Array[] = [];
  let total = 0;
  const stream = new Gunzip((part) => {
    total += part.length;
    if (total > MAX_UNPACKED || (total > SMALL_ENTRY && total > bytes.length * MAX_RATIO)) {
      throw refusalAt(name, 'The file is too large after unpacking');
    }
    parts.push(part);
  });
  try {
    for (let at = 0; at < bytes.length; at += 65_536) {
      stream.push(bytes.subarray(at, at + 65_536), at + 65_536 >= bytes.length);
    }
  } catch (error) {
    throw asRefusal(error, name);
  }
  const whole = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function asRefusal(error: unknown, name: string): unknown {
  // fflate throws plain errors with a numeric code.
  const isDamage = error instanceof Error && 'code' in error && typeof error.code === 'number';
  if (!isDamage && !(error instanceof RangeError)) return error;
  return refusalAt(name, 'The file is damaged or incomplete. Download it again.');
}
