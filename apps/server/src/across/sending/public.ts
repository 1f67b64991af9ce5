import { formatDate, isIsoDate } from '@evenkeel/core/dates';
import { RECEIVABLE } from '@evenkeel/core/documents/side';
import { Failure } from '@evenkeel/core/failure';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { payments } from '../../books/documents/settlement.sql.ts';
import type { TypedAnswer } from '../../features/billing/sent.ts';
import { todayIn } from '../../platform/clock.ts';
import type { Pool } from '../../platform/db/connect.ts';
import { COMPANY, statementOf } from '../../platform/db/query.ts';
import { inCompany, readCompany, type Tx } from '../../platform/db/tx.ts';
import type { Ctx, Services } from '../../platform/http/context.ts';
import { aboutOf, answerLogged } from '../../platform/http/errors.ts';
import { type Limit, networkOf, take } from '../../platform/http/limits.ts';
import { serverActor } from '../../platform/http/session.ts';
import { printer } from '../../platform/pdf/printer.ts';
import { logoOf, logoPicture } from '../../features/settings/logo.ts';
import { drawable, withDrawable } from '../../platform/pdf/bitmap.ts';
import { zoneSql } from '../../features/settings/company.sql.ts';
import { isToken, links, type LinkTimes, linkTimes, PAGES, tokenHash } from './links.ts';
import { openPaymentPage, payNowOn, type Returned, type Wanted } from '../online/paynow.ts';
import { printCustomerStatement } from '../reports/print.ts';
import { parcelOf } from './parcels.ts';
import { drawablePortal, isOwnDocument, readPortal } from './portal.ts';
import { portalPage, renewalOf } from './portal-page.ts';
import { sendRenewal } from './send.ts';
import { documentPage, messagePage, MOST_NAME, MOST_NOTE, PAGE_POLICY, payingPage } from './page.ts';
import { linkedDocument, takeAnswer } from './shown.ts';

/**
 * Pages for private links. Anyone with the address sees one document, or the records of one customer, and nothing else
 * from the company.
 */

/**
 * The limit is far below the number of requests that guessing a link would take, and far above the number that a
 * customer needs.
 */
const ANSWERS: Limit = {
  name: 'document answer',
  most: 20,
  seconds: 600,
  message: 'Too many requests. Wait a few minutes and try again.',
};
/** Each payment page requires a call to the provider. */
const PAYMENTS: Limit = {
  name: 'payment page',
  most: 20,
  seconds: 600,
  message: 'Too many requests. Wait a few minutes and try again.',
};
/** A renewal sends an email, and a customer gets at most one an hour. */
const RENEWALS: Limit = {
  name: 'portal renewal',
  most: 10,
  seconds: 3600,
  message: 'Too many requests. Wait a few minutes and try again.',
};
const OPENINGS: Limit = {
  name: 'document link',
  most: 120,
  seconds: 600,
  message: 'Too many requests. Wait a few minutes and try again.',
};

interface FoundLink {
  companyId: number;
  id: number;
  documentId: number | null;
  customerId: number | null;
  createdBy: number;
}

/** An opened link with the path of the page. */
interface OpenedLink extends Pick<FoundLink, 'companyId' | 'id' | 'createdBy'> {
  path: string;
  /** The customer whose portal the link opens. The portal's own path is the start of `path`. */
  customerId: number | null;
  portal?: string | undefined;
}

/** The page of a document, which the link or its portal opens. */
interface DocumentLink extends OpenedLink {
  documentId: number;
}

interface PortalLink extends OpenedLink {
  customerId: number;
}

/** The parts of a page's path. */
interface Params {
  token: string;
  id?: string;
}

/** Returns the document or portal that a link opens at an address, or undefined if the link doesn't open it. */
type Resolve<L> = (services: Services, link: FoundLink, params: Params) => Promise<L | undefined>;

/** A link to one document. */
const ownDocument: Resolve<DocumentLink> = async (_services, { documentId, ...link }, { token }) =>
  documentId === null ? undefined : { ...link, documentId, path: `${PAGES.document}/${token}` };

const portal: Resolve<PortalLink> = async (_services, { customerId, ...link }, { token }) =>
  customerId === null ? undefined : { ...link, customerId, path: `${PAGES.portal}/${token}` };

/** A document of the portal's customer. An ID that belongs to anyone else opens nothing. */
const portalDocument: Resolve<DocumentLink> = async ({ pool }, { customerId, ...link }, { token, id = '' }) => {
  if (customerId === null || !/^\d{1,15}$/.test(id)) return undefined;
  const documentId = Number(id);
  const isOwn = await readCompany(pool, link.companyId, (tx) => isOwnDocument(tx, customerId, documentId));
  const path = `${PAGES.portal}/${token}`;
  return isOwn ? { ...link, customerId, documentId, path: `${path}/documents/${documentId}`, portal: path } : undefined;
};

/** The query parameters that pages use. */
interface Query extends Returned {
  from?: string | undefined;
  to?: string | undefined;
}

/** Returns a page or file. The query says which page the customer returns from. */
type Show<L> = (ctx: Ctx, link: L & LinkTimes, query: Query, params: Params) => Promise<Shown>;
interface Shown {
  status?: number;
  type: string;
  name?: string;
  /** The page that the browser is redirected to. */
  location?: string;
  /** The content, or a function that creates the content after the transaction ends. */
  body: string | Uint8Array | (() => Promise<Uint8Array>);
}

/**
 * Serves `/d/{token}` with its PDF, logo, and customers' responses, and `/c/{token}`, the customer portal, with the
 * same pages for each of its documents.
 */
export function serveLinks(app: FastifyInstance, services: Services): void {
  const serve = <L extends OpenedLink>(url: string, resolve: Resolve<L>, show: Show<L>, isView = false): void => {
    app.route<{ Params: Params; Querystring: Record<string, unknown> }>({
      method: ['GET', 'HEAD'],
      url,
      exposeHeadRoute: false,
      handler: (request, reply) => answer(services, { request, reply, resolve, show, isView }),
    });
  };
  const documentPages = [
    { url: `${PAGES.document}/:token`, resolve: ownDocument },
    { url: `${PAGES.portal}/:token/documents/:id`, resolve: portalDocument },
  ];
  for (const { url, resolve } of documentPages) {
    serve(url, resolve, (ctx, link, query) => showPage(ctx, link, query), true);
    serve(`${url}/pdf`, resolve, showPdf);
    serve(`${url}/logo`, resolve, showLogo);
  }
  const own = `${PAGES.portal}/:token`;
  serve(own, portal, showPortal, true);
  serve(`${own}/logo`, portal, showLogo);
  serve(`${own}/statement`, portal, showStatement);
  serve(`${own}/receipts/:id`, portal, showReceipt);
  // Only these routes parse form fields, because the form works without scripts.
  void app.register(async (forms) => {
    forms.addContentTypeParser(
      FORM,
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      async (_request: FastifyRequest, body: string) => {
        return new URLSearchParams(body);
      },
    );
    const take = <L extends OpenedLink>(url: string, limit: Limit, resolve: Resolve<L>, taken: Take<L>): void => {
      forms.post<{ Params: Params }>(url, (request, reply) =>
        sentForm(services, { request, reply, limit, resolve }, taken),
      );
    };
    for (const { url, resolve } of documentPages) {
      take(`${url}/answer`, ANSWERS, resolve, formTaken);
      take(`${url}/pay`, PAYMENTS, resolve, payingTaken);
    }
    take(`${own}/pay`, PAYMENTS, portal, portalPaying);
    take(`${own}/renew`, RENEWALS, portal, renewalTaken);
  });
}

const FORM = 'application/x-www-form-urlencoded';
const FORM_BYTES = 8192;

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
  isView: boolean;
}

async function answer<L extends OpenedLink>(
  services: Services,
  { request, reply, resolve, show, isView }: Asked<L>,
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
    if (isView && request.method === 'GET' && shown.status === undefined) await noteView(pool, link).catch(() => null);
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
async function showLive<L extends OpenedLink>(
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
async function ctxOf(services: Services, tx: Tx, { companyId, createdBy }: OpenedLink, name = ''): Promise<Ctx> {
  const { timeZone } = await tx.one(zoneSql());
  const by = name === '' ? undefined : ({ kind: 'link', name } as const);
  return { ...serverActor({ companyId, userId: createdBy }, todayIn(timeZone), by), tx, services };
}

type Take<L> = (services: Services, link: L, form: URLSearchParams) => Promise<Shown>;

/**
 * Handles a form, and shows the page again with the reason if the form is rejected. Another site can't know the link.
 * In addition, a form from another site is rejected if the browser reports where the form came from.
 */
async function sentForm<L extends OpenedLink>(
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

/** Opens the provider's page for an amount on one invoice. */
function payingTaken(services: Services, link: DocumentLink, form: URLSearchParams): Promise<Shown> {
  const wanted = { documentId: link.documentId, typed: form.get('amount') ?? '' };
  return paid(services, { link, wanted }, (fault) => (ctx, live) => showPage(ctx, live, {}, { payFault: fault }));
}

/** Opens the provider's page for several invoices. */
function portalPaying(services: Services, link: PortalLink, form: URLSearchParams): Promise<Shown> {
  const wanted = { customerId: link.customerId, picked: form.getAll('invoice') };
  return paid(services, { link, wanted }, (fault) => (ctx, live) => portalShown(ctx, live, {}, { payFault: fault }));
}

async function paid<L extends OpenedLink>(
  services: Services,
  { link, wanted }: { link: L; wanted: Wanted },
  showAgain: (fault: string) => Show<L>,
): Promise<Shown> {
  const { companyId, path } = link;
  const paying = { services, companyId, pageUrl: `${services.config.publicUrl}${path}` };
  try {
    const url = await openPaymentPage(paying, wanted, async (tx) => {
      const isLive = await isStillLive(tx, link);
      if (!isLive) throw new Failure('not_found', NO_LINK);
    });
    return { type: HTML, body: payingPage(url) };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'rule') throw error;
    const show = showAgain(error.message);
    const shown = await readCompany(services.pool, companyId, (tx) => showLive(services, tx, { link, show }));
    return { ...shown, status: shown.status ?? 422 };
  }
}

/**
 * Emails a new link to the customer's own address. Shows the same page even if a link was already sent within the last
 * hour.
 */
async function renewalTaken(services: Services, link: PortalLink): Promise<Shown> {
  return inCompany(services.pool, link.companyId, async (tx): Promise<Shown> => {
    const ctx = await ctxOf(services, tx, link);
    const live = await tx.row(links.find({ id: link.id, revokedAt: null }, { lock: 'for share' }));
    if (live === undefined) return gone(404, 'This link is no longer valid', NO_LINK);
    const fault = await sendRenewal(ctx, link.customerId);
    if (fault !== '') return gone(409, 'A new link could not be sent', fault);
    return { type: HTML, body: messagePage('Check your email', RENEWED) };
  });
}

const RENEWED = 'A new link is on its way to the email address of your account. It can take a few minutes to arrive.';

/** Locks a link until the commit. Returns whether the link has neither expired nor been revoked in the meantime. */
async function isStillLive(tx: Tx, { id }: OpenedLink): Promise<boolean> {
  const live = await tx.row(links.find({ id, revokedAt: null }, { lock: 'for share' }));
  return live !== undefined && !(await tx.one(linkTimes(id))).isOver;
}

/**
 * Saves a customer's response and redirects to the page, so that reloading the page doesn't send the response again. If
 * the response is rejected, shows the page with the reason.
 */
async function formTaken(services: Services, link: DocumentLink, form: URLSearchParams): Promise<Shown> {
  const textOf = (field: string, most: number) => (form.get(field) ?? '').replace(/\s+/g, ' ').trim().slice(0, most);
  const [name, note] = [textOf('name', MOST_NAME), textOf('note', MOST_NOTE)];
  const answer = form.get('answer');
  const seen = Number(form.get('version') ?? '');
  return inCompany(services.pool, link.companyId, async (tx): Promise<Shown> => {
    const again = async (fault: string, status: number): Promise<Shown> => {
      const show: Show<DocumentLink> = (ctx, live) => showPage(ctx, live, {}, { typed: { name, note, fault } });
      const shown = await showLive(services, tx, { link, show });
      return { ...shown, status: shown.status ?? status };
    };
    if (name === '') return again('Please enter your name', 422);
    if (answer !== 'accept' && answer !== 'decline') return again('Choose Accept or Decline', 422);
    const ctx = await ctxOf(services, tx, link, name);
    // If the link has been revoked in the meantime, it opens nothing.
    const live = await tx.row(links.find({ id: link.id, revokedAt: null }, { lock: 'for share' }));
    if (live === undefined) return gone(404, 'This link is no longer valid', NO_LINK);
    if ((await tx.one(linkTimes(link.id))).isOver) return again('', 410);
    const asked = { isAccepted: answer === 'accept', name, note, seen };
    const fault = await takeAnswer(ctx, link.documentId, asked).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'not_found') return 'Not found';
      throw error;
    });
    if (fault !== undefined) return again(fault, 409);
    return { status: 303, type: HTML, location: link.path, body: '' };
  });
}

const NO_LINK = 'The link may have been revoked, or it may be incomplete. Ask the sender for a new link.';

const gone = (status: number, title: string, text: string, more = ''): Sendable => ({
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
        created_by as "createdBy"
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
function noteView(pool: Pool, { companyId, id }: OpenedLink): Promise<unknown> {
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

const HTML = 'text/html; charset=utf-8';

interface Typed {
  typed?: TypedAnswer | undefined;
  /** The reason why the last amount can't be paid. */
  payFault?: string | undefined;
}

async function showPage(
  ctx: Ctx,
  link: DocumentLink & LinkTimes,
  query: Returned,
  { typed, payFault }: Typed = {},
): Promise<Shown> {
  const [shown, payNow] = await Promise.all([
    linkedDocument(ctx, link.documentId, typed),
    payNowOn({ tx: ctx.tx, documentId: link.documentId }, query),
  ]);
  if (shown.gone !== undefined) return gone(410, shown.gone.title, shown.gone.text);
  const { page, answer: response } = shown;
  const body = async () => {
    const paper = await withDrawable(page.paper);
    const pay = { ...payNow, fault: payFault };
    return Buffer.from(documentPage({ ...page, paper, ...link, answer: response, payNow: pay }));
  };
  return { type: HTML, body };
}

async function showPdf(ctx: Ctx, link: DocumentLink): Promise<Shown> {
  const shown = await linkedDocument(ctx, link.documentId);
  if (shown.gone !== undefined) return gone(410, shown.gone.title, shown.gone.text);
  const { name, page } = shown;
  return { type: 'application/pdf', name: `${name}.pdf`, body: () => printer.invoice(page.paper) };
}

async function showLogo(ctx: Ctx): Promise<Shown> {
  const logo = await logoPicture(ctx, await logoOf(ctx));
  if (logo === undefined) return gone(404, 'This company has no logo', '');
  const body = async () => (await drawable(logo))?.bytes ?? new Uint8Array();
  return { type: `image/${logo.kind}`, body };
}

interface Refused {
  payFault?: string;
  statement?: { from: string; to: string; fault: string };
}

const showPortal: Show<PortalLink> = (ctx, link, query) => portalShown(ctx, link, query);

async function portalShown(
  ctx: Ctx,
  link: PortalLink & LinkTimes,
  query: Returned,
  refused: Refused = {},
): Promise<Shown> {
  const portalRead = await readPortal(ctx, link.customerId, query);
  const body = async () => Buffer.from(portalPage({ ...(await drawablePortal(portalRead)), ...link, ...refused }));
  return { type: HTML, body };
}

/** Prints the customer's statement for any dates. */
async function showStatement(ctx: Ctx, link: PortalLink & LinkTimes, { from = '', to = '' }: Query): Promise<Shown> {
  const [first, last] = [from, to].map((text) => (isIsoDate(text) ? text : undefined));
  if (first === undefined || last === undefined || first > last) {
    const fault = "Enter two dates. The first can't be after the second.";
    return { ...(await portalShown(ctx, link, {}, { statement: { from, to, fault } })), status: 422 };
  }
  const draw = await printCustomerStatement(ctx, link.customerId, { startdate: first, reportdate: last });
  return { type: 'application/pdf', name: `statement-${first}-${last}.pdf`, body: draw };
}

/** Prints the receipt of one of the customer's payments. */
async function showReceipt(ctx: Ctx, link: PortalLink, _query: Query, { id = '' }: Params): Promise<Shown> {
  const missing = gone(404, 'This receipt does not exist', NO_LINK);
  if (!/^\d{1,15}$/.test(id)) return missing;
  const wanted = { id: Number(id), entityId: link.customerId, side: RECEIVABLE.name, deleted: false };
  const payment = await ctx.tx.row(payments.find(wanted));
  if (payment === undefined) return missing;
  const { draw, title, refusal } = await parcelOf(ctx, { kind: 'receipt', id: payment.id });
  if (draw === undefined || refusal !== '') return missing;
  return { type: 'application/pdf', name: `${title.toLowerCase().replace(/\W+/g, '-')}.pdf`, body: draw };
}
