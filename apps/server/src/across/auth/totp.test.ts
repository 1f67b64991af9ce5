import { expect, test } from 'vitest';
import {
  fromBase32,
  matchingStep,
  newRecoveryCodes,
  newTotpSecret,
  readCode,
  toBase32,
  totpAddress,
  totpCode,
} from './totp.ts';

/** The secret from RFC 6238, appendix B: the bytes "12345678901234567890". */
const SECRET = toBase32(Buffer.from('12345678901234567890'));

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('at %d seconds, the code is %s as in RFC 6238, and Evenkeel uses the last six digits', (seconds, code) => {
  const step = Math.floor(seconds / 30);
  expect(totpCode(SECRET, step, 8)).toBe(code);
  expect(totpCode(SECRET, step)).toBe(code.slice(2));
});

test.each([
  [0, '755224'],
  [1, '287082'],
  [9, '520489'],
])('the code for counter %d is %s, as in RFC 4226', (counter, code) => {
  expect(totpCode(SECRET, counter)).toBe(code);
});

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('"%s" is encoded in base 32 as %s, as in RFC 4648, and can be decoded', (text, coded) => {
  expect(toBase32(Buffer.from(text))).toBe(coded);
  expect(fromBase32(coded).toString()).toBe(text);
});

test('the server accepts codes from one time step earlier or later, but not two', () => {
  const now = 1_760_000_010;
  const near = [-2, -1, 0, 1, 2].map((aside) => {
    const step = Math.floor(now / 30) + aside;
    return matchingStep(SECRET, totpCode(SECRET, step), now) === step;
  });
  expect(near).toEqual([false, true, true, true, false]);
});

test.each(['', '12345', '1234567', 'abcdef', '٠١٢٣٤٥'])('"%s" is never a valid code', (code) => {
  expect(matchingStep(SECRET, code, 59)).toBeUndefined();
});

test('a new secret encodes 160 bits in 32 characters, and two secrets are never the same', () => {
  const secrets = Array.from({ length: 100 }, newTotpSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) {
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(toBase32(fromBase32(secret))).toBe(secret);
  }
});

test('the address in the QR code contains the account and the secret', () => {
  expect(totpAddress('JBSWY3DP', 'ada+books@harbor.example')).toBe(
    'otpauth://totp/Evenkeel%3Aada%2Bbooks%40harbor.example?secret=JBSWY3DP&issuer=Evenkeel',
  );
});

test('ten recovery codes are all different and use only unambiguous letters and digits', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[2-9a-hjkmnp-tv-z]{4}-[2-9a-hjkmnp-tv-z]{4}$/);
});

test.each([
  ['407 123', { totp: '407123' }],
  [' 407123 ', { totp: '407123' }],
  ['K4F9-2XQM', { recovery: 'k4f9-2xqm' }],
  ['k4f92xqm', { recovery: 'k4f9-2xqm' }],
  ['k4f9', undefined],
  ['', undefined],
])('the entered code "%s" is read as %j', (typed, read) => {
  expect(readCode(typed)).toEqual(read);
});
