import type { Tx } from '../../platform/db/tx.ts';
import { Defect } from '../../platform/http/errors.ts';
import { contentsBehind, strayParts } from './attachments.sql.ts';
import { PART_BYTES, readGroups, type Stored } from './bytes.ts';

/** A problem with a damaged file, which has no journal transaction. */
interface FileFault {
  transactionId: null;
  postingNo: null;
  message: string;
}

/** The maximum number of damaged files to list. */
const MOST_FAULTS = 20;

/**
 * Reads all of the company's files, a megabyte at a time, and returns the damaged ones. A file is damaged if a part is
 * missing, was changed, or doesn't belong to the file.
 */
export async function fileFaults(tx: Tx): Promise<FileFault[]> {
  const faults = (await tx.rows(strayParts(PART_BYTES))).map(({ message }) => message);
  for (let behind: Buffer = Buffer.alloc(0); faults.length < MOST_FAULTS;) {
    const files = await tx.rows(contentsBehind(behind));
    for (const { name, ...stored } of files) {
      const reason = await damageOf(tx, stored);
      if (reason !== undefined) faults.push(`file ${stored.sha256.toString('hex')} (${name ?? 'no name'}): ${reason}`);
    }
    const last = files.at(-1);
    if (last === undefined) break;
    behind = last.sha256;
  }
  return faults.slice(0, MOST_FAULTS).map((message) => ({ transactionId: null, postingNo: null, message }));
}

async function damageOf(tx: Tx, stored: Stored): Promise<string | undefined> {
  const groups = readGroups((work) => work(tx), stored);
  try {
    for (let group = await groups.next(); group.done !== true;) group = await groups.next();
    return undefined;
  } catch (error) {
    if (error instanceof Defect) return error.message;
    throw error;
  }
}
