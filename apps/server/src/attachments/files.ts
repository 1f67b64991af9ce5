import type { Permission } from '@evenkeel/contract/areas';
import type { StoredDocument } from '@evenkeel/contract/attachments';
import { cleanFileName, contentTypeOf } from '@evenkeel/core/attachments';
import { notFound } from '@evenkeel/core/failure';
import { inCompany, readCompany, type Tx } from '../db/tx.ts';
import type { Ctx } from '../http/context.ts';
import type { StoredFile } from '../http/route.ts';
import type { Upload } from '../http/upload.ts';
import { mayRead, permissionsOf } from './access.ts';
import * as fileSql from './attachments.sql.ts';

/** Bytes of a part: what is in memory of a file, on its way in or out. */
const PART_BYTES = 131_072;
/** Parts that travel to or from the database at once. */
const PARTS_AT_ONCE = 8;

/** Keeps what was uploaded, the same bytes once for a company. Nobody else sees it before a record names it. */
export async function keepUpload(ctx: Ctx, upload: Upload): Promise<StoredDocument> {
  const { tx, userId, today } = ctx;
  const { sha256, size } = upload;
  const contentType = contentTypeOf(upload.head);
  const content = await tx.row(fileSql.keepContent({ sha256, size, contentType }));
  if (content?.isNew === true) await writeParts(tx, upload);
  const name = cleanFileName(upload.name);
  const row = { sha256, name, uploadedBy: userId, uploadDate: today };
  const made = await tx.row(fileSql.attachments.insert(row, ['id']));
  if (made === undefined) throw new Error('an upload got no id');
  return { documentId: made.id, documentName: name, size, contentType };
}

async function writeParts(tx: Tx, upload: Upload): Promise<void> {
  const { sha256 } = upload;
  let [partNo, waiting]: [number, Promise<unknown>[]] = [0, []];
  for await (const bytes of upload.parts(PART_BYTES)) {
    waiting.push(tx.rows(fileSql.parts.insert({ sha256, partNo, bytes })));
    partNo += 1;
    if (waiting.length < PARTS_AT_ONCE) continue;
    await Promise.all(waiting);
    waiting = [];
  }
  await Promise.all(waiting);
}

/** Which permissions let a person have a file; before a record names it, its uploader alone. 404 when there is none. */
export async function whoMayRead(ctx: Ctx, id: number): Promise<'allowed' | Permission[]> {
  const file = await found(ctx, id);
  if (mayRead(ctx.user, file)) return 'allowed';
  if (file.kinds.length === 0) throw notFound('Attachment');
  return permissionsOf(file);
}

/** A file of the company; its bytes are read part by part behind the transaction, for a reader may be slow. */
export async function getFile(ctx: Ctx, id: number): Promise<StoredFile> {
  const { name, contentType, size, sha256 } = await found(ctx, id);
  return { name, contentType, size, bytes: () => readParts(ctx, { sha256, size }) };
}

async function found(ctx: Ctx, id: number): Promise<fileSql.FoundFile> {
  const file = await ctx.tx.row(fileSql.fileSql(id));
  if (file === undefined) throw notFound('Attachment');
  return file;
}

async function* readParts(
  { services, companyId }: Ctx,
  { sha256, size }: { sha256: Buffer; size: number },
): AsyncGenerator<Buffer> {
  const count = Math.ceil(size / PART_BYTES);
  for (let first = 0; first < count; first += PARTS_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(PARTS_AT_ONCE, count - first) }, (_, index) => first + index);
    const rows = await readCompany(services.pool, companyId, (tx) =>
      tx.rows(fileSql.parts.find({ sha256, partNo: numbers }, { orderBy: fileSql.parts.ref('partNo') })),
    );
    if (rows.length !== numbers.length) throw new Error('a file was removed while it was read');
    for (const { bytes } of rows) yield bytes;
  }
}

/** Hours after which an upload that no record names is given up. */
const ORPHAN_HOURS = 24;

/** Removes a company's uploads that no record has named for a day, and bytes that are nobody's. Answers how many. */
export function sweepAttachments(pool: Parameters<typeof inCompany>[0], companyId: number): Promise<number> {
  return inCompany(pool, companyId, async (tx) => {
    const gone = await tx.rows(fileSql.orphans(ORPHAN_HOURS));
    if (gone.length === 0) return 0;
    await tx.rows(fileSql.removeOrphans(gone.map(({ id }) => id)));
    const digests = gone.map(({ sha256 }) => sha256);
    const [locked] = await tx.inOrder([fileSql.lockContents(digests)]);
    const unused = await tx.rows(fileSql.unusedContents(locked.map(({ sha256 }) => sha256)));
    const nobodys = { sha256: unused.map(({ sha256 }) => sha256) };
    await tx.inOrder([fileSql.parts.delete(nobodys), fileSql.contents.delete(nobodys)]);
    return gone.length;
  });
}
