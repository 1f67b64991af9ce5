import { expect, test } from 'vitest';
import { Failure } from '@evenkeel/core/failure';
import { readJson } from './body.ts';

function codeOf(text: string | Buffer): string {
  try {
    readJson(Buffer.from(text));
    return 'read';
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

test.each([
  ['an incomplete string', '{"a":"b'],
  ['a trailing comma', '[1,]'],
  ['NaN', '{"a":NaN}'],
  ['Infinity', '{"a":Infinity}'],
  ['a number with an exponent', '{"a":1e2}'],
  ['a number with a large exponent', '{"a":1E+9}'],
  ['an exponent after decimals', '[1.5e3]'],
  ['a NUL escape', '{"a":"x\\u0000"}'],
  ['a NUL escape in a key', '{"x\\u0000":1}'],
  ['a lone high surrogate', '["\\ud800"]'],
  ['a lone low surrogate', '["\\udc00x"]'],
  ['surrogates in the wrong order', '["\\udc00\\ud800"]'],
  ['33 levels of lists', '['.repeat(33) + ']'.repeat(33)],
  ['33 levels of objects', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`],
  ['a list of 10,001 items', `[${'1,'.repeat(10_000)}1]`],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
  ['UTF-8 that spells a surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ['100,000 open brackets', '['.repeat(100_000)],
])('rejects a body with %s', (_, text) => {
  expect(codeOf(text)).toBe('malformed');
});

test.each(['utf-16', 'UTF-16LE', '"iso-8859-1"', 'utf-8x'])(
  'rejects a body with charset=%s and explains why',
  (charset) => {
    expect(() => readJson(Buffer.from('{}'), `application/json; charset=${charset}`)).toThrow(
      'JSON must be encoded in UTF-8',
    );
  },
);

test.each(['', '; charset=utf-8', ';charset="UTF-8"', '; charset=utf8; x=y'])(
  'accepts the content type application/json%s',
  (more) => {
    expect(readJson(Buffer.from('{"a":1}'), `application/json${more}`)).toEqual({ a: 1 });
  },
);

test.each([
  ['32 levels', '['.repeat(32) + ']'.repeat(32)],
  ['a list of 10,000 items', `[${'1,'.repeat(9_999)}1]`],
  ['an escaped surrogate pair', '["\\ud83d\\ude00"]'],
  ['the letter e in strings and keywords', '[true,false,"1e5 and \\"2E9"]'],
  ['brackets inside a string', `["${'['.repeat(200)}"]`],
  ['escaped backslashes before a quote', '["\\\\","\\\\\\\\"]'],
])('accepts a body with %s', (_, text) => {
  expect(codeOf(text)).toBe('read');
});

test('an empty body results in no value', () => {
  expect(readJson(Buffer.alloc(0))).toBeUndefined();
});

test('a __proto__ key in a body does not change any object', () => {
  const value = readJson(Buffer.from('{"__proto__":{"admin":true},"a":1}'));
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
});
