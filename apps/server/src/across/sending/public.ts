import { formatDate } from '@evenkeel/core/dates';
import { Failure } from '@evenkeel/core/failure';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
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
import { isToken, links, type LinkTimes, linkTimes, tokenHash } from './links.ts';
import { openPaymentPage, payNowOn, type Returned } from '../online/paynow.ts';
import { documentPage, messagePage, MOST_NAME, MOST_NOTE, PAGE_POLICY, payingPage } from './page.ts';
import { linkedDocument, takeAnswer } from './shown.ts';

/** Pages for private links. Anyone with the address sees one document and nothing else from the company. */

/** Far fewer requests than guessing a link would take, and far more than a customer needs. */
const ANSWERS: Limit = {
  name: 'document answer',
  most: 20,
  seconds: 600,
  message: 'Too many requests. Wait a few minutes and try again.',
};
/** Each payment page is a call to the provider. */
const PAYMENTS: Limit = {
  name: 'payment page',
  most: 20,
  seconds: 600,
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
  documentId: number;
  createdBy: number;
}

/** An opened link with its path. */
interface OpenedLink extends FoundLink {
  path: string;
}

/** A link that has not expired. */
interface LiveLink extends OpenedLink, LinkTimes {}

/** Returns a page or file for a link's document. The query says where the customer is returning from. */
type Show = (ctx: Ctx, link: LiveLink, query: Returned) => Promise<Shown>;
interface Shown {
  status?: number;
  type: string;
  name?: string;
  /** The page that the browser is redirected to. */
  location?: string;
  /** The content, or a function that creates it after the transaction. */
  body: string | Uint8Array | (() => Promise<Uint8Array>);
}

/** Serves `/d/{token}`, its PDF, its logo, and customers' responses. */
export function serveLinks(app: FastifyInstance, services: Services): void {
  const serve = (path: string, show: Show, isView = false): void => {
    app.route<{ Params: { token: string }; Querystring: Record<string, unknown> }>({
      method: ['GET', 'HEAD'],
      url: `/d/:token${path}`,
      exposeHeadRoute: false,
      handler: (request, reply) => answer(services, { request, reply, show, isView }),
    });
  };
  serve('', showPage, true);
  serve('/pdf', showPdf);
  serve('/logo', showLogo);
  // Only these routes parse form fields, because the form works without scripts.
  void app.register(async (forms) => {
    forms.addContentTypeParser(
      FORM,
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      async (_request: FastifyRequest, body: string) => {
        return new URLSearchParams(body);
      },
    );
    forms.post<{ Params: { token: string } }>('/d/:token/answer', (request, reply) =>
      sentForm(services, { request, reply, limit: ANSWERS }, formTaken),
    );
    forms.post<{ Params: { token: string } }>('/d/:token/pay', (request, reply) =>
      sentForm(services, { request, reply, limit: PAYMENTS }, payingTaken),
    );
  });
}

const FORM = 'application/x-www-form-urlencoded';
const FORM_BYTES = 8192;

interface Asked {
  request: FastifyRequest<{ Params: { token: string }; Querystring: Record<string, unknown> }>;
  reply: FastifyReply;
  show: Show;
  isView: boolean;
}

async function answer(services: Services, { request, reply, show, isView }: Asked): Promise<FastifyReply> {
  const { pool } = services;
  return withLink(services, { request, reply, limit: OPENINGS }, async (link) => {
    const { payment, canceled } = request.query;
    const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
    const query = { payment: textOf(payment), canceled: textOf(canceled) };
    const shown = await readCompany(pool, link.companyId, (tx) => showLive(services, tx, { link, show, query }));
    // The page is shown even if the view can't be recorded.
    if (isView && request.method === 'GET' && shown.status === undefined) await noteView(pool, link).catch(() => null);
    return shown;
  });
}

/** Shows a link's document, or a message that the link has expired. */
async function showLive(
  services: Services,
  tx: Tx,
  { link, show, query = {} }: { link: OpenedLink; show: Show; query?: Returned },
): Promise<Shown> {
  const [ctx, times] = await Promise.all([ctxOf(services, tx, link), tx.one(linkTimes(link.id))]);
  if (!times.isOver) return show(ctx, { ...link, ...times }, query);
  const until = times.endsOn === null ? '' : `The link was valid until ${formatDate(times.endsOn)}. `;
  return gone(410, 'This link has expired', `${until}Ask the sender for a new link.`);
}

interface Called {
  request: FastifyRequest<{ Params: { token: string } }>;
  reply: FastifyReply;
  limit: Limit;
}

/** Finds the link in a request and sends the result of `run`, or an error page. */
async function withLink(
  services: Services,
  { request, reply, limit }: Called,
  run: (link: OpenedLink) => Promise<Shown>,
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
    const link = isToken(token) ? await findLink(pool, tokenHash(token)) : undefined;
    if (link === undefined) return send(reply, gone(404, 'This link is no longer valid', NO_LINK));
    const { body, ...shown } = await run({ ...link, path: `/d/${token}` });
    return send(reply, { ...shown, body: typeof body === 'function' ? await body() : body });
  } catch (error) {
    const { status, headers, body } = answerLogged(services, error, aboutOf(request));
    return send(reply.headers(headers), gone(status, 'This page is temporarily unavailable', body.message));
  }
}

/** Returns a context for the user who created the link. `name` is the name of the customer who uses the link. */
async function ctxOf(services: Services, tx: Tx, { companyId, createdBy }: FoundLink, name = ''): Promise<Ctx> {
  const { timeZone } = await tx.one(zoneSql());
  const by = name === '' ? undefined : ({ kind: 'link', name } as const);
  return { ...serverActor({ companyId, userId: createdBy }, todayIn(timeZone), by), tx, services };
}

/**
 * Takes a form and shows the page again with the reason if the form is rejected. Another site's form does not know the
 * link, and is also rejected if the browser reports the form's origin.
 */
async function sentForm(
  services: Services,
  called: Called,
  take: (services: Services, link: OpenedLink, form: URLSearchParams) => Promise<Shown>,
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

/** Opens the provider's page for an amount. */
async function payingTaken(services: Services, link: OpenedLink, form: URLSearchParams): Promise<Shown> {
  const { companyId, documentId, path } = link;
  const paying = { services, companyId, documentId, pageUrl: `${services.config.publicUrl}${path}` };
  try {
    const url = await openPaymentPage(paying, form.get('amount') ?? '', async (tx) => {
      const isLive = await isStillLive(tx, link);
      if (!isLive) throw new Failure('not_found', NO_LINK);
    });
    return { type: HTML, body: payingPage(url) };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'rule') throw error;
    const show: Show = (ctx, live) => showPage(ctx, live, {}, { payFault: error.message });
    const shown = await readCompany(services.pool, companyId, (tx) => showLive(services, tx, { link, show }));
    return { ...shown, status: shown.status ?? 422 };
  }
}

/** Locks a link until the commit. Returns whether the link has neither expired nor been revoked in the meantime. */
async function isStillLive(tx: Tx, { id }: OpenedLink): Promise<boolean> {
  const live = await tx.row(links.find({ id, revokedAt: null }, { lock: 'for share' }));
  return live !== undefined && !(await tx.one(linkTimes(id))).isOver;
}

/**
 * Saves a customer's response and redirects to the page, so that reloading it sends nothing. If the response is
 * rejected, shows the page with the reason.
 */
async function formTaken(services: Services, link: OpenedLink, form: URLSearchParams): Promise<Shown> {
  const textOf = (field: string, most: number) => (form.get(field) ?? '').replace(/\s+/g, ' ').trim().slice(0, most);
  const [name, note] = [textOf('name', MOST_NAME), textOf('note', MOST_NOTE)];
  const answer = form.get('answer');
  const seen = Number(form.get('version') ?? '');
  return inCompany(services.pool, link.companyId, async (tx): Promise<Shown> => {
    const again = async (fault: string, status: number): Promise<Shown> => {
      const show: Show = (ctx, live) => showPage(ctx, live, {}, { typed: { name, note, fault } });
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

const gone = (status: number, title: string, text: string): Sendable => ({
  status,
  type: 'text/html; charset=utf-8',
  body: messagePage(title, text),
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
      select company_id as "companyId", id, document_id as "documentId", created_by as "createdBy"
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
function noteView(pool: Pool, { companyId, id }: FoundLink): Promise<unknown> {
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

async function showPage(ctx: Ctx, link: LiveLink, query: Returned, { typed, payFault }: Typed = {}): Promise<Shown> {
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

async function showPdf(ctx: Ctx, link: FoundLink): Promise<Shown> {
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
