import { createHash, type Hash } from 'node:crypto';
import type { Tx } from '../../platform/db/tx.ts';
import { Defect } from '../../platform/http/errors.ts';
import type { Upload } from '../../platform/http/upload.ts';
import * as fileSql from './attachments.sql.ts';

/** The number of bytes in a part. During an upload or download, only this much of a file is in memory. */
export const PART_BYTES = 131_072;
/** The number of parts that one statement reads or writes. */
const PARTS_AT_ONCE = 4;

/** The identity and size of a stored file. */
export interface Stored {
  sha256: Buffer;
  size: number;
}

const digestOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** Writes an upload part by part and stores a digest with each part. */
export async function writeParts(tx: Tx, upload: Upload): Promise<void> {
  const { sha256 } = upload;
  let [partNo, waiting]: [number, Promise<unknown>[]] = [0, []];
  for await (const bytes of upload.parts(PART_BYTES)) {
    waiting.push(tx.rows(fileSql.parts.insert({ sha256, partNo, bytes, digest: digestOf(bytes) })));
    partNo += 1;
    if (waiting.length < PARTS_AT_ONCE) continue;
    await Promise.all(waiting);
    waiting = [];
  }
  await Promise.all(waiting);
}

/**
 * Runs one read. The parts of a large file are read in separate transactions, so that a slow client doesn't keep a
 * transaction open.
 */
export type Read = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/**
 * Reads a file in groups of parts. Each part is yielded only after it matches its digest, and the last group is yielded
 * only after the whole file matches, so that a client never receives all the bytes of a damaged file. Throws a Defect
 * if a part is missing or was changed.
 */
export async function* readGroups(read: Read, { sha256, size }: Stored): AsyncGenerator<Buffer[]> {
  const count = Math.ceil(size / PART_BYTES);
  const whole = createHash('sha256');
  let length = 0;
  for (let first = 0; first < count; first += PARTS_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(PARTS_AT_ONCE, count - first) }, (_, index) => first + index);
    const rows = await read((tx) =>
      tx.rows(fileSql.parts.find({ sha256, partNo: numbers }, { orderBy: fileSql.parts.ref('partNo') })),
    );
    if (rows.length !== numbers.length) throw damaged('a chunk is missing');
    for (const row of rows) {
      checkPart(row, whole);
      length += row.bytes.length;
    }
    const isLast = first + rows.length === count;
    if (isLast && (length !== size || !whole.digest().equals(sha256)))
      throw damaged('the chunks do not add up to the original file');
    yield rows.map(({ bytes }) => bytes);
  }
}

function checkPart({ bytes, digest }: { bytes: Buffer; digest: Buffer }, whole: Hash): void {
  if (!digestOf(bytes).equals(digest)) throw damaged('a chunk was changed');
  whole.update(bytes);
}

const damaged = (reason: string): Defect =>
  new Defect(
    'The stored copy of this file is damaged. Restore it from a backup. `evenkeel verify` lists ' +
      'the damaged files.',
    reason,
  );

/** Returns the bytes of a small file, read in the caller's transaction. */
export async function bytesOf(tx: Tx, stored: Stored): Promise<Buffer> {
  const { buffer } = await wholeOf((work) => work(tx), stored);
  return Buffer.from(buffer);
}

/**
 * Returns all the bytes of a file, in memory that can be moved to a thread. The parts are copied as they arrive,
 * because copying megabytes in one step would block other requests.
 */
export async function wholeOf(read: Read, stored: Stored): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(stored.size);
  let end = 0;
  for await (const group of readGroups(read, stored)) {
    for (const bytes of group) {
      whole.set(bytes, end);
      end += bytes.length;
    }
  }
  return whole;
}
