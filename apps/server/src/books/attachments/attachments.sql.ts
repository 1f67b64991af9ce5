import type { IsoDate } from '@evenkeel/core/dates';
import type { DocumentLink } from '@evenkeel/contract/attachments';
import { type RawBuilder, sql } from 'kysely';
import { COMPANY, type Runnable, takeIds } from '../../platform/db/query.ts';
import { table } from '../../platform/db/table.ts';
import type { Owner, OwnerKind } from './owners.ts';

/** SQL statements for file contents, uploads, and links to records. */

export const contents = table('attachment_content', {
  sha256: 'sha256',
  size: 'size_bytes',
  contentType: 'content_type',
});

export const parts = table('attachment_part', {
  sha256: 'sha256',
  partNo: 'part_no',
  bytes: 'bytes',
  digest: 'digest',
});

export const attachments = table('attachment', {
  id: 'id',
  sha256: 'sha256',
  name: 'file_name',
  uploadedBy: 'uploaded_by',
  uploadDate: 'upload_date',
});

export const links = table('attachment_link', {
  id: 'id',
  attachmentId: 'attachment_id',
  kind: 'owner_kind',
  ownerId: 'owner_id',
  name: 'file_name',
}).typed<{ kind: OwnerKind }>();

/**
 * Returns a SQL expression for the `documentLinks` of one record, or of each record in a list, as in `select …,
 * ${linksOf('product', sql`p.id`)} as "documentLinks" from product p`.
 */
export function linksOf(kind: OwnerKind | RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<DocumentLink[]> {
  return sql`(
    select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'documentId', f.id, 'documentName', l.file_name,
      'uploadDate', f.upload_date, 'filePath', '/api/document/' || f.id, 'contentType', c.content_type,
      'size', c.size_bytes, 'deleted', false) order by l.id), '[]')
    from attachment_link l
    join attachment f on f.company_id = ${COMPANY} and f.id = l.attachment_id
    join attachment_content c on c.company_id = ${COMPANY} and c.sha256 = f.sha256
    where l.company_id = ${COMPANY} and l.owner_kind = ${kind} and l.owner_id = ${id})`;
}

/** Returns the links on one record. */
export function linksSql({ kind, id }: Owner): Runnable<{ links: DocumentLink[] }> {
  return sql`select ${linksOf(kind, sql`${id}::bigint`)} as links`;
}

export interface FoundFile {
  id: number;
  sha256: Buffer;
  name: string;
  size: number;
  contentType: string;
  uploadDate: IsoDate;
  uploadedBy: number;
  /** The kinds of records that the file is attached to. */
  kinds: OwnerKind[];
}

const found = sql`
  f.id, f.sha256, f.file_name as name, c.size_bytes as size, c.content_type as "contentType",
  f.upload_date as "uploadDate", f.uploaded_by as "uploadedBy",
  array(select distinct l.owner_kind from attachment_link l
    where l.company_id = ${COMPANY} and l.attachment_id = f.id) as kinds`;

const filed = sql`
  from attachment f join attachment_content c on c.company_id = ${COMPANY} and c.sha256 = f.sha256`;

export function fileSql(id: number): Runnable<FoundFile> {
  return sql<FoundFile>`select ${found} ${filed} where f.company_id = ${COMPANY} and f.id = ${id}`;
}

/**
 * A file with the columns that a link needs, but without the file's bytes, so that the row can also be a jsonb value.
 */
export type LinkableFile = Omit<FoundFile, 'sha256'>;

/**
 * Locks the files that are about to be linked, so that the cleanup can't delete them before the commit. Returns one row
 * for each occurrence of a file's ID in the list, with the ID of the new link.
 */
export function filesToLink(ids: readonly number[]): RawBuilder<LinkableFile & { linkId: number }> {
  return sql<LinkableFile & { linkId: number }>`
    select ${found}, (${takeIds('attachment_link_id_seq', ids.length)} ->> named.place::int - 1)::bigint as "linkId"
    ${filed}
    join unnest(${ids}::bigint[]) with ordinality as named (id, place) on named.id = f.id
    where f.company_id = ${COMPANY}
    for key share of f`;
}

/**
 * Inserts and locks the content row of an incoming file, so that the cleanup skips it. Returns whether the content is
 * new.
 */
export function keepContent(row: { sha256: Buffer; size: number; contentType: string }): Runnable<{ isNew: boolean }> {
  return sql<{ isNew: boolean }>`
    insert into attachment_content (company_id, sha256, size_bytes, content_type)
    values (${COMPANY}, ${row.sha256}, ${row.size}, ${row.contentType})
    on conflict (company_id, sha256) do update set content_type = excluded.content_type
    returning xmax = 0 as "isNew"`;
}

/**
 * Locks uploads that are more than `hours` hours old and still aren't attached to a record. Skips uploads that are
 * being linked.
 */
export function orphans(hours: number): Runnable<{ id: number; sha256: Buffer }> {
  return sql<{ id: number; sha256: Buffer }>`
    select f.id, f.sha256 from attachment f
    where f.company_id = ${COMPANY} and f.uploaded_at < now() - make_interval(hours => ${hours}) and not exists (
      select from attachment_link l where l.company_id = ${COMPANY} and l.attachment_id = f.id)
    order by f.id for update of f skip locked`;
}

/** Deletes the given uploads if they are still not attached to any record. */
export function removeOrphans(ids: readonly number[]): Runnable<unknown> {
  return sql`
    delete from attachment f
    where f.company_id = ${COMPANY} and f.id = any(${ids}::bigint[]) and not exists (
      select from attachment_link l where l.company_id = ${COMPANY} and l.attachment_id = f.id)`;
}

/** Locks file contents that may be unused. Skips file contents that are being uploaded again. */
export function lockContents(digests: readonly Buffer[]): Runnable<{ sha256: Buffer }> {
  return sql<{ sha256: Buffer }>`
    select sha256 from attachment_content where company_id = ${COMPANY} and sha256 = any(${digests}::bytea[])
    order by sha256 for update skip locked`;
}

/** Returns the locked file contents that no upload refers to. */
export function unusedContents(digests: readonly Buffer[]): Runnable<{ sha256: Buffer }> {
  return sql<{ sha256: Buffer }>`
    select c.sha256 from attachment_content c
    where c.company_id = ${COMPANY} and c.sha256 = any(${digests}::bytea[]) and not exists (
      select from attachment f where f.company_id = ${COMPANY} and f.sha256 = c.sha256)`;
}

/** Returns a page of the company's stored files in digest order, starting after the given digest. */
export function contentsBehind(digest: Buffer): Runnable<{ sha256: Buffer; size: number; name: string | null }> {
  return sql<{ sha256: Buffer; size: number; name: string | null }>`
    select c.sha256, c.size_bytes as size, (
      select f.file_name from attachment f where f.company_id = ${COMPANY} and f.sha256 = c.sha256
      order by f.id limit 1) as name
    from attachment_content c
    where c.company_id = ${COMPANY} and c.sha256 > ${digest} order by c.sha256 limit 500`;
}

/** Returns the parts that don't belong to any file, and the parts that lie beyond the end of their file. */
export function strayParts(partBytes: number): Runnable<{ message: string }> {
  return sql<{ message: string }>`
    select 'part ' || p.part_no || ' of ' || encode(p.sha256, 'hex') || ' does not belong to a file' as message
    from attachment_part p
    left join attachment_content c on c.company_id = ${COMPANY} and c.sha256 = p.sha256
    where p.company_id = ${COMPANY}
      and (c.sha256 is null or p.part_no not between 0 and ceil(c.size_bytes::numeric / ${partBytes}) - 1)
    order by p.sha256, p.part_no limit 20`;
}
