import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { KeyError, keyFileOf, openBox } from './box.ts';

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'evenkeel-box-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const box = (secretKey?: Buffer) => openBox({ dataDir, secretKey });
const place = { companyId: 7, table: 'banking_account', column: 'account_number_box', rowId: 3 };
const NUMBER = '000123456789';

describe('the encryption box', () => {
  test('an encrypted value can be decrypted, and the same number is encrypted differently each time', () => {
    const [one, other] = [box().seal(place, NUMBER), box().seal(place, NUMBER)];
    expect(box().open(place, one)).toBe(NUMBER);
    expect(box().open(place, other)).toBe(NUMBER);
    expect(one.equals(other)).toBe(false);
    expect(one.includes(NUMBER)).toBe(false);
  });

  test("a value that was encrypted for another company, table, column, or row can't be decrypted", () => {
    const sealed = box().seal(place, NUMBER);
    for (const change of [{ companyId: 8 }, { table: 'x' }, { column: 'x' }, { rowId: 4 }]) {
      expect(box().open({ ...place, ...change }, sealed)).toBeUndefined();
    }
  });

  test("a truncated or empty value, or one with a flipped bit or another format, can't be decrypted", () => {
    const sealed = box().seal(place, NUMBER);
    for (const at of sealed.keys()) {
      const turned = Buffer.from(sealed);
      turned[at] = (turned[at] ?? 0) ^ 1;
      expect(box().open(place, turned)).toBeUndefined();
    }
    for (let length = 0; length < sealed.length; length += 1) {
      expect(box().open(place, sealed.subarray(0, length))).toBeUndefined();
    }
  });

  test('the first encryption creates secret.key with 32 bytes that only its owner can read', () => {
    const file = keyFileOf(dataDir);
    const first = box();
    expect(first.open(place, Buffer.from('nothing'))).toBeUndefined();
    expect(() => statSync(file)).toThrow('ENOENT');
    first.seal(place, NUMBER);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file)).toHaveLength(32);
  });

  test('two processes that start at the same time without a key both use the one key that is created', () => {
    const [one, other] = [box(), box()];
    const sealed = one.seal(place, NUMBER);
    expect(other.open(place, sealed)).toBe(NUMBER);
    expect(one.open(place, other.seal(place, '42'))).toBe('42');
  });

  test('another key decrypts nothing, and SECRET_KEY takes precedence over the file', () => {
    const sealed = box().seal(place, NUMBER);
    const given = box(Buffer.alloc(32, 7));
    expect(given.open(place, sealed)).toBeUndefined();
    expect(box(Buffer.alloc(32, 7)).open(place, given.seal(place, NUMBER))).toBe(NUMBER);
  });

  test('a key file of 31 bytes is rejected at startup', () => {
    writeFileSync(keyFileOf(dataDir), Buffer.alloc(31));
    expect(box).toThrow(KeyError);
  });
});
