/** Files that people attach: what they are called and what they are, whatever their sender says. */

const MOST_NAME = 150;
const PLAIN = 'attachment';

/** Controls, marks that turn the direction of writing, and what file systems or paths give a meaning to. */
const unwanted = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029<>:"/\\|?*]/gu;
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * A file's name as every system can keep it: without folders, controls and marks that make "exe.pdf" of "fdp.exe", at
 * most 150 characters with its ending kept; never empty.
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

/** The type of bytes of which nothing is known. */
export const UNKNOWN_TYPE = 'application/octet-stream';

/** First bytes, as letters of one byte each, of the kinds that can be looked at; `at` is where they stand. */
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

/** Number of first bytes that `contentTypeOf` reads. */
export const HEAD_BYTES = 16;

/** The content type of a file by its first bytes, never by its name: a kind that can be shown, or unknown. */
export function contentTypeOf(head: Uint8Array): string {
  const has = ({ at, bytes }: { at: number; bytes: string }): boolean =>
    [...bytes].every((letter, index) => head[at + index] === letter.charCodeAt(0));
  return signatures.find(({ parts }) => parts.every(has))?.type ?? UNKNOWN_TYPE;
}

/** Whether a browser shows it without running anything of it: those kinds are drawn in a panel, others only saved. */
export function canPreview(contentType: string): boolean {
  return signatures.some(({ type }) => type === contentType);
}
