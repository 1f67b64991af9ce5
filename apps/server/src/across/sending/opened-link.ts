import { formatDate } from '@evenkeel/core/dates';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { zoneSql } from '../../features/settings/company.sql.ts';
import { todayIn } from '../../platform/clock.ts';
import type { Pool } from '../../platform/db/connect.ts';
import { COMPANY, statementOf } from '../../platform/db/query.ts';
import { inCompany, readCompany, type Tx } from '../../platform/db/tx.ts';
import type { Ctx, Services } from '../../platform/http/context.ts';
import { aboutOf, answerLogged } from '../../platform/http/errors.ts';
import { type Limit, networkOf, take } from '../../platform/http/limits.ts';
import { serverActor } from '../../platform/http/session.ts';
import type { Returned } from '../online/paynow.ts';
import { isToken, type LinkTimes, linkTimes, tokenHash } from './links.ts';
import { messagePage, PAGE_POLICY } from './page.ts';
import { renewalOf } from './portal-page.ts';

/** Opens private links: finds a link, limits requests, and sends a page, a file, or the reason why there is none. */

const OPENINGS: Limit = {
  name: 'document link',
  most: 120,
  seconds: 600,
  message: 'Too many requests. Wait a few minutes and try again.',
};

export interface FoundLink {
  companyId: number;
  id: number;
  documentId: number | null;
  customerId: number | null;
  vendorId: number | null;
  createdBy: number;
}

/** An opened link with the path of the page. */
export interface OpenedLink extends Pick<FoundLink, 'companyId' | 'id' | 'createdBy'> {
  path: string;
  /** The customer whose portal the link opens. The portal's own path is the start of `path`. */
  customerId: number | null;
  portal?: string | undefined;
}

/** The parts of a page's path. */
export interface Params {
  token: string;
  id?: string;
}

/**
 * Returns the document, portal, or vendor's page that a link opens at an address, or undefined if the link doesn't open
 * the address.
 */
export type Resolve<L> = (services: Services, link: FoundLink, params: Params) => Promise<L | undefined>;

/** The query parameters that pages use. */
export interface Query extends Returned {
  from?: string | undefined;
  to?: string | undefined;
}

/** Returns a page or file. The query says which page the customer returns from. */
export type Show<L> = (ctx: Ctx, link: L & LinkTimes, query: Query, params: Params) => Promise<Shown>;
export interface Shown {
  status?: number;
  type: string;
  name?: string;
  /** The page that the browser is redirected to. */
  location?: string;
  /** The content, or a function that creates the content after the transaction ends. */
  body: string | Uint8Array | (() => Promise<Uint8Array>);
}

/** A request, and the function that finds the document or portal that its link opens. */
interface Called<L> {
  request: FastifyRequest<{ Params: Params }>;
  reply: FastifyReply;
  limit: Limit;
  resolve: Resolve<L>;
}

interface Asked<L> extends Omit<Called<L>, 'limit' | 'request'> {
  request: FastifyRequest<{ Params: Params; Querystring: Record<string, unknown> }>;
  show: Show<L>;
  note: Note | undefined;
}

/** Records that a page or file was opened. */
export type Note = (pool: Pool, link: OpenedLink, params: Params) => Promise<unknown>;

export async function answer<L extends OpenedLink>(
  services: Services,
  { request, reply, resolve, show, note }: Asked<L>,
): Promise<FastifyReply> {
  const { pool } = services;
  return withLink(services, { request, reply, limit: OPENINGS, resolve }, async (link) => {
    const { payment, canceled, from, to } = request.query;
    const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
    const query = { payment: textOf(payment), canceled: textOf(canceled), from: textOf(from), to: textOf(to) };
    const { params } = request;
    const shown = await readCompany(pool, link.companyId, (tx) =>
      showLive(services, tx, { link, show, query, params }),
    );
    // The page is shown even if the view can't be recorded.
    if (note !== undefined && request.method === 'GET' && shown.status === undefined) {
      await note(pool, link, params).catch(() => null);
    }
    return shown;
  });
}

interface Showing<L> {
  link: L;
  show: Show<L>;
  query?: Query;
  params?: Params;
}

/** Shows the document or portal that a link opens, or a message that the link has expired. */
export async function showLive<L extends OpenedLink>(
  services: Services,
  tx: Tx,
  { link, show, query = {}, params = { token: '' } }: Showing<L>,
): Promise<Shown> {
  const [ctx, times] = await Promise.all([ctxOf(services, tx, link), tx.one(linkTimes(link.id))]);
  if (!times.isOver) return show(ctx, { ...link, ...times }, query, params);
  const until = times.endsOn === null ? '' : `The link was valid until ${formatDate(times.endsOn)}. `;
  if (link.customerId === null) return gone(410, OVER, `${until}Ask the sender for a new link.`);
  return gone(410, OVER, until, renewalOf(link.portal ?? link.path));
}

const OVER = 'This link has expired';

/** Finds the link in a request and sends the result of `run`, or an error page. */
async function withLink<L extends OpenedLink>(
  services: Services,
  { request, reply, limit, resolve }: Called<L>,
  run: (link: L) => Promise<Shown>,
): Promise<FastifyReply> {
  reply.headers({
    'content-security-policy': PAGE_POLICY,
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow',
  });
  try {
    const { pool } = services;
    await take(pool, limit, networkOf(request.ip));
    const { token } = request.params;
    const found = isToken(token) ? await findLink(pool, tokenHash(token)) : undefined;
    const link = found && (await resolve(services, found, request.params));
    if (link === undefined) return send(reply, gone(404, 'This link is no longer valid', NO_LINK));
    const { body, ...shown } = await run(link);
    return send(reply, { ...shown, body: typeof body === 'function' ? await body() : body });
  } catch (error) {
    const { status, headers, body } = answerLogged(services, error, aboutOf(request));
    return send(reply.headers(headers), gone(status, 'This page is temporarily unavailable', body.message));
  }
}

/** Returns a context for the user who created the link. `name` is the customer who uses it. */
export async function ctxOf(services: Services, tx: Tx, { companyId, createdBy }: OpenedLink, name = ''): Promise<Ctx> {
  const { timeZone } = await tx.one(zoneSql());
  const by = name === '' ? undefined : ({ kind: 'link', name } as const);
  return { ...serverActor({ companyId, userId: createdBy }, todayIn(timeZone), by), tx, services };
}

export type Take<L> = (services: Services, link: L, form: URLSearchParams) => Promise<Shown>;

/**
 * Handles a form, and shows the page again with the reason if the form is rejected. Another site can't know the link.
 * In addition, a form from another site is rejected if the browser reports where the form came from.
 */
export async function sentForm<L extends OpenedLink>(
  services: Services,
  called: Called<L>,
  take: Take<L>,
): Promise<FastifyReply> {
  const { body, headers } = called.request;
  const from = headers['sec-fetch-site'];
  return withLink(services, called, (link) => {
    if (from !== undefined && from !== 'same-origin') {
      return Promise.resolve(gone(403, 'This form came from another site', 'Open the link from your email instead.'));
    }
    return take(services, link, body instanceof URLSearchParams ? body : new URLSearchParams());
  });
}

export const NO_LINK = 'The link may have been revoked, or it may be incomplete. Ask the sender for a new link.';

export const gone = (status: number, title: string, text: string, more = ''): Sendable => ({
  status,
  type: 'text/html; charset=utf-8',
  body: messagePage(title, text, more),
});

type Sendable = Shown & { body: string | Uint8Array };

function send(reply: FastifyReply, { status = 200, type, name, location, body }: Sendable): FastifyReply {
  if (location !== undefined) reply.header('location', location);
  if (name !== undefined) reply.header('content-disposition', `inline; filename="${name}"`);
  return reply
    .code(status)
    .type(type)
    .send(body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : body);
}

/**
 * Returns the link with a given hash in any company. Row-level security shows this row only to a request that has the
 * link.
 */
async function findLink(pool: Pool, hash: Buffer): Promise<FoundLink | undefined> {
  const client = await pool.connect();
  try {
    await Promise.all([
      client.query('begin read only'),
      client.query(`set local app.link = '${hash.toString('hex')}'`),
    ]);
    const found = sql<FoundLink>`
      select company_id as "companyId", id, document_id as "documentId", entity_id as "customerId",
        vendor_id as "vendorId", created_by as "createdBy"
      from document_link where token_hash = ${hash} and revoked_at is null`;
    const { rows } = await client.query<FoundLink>(statementOf(found));
    await client.query('commit');
    client.release();
    return rows[0];
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Records that a link was opened, unless this was recorded within the last hour. */
export function noteView(pool: Pool, { companyId, id }: OpenedLink): Promise<unknown> {
  return inCompany(pool, companyId, (tx) =>
    tx.inOrder([
      sql`select id from document_link where company_id = ${COMPANY} and id = ${id} for no key update`,
      sql`
        insert into document_view (company_id, link_id, viewed_at)
        select l.company_id, l.id, now() from document_link l
        where l.company_id = ${COMPANY} and l.id = ${id} and not exists (
          select from document_view v
          where v.company_id = ${COMPANY} and v.link_id = ${id} and v.viewed_at > now() - interval '1 hour')`,
    ]),
  );
}

export const HTML = 'text/html; charset=utf-8';
