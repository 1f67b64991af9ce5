import { Failure } from '@evenkeel/core/failure';
import { DRAFT, VOID } from '@evenkeel/core/invoice';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { printInvoice, invoicePaperOf } from '../billing/print.ts';
import { invoices } from '../billing/invoices.ts';
import { todayIn } from '../clock.ts';
import { customers, getEntity } from '../entities/entities.ts';
import type { Pool } from '../db/connect.ts';
import { COMPANY, statementOf } from '../db/query.ts';
import { inCompany, readCompany } from '../db/tx.ts';
import type { Ctx, Services } from '../http/context.ts';
import { aboutOf, answerLogged } from '../http/errors.ts';
import { type Limit, networkOf, take } from '../http/limits.ts';
import { serverActor } from '../http/session.ts';
import { getCompany } from '../settings/company.ts';
import { logoOf, logoPicture } from '../settings/logo.ts';
import { sendingSettings, waysToPay } from '../settings/sending.ts';
import { isToken, tokenHash } from './links.ts';
import { invoicePage, messagePage, PAGE_POLICY } from './page.ts';
import { termsOf } from './parcels.ts';

/** Pages of private links: whoever has the address sees one document, and nothing else of the company. */

const OPENINGS: Limit = { name: 'document link', most: 120, seconds: 600, message: 'Please wait a few minutes' };

interface FoundLink {
  companyId: number;
  id: number;
  documentId: number;
  createdBy: number;
}

/** A link as it was opened, with its path. */
interface OpenedLink extends FoundLink {
  path: string;
}

/** Answers a page or a file of the document behind a link. */
type Show = (ctx: Ctx, link: OpenedLink) => Promise<Shown>;
interface Shown {
  status?: number;
  type: string;
  name?: string;
  /** Made when the transaction has ended. */
  body: string | Uint8Array | (() => Promise<Uint8Array>);
}

/** Serves `/d/{token}`, its PDF and its logo. */
export function serveLinks(app: FastifyInstance, services: Services): void {
  const serve = (path: string, show: Show, isView = false): void => {
    app.route<{ Params: { token: string } }>({
      method: ['GET', 'HEAD'],
      url: `/d/:token${path}`,
      exposeHeadRoute: false,
      handler: (request, reply) => answer(services, { request, reply, show, isView }),
    });
  };
  serve('', showPage, true);
  serve('/pdf', showPdf);
  serve('/logo', showLogo);
}

interface Asked {
  request: FastifyRequest<{ Params: { token: string } }>;
  reply: FastifyReply;
  show: Show;
  isView: boolean;
}

async function answer(services: Services, { request, reply, show, isView }: Asked): Promise<FastifyReply> {
  const { pool } = services;
  reply.headers({
    'content-security-policy': PAGE_POLICY,
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow',
  });
  try {
    await take(pool, OPENINGS, networkOf(request.ip));
    const { token } = request.params;
    const link = isToken(token) ? await findLink(pool, tokenHash(token)) : undefined;
    if (link === undefined) return send(reply, gone(404, 'This link does not work', NO_LINK));
    const shown = await readCompany(pool, link.companyId, async (tx) => {
      const { timeZone } = await tx.one(sql<{ timeZone: string }>`
        select time_zone as "timeZone" from company where company_id = ${COMPANY}`);
      const actor = serverActor({ companyId: link.companyId, userId: link.createdBy }, todayIn(timeZone));
      return show({ ...actor, tx, services }, { ...link, path: `/d/${token}` });
    });
    // A page that is shown is shown, whether or not it can be noted.
    if (isView && request.method === 'GET' && shown.status === undefined) await noteView(pool, link).catch(() => null);
    return send(reply, { ...shown, body: typeof shown.body === 'function' ? await shown.body() : shown.body });
  } catch (error) {
    const { status, headers, body } = answerLogged(services.log, error, aboutOf(request));
    return send(reply.headers(headers), gone(status, 'This page cannot be shown now', body.message));
  }
}

const NO_LINK =
  'It may have been taken back, or a part of it is missing. Please ask whoever sent it to you for a new one.';

const gone = (status: number, title: string, text: string): Shown => ({
  status,
  type: 'text/html; charset=utf-8',
  body: messagePage(title, text),
});

function send(reply: FastifyReply, { status = 200, type, name, body }: Shown): FastifyReply {
  if (name !== undefined) reply.header('content-disposition', `inline; filename="${name}"`);
  return reply
    .code(status)
    .type(type)
    .send(body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : body);
}

/** The link of a hash, of whatever company: row-level security shows this one row to its holder. */
async function findLink(pool: Pool, hash: Buffer): Promise<FoundLink | undefined> {
  const client = await pool.connect();
  try {
    await client.query(`begin read only; set local app.link = '${hash.toString('hex')}'`);
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

/** Notes that a link was opened, unless that was noted within the last hour. */
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

/** The answer in place of a document that is not shown any more; undefined when it is shown. */
async function withdrawn(ctx: Ctx, { documentId }: FoundLink): Promise<Shown | undefined> {
  const invoice = await invoices.get(ctx, documentId).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'not_found') return undefined;
    throw error;
  });
  const { displayname: company } = await getCompany(ctx);
  if (invoice === undefined)
    return gone(410, 'This invoice was deleted', `${company} has deleted it: nothing is owed.`);
  const { invoiceNumber: number, arBillingStatus: status } = invoice;
  if (status === VOID) return gone(410, `Invoice ${number} was voided`, `${company} has voided it: nothing is owed.`);
  if (status !== DRAFT) return undefined;
  return gone(410, `Invoice ${number} is being changed`, `${company} has taken it back to change it.`);
}

async function showPage(ctx: Ctx, link: OpenedLink): Promise<Shown> {
  const instead = await withdrawn(ctx, link);
  if (instead !== undefined) return instead;
  const invoice = await invoices.get(ctx, link.documentId);
  const { invoiceNumber: number, openAmount: amount, invoiceDate, dueDate } = invoice;
  const [company, customer, settings] = await Promise.all([
    getCompany(ctx),
    getEntity(ctx, customers, invoice.customerId),
    sendingSettings(ctx),
  ]);
  const logo = await logoPicture(ctx, company.logo);
  const { text: howToPay, link: payLink } = waysToPay(settings, { number, amount });
  const paper = invoicePaperOf({ invoice, company, customer, logo, howToPay });
  const shown = { paper, path: link.path, terms: termsOf(invoiceDate, dueDate), howToPay, payLink };
  return { type: 'text/html; charset=utf-8', body: invoicePage(shown) };
}

async function showPdf(ctx: Ctx, link: FoundLink): Promise<Shown> {
  const instead = await withdrawn(ctx, link);
  if (instead !== undefined) return instead;
  const drawing = await printInvoice(ctx, link.documentId);
  const body = async (): Promise<Uint8Array> => {
    const drawn = await drawing();
    return 'drawn' in drawn ? drawn.drawn : drawn;
  };
  return { type: 'application/pdf', name: 'invoice.pdf', body };
}

async function showLogo(ctx: Ctx): Promise<Shown> {
  const logo = await logoPicture(ctx, await logoOf(ctx));
  if (logo === undefined) return gone(404, 'There is no logo', '');
  return { type: `image/${logo.kind}`, body: logo.bytes };
}
