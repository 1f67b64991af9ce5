import type { DocumentLink, DocumentLinkInput } from '@evenkeel/contract/attachments';
import { cleanFileName } from '@evenkeel/core/documents/attachments';
import { type Failure, refuse } from '@evenkeel/core/failure';
import type { Runnable } from '../../platform/db/query.ts';
import type { Actor, Ctx } from '../../platform/http/context.ts';
import { filesToLink, type LinkableFile, links, linksSql } from './attachments.sql.ts';
import { mayRead } from './access.ts';
import type { Owner, OwnerKind } from './owners.ts';

/** A record's links as they are and as its save leaves them. */
export interface LinkPlan {
  before: DocumentLink[];
  after: DocumentLink[];
  /** The statements that write them, given the record's id: for `record`'s `write`, or for `tx.atEnd`. */
  write: (ownerId: number) => Runnable<unknown>[];
}

type Given = readonly DocumentLinkInput[] | null | undefined;

/**
 * Plans the changes of a saved record's `documentLinks`: new ones are added, renamed ones renamed, deleted ones
 * removed; others stay. Start it behind the statement that locks the record, without waiting for that: both share a
 * round trip, and for a new record without files there is none. 422 with the field for a file that is not uploaded, not
 * there, or not the caller's to see.
 */
export async function planLinks(ctx: Ctx, owner: Owner, given: Given): Promise<LinkPlan> {
  const ids = filesNamed(given);
  const [stored, files] = await Promise.all([
    owner.id === 0 ? undefined : ctx.tx.row(linksSql(owner)),
    ids.length === 0 ? [] : ctx.tx.rows(filesToLink(ids)),
  ]);
  return linkPlan(ctx, owner.kind, { given, before: stored?.links ?? [], files });
}

/** The files that new links name. */
export function filesNamed(given: Given): number[] {
  return (given ?? []).filter(isNew).map(({ documentId }) => documentId ?? 0);
}

interface Linking {
  given: Given;
  before: DocumentLink[];
  /** The reply of `filesToLink` for `filesNamed`. */
  files: readonly (LinkableFile & { linkId: number })[];
  /** The field of the body that the link at this place stands in. */
  at?: (index: number) => string;
}

/** As planLinks, of what has been read already. */
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

/** The files of a new record, each out of those of its batch: a link has an id of its own. */
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

/** The change of a link on the record; an unsaved link that is deleted changes nothing. */
function changeOf(before: readonly DocumentLink[], link: DocumentLinkInput, no: Refuse) {
  const id = link.id ?? 0;
  if (id <= 0) return undefined;
  const stored = before.find((each) => each.id === id);
  if (stored === undefined) {
    // Somebody took it off already.
    if (link.deleted === true) return undefined;
    throw no('The attachment is no longer on this record');
  }
  const name = link.documentName ? cleanFileName(link.documentName) : stored.documentName;
  return { id, name, deleted: link.deleted === true };
}

/** The new link to a file; refused when there is no such file for the caller. */
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

/** One link for each file, however often it is named. */
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

/** Takes every file off a record that is removed for good. */
export function unlinkAll({ kind, id }: Owner): Runnable<unknown> {
  return links.delete({ kind, ownerId: id });
}
