import { refuse } from '@evenkeel/core/failure';

/**
 * The characters for bytes 80 to 9F in Windows-1252. Some runtimes decode this encoding as Latin-1, which turns these
 * bytes into control characters.
 */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const decoded = (bytes: Uint8Array, label: string): string => new TextDecoder(label).decode(bytes);

function windows1252(bytes: Uint8Array): string {
  return decoded(bytes, 'windows-1252').replace(
    /[\u0080-\u009f]/g,
    (letter) => WINDOWS_1252[letter.charCodeAt(0) - 0x80] ?? letter,
  );
}

/**
 * The number of bytes that are decoded at a time. Larger chunks would stay in memory until a full garbage collection.
 */
const PART = 1 << 15;

/** Returns whether all bytes are valid UTF-8. */
function isUtf8(bytes: Uint8Array): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (let at = 0; at < bytes.length; at += PART) decoder.decode(bytes.subarray(at, at + PART), { stream: true });
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}

const startsWith = (bytes: Uint8Array, ...start: number[]): boolean => start.every((byte, at) => bytes[at] === byte);

/** Decodes UTF-16, which is recognized by its byte order mark or by the zeros between the first letters. */
function wide(bytes: Uint8Array): string | undefined {
  if (startsWith(bytes, 0xff, 0xfe) || (bytes[0] !== 0 && startsWith(bytes.subarray(1), 0) && bytes[3] === 0)) {
    return 'utf-16le';
  }
  return startsWith(bytes, 0xfe, 0xff) || (startsWith(bytes, 0) && bytes[2] === 0 && bytes[1] !== 0)
    ? 'utf-16be'
    : undefined;
}

/** Returns the character set that the header in an OFX 1 or XML file declares. */
function declared(bytes: Uint8Array): string | undefined {
  const head = decoded(bytes.subarray(0, 1000), 'windows-1252');
  const xml = /<\?xml[^>]*\sencoding=["']([\w-]+)["']/i.exec(head)?.[1];
  const ofx = /CHARSET:\s*([\w-]+)/i.exec(head)?.[1];
  return xml ?? (ofx !== undefined && /^\d{3,4}$/.test(ofx) ? `windows-${ofx}` : ofx?.replace(/^8859/, 'iso-8859'));
}

/** The first bytes of some formats that are not text. */
const NO_TEXT: [number[], string][] = [
  [[0x50, 0x4b, 3, 4], 'a spreadsheet or an archive. Save it as CSV, or extract it first.'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'a spreadsheet. Save it as CSV first.'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF. Download the statement from your bank as OFX, QFX, CSV, or CAMT instead.'],
  [[0x1f, 0x8b], 'an archive. Extract it first.'],
];

/**
 * Returns the text of a file with \n line endings. The encoding is determined by the byte order mark, then by whether
 * the file is valid UTF-8, then by the character set in the header, and finally defaults to Windows-1252. UTF-8 comes
 * before the header because many banks declare a wrong character set, and other text is hardly ever valid UTF-8.
 */
export const textOf = (bytes: Uint8Array): string => [...textParts(bytes)].join('');

/** Returns the same text in parts of `size` bytes. */
export function* textParts(bytes: Uint8Array, size = PART): Generator<string> {
  const known = NO_TEXT.find(([start]) => startsWith(bytes, ...start));
  if (known) throw refuse(`Line 1: This file is ${known[1]}`);
  const decode = decoderOf(bytes);
  let row = 1;
  let held = '';
  for (let at = 0; at < bytes.length; at += size) {
    const isLast = at + size >= bytes.length;
    const part = `${held}${decode(bytes.subarray(at, at + size), isLast)}`;
    const text = at === 0 ? part.replace(/^\ufeff/, '') : part;
    // The next part may start with the rest of this line ending.
    held = text.endsWith('\r') && !isLast ? '\r' : '';
    const lines = (held === '' ? text : text.slice(0, -1)).replace(/\r\n?/g, '\n');
    const zero = lines.indexOf('\0');
    if (zero !== -1) {
      throw refuse(`Line ${row + lines.slice(0, zero).split('\n').length - 1}: This file is not text`);
    }
    for (let end = lines.indexOf('\n'); end !== -1; end = lines.indexOf('\n', end + 1)) row += 1;
    yield lines;
  }
}

/** Returns the function that decodes the next bytes of a file. */
function decoderOf(bytes: Uint8Array): (part: Uint8Array, isLast: boolean) => string {
  const label = labelOf(bytes);
  if (label === 'windows-1252') return windows1252;
  const decoder = new TextDecoder(label);
  return (part, isLast) => decoder.decode(part, { stream: !isLast });
}

function labelOf(bytes: Uint8Array): string {
  const utf16 = wide(bytes);
  if (utf16 !== undefined) return utf16;
  if (isUtf8(bytes)) return 'utf-8';
  const label = declared(bytes) ?? 'windows-1252';
  if (/^(utf|windows-1252$|iso-8859-1$|us-ascii|none$)/i.test(label)) return 'windows-1252';
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return 'windows-1252';
  }
}
