import { DocumentLinks } from '@evenkeel/contract/sending';
import type { IsoDate } from '@evenkeel/core/dates';
import { notFound } from '@evenkeel/core/failure';
import { sql } from 'kysely';
import { createHash, randomBytes } from 'node:crypto';
import type { Config } from '../../platform/config.ts';
import type * as z from 'zod';
import { record, type Subject } from '../../platform/db/audit.ts';
import { COMPANY, type Runnable } from '../../platform/db/query.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { documents } from '../../books/documents/settlement.sql.ts';
import { kinds, namesOf } from '@evenkeel/core/documents/side';
import { linkNameOf } from '@evenkeel/core/words/audit';

/** Private links. Each link shows one document without signing in. Only the hash of its secret is stored. */

export const links = table('document_link', {
  id: 'id',
  documentId: 'document_id',
  tokenHash: 'token_hash',
  mailId: 'mail_id',
  address: 'address',
  createdBy: 'created_by',
  createdAt: 'created_at',
  revokedAt: 'revoked_at',
});

const TOKEN_BYTES = 16;

/** Returns 128 random bits, encoded for use in a URL. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** Returns whether a string has the format of a token. */
export const isToken = (text: string): boolean => /^[\w-]{22}$/.test(text);

export const tokenHash = (token: string): Buffer => createHash('sha256').update(`link ${token}`).digest();

/** Returns the address of a private link. It is never built from client input. */
export const linkOf = ({ publicUrl }: Pick<Config, 'publicUrl'>, token: string): string => `${publicUrl}/d/${token}`;

interface ForMail {
  documentId: number;
  mailId: number;
  address: string;
  createdBy: number;
}

/**
 * Creates the link for one copy of an email and deletes the link from an earlier attempt, which the customer never
 * received.
 */
export function linkForMail(token: string, { mailId, address, ...link }: ForMail): Runnable<unknown>[] {
  return [links.delete({ mailId, address }), links.insert({ ...link, mailId, address, tokenHash: tokenHash(token) })];
}

const revoke = (documentId: number): Runnable<unknown> =>
  links.update({ documentId, revokedAt: null }, { revokedAt: sql`now()` });

/** The kinds of documents that customers can see through a link. */
const linked = () => namesOf([...kinds.values()].filter(({ mail }) => mail?.hasLink));

type Links = z.output<typeof DocumentLinks>;

const subjectOf = (kind: string): Subject<typeof DocumentLinks> => ({
  name: linkNameOf(kind),
  schema: DocumentLinks,
  idOf: ({ documentId }) => documentId,
});

interface Linked {
  subject: Subject<typeof DocumentLinks>;
  /** Returns the valid links to the document, or undefined if there are none. */
  before: Links | undefined;
  with: (live: readonly LiveLink[]) => Links;
}

type LiveLink = Pick<RowOf<typeof links>, 'id' | 'address'>;

const nameOf = ({ id, address }: LiveLink): string =>
  `${id}, ${address === null ? 'copied' : `by email to ${address}`}`;

/** Locks a document that can have private links and returns its valid links. Throws 404. */
async function lockLinked({ tx }: Ctx, id: number): Promise<Linked> {
  const [[row], live] = await tx.inOrder([
    documents.find({ id, kind: linked(), deleted: false }, { lock: 'for no key update' }),
    links.find({ documentId: id, revokedAt: null }, { orderBy: sql`id` }),
  ]);
  if (row === undefined) throw notFound('Document');
  const withLinks = (some: readonly LiveLink[]): Links => ({
    documentId: id,
    documentNumber: row.number,
    links: some.map((link) => ({ id: link.id, name: nameOf(link) })),
  });
  return { subject: subjectOf(row.kind), before: live.length === 0 ? undefined : withLinks(live), with: withLinks };
}

/** Replaces all of a document's links with a new one. Throws 404. */
export async function renewLink(ctx: Ctx, documentId: number): Promise<{ url: string }> {
  const linked = await lockLinked(ctx, documentId);
  const token = newToken();
  const made = { documentId, tokenHash: tokenHash(token), createdBy: ctx.userId };
  const [, [link]] = await ctx.tx.inOrder([revoke(documentId), links.insert(made, ['id', 'address'])]);
  record(ctx, linked.subject, { before: linked.before, after: linked.with(link === undefined ? [] : [link]) });
  return { url: linkOf(ctx.services.config, token) };
}

/** Revokes every link to a document. Does nothing if there are none. Throws 404. */
export async function revokeLinks(ctx: Ctx, documentId: number): Promise<{ ok: true }> {
  const { subject, before } = await lockLinked(ctx, documentId);
  if (before !== undefined) record(ctx, subject, { before, write: revoke(documentId) });
  return { ok: true };
}

/**
 * The time when a link `l` expires: the company's number of days after the link was created, or null if links never
 * expire.
 */
const endOfLink = sql`(l.created_at + make_interval(days => (
  select s.link_days from sending_settings s where s.company_id = ${COMPANY})))`;

export interface LinkState {
  isLive: boolean;
  /** The newest link that opens the document. */
  madeAt: Date | null;
  endsAt: Date | null;
  viewedAt: Date[];
}

/**
 * Returns whether a document has a working link, when the newest link was created and expires, and when links were
 * opened, newest first.
 */
export const linkState = (documentId: number) => sql<LinkState>`
  select count(*) > 0 as "isLive", max(l.created_at) as "madeAt", max(${endOfLink}) as "endsAt",
    coalesce((
      select array_agg(v.viewed_at order by v.viewed_at desc)
      from document_link o join document_view v on v.company_id = ${COMPANY} and v.link_id = o.id
      where o.company_id = ${COMPANY} and o.document_id = ${documentId}), '{}') as "viewedAt"
  from document_link l
  where l.company_id = ${COMPANY} and l.document_id = ${documentId} and l.revoked_at is null
    and coalesce(${endOfLink} > now(), true)`;

/** A link's dates in the company's time zone, and whether the link has expired. */
export interface LinkTimes {
  madeOn: IsoDate;
  endsOn: IsoDate | null;
  isOver: boolean;
}

export const linkTimes = (id: number) => sql<LinkTimes>`
  select (l.created_at at time zone c.time_zone)::date as "madeOn",
    (${endOfLink} at time zone c.time_zone)::date as "endsOn", coalesce(${endOfLink} <= now(), false) as "isOver"
  from document_link l join company c on c.company_id = ${COMPANY}
  where l.company_id = ${COMPANY} and l.id = ${id}`;
