import { createHash, type Hash } from 'node:crypto';
import type { Tx } from '../../platform/db/tx.ts';
import { Defect } from '../../platform/http/errors.ts';
import type { Upload } from '../../platform/http/upload.ts';
import * as fileSql from './attachments.sql.ts';

/** Bytes of a part: what is in memory of a file, on its way in or out. */
export const PART_BYTES = 131_072;
/** Parts that travel to or from the database at once. */
const PARTS_AT_ONCE = 8;

/** A file's bytes as the database keeps them. */
export interface Stored {
  sha256: Buffer;
  size: number;
}

const digestOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** Writes an upload part by part, each with its own digest. */
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

/** Runs one read; the parts of a large file are read in transactions of their own, for a reader may be slow. */
export type Read = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/**
 * Reads a file in groups of parts, each checked against its digest before it is handed out. The last group is held back
 * until the whole file has its digest too, so a reader never gets all bytes of a damaged file. Throws a Defect for what
 * is missing or changed.
 */
export async function* readGroups(read: Read, { sha256, size }: Stored): AsyncGenerator<Buffer[]> {
  const count = Math.ceil(size / PART_BYTES);
  const whole = createHash('sha256');
  for (let first = 0; first < count; first += PARTS_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(PARTS_AT_ONCE, count - first) }, (_, index) => first + index);
    const rows = await read((tx) =>
      tx.rows(fileSql.parts.find({ sha256, partNo: numbers }, { orderBy: fileSql.parts.ref('partNo') })),
    );
    if (rows.length !== numbers.length) throw damaged('a part is missing');
    for (const row of rows) checkPart(row, whole);
    const isLast = first + rows.length === count;
    if (isLast && !whole.digest().equals(sha256)) throw damaged('the parts do not add up to the file');
    yield rows.map(({ bytes }) => bytes);
  }
}

function checkPart({ bytes, digest }: { bytes: Buffer; digest: Buffer }, whole: Hash): void {
  if (!digestOf(bytes).equals(digest)) throw damaged('a part was changed');
  whole.update(bytes);
}

const damaged = (reason: string): Defect =>
  new Defect(
    'The stored copy of this file is damaged. Restore it from a backup; `evenkeel verify` lists ' +
      'the damaged files.',
    reason,
  );

/** The whole of a small file, in the caller's transaction. */
export const bytesOf = (tx: Tx, stored: Stored): Promise<Buffer> => wholeOf((work) => work(tx), stored);

/** The whole of a file. */
export async function wholeOf(read: Read, stored: Stored): Promise<Buffer> {
  const groups: Buffer[] = [];
  for await (const group of readGroups(read, stored)) groups.push(...group);
  return Buffer.concat(groups);
}
