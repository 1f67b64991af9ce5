import { isIsoDate } from '@evenkeel/core/dates';
import { RECEIVABLE } from '@evenkeel/core/documents/side';
import { Failure } from '@evenkeel/core/failure';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { payments } from '../../books/documents/settlement.sql.ts';
import type { TypedAnswer } from '../../features/billing/sent.ts';
import type { Ctx, Services } from '../../platform/http/context.ts';
import { printer } from '../../platform/pdf/printer.ts';
import { openPaymentPage, payNowOn, type Returned, type Wanted } from '../online/paynow.ts';
import { printCustomerStatement } from '../reports/print.ts';
import { parcelOf } from './parcels.ts';
import { drawablePortal, isOwnDocument, readPortal } from './portal.ts';
import { sendRenewal } from './send.ts';
import { linkedDocument, takeAnswer } from './shown.ts';
import { inCompany, readCompany, type Tx } from '../../platform/db/tx.ts';
import type { Limit } from '../../platform/http/limits.ts';
import { logoOf, logoPicture } from '../../features/settings/logo.ts';
import { drawable, withDrawable } from '../../platform/pdf/bitmap.ts';
import { links, type LinkTimes, linkTimes, PAGES } from './links.ts';
import { portalPage } from './portal-page.ts';
import { documentPage, messagePage, MOST_NAME, MOST_NOTE, payingPage } from './page.ts';
import {
  answer,
  ctxOf,
  gone,
  HTML,
  NO_LINK,
  type Note,
  noteView,
  type OpenedLink,
  type Params,
  type Query,
  type Resolve,
  sentForm,
  type Show,
  showLive,
  type Shown,
  type Take,
} from './opened-link.ts';
import {
  CONSENTS,
  consentTaken,
  noteCopy,
  recipient,
  showCopy,
  showRecipient,
  showSample,
  withdrawalTaken,
} from './recipient.ts';

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
/** The page of a document, which the link or its portal opens. */
interface DocumentLink extends OpenedLink {
  documentId: number;
}

interface PortalLink extends OpenedLink {
  customerId: number;
}

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

/**
 * Serves `/d/{token}` with its PDF, logo, and customers' responses, `/c/{token}`, the customer portal, with the same
 * pages for each of its documents, and `/r/{token}` with a vendor's 1099 forms.
 */
export function serveLinks(app: FastifyInstance, services: Services): void {
  const serve = <L extends OpenedLink>(url: string, resolve: Resolve<L>, show: Show<L>, note?: Note): void => {
    app.route<{ Params: Params; Querystring: Record<string, unknown> }>({
      method: ['GET', 'HEAD'],
      url,
      exposeHeadRoute: false,
      handler: (request, reply) => answer(services, { request, reply, resolve, show, note }),
    });
  };
  const documentPages = [
    { url: `${PAGES.document}/:token`, resolve: ownDocument },
    { url: `${PAGES.portal}/:token/documents/:id`, resolve: portalDocument },
  ];
  for (const { url, resolve } of documentPages) {
    serve(url, resolve, (ctx, link, query) => showPage(ctx, link, query), noteView);
    serve(`${url}/pdf`, resolve, showPdf);
    serve(`${url}/logo`, resolve, showLogo);
  }
  const own = `${PAGES.portal}/:token`;
  serve(own, portal, showPortal, noteView);
  serve(`${own}/logo`, portal, showLogo);
  serve(`${own}/statement`, portal, showStatement);
  serve(`${own}/receipts/:id`, portal, showReceipt);
  const forms1099 = `${PAGES.recipient}/:token`;
  serve(forms1099, recipient, (ctx, link) => showRecipient(ctx, link), noteView);
  serve(`${forms1099}/logo`, recipient, showLogo);
  serve(`${forms1099}/sample`, recipient, showSample);
  serve(`${forms1099}/forms/:id/pdf`, recipient, showCopy, noteCopy);
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
    take(`${forms1099}/consent`, CONSENTS, recipient, consentTaken);
    take(`${forms1099}/withdraw`, CONSENTS, recipient, withdrawalTaken);
  });
}

const FORM = 'application/x-www-form-urlencoded';
const FORM_BYTES = 8192;

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
