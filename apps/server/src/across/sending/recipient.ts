import { formatDate } from '@evenkeel/core/dates';
import { Failure } from '@evenkeel/core/failure';
import { DISCLOSURES_VERSION } from '@evenkeel/core/taxes/copies';
import { companyParty } from '../../books/parties.ts';
import { entities } from '../../features/entities/entities.sql.ts';
import { letterhead } from '../../features/entities/parties.ts';
import { getCompany } from '../../features/settings/company.ts';
import { logoPicture } from '../../features/settings/logo.ts';
import { inCompany, type Tx } from '../../platform/db/tx.ts';
import type { Ctx, Services } from '../../platform/http/context.ts';
import type { Limit } from '../../platform/http/limits.ts';
import type { Drawn } from '../../platform/http/route.ts';
import { withDrawable } from '../../platform/pdf/bitmap.ts';
import { printer } from '../../platform/pdf/printer.ts';
import { printForm } from '../taxes/form-print.ts';
import { consentOf, copiesOf, copyOpened, giveConsent, withdrawConsent } from './form-copies.ts';
import { links, type LinkTimes, PAGES } from './links.ts';
import {
  ctxOf,
  gone,
  HTML,
  NO_LINK,
  type Note,
  type OpenedLink,
  type Params,
  type Query,
  type Resolve,
  showLive,
  type Shown,
  type Take,
} from './opened-link.ts';
import { recipientPage, sampleCode, samplePaper } from './recipient-page.ts';

/** A vendor's page: the consent to electronic copies of 1099 forms, the sample PDF, and the copies. */

/** The code of the sample PDF has a million values. */
export const CONSENTS: Limit = {
  name: 'form consent',
  most: 20,
  seconds: 600,
  message: 'Too many requests. Wait a few minutes and try again.',
};
/** The page of a vendor who receives 1099 forms. */
interface RecipientLink extends OpenedLink {
  vendorId: number;
  token: string;
}

export const recipient: Resolve<RecipientLink> = async (_services, { vendorId, ...link }, { token }) =>
  vendorId === null ? undefined : { ...link, vendorId, token, path: `${PAGES.recipient}/${token}` };

/** Shows a vendor's page again after a rejected form, with the reason. */
async function recipientAgain(services: Services, tx: Tx, link: RecipientLink, fault: string): Promise<Shown> {
  const shown = await showLive(services, tx, { link, show: (ctx, live) => showRecipient(ctx, live, fault) });
  return { ...shown, status: shown.status ?? 422 };
}

/** Records a consent to the disclosures on the page, if the code shows that the vendor has opened the sample. */
export function consentTaken(services: Services, link: RecipientLink, form: URLSearchParams): Promise<Shown> {
  const isOpened = (form.get('code') ?? '').trim() === sampleCode(link.token);
  const isCurrent = Number(form.get('version') ?? '') === DISCLOSURES_VERSION;
  const fault = !isCurrent
    ? 'The conditions have changed. Read them again, and then consent.'
    : isOpened
      ? ''
      : 'The code is not correct. Open the sample PDF and enter the code that it shows.';
  return decided(services, link, { fault, decide: giveConsent });
}

export const withdrawalTaken: Take<RecipientLink> = (services, link) =>
  decided(services, link, { fault: '', decide: withdrawConsent });

/** Records a vendor's decision and redirects to the page, so that reloading the page doesn't send it again. */
function decided(
  services: Services,
  link: RecipientLink,
  { fault, decide }: { fault: string; decide: (ctx: Ctx, vendorId: number) => Promise<unknown> },
): Promise<Shown> {
  return inCompany(services.pool, link.companyId, async (tx): Promise<Shown> => {
    if (fault !== '') return recipientAgain(services, tx, link, fault);
    // The vendor is locked before the link, as in a user's requests.
    const [[vendor], [live]] = await tx.inOrder([
      entities.find({ id: link.vendorId }, { lock: 'for no key update' }),
      links.find({ id: link.id, revokedAt: null }, { lock: 'for share' }),
    ]);
    if (live === undefined || vendor === undefined) return gone(404, 'This link is no longer valid', NO_LINK);
    const ctx = await ctxOf(services, tx, link, vendor.displayname);
    try {
      await decide(ctx, link.vendorId);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'rule') throw error;
      return recipientAgain(services, tx, link, error.message);
    }
    return { status: 303, type: HTML, location: link.path, body: '' };
  });
}

/** Records that a copy was opened. Unlike a view, only the first time counts. */
export const noteCopy: Note = (pool, { companyId }, { id = '' }) =>
  inCompany(pool, companyId, (tx) => tx.rows(copyOpened(Number(id))));

export async function showRecipient(ctx: Ctx, link: RecipientLink & LinkTimes, fault?: string): Promise<Shown> {
  const { vendorId } = link;
  const [company, consent, copies] = await Promise.all([
    getCompany(ctx),
    consentOf(ctx, vendorId),
    copiesOf(ctx, vendorId),
  ]);
  const head = letterhead(companyParty(company), await logoPicture(ctx, company.logo));
  const body = async () => {
    const drawn = await withDrawable({ company: head });
    return Buffer.from(recipientPage({ ...link, ...drawn, consent, copies, fault }));
  };
  return { type: HTML, body };
}

/** Prints a sample with the code that shows that the vendor can open PDF files. */
export async function showSample(_ctx: Ctx, { token }: RecipientLink): Promise<Shown> {
  return { type: 'application/pdf', name: 'sample.pdf', body: () => printer.report(samplePaper(token)) };
}

/** Prints the latest copy that was sent of one of the vendor's forms. */
export async function showCopy(ctx: Ctx, link: RecipientLink, _query: Query, { id = '' }: Params): Promise<Shown> {
  const copy = (await copiesOf(ctx, link.vendorId)).find((each) => String(each.id) === id);
  if (copy === undefined) return gone(404, 'This copy does not exist', REPLACED);
  const { year, form, endsOn, isOver } = copy;
  const over = `The copy was available through ${formatDate(endsOn)}.`;
  if (isOver) return gone(410, 'This copy is no longer available', over);
  const draw = await printForm(ctx, copy.id);
  return { type: 'application/pdf', name: `form-1099-${form}-${year}.pdf`, body: async () => bytesOf(await draw()) };
}

const REPLACED = 'A corrected copy may have replaced this one. Open the link from the latest email.';

const bytesOf = (drawn: Drawn): Uint8Array => ('drawn' in drawn ? drawn.drawn : drawn);
