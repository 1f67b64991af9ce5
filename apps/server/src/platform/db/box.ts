import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The location of an encrypted value. Encryption protects account numbers, two-step verification secrets, and mail
 * server passwords on a stolen disk or backup. Each value is encrypted with AES-256-GCM and a unique nonce, and is
 * bound to its location, so that it can't be moved to another row. The 32-byte key comes from SECRET_KEY, or from the
 * file `secret.key` in the data directory, which is created when the first value is encrypted.
 */
export interface Place {
  companyId: number;
  table: string;
  column: string;
  rowId: number;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_BYTES = 4;

/** An encrypted value consists of a format byte, key ID, nonce, tag, and ciphertext. */
interface Form {
  cipher: 'aes-256-gcm';
  keyIdBytes: number;
}

/**
 * All formats that can be decrypted. A new cipher needs a new format, and `evenkeel key rotate` encrypts everything in
 * the newest format. Values in the first format have no key ID.
 */
const FORMS: Readonly<Record<number, Form>> = {
  1: { cipher: 'aes-256-gcm', keyIdBytes: 0 },
  2: { cipher: 'aes-256-gcm', keyIdBytes: KEY_ID_BYTES },
};
const NEWEST = 2;

/** The error for a problem with a key, which the operator must fix. The message is one line long. */
export class KeyError extends Error {}

export class Box {
  readonly #file: string;
  #kept: Buffer | undefined;

  constructor(file: string, given?: Buffer) {
    this.#file = file;
    this.#kept = given ?? readKey(file);
  }

  /** Encrypts a text value for its location. Creates a key if there is none yet. */
  seal(place: Place, text: string): Buffer {
    const key = this.#ownKey();
    const head = Buffer.concat([Buffer.of(NEWEST), keyIdOf(key)]);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(placeBytes(place, head));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([head, nonce, cipher.getAuthTag(), sealed]);
  }

  /**
   * Decrypts the text value at this location. Returns undefined if the key is missing or wrong, or if the value was
   * changed or was encrypted for another location.
   */
  open(place: Place, sealed: Buffer): string | undefined {
    const key = this.#key();
    const form = FORMS[sealed[0] ?? 0];
    if (key === undefined || form === undefined) return undefined;
    const head = sealed.subarray(0, 1 + form.keyIdBytes);
    const rest = sealed.subarray(head.length);
    if (rest.length < NONCE_BYTES + TAG_BYTES) return undefined;
    if (form.keyIdBytes > 0 && !head.subarray(1).equals(keyIdOf(key))) return undefined;
    const [nonce, tag] = [rest.subarray(0, NONCE_BYTES), rest.subarray(NONCE_BYTES).subarray(0, TAG_BYTES)];
    const aad = placeBytes(place, form.keyIdBytes > 0 ? head : Buffer.alloc(0));
    const decipher = createDecipheriv(form.cipher, key, nonce).setAAD(aad).setAuthTag(tag);
    try {
      const text = decipher.update(rest.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }

  /** Returns a fingerprint of the key that doesn't reveal the key, or undefined if there is no key yet. */
  mark(): string | undefined {
    const key = this.#key();
    return key && markOf(key);
  }

  /** The file may appear later, because another process with this data directory can create it too. */
  #key(): Buffer | undefined {
    return (this.#kept ??= readKey(this.#file));
  }

  #ownKey(): Buffer {
    return this.#key() ?? (this.#kept = makeKey(this.#file));
  }
}

/** Returns a fingerprint of a key that doesn't reveal the key. */
export const markOf = (key: Buffer): string =>
  createHmac('sha256', key).update('evenkeel key mark').digest('hex').slice(0, 32);

const keyIdOf = (key: Buffer): Buffer => Buffer.from(markOf(key), 'hex').subarray(0, KEY_ID_BYTES);

/** Opens an installation's box. Throws KeyError if the key file is invalid. */
export function openBox({ dataDir, secretKey }: { dataDir: string; secretKey: Buffer | undefined }): Box {
  return new Box(keyFileOf(dataDir), secretKey);
}

export function keyFileOf(dataDir: string): string {
  return join(dataDir, 'secret.key');
}

/** Converts a location to bytes. Spaces separate its parts, because table and column names contain no spaces. */
function placeBytes({ companyId, table, column, rowId }: Place, head: Buffer): Buffer {
  return Buffer.concat([head, Buffer.from(`evenkeel ${companyId} ${table} ${column} ${rowId}`)]);
}

/**
 * Reads the key from a file. Returns undefined if the file doesn't exist. Throws KeyError if its content can't be a
 * key.
 */
export function readKey(file: string): Buffer | undefined {
  try {
    const key = readFileSync(file);
    if (key.length === KEY_BYTES) return key;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new KeyError(`The key file ${file} can't be read (${String(code)})`);
  }
  throw new KeyError(`The key file ${file} must contain ${KEY_BYTES} bytes`);
}

/**
 * Creates the key. If another process was faster, uses that process's key. The file gets its final name only when it is
 * complete.
 */
function makeKey(file: string): Buffer {
  writeKey(file, randomBytes(KEY_BYTES));
  const key = readKey(file);
  if (key === undefined) throw new KeyError(`The key file ${file} was removed while it was being created`);
  return key;
}

/** Writes a key file that only its owner can read. Doesn't replace an existing file. */
export function writeKey(file: string, key: Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  const part = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const handle = openSync(part, 'wx', 0o600);
  try {
    writeSync(handle, key);
    fsyncSync(handle);
    linkSync(part, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    closeSync(handle);
    rmSync(part, { force: true });
  }
}
