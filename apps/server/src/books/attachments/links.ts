import type { DocumentLink, DocumentLinkInput } from '@evenkeel/contract/attachments';
import { cleanFileName } from '@evenkeel/core/documents/attachments';
import { type Failure, refuse } from '@evenkeel/core/failure';
import type { Runnable } from '../../platform/db/query.ts';
import type { Actor, Ctx } from '../../platform/http/context.ts';
import { filesToLink, type LinkableFile, links, linksSql } from './attachments.sql.ts';
import { mayRead } from './access.ts';
import type { Owner, OwnerKind } from './owners.ts';

/** A record's links before and after a save. */
export interface LinkPlan {
  before: DocumentLink[];
  after: DocumentLink[];
  /**
   * Returns the statements that write the links of the record with the given ID. Pass the result to `record` as its
   * `write`, or to `tx.atEnd`.
   */
  write: (ownerId: number) => Runnable<unknown>[];
}

type Given = readonly DocumentLinkInput[] | null | undefined;

/**
 * Plans the changes to the `documentLinks` of a saved record: adds, renames, and deletes links as requested, and keeps
 * the others. Start this call together with the statement that locks the record, without waiting in between, so that
 * both share a round trip. A new record without files needs no round trip. Throws 422 with the field's name if a file
 * hasn't been uploaded, doesn't exist, or isn't visible to the user.
 */
export async function planLinks(ctx: Ctx, owner: Owner, given: Given): Promise<LinkPlan> {
  const ids = filesNamed(given);
  const [stored, files] = await Promise.all([
    owner.id === 0 ? undefined : ctx.tx.row(linksSql(owner)),
    ids.length === 0 ? [] : ctx.tx.rows(filesToLink(ids)),
  ]);
  return linkPlan(ctx, owner.kind, { given, before: stored?.links ?? [], files });
}

/** Returns the IDs of the files that new links refer to. */
export function filesNamed(given: Given): number[] {
  return (given ?? []).filter(isNew).map(({ documentId }) => documentId ?? 0);
}

interface Linking {
  given: Given;
  before: DocumentLink[];
  /** The rows that `filesToLink` returned for `filesNamed`. */
  files: readonly (LinkableFile & { linkId: number })[];
  /** Returns the request field for the link at the given index. */
  at?: (index: number) => string;
}

/** Plans the changes in the same way as planLinks, but uses rows that have already been read. */
export function linkPlan(actor: Actor, kind: OwnerKind, { given, before, files, at }: Linking): LinkPlan {
  const wanted = given ?? [];
  const no = refuser(at ?? ((index) => `documentLinks.${index}.documentId`));
  const added = wanted.flatMap((link, index) => (isNew(link) ? [{ ...link, index }] : []));
  const changes = wanted.map((link, index) =>
    isNew(link) ? undefined : changeOf(before, link, (message) => no(index, message)),
  );
  const byId = new Map(files.map((file) => [file.id, file]));
  const fresh = added.flatMap(({ index, ...link }) =>
    linked(actor, byId.get(link.documentId ?? 0), { link, no: (message) => no(index, message) }),
  );
  const news = distinct(fresh).filter(({ documentId }) => !before.some((link) => link.documentId === documentId));
  const gone = new Set(changes.flatMap((change) => (change?.deleted === true ? [change.id] : [])));
  const names = new Map(changes.flatMap((change) => (change === undefined ? [] : [[change.id, change.name] as const])));
  const kept = before.filter(({ id }) => !gone.has(id));
  const after = [...kept.map((link) => ({ ...link, documentName: names.get(link.id) ?? link.documentName })), ...news];
  const renamed = after.filter(({ id, documentName }) =>
    kept.some((link) => link.id === id && link.documentName !== documentName),
  );
  return { before, after, write: (ownerId) => writes({ kind, id: ownerId }, { gone: [...gone], renamed, news }) };
}

/**
 * Plans the links of a new record. Removes the record's files from `files`, which contains the files of the whole
 * batch, because each link needs a separate ID.
 */
export function newLinks(
  actor: Actor,
  kind: OwnerKind,
  given: Given,
  files: Linking['files'][number][] = [],
): LinkPlan {
  const own = filesNamed(given).flatMap((id) => {
    const at = files.findIndex((file) => file.id === id);
    return at < 0 ? [] : files.splice(at, 1);
  });
  return linkPlan(actor, kind, { given, before: [], files: own });
}

const isNew = ({ id, deleted }: DocumentLinkInput): boolean => (id ?? 0) <= 0 && deleted !== true;

type Refuse = (message: string) => Failure;

function refuser(at: (index: number) => string) {
  return (index: number, message: string): Failure => refuse(message, { [at(index)]: message });
}

/** Returns the change for a link that is already on the record. Deleting an unsaved link changes nothing. */
function changeOf(before: readonly DocumentLink[], link: DocumentLinkInput, no: Refuse) {
  const id = link.id ?? 0;
  if (id <= 0) return undefined;
  const stored = before.find((each) => each.id === id);
  if (stored === undefined) {
    // Someone else has already removed the link.
    if (link.deleted === true) return undefined;
    throw no('The file is no longer attached to this record');
  }
  const name = link.documentName ? cleanFileName(link.documentName) : stored.documentName;
  return { id, name, deleted: link.deleted === true };
}

/** Returns the new link to a file. Throws 422 if the file doesn't exist or isn't visible to the user. */
function linked(
  actor: Actor,
  file: (LinkableFile & { linkId: number }) | undefined,
  { link, no }: { link: DocumentLinkInput; no: Refuse },
): DocumentLink[] {
  const name = link.documentName ? cleanFileName(link.documentName) : undefined;
  if (!link.documentId) throw no(`${name ?? 'The file'} has not been uploaded yet`);
  if (file === undefined || !mayRead(actor, file)) {
    throw no(`${name ?? 'The file'} is no longer available. Attach it again.`);
  }
  const { id, linkId, uploadDate, contentType, size } = file;
  const filePath = `/api/document/${id}`;
  const documentName = name ?? file.name;
  return [{ id: linkId, documentId: id, documentName, uploadDate, filePath, contentType, size, deleted: false }];
}

/** Keeps only one link to each file, even if the request lists the file several times. */
function distinct(all: readonly DocumentLink[]): DocumentLink[] {
  return [...new Map(all.map((link) => [link.documentId, link])).values()];
}

interface Changes {
  gone: readonly number[];
  renamed: readonly DocumentLink[];
  news: readonly DocumentLink[];
}

function writes({ kind, id: ownerId }: Owner, { gone, renamed, news }: Changes): Runnable<unknown>[] {
  const rows = news.map(({ id, documentId, documentName }) => {
    return { id, attachmentId: documentId, kind, ownerId, name: documentName };
  });
  return [
    ...(gone.length === 0 ? [] : [links.delete({ kind, ownerId, id: gone })]),
    ...renamed.map(({ id, documentName }) => links.update({ kind, ownerId, id }, { name: documentName })),
    ...(rows.length === 0 ? [] : [links.insertMany(rows)]),
  ];
}

/** Returns the statement that removes all files from a permanently deleted record. */
export function unlinkAll({ kind, id }: Owner): Runnable<unknown> {
  return links.delete({ kind, ownerId: id });
}
