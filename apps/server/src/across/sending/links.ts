import { FormLinks } from '@evenkeel/contract/forms1099';
import { DocumentLinks, PortalLinks } from '@evenkeel/contract/sending';
import { CUSTOMER, VENDOR } from '@evenkeel/core/entities';
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
import { entities } from '../../features/entities/entities.sql.ts';
import { kinds, namesOf } from '@evenkeel/core/documents/side';
import { linkNameOf, PORTAL_LINK } from '@evenkeel/core/words/audit';

/**
 * Private links. Each link shows one document, the portal of one customer, or the 1099 forms of one vendor, without
 * signing in. Only the hash of its secret is stored.
 */

export const links = table('document_link', {
  id: 'id',
  /** The document, or the customer whose portal the link opens. */
  documentId: 'document_id',
  customerId: 'entity_id',
  /** The vendor whose 1099 forms the link opens. */
  vendorId: 'vendor_id',
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

/** The document, the customer's portal, or the vendor's 1099 forms that a link opens. */
export type LinkAbout =
  | { documentId: number; customerId?: never; vendorId?: never }
  | { documentId?: never; customerId: number; vendorId?: never }
  | { documentId?: never; customerId?: never; vendorId: number };

/** The start of a page's path, for a document, for a customer's portal, or for a vendor's 1099 forms. */
export const PAGES = { document: '/d', portal: '/c', recipient: '/r' } as const;

function pageOf({ documentId, customerId }: LinkAbout): string {
  if (documentId !== undefined) return PAGES.document;
  return customerId === undefined ? PAGES.recipient : PAGES.portal;
}

/** Returns the address of a private link. It is never built from client input. */
export const linkOf = ({ publicUrl }: Pick<Config, 'publicUrl'>, token: string, about: LinkAbout): string =>
  `${publicUrl}${pageOf(about)}/${token}`;

interface ForMail {
  about: LinkAbout;
  mailId: number;
  address: string;
  createdBy: number;
}

/**
 * Creates the link for one copy of an email and deletes the link from an earlier attempt, which the customer never
 * received.
 */
export function linkForMail(token: string, { about, mailId, address, createdBy }: ForMail): Runnable<unknown>[] {
  const link = { documentId: null, customerId: null, vendorId: null, ...about, mailId, address, createdBy };
  return [links.delete({ mailId, address }), links.insert({ ...link, tokenHash: tokenHash(token) })];
}

const revoke = (about: LinkAbout): Runnable<unknown> =>
  links.update({ ...about, revokedAt: null }, { revokedAt: sql`now()` });

/** The kinds of documents that customers can see through a link. */
const linked = () => namesOf([...kinds.values()].filter(({ mail }) => mail?.hasLink));

type Links = z.output<typeof DocumentLinks>;

const subjectOf = (kind: string): Subject<typeof DocumentLinks> => ({
  name: linkNameOf(kind),
  schema: DocumentLinks,
  idOf: ({ documentId }) => documentId,
});

interface Linked<L> {
  subject: Subject<z.ZodType<L>>;
  /** Returns the valid links, or undefined if there are none. */
  before: L | undefined;
  with: (live: readonly LiveLink[]) => L;
}

type LiveLink = Pick<RowOf<typeof links>, 'id' | 'address'>;

const nameOf = ({ id, address }: LiveLink): string =>
  `${id}, ${address === null ? 'copied' : `by email to ${address}`}`;

const named = (live: readonly LiveLink[]) => live.map((link) => ({ id: link.id, name: nameOf(link) }));

const liveLinks = (about: LinkAbout) => links.find({ ...about, revokedAt: null }, { orderBy: sql`id` });

/**
 * Locks a document that can have private links and returns its valid links. Throws 404 if the document does not exist.
 */
async function lockLinked({ tx }: Ctx, id: number): Promise<Linked<Links>> {
  const [[row], live] = await tx.inOrder([
    documents.find({ id, kind: linked(), deleted: false }, { lock: 'for no key update' }),
    liveLinks({ documentId: id }),
  ]);
  if (row === undefined) throw notFound('Document');
  const withLinks = (some: readonly LiveLink[]): Links => ({
    documentId: id,
    documentNumber: row.number,
    links: named(some),
  });
  return { subject: subjectOf(row.kind), before: live.length === 0 ? undefined : withLinks(live), with: withLinks };
}

const portalSubject: Subject<typeof PortalLinks> = {
  name: PORTAL_LINK,
  schema: PortalLinks,
  idOf: ({ customerId }) => customerId,
};

/** Locks a customer and returns the valid links to the customer's portal. Throws 404 if the customer does not exist. */
async function lockPortal({ tx }: Ctx, id: number): Promise<Linked<z.output<typeof PortalLinks>>> {
  const [[row], live] = await tx.inOrder([
    entities.find({ id, kind: CUSTOMER }, { lock: 'for no key update' }),
    liveLinks({ customerId: id }),
  ]);
  if (row === undefined) throw notFound('Customer');
  const withLinks = (some: readonly LiveLink[]) => ({
    customerId: id,
    customerName: row.displayname,
    links: named(some),
  });
  return { subject: portalSubject, before: live.length === 0 ? undefined : withLinks(live), with: withLinks };
}

const formLinks: Subject<typeof FormLinks> = {
  name: 'form link',
  schema: FormLinks,
  idOf: ({ vendorId }) => vendorId,
};

/** Revokes every link to a vendor's 1099 forms. Does nothing if there are none. Throws 404. */
export async function revokeRecipient(ctx: Ctx, vendorId: number): Promise<{ ok: true }> {
  const [[row], live] = await ctx.tx.inOrder([
    entities.find({ id: vendorId, kind: VENDOR }, { lock: 'for no key update' }),
    liveLinks({ vendorId }),
  ]);
  if (row === undefined) throw notFound('Vendor');
  const before = live.length === 0 ? undefined : { vendorId, vendorName: row.displayname, links: named(live) };
  return takeBack(ctx, { vendorId }, { subject: formLinks, before });
}

/** Replaces all links with a new one. */
async function renew<L>(ctx: Ctx, about: LinkAbout, { subject, before, with: withLinks }: Linked<L>) {
  const token = newToken();
  const made = { ...about, tokenHash: tokenHash(token), createdBy: ctx.userId };
  const [, [link]] = await ctx.tx.inOrder([revoke(about), links.insert(made, ['id', 'address'])]);
  record(ctx, subject, { before, after: withLinks(link === undefined ? [] : [link]) });
  return { url: linkOf(ctx.services.config, token, about) };
}

function takeBack<L>(
  ctx: Ctx,
  about: LinkAbout,
  { subject, before }: Pick<Linked<L>, 'subject' | 'before'>,
): { ok: true } {
  if (before !== undefined) record(ctx, subject, { before, write: revoke(about) });
  return { ok: true };
}

/** Replaces all of a document's links with a new one. Throws 404 if the document does not exist. */
export const renewLink = async (ctx: Ctx, documentId: number): Promise<{ url: string }> =>
  renew(ctx, { documentId }, await lockLinked(ctx, documentId));

/** Revokes every link to a document. Does nothing if there are none. Throws 404 if the document does not exist. */
export const revokeLinks = async (ctx: Ctx, documentId: number): Promise<{ ok: true }> =>
  takeBack(ctx, { documentId }, await lockLinked(ctx, documentId));

/** Replaces all links to a customer's portal with a new one. Throws 404 if the customer does not exist. */
export const renewPortal = async (ctx: Ctx, customerId: number): Promise<{ url: string }> =>
  renew(ctx, { customerId }, await lockPortal(ctx, customerId));

/**
 * Revokes every link to a customer's portal. Does nothing if there are none. Throws 404 if the customer does not exist.
 */
export const revokePortal = async (ctx: Ctx, customerId: number): Promise<{ ok: true }> =>
  takeBack(ctx, { customerId }, await lockPortal(ctx, customerId));

/** The number of days for which a link to the customer portal is valid. */
export const PORTAL_DAYS = 30;

/**
 * The time when a link `l` expires: the company's number of days after the link was created, or null if links never
 * expire. A link to the customer portal always expires. A link to 1099 forms never expires, because each copy has a
 * last day and a vendor can withdraw the consent at any time.
 */
const endOfLink = sql`(l.created_at + make_interval(days => case when l.entity_id is not null then ${PORTAL_DAYS}
  when l.vendor_id is null then (
    select s.link_days from sending_settings s where s.company_id = ${COMPANY}) end))`;

export interface LinkState {
  isLive: boolean;
  /** The newest link that opens the document. */
  madeAt: Date | null;
  endsAt: Date | null;
  viewedAt: Date[];
}

function isOf(alias: 'l' | 'o', { documentId, customerId, vendorId }: LinkAbout) {
  if (documentId !== undefined) return sql`${sql.ref(`${alias}.document_id`)} = ${documentId}`;
  if (customerId !== undefined) return sql`${sql.ref(`${alias}.entity_id`)} = ${customerId}`;
  return sql`${sql.ref(`${alias}.vendor_id`)} = ${vendorId}`;
}

/**
 * Returns whether a document or portal has a working link, when the newest link was created and expires, and when links
 * were opened, newest first.
 */
export const linkState = (about: LinkAbout) => sql<LinkState>`
  select count(*) > 0 as "isLive", max(l.created_at) as "madeAt", max(${endOfLink}) as "endsAt",
    coalesce((
      select array_agg(v.viewed_at order by v.viewed_at desc)
      from document_link o join document_view v on v.company_id = ${COMPANY} and v.link_id = o.id
      where o.company_id = ${COMPANY} and ${isOf('o', about)}), '{}') as "viewedAt"
  from document_link l
  where l.company_id = ${COMPANY} and ${isOf('l', about)} and l.revoked_at is null
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
