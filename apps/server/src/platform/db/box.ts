import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The box for what must not be read from a stolen disk or backup: account numbers, secrets of two-factor sign-in,
 * passwords of mail servers. AES-256-GCM with a nonce of its own for each value, bound to its place, so that a value
 * cannot be moved to another row. The key is 32 bytes, from SECRET_KEY or the file `secret.key` of the data directory,
 * which is made when the first value is sealed.
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

/** The parts of a sealed value: its first byte, the key's id, nonce, tag, ciphertext. */
interface Form {
  cipher: 'aes-256-gcm';
  keyIdBytes: number;
}

/**
 * All forms that are opened. A new cipher is another form: `evenkeel key rotate` seals everything in the newest one.
 * Values of the first form have no key id.
 */
const FORMS: Readonly<Record<number, Form>> = {
  1: { cipher: 'aes-256-gcm', keyIdBytes: 0 },
  2: { cipher: 'aes-256-gcm', keyIdBytes: KEY_ID_BYTES },
};
const NEWEST = 2;

/** A key that an operator has to put right, in one line. */
export class KeyError extends Error {}

export class Box {
  readonly #file: string;
  #kept: Buffer | undefined;

  constructor(file: string, given?: Buffer) {
    this.#file = file;
    this.#kept = given ?? readKey(file);
  }

  /** Seals a text for its place; makes the key when there is none yet. */
  seal(place: Place, text: string): Buffer {
    const key = this.#ownKey();
    const head = Buffer.concat([Buffer.of(NEWEST), keyIdOf(key)]);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(placeBytes(place, head));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([head, nonce, cipher.getAuthTag(), sealed]);
  }

  /** The text that was sealed for this place; undefined without its key, or where the value is not the one sealed. */
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

  /** Tells one key from another and says nothing of it; undefined where there is none yet. */
  mark(): string | undefined {
    const key = this.#key();
    return key && markOf(key);
  }

  /** The file may come later: another process of this data directory makes it too. */
  #key(): Buffer | undefined {
    return (this.#kept ??= readKey(this.#file));
  }

  #ownKey(): Buffer {
    return this.#key() ?? (this.#kept = makeKey(this.#file));
  }
}

/** The name of a key: it tells keys apart and says nothing of them. */
export const markOf = (key: Buffer): string =>
  createHmac('sha256', key).update('evenkeel key mark').digest('hex').slice(0, 32);

const keyIdOf = (key: Buffer): Buffer => Buffer.from(markOf(key), 'hex').subarray(0, KEY_ID_BYTES);

/** The box of an installation. Throws KeyError where the key file is not one. */
export function openBox({ dataDir, secretKey }: { dataDir: string; secretKey: Buffer | undefined }): Box {
  return new Box(keyFileOf(dataDir), secretKey);
}

export function keyFileOf(dataDir: string): string {
  return join(dataDir, 'secret.key');
}

/** A place as bytes: table and column hold no space. */
function placeBytes({ companyId, table, column, rowId }: Place, head: Buffer): Buffer {
  return Buffer.concat([head, Buffer.from(`evenkeel ${companyId} ${table} ${column} ${rowId}`)]);
}

/** The key in a file; undefined where there is no file. Throws KeyError where it cannot be one. */
export function readKey(file: string): Buffer | undefined {
  try {
    const key = readFileSync(file);
    if (key.length === KEY_BYTES) return key;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new KeyError(`The key ${file} cannot be read (${String(code)})`);
  }
  throw new KeyError(`The key ${file} must be ${KEY_BYTES} bytes`);
}

/** Makes the key; when another process was quicker, its key counts. The file has its name only when it is whole. */
function makeKey(file: string): Buffer {
  writeKey(file, randomBytes(KEY_BYTES));
  const key = readKey(file);
  if (key === undefined) throw new KeyError(`The key ${file} was taken away while it was made`);
  return key;
}

/** Writes a key where there is none yet, for its owner alone; a file that is there stays. */
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
