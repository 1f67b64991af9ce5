/** The names and types of attachments. Neither the names nor the types are taken from the sender unchecked. */

const MOST_NAME = 150;
const PLAIN = 'attachment';

/** Control characters, text direction marks, and characters with a special meaning in file systems or paths. */
const unwanted = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029<>:"/\\|?*]/gu;
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * Returns a file name that every system accepts. Removes folders, control characters, and direction marks, which could
 * make "fdp.exe" appear as "exe.pdf". The name has at most 150 characters, keeps its extension, and is never empty.
 */
export function cleanFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .toWellFormed()
    .normalize('NFC')
    .replace(unwanted, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ .]+|[ .]+$/g, '')
    .replace(reserved, '_$1');
  if (plain === '') return PLAIN;
  const letters = [...plain];
  if (letters.length <= MOST_NAME) return plain;
  const ending = /\.[\p{L}\p{N}]{1,10}$/u.exec(plain)?.[0] ?? '';
  return `${letters
    .slice(0, MOST_NAME - [...ending].length)
    .join('')
    .trimEnd()}${ending}`;
}

/** The content type for unknown bytes. */
export const UNKNOWN_TYPE = 'application/octet-stream';

/** The first bytes of file types that can be previewed, one character per byte. `at` is their offset. */
const signatures: readonly { type: string; parts: readonly { at: number; bytes: string }[] }[] = [
  { type: 'application/pdf', parts: [{ at: 0, bytes: '%PDF-' }] },
  { type: 'image/png', parts: [{ at: 0, bytes: '\u0089PNG\r\n\u001a\n' }] },
  { type: 'image/jpeg', parts: [{ at: 0, bytes: '\u00ff\u00d8\u00ff' }] },
  { type: 'image/gif', parts: [{ at: 0, bytes: 'GIF8' }] },
  {
    type: 'image/webp',
    parts: [
      { at: 0, bytes: 'RIFF' },
      { at: 8, bytes: 'WEBP' },
    ],
  },
];

/** The number of bytes that `contentTypeOf` reads. */
export const HEAD_BYTES = 16;

/**
 * Returns a file's content type, which is determined from the first bytes and never from the name. The result is a type
 * that can be previewed, or the type for unknown bytes.
 */
export function contentTypeOf(head: Uint8Array): string {
  const has = ({ at, bytes }: { at: number; bytes: string }): boolean =>
    [...bytes].every((letter, index) => head[at + index] === letter.charCodeAt(0));
  return signatures.find(({ parts }) => parts.every(has))?.type ?? UNKNOWN_TYPE;
}

/** Returns whether a browser can show the type without running any code in it. Other types can only be downloaded. */
export function canPreview(contentType: string): boolean {
  return signatures.some(({ type }) => type === contentType);
}
