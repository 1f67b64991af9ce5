import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { canPreview, cleanFileName, contentTypeOf, UNKNOWN_TYPE } from './attachments.ts';

describe('file names', () => {
  it.each([
    ['receipt.pdf', 'receipt.pdf'],
    ['Quittung März – 2026.pdf', 'Quittung März – 2026.pdf'],
    ['請求書.pdf', '請求書.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\bill.pdf', 'bill.pdf'],
    ['a\u0000b\r\nset-cookie: x.pdf', 'a b set-cookie x.pdf'],
    ['invoice\u202efdp.exe', 'invoice fdp.exe'],
    ['.htaccess', 'htaccess'],
    ['con.txt', '_con.txt'],
    ['"quoted" <b>.pdf', 'quoted b .pdf'],
    ['\ud800.pdf', '\ufffd.pdf'],
    ['', 'attachment'],
    ['...', 'attachment'],
    ['folder/', 'attachment'],
    [`${'x'.repeat(400)}.pdf`, `${'x'.repeat(146)}.pdf`],
  ])('the file name %j becomes %j', (given, wanted) => {
    expect(cleanFileName(given)).toBe(wanted);
  });

  test('a cleaned name has no folder or control character and stays the same if it is cleaned again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
        const name = cleanFileName(given);
        expect(name).not.toBe('');
        expect([...name].length).toBeLessThanOrEqual(151);
        expect(name).not.toMatch(/[\p{Cc}/\\:*?"<>|\u202a-\u202e]/u);
        expect(name.isWellFormed()).toBe(true);
        expect(cleanFileName(name)).toBe(name);
      }),
    );
  });
});

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

describe('content types', () => {
  it.each([
    ['%PDF-1.7\n', 'application/pdf'],
    ['\u0089PNG\r\n\u001a\n\u0000\u0000', 'image/png'],
    ['\u00ff\u00d8\u00ff\u00e0', 'image/jpeg'],
    ['GIF89a', 'image/gif'],
    ['RIFF\u0001\u0002\u0003\u0004WEBPVP8 ', 'image/webp'],
    ['RIFF\u0001\u0002\u0003\u0004WAVEfmt ', UNKNOWN_TYPE],
    ['<!doctype html><script>', UNKNOWN_TYPE],
    ['<svg xmlns="http://www.w3.org/2000/svg">', UNKNOWN_TYPE],
    [' %PDF-1.7', UNKNOWN_TYPE],
    ['%PD', UNKNOWN_TYPE],
    ['', UNKNOWN_TYPE],
  ])('the content type of %j is %s', (head, wanted) => {
    expect(contentTypeOf(bytes(head))).toBe(wanted);
    expect(canPreview(wanted)).toBe(wanted !== UNKNOWN_TYPE);
  });
});
