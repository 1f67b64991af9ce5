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

/** Returns the text if all bytes are valid UTF-8. */
function strictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
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
export function textOf(bytes: Uint8Array): string {
  const known = NO_TEXT.find(([start]) => startsWith(bytes, ...start));
  if (known) throw refuse(`Line 1: This file is ${known[1]}`);
  const text = decode(bytes);
  const zero = text.indexOf('\0');
  if (zero !== -1) {
    const row = text.slice(0, zero).split('\n').length;
    throw refuse(`Line ${row}: This file is not text`);
  }
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
}

function decode(bytes: Uint8Array): string {
  const utf16 = wide(bytes);
  if (utf16 !== undefined) return decoded(bytes, utf16);
  const utf8 = strictUtf8(bytes);
  if (utf8 !== undefined) return utf8;
  const label = declared(bytes) ?? 'windows-1252';
  if (/^(utf|windows-1252$|iso-8859-1$|us-ascii|none$)/i.test(label)) return windows1252(bytes);
  try {
    return decoded(bytes, label);
  } catch {
    return windows1252(bytes);
  }
}
