import type { Permission } from '@evenkeel/contract/areas';
import type { StoredDocument } from '@evenkeel/contract/uploads';
import { cleanFileName, contentTypeOf } from '@evenkeel/core/documents/attachments';
import { notFound } from '@evenkeel/core/failure';
import { inCompany, readCompany } from '../../platform/db/tx.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { StoredFile } from '../../platform/http/route.ts';
import type { Upload } from '../../platform/http/upload.ts';
import { mayRead, permissionsOf } from './access.ts';
import * as fileSql from './attachments.sql.ts';
import { readGroups, writeParts } from './bytes.ts';

/**
 * Stores an upload. Identical bytes are stored only once per company. Only the uploader can see the file until it is
 * attached to a record.
 */
export async function keepUpload(ctx: Ctx, upload: Upload): Promise<StoredDocument> {
  const { tx, userId, today } = ctx;
  const { sha256, size } = upload;
  const contentType = contentTypeOf(upload.head);
  const content = await tx.row(fileSql.keepContent({ sha256, size, contentType }));
  if (content?.isNew === true) await writeParts(tx, upload);
  const name = cleanFileName(upload.name);
  const row = { sha256, name, uploadedBy: userId, uploadDate: today };
  const made = await tx.one(fileSql.attachments.insert(row, ['id']));
  return { documentId: made.id, documentName: name, size, contentType };
}

/**
 * Returns the permissions that let a user read a file, or 'allowed' for the uploader of a file that isn't attached to a
 * record yet. Throws 404 if the file doesn't exist.
 */
export async function fileReadPermission(ctx: Ctx, id: number): Promise<'allowed' | Permission[]> {
  const file = await found(ctx, id);
  if (mayRead(ctx, file)) return 'allowed';
  if (file.kinds.length === 0) throw notFound('Attachment');
  return permissionsOf(file);
}

/**
 * Returns one of the company's files. The first megabyte is checked before the response starts, so that the request for
 * a small damaged file returns an error message. The rest is read after the transaction ends, because the client may be
 * slow. If the rest is damaged, the connection is closed before the end of the file.
 */
export async function getFile(ctx: Ctx, id: number): Promise<StoredFile> {
  const { services, companyId, tx } = ctx;
  const { name, contentType, ...stored } = await found(ctx, id);
  let read: Parameters<typeof readGroups>[0] = (work) => work(tx);
  const groups = readGroups((work) => read(work), stored);
  const first = await groups.next();
  read = (work) => readCompany(services.pool, companyId, work);
  async function* bytes(): AsyncGenerator<Buffer> {
    try {
      if (first.done !== true) yield* first.value;
      for await (const group of groups) yield* group;
    } catch (error) {
      services.log.error({ err: error, documentId: id }, 'defect');
      throw error;
    }
  }
  return { name, contentType, size: stored.size, bytes };
}

async function found(ctx: Ctx, id: number): Promise<fileSql.FoundFile> {
  const file = await ctx.tx.row(fileSql.fileSql(id));
  if (file === undefined) throw notFound('Attachment');
  return file;
}

/** The number of hours after which an upload that isn't attached to a record is deleted. */
const ORPHAN_HOURS = 24;

/**
 * Deletes a company's uploads that are more than a day old and still aren't attached to a record, and deletes file
 * contents that no longer have an upload. Returns the number of uploads deleted.
 */
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
